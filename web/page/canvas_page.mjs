// The canvas on a page of its own, with its inputs beside it. Its words are the canvas's.
import { languages, matchLanguage } from '../text/messages.mjs';
import { query, readAddress, settleAddress, viewKeys, writeAddress } from './address.mjs';
import { mountCanvas } from './canvas_view.mjs';
import { relabel } from './render.mjs';

const root = document.documentElement;
const assets = new URL(root.dataset.assets, document.baseURI);
const place = document.getElementById('place');
const failed = document.getElementById('failed');
const tables = new Map();
let address = { share: '', view: {} };
let lang = root.lang;
let view = null;

const t = (key) => tables.get(lang)?.get(key) ?? '';

// The address apart: the share string, and the page's own keys.
function split(text) {
  const keys = new URLSearchParams(text);
  const own = Object.fromEntries(viewKeys.filter((key) => keys.has(key)).map((key) => [key, keys.get(key)]));
  return { share: text.split('&').filter((pair) => !viewKeys.includes(pair.split('=')[0])).join('&'), view: own };
}

async function speak() {
  const wanted = matchLanguage(address.view.lang) ?? root.dataset.lang;
  if (!tables.has(wanted)) {
    const response = await fetch(new URL(`locales/canvas.${wanted}.txt`, assets));
    if (!response.ok) throw new Error(`${response.status} ${response.url}`);
    tables.set(wanted, new Map((await response.text()).split('\n').map((line) => line.split('\t'))));
  }
  lang = wanted;
  if (root.lang === lang) return;
  root.lang = lang;
  document.title = t('page.title');
  relabel(document, { t });
}

function drawChrome() {
  const { theme } = address.view;
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  else delete root.dataset.theme;
  const kept = query(address.share, address.view);
  document.getElementById('tables').href = `./${kept ? `?${kept}` : ''}`;
  for (const link of document.querySelectorAll('[data-lang][hreflang]')) {
    const { path } = languages.find((l) => l.lang === link.dataset.lang);
    const own = query(address.share, { ...address.view, lang: null });
    link.href = `${root.dataset.root}${path}canvas.html${own ? `?${own}` : ''}`;
    if (link.dataset.lang === lang) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

// The canvas knows the canonical form of what it shows.
function settle() {
  address.share = view.canvas.share;
  drawChrome();
  settleAddress(query(address.share, address.view));
}

async function reread() {
  address = split(readAddress());
  await speak();
  drawChrome();
  view.follow();
  settle();
}

async function copyLink() {
  const say = (key) => { document.getElementById('copied').textContent = t(key); };
  // Browsers refuse the clipboard to pages without TLS.
  await (navigator.clipboard?.writeText(window.location.href) ?? Promise.reject()).then(() => say('page.link.done'), () => say('page.link.failed'));
}

let attempt = 0;

async function open() {
  place.hidden = false;
  failed.hidden = true;
  try {
    address = split(readAddress());
    await speak();
    drawChrome();
    view = await mountCanvas(place, assets, {
      attempt,
      attributes: ['inputs', 'alone'],
      current: () => ({ share: address.share, lang, units: address.view.units, t }),
      edited(share, finished) {
        address.share = share;
        drawChrome();
        writeAddress(query(share, address.view), finished);
      },
    });
    view.canvas.addEventListener('vramfit-copy', copyLink);
    await view.loaded;
    settle();
    window.addEventListener('popstate', reread);
    window.addEventListener('hashchange', () => window.location.hash.includes('=') && reread());
    root.dataset.ready = '';
  } catch (error) {
    console.error(error);
    attempt += 1;
    place.hidden = true;
    failed.hidden = false;
  }
  delete root.dataset.pending;
}

failed.querySelector('button').addEventListener('click', open);
open();
