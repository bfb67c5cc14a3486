// The page: an address in, regions out. Everything shown is a function of the share string and the page's own keys.
import { createText, explain } from '../text/explain.mjs';
import { resolveLanguage } from '../text/messages.mjs';
import { loadVramfit } from '../vramfit.mjs';
import { query, readAddress, settleAddress, writeAddress } from './address.mjs';
import { copyAddress, drawChrome } from './chrome.mjs';
import { bindForm } from './controls.mjs';
import { showFitView } from './fit_controls.mjs';
import { bindCounts } from './fit_table.mjs';
import { asMade } from './fit_view.mjs';
import { formHtml } from './form.mjs';
import { html } from './html.mjs';
import { lateScript } from './late_script.mjs';
import { regions } from './regions.mjs';
import { fill, relabel } from './render.mjs';

const root = document.documentElement;
const assets = new URL(root.dataset.assets, document.baseURI);
// The root page has no language of its own.
const pageLang = root.dataset.root === './' ? null : root.lang;
const resolve = (asked) => resolveLanguage(asked, navigator.languages, pageLang);
const form = document.getElementById('form');
const limits = document.getElementById('limits');
const sourcesFold = document.getElementById('sources-fold');
const locales = new Map();

let vramfit, catalog, controls;
let sourcesHtml = null;  // once asked for
let fitView = asMade;
let state = { result: null, view: null, text: null, lang: null };

async function fetchJson(path) {
  const response = await fetch(new URL(path, assets));
  if (!response.ok) throw new Error(`${response.status} ${path}`);
  return response.json();
}

async function useLanguage(lang) {
  locales.set(lang, await fetchJson(`locales/${lang}.json`));
}

const texts = new Map();
function textFor(lang, formats, units) {
  const key = `${formats} ${units}`;
  if (!texts.has(key)) texts.set(key, createText(locales.get(lang), lang, { formats, units }));
  return texts.get(key);
}

function drawForm() {
  form.innerHTML = String(formHtml(catalog, state.result, state.text));
  controls = bindForm(form, catalog, { set: change, state: () => state });
}

function drawSurroundings({ share, view }) {
  const { lang, text } = state;
  drawChrome({ share, view, lang });
  document.getElementById('theme').value = root.dataset.theme ?? 'auto';
  document.getElementById('units').value = ['GB', 'GiB'].includes(view.units) ? view.units : 'auto';
  const whole = query(share, view);
  document.getElementById('alone').href = `canvas.html${whole && `?${whole}`}`;
  if (root.lang !== lang) {
    root.lang = lang;
    document.title = text.t('page.title');
    relabel(document, text);
  }
}

function drawSources() {
  if (!sourcesFold.open || state.result.refused) return;
  const place = document.getElementById('catalog-sources');
  if (sourcesHtml) return fill(place, sourcesHtml(state));
  place.textContent = state.text.t('page.sources.loading');
  Promise.all([fetchJson('sources.json'), lateScript(new URL(root.dataset.sources, assets))]).then(
    ([sources, { catalogSourcesHtml }]) => { sourcesHtml = ({ result, view, text }) => catalogSourcesHtml(sources, result, view, text); drawSources(); },
    () => { place.textContent = state.text.t('page.sources.failed'); },
  );
}

// What is asked less urgently than the answer waits until that has been painted, and while something is typed until it rests.
let asking = 0;
let asked = null;

async function drawWhatIf() {
  const question = state;
  const made = await lateScript(new URL(root.dataset.whatIf, assets))
    .then(({ limitsHtml }) => () => limitsHtml(vramfit.whatIf(state.result.share), state, catalog))
    .catch((error) => {
      console.error(error);
      return () => html`<p>${state.text.t('page.what_if.failed')}</p>`;
    });
  // Another answer may have come meanwhile, with a question of its own.
  if (question !== state) return;
  fill(limits, made());
  limits.removeAttribute('aria-busy');
}

function askWhatIf(patience) {
  if (asked === state) return;
  asked = state;
  clearTimeout(asking);
  if (state.view.refused) return fill(limits, null);
  // Nothing of the default configuration under another's answer.
  if ('pending' in root.dataset) fill(limits, '');
  limits.closest('section').hidden = false;
  limits.setAttribute('aria-busy', 'true');
  asking = setTimeout(drawWhatIf, patience);
}

let drawing = 0;

function drawRegions(patience = 30) {
  const { view, text } = state;
  const made = regions(view, text, fitView);
  for (const region of document.querySelectorAll('[data-region]')) fill(region, made[region.dataset.region] ?? null);
  showFitView(fitView);
  document.getElementById('sources').hidden = view.refused;
  drawSources();
  askWhatIf(patience);
  delete root.dataset.pending;
}

// Shows `share` (with view keys in it) and returns the canonical address for it. Waits for nothing but a language not yet loaded, so
// that whoever calls sees the new state at once; while something is being typed, drawing waits for the next frame.
async function show(share, finished = true) {
  const result = vramfit.estimate(share);
  const { lang, formats } = resolve(result.view.lang);
  if (!locales.has(lang)) await useLanguage(lang);
  const text = textFor(lang, formats, result.view.units);
  const redrawForm = formats !== state.text?.formats;
  const view = explain(result, catalog, text);
  state = { result, view, text, lang };
  drawSurroundings(result);
  if (redrawForm) drawForm();
  controls.update();
  canvas?.follow();
  cancelAnimationFrame(drawing);
  if (finished) drawRegions();
  else drawing = requestAnimationFrame(() => drawRegions(200));
  return query(result.share, result.view);
}

// Sorts and filters the fit table: the same answer, seen otherwise.
function lookAt(wanted) {
  fitView = wanted;
  drawRegions();
}

// The drawn view loads when its section comes into sight.
let canvas = null;

function bindCanvas() {
  const place = document.getElementById('canvas-place');
  const failed = document.getElementById('canvas-failed');
  let opening = false;
  const open = async () => {
    if (opening) return;
    opening = true;
    place.hidden = false;
    failed.hidden = true;
    try {
      const { mountCanvas } = await lateScript(new URL(root.dataset.canvas, assets));
      canvas = await mountCanvas(place, assets, {
        current: () => ({ share: state.result.share, lang: state.text.formats, units: state.result.view.units, t: state.text.t }),
        edited: async (share, finished) => writeAddress(await show(query(share, state.result.view), finished), finished),
      });
      await canvas.loaded;
    } catch (error) {
      console.error(error);
      canvas = null;
      opening = false;
      place.hidden = true;
      failed.hidden = false;
    }
  };
  // Once it is there, or under way, coming into sight again does nothing; after a failure it is another attempt.
  new IntersectionObserver((entries) => entries.at(-1).isIntersecting && open()).observe(document.getElementById('canvas'));
  failed.querySelector('button').addEventListener('click', open);
}

let rereading = false;

async function change(changes, finished) {
  if (rereading) return;
  const keys = new URLSearchParams(query(state.result.share, state.result.view));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) keys.delete(key);
    else keys.set(key, value);
  }
  writeAddress(await show(keys.toString(), finished), finished);
}

function bind() {
  document.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (!button) return;
    if (button.dataset.pick) {
      const { gpu, count } = state.result.inputs;
      const again = gpu === button.dataset.pick && String(count) === button.dataset.count;
      change(again ? { gpu: null, count: null } : { gpu: button.dataset.pick, count: button.dataset.count }, true);
    }
    if (button.dataset.set) change({ [button.dataset.set]: button.dataset.value }, true);
    if (button.dataset.change) change(Object.fromEntries(new URLSearchParams(button.dataset.change)), true);
    if (button.id === 'unfilter') {
      lookAt({ ...asMade, sort: fitView.sort });
      document.querySelector('[data-look]').focus();
    }
    if (button.id === 'reset') {
      controls.forget();
      show(query('', state.result.view)).then((address) => writeAddress(address, true));
    }
    if (button.id === 'copy') copyAddress(state.text.t);
  });
  document.addEventListener('change', ({ target }) => {
    if (target.dataset.look) lookAt({ ...fitView, [target.dataset.look]: target.value });
  });
  bindCounts(document);
  for (const id of ['theme', 'units']) {
    document.getElementById(id).addEventListener('change', (event) => {
      change({ [id]: event.target.value === 'auto' ? null : event.target.value }, true);
    });
  }
  sourcesFold.addEventListener('toggle', drawSources);
  const reread = async () => {
    // Leaving the field in use would finish what is being typed there; the step goes elsewhere.
    rereading = true;
    document.activeElement?.blur?.();
    rereading = false;
    controls.forget();
    settleAddress(await show(readAddress()));
  };
  window.addEventListener('popstate', reread);
  window.addEventListener('hashchange', () => window.location.hash.includes('=') && reread());
}

async function start() {
  const wasmUrl = new URL('vramfit-core.wasm', assets);
  const [{ default: moduleFactory }] = await Promise.all([import(new URL('vramfit-core.mjs', assets)), useLanguage(resolve(new URLSearchParams(readAddress()).get('lang')).lang)]);
  vramfit = await loadVramfit({ wasmUrl, moduleFactory });
  catalog = vramfit.catalog();
  settleAddress(await show(readAddress()));
  bind();
  bindCanvas();
  root.dataset.ready = '';
}

start().catch((error) => {
  delete root.dataset.pending;
  document.getElementById('failed').hidden = false;
  console.error(error);
});
