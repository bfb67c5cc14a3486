// Keeps the site for use without a network, and says when a new version of it is ready. On the site's own pages only.
import { createMessages } from '../text/messages.mjs';
import { html } from './html.mjs';

const root = document.documentElement;
const site = new URL(root.dataset.root, document.baseURI);
const assets = new URL(root.dataset.assets, document.baseURI);

// --- the notice ---------------------------------------------------------------------------------------------------------

// A live region speaks of what changes in it, so it is there before there is anything to say.
const notice = document.createElement('div');
notice.id = 'update';
notice.setAttribute('role', 'status');

let offered = null;  // the worker that waits

async function words() {
  const response = await fetch(new URL(`locales/offline.${root.lang}.json`, assets));
  if (!response.ok) throw new Error(`${response.status} ${response.url}`);
  return createMessages(await response.json(), root.lang);
}

const styled = () => new Promise((done, failed) => {
  const sheet = document.createElement('link');
  Object.assign(sheet, { rel: 'stylesheet', href: new URL('offline.css', assets), onload: done, onerror: failed });
  document.head.append(sheet);
});

async function draw() {
  const { t, lang } = await words();
  // The reader may have changed the language meanwhile, and the focus stays where it is.
  if (lang !== root.lang) return draw();
  const focused = notice.contains(document.activeElement) ? document.activeElement.dataset.update : null;
  notice.innerHTML = String(html`<p>${t('offline.ready')}</p><button type="button" data-update="now">${t('offline.reload')}</button><button type="button" data-update="later">${t('offline.later')}</button>`);
  if (focused) notice.querySelector(`[data-update="${focused}"]`).focus();
  return undefined;
}

const languageChanges = new MutationObserver(() => draw().catch(console.error));

async function offer(worker) {
  const first = !offered;
  offered = worker;
  if (!first) return;
  await styled();
  await draw();
  languageChanges.observe(root, { attributeFilter: ['lang'] });
}

notice.addEventListener('click', ({ target }) => {
  const { update } = target.dataset;
  if (update === 'now') offered.postMessage('replace');
  if (update === 'later') {
    languageChanges.disconnect();
    notice.replaceChildren();
  }
});

// --- the worker ---------------------------------------------------------------------------------------------------------

const hour = 3600e3;

async function keep() {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.register(new URL('sw.js', site), { scope: site });

  const look = () => registration.waiting && registration.active && offer(registration.waiting).catch(console.error);
  const follow = () => registration.installing?.addEventListener('statechange', look);
  registration.addEventListener('updatefound', follow);
  follow();
  look();

  // Whichever page asked for the new version, all go over to it: one page never has parts of two. The first worker of all changes
  // nothing about the page that it takes over.
  let first = !serviceWorker.controller && registration.active?.state !== 'activated';
  serviceWorker.addEventListener('controllerchange', () => {
    if (!first) window.location.reload();
    first = false;
  });

  // Browsers look for a new version when a page is opened; one that stays open asks when the reader comes back to it.
  let looked = performance.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || performance.now() - looked < hour) return;
    looked = performance.now();
    registration.update().catch(() => {});  // without a network there is nothing new
  });
}

const loaded = () => new Promise((done) => {
  if (document.readyState === 'complete') done();
  else window.addEventListener('load', done, { once: true });
});

if ('serviceWorker' in navigator && window.top === window) {
  document.querySelector('header').before(notice);
  // After all that the reader waits for. Where it is refused, as in private windows of some browsers, the page works without.
  loaded().then(() => setTimeout(() => keep().catch((error) => console.info(error)), 1000));
}
