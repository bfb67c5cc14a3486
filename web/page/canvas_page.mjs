// The canvas on a page of its own, with its inputs beside it.
import { createMessages, languages, matchLanguage } from '../text/messages.mjs';
import { query, readAddress, settleAddress, viewKeys, writeAddress } from './address.mjs';
import { mountCanvas } from './canvas_view.mjs';

const root = document.documentElement;
const assets = new URL(root.dataset.assets, document.baseURI);
const locales = new Map();
let address = { share: '', view: {} };
let lang = root.lang;
let t = (key) => key;

// The address apart: the share string, and the page's own keys.
function split(text) {
  const keys = new URLSearchParams(text);
  const view = {};
  for (const key of viewKeys) {
    if (keys.has(key)) view[key] = keys.get(key);
    keys.delete(key);
  }
  return { share: text.split('&').filter((pair) => !viewKeys.includes(pair.split('=')[0])).join('&'), view };
}

async function speak() {
  lang = matchLanguage(address.view.lang) ?? root.dataset.lang;
  if (!locales.has(lang)) {
    const response = await fetch(new URL(`locales/${lang}.json`, assets));
    if (!response.ok) throw new Error(`${response.status} ${response.url}`);
    locales.set(lang, createMessages(await response.json(), lang));
  }
  ({ t } = locales.get(lang));
  root.lang = lang;
  document.title = t('page.title');
  for (const node of document.querySelectorAll('[data-t]')) node.textContent = t(node.dataset.t);
}

function drawChrome() {
  const { theme } = address.view;
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  else delete root.dataset.theme;
  const kept = query(address.share, address.view);
  document.getElementById('tables').href = `./${kept ? `?${kept}` : ''}`;
  for (const link of document.querySelectorAll('[data-lang]')) {
    const { path } = languages.find((l) => l.lang === link.dataset.lang);
    const own = query(address.share, { ...address.view, lang: null });
    link.href = `${root.dataset.root}${path}canvas.html${own ? `?${own}` : ''}`;
    if (link.dataset.lang === lang) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

async function start() {
  address = split(readAddress());
  await speak();
  drawChrome();
  const view = await mountCanvas(document.getElementById('place'), assets, {
    attributes: ['inputs', 'alone'],
    current: () => ({ share: address.share, lang, units: address.view.units, t }),
    edited(share, finished) {
      address.share = share;
      drawChrome();
      writeAddress(query(share, address.view), finished);
    },
  });
  view.canvas.addEventListener('vramfit-copy', () => {
    const say = (key) => { document.getElementById('copied').textContent = t(key); };
    (navigator.clipboard?.writeText(window.location.href) ?? Promise.reject()).then(() => say('page.link.done'), () => say('page.link.failed'));
  });
  settleAddress(query(address.share, address.view));
  const reread = async () => {
    address = split(readAddress());
    await speak();
    drawChrome();
    view.follow();
    settleAddress(query(address.share, address.view));
  };
  window.addEventListener('popstate', reread);
  window.addEventListener('hashchange', () => window.location.hash.includes('=') && reread());
  delete root.dataset.pending;
  root.dataset.ready = '';
}

start().catch((error) => {
  document.getElementById('failed').hidden = false;
  console.error(error);
});
