// The canvas on a page of its own, with its inputs beside it. Its words are the canvas's.
import { matchLanguage, resolveLanguage } from '../text/messages.mjs';
import { query, readAddress, settleAddress, viewKeys, writeAddress } from './address.mjs';
import { mountCanvas } from './canvas_view.mjs';
import { drawChrome } from './chrome.mjs';
import { copyLink } from './clipboard.mjs';
import { relabel } from './render.mjs';
import { siteAt } from './site.mjs';

const root = document.documentElement;
const assets = new URL(root.dataset.assets, document.baseURI);
const place = document.getElementById('place');
const failed = document.getElementById('failed');
const tables = new Map();
let address = { share: '', view: {} };
let lang = root.lang;
let formats = lang;
let view = null;

const t = (key) => tables.get(lang)?.get(key) ?? '';

// The address apart: the share string, and the page's own keys.
function split(text) {
  const keys = new URLSearchParams(text);
  const own = Object.fromEntries(viewKeys.filter((key) => keys.has(key)).map((key) => [key, keys.get(key)]));
  return { share: text.split('&').filter((pair) => !viewKeys.includes(pair.split('=')[0])).join('&'), view: own };
}

async function speak() {
  // The root page has no language of its own.
  const { lang: wanted, formats: region } = resolveLanguage(address.view.lang, navigator.languages, root.dataset.root !== './' && root.dataset.lang);
  if (!tables.has(wanted)) {
    const response = await fetch(new URL(`locales/canvas.${wanted}.txt`, assets));
    if (!response.ok) throw new Error(`${response.status} ${response.url}`);
    tables.set(wanted, new Map((await response.text()).split('\n').map((line) => line.split('\t'))));
  }
  lang = wanted;
  formats = region;
  if (root.lang === lang) return;
  root.lang = lang;
  document.title = t('page.canvas.title');
  relabel(document, { t });
}

// A language that nobody here speaks is named; the other keys say themselves what they did not do.
function nameUnknown() {
  const { lang: asked } = address.view;
  const said = { field: 'lang', value: asked };
  document.getElementById('copied').textContent = !asked || matchLanguage(asked) ? '' : t('notice.unknown-view').replace(/\{(field|value)\}/g, (_, name) => said[name]);
}

function draw() {
  drawChrome({ ...address, lang, file: 'canvas.html' });
  const kept = query(address.share, address.view);
  document.getElementById('tables').href = `./${kept && `?${kept}`}`;
}

// The canvas knows the canonical form of what it shows.
function settle() {
  address.share = view.canvas.share;
  draw();
  settleAddress(query(address.share, address.view));
}

async function reread() {
  address = split(readAddress());
  await speak();
  nameUnknown();
  draw();
  view.follow();
  settle();
}

async function open() {
  place.hidden = false;
  failed.hidden = true;
  try {
    address = split(readAddress());
    await speak();
    nameUnknown();
    draw();
    view = await mountCanvas(place, siteAt(assets), {
      attributes: ['inputs', 'alone'],
      current: () => ({ share: address.share, lang: formats, units: address.view.units, t }),
      edited(share, finished) {
        address.share = share;
        draw();
        writeAddress(query(share, address.view), finished);
      },
    });
    view.canvas.addEventListener('vramfit-copy', () => copyLink(window.location.href, document.getElementById('copied'), { t }));
    await view.loaded;
    settle();
    window.addEventListener('popstate', reread);
    window.addEventListener('hashchange', () => window.location.hash.includes('=') && reread());
    root.dataset.ready = '';
  } catch (error) {
    console.error(error);
    place.hidden = true;
    failed.hidden = false;
  }
  delete root.dataset.pending;
}

failed.querySelector('button').addEventListener('click', open);
open();
