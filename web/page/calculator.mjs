// The calculator in a document or a shadow root that holds calculator.html: a share string in, regions out. Everything shown is a
// function of the share string, the view keys in it and how the reader wants to see the fit table.
import { addMessages } from '../text/messages.mjs';
import { createText } from '../text/text.mjs';
import { viewOf } from '../text/view.mjs';
import { query } from './address.mjs';
import { copyLink } from './clipboard.mjs';
import { bindForm } from './controls.mjs';
import { showFitView } from './fit_controls.mjs';
import { bindCounts } from './fit_table.mjs';
import { asMade } from './fit_view.mjs';
import { formHtml } from './form.mjs';
import { html } from './html.mjs';
import { regions } from './regions.mjs';
import { fill, relabel } from './render.mjs';

// `vramfit` answers, `site` has the rest. `languageOf(view keys)` is what to speak, as resolveLanguage() says it; `labelled` the language that
// the fixed texts are in already. `drawn(state, finished)` is told of each new state before the regions show it; `edited(query, finished)` of each change
// the reader makes. `pageAddress(file, query)` is where a page of the site is, `link()` what "copy link" copies, `prices()` the host's
// price list, which `vramfit` answers by too. `signal` ends it.
export function createCalculator(root, { vramfit, site, languageOf, labelled = null, drawn, edited, pageAddress, link, prices = () => null, signal }) {
  const frame = root.host ?? root.documentElement;
  const body = root.querySelector('.calculator');
  const catalog = vramfit.catalog();
  const form = root.getElementById('form');
  const limits = root.getElementById('limits');
  const sourcesFold = root.getElementById('sources-fold');
  const modelFile = root.getElementById('model-file-fold');
  const failed = root.getElementById('canvas-failed');
  const retry = root.getElementById('retry');
  const differ = root.getElementById('differ');
  if (!differ.open) differ.lastElementChild.textContent = '';  // what the HTML says there in its own language is drawn anew when it opens
  const byEngine = ({ inputs }) => inputs.method === 'engine';
  const needsFull = (result) => byEngine(result) || result.inputs.shape;
  const locales = new Map();
  const texts = new Map();
  let controls;
  let fitView = asMade;
  let state = { result: null, view: null, text: null, lang: null };

  function textFor({ lang, formats }, units) {
    const key = `${formats} ${units}`;
    if (!texts.has(key)) texts.set(key, createText(locales.get(lang), lang, { formats, units }));
    return texts.get(key);
  }

  function drawForm() {
    form.innerHTML = String(formHtml(catalog, state.result, state.text));
    controls = bindForm(form, catalog, { set: change, state: () => state });
  }

  function drawFixed({ share, view }) {
    const { lang, text } = state;
    const alone = pageAddress('canvas.html', query(share, view));
    root.getElementById('alone').hidden = !alone;
    if (alone) root.getElementById('alone').href = alone;
    if (labelled !== lang) relabel(root, text);
    labelled = lang;
  }

  // A late script, and the texts that only late scripts show.
  const lateTexts = new Map();
  function loadLateTexts() {
    const { lang } = state;
    if (!lateTexts.has(lang)) lateTexts.set(lang, site.locale(lang, 'late').then((late) => { addMessages(locales.get(lang), late); relabel(failed, state.text); relabel(form, state.text); }).catch((error) => {
      lateTexts.delete(lang);
      throw error;
    }));
    return lateTexts.get(lang);
  }
  const lateScript = async (name) => (await Promise.all([site.script(name), loadLateTexts()]))[0];

  // What answers by an engine bring: a script, and their texts. `engine` shows the answer then.
  let engine = null;
  const loadEngine = (lang) => Promise.all([site.script('engine_view'), site.locale(lang, 'engine'), localeOf(lang)])
    .then(([script, texts, locale]) => { addMessages(locale, texts); engine = script; return script.dress(root, site); });

  async function localeOf(lang) {
    if (!locales.has(lang)) locales.set(lang, await site.locale(lang));
    return locales.get(lang);
  }

  // Fills `place` with what a late script makes of the state, if that is still the one and the place still on the page: an article's
  // element may have gone back to its compact view.
  async function drawLate(name, place, failure) {
    const question = state;
    let made;
    try {
      const { draw } = await lateScript(name);
      made = question === state && place.isConnected && await draw({ ...state, root, vramfit, catalog, site, change });
    } catch (error) {
      console.error(error);
      made = html`<p>${state.text.t(failure)}</p>`;
    }
    // Another answer may have come meanwhile, with a question of its own.
    if (question !== state || !place.isConnected) return;
    fill(place, made);
    place.removeAttribute('aria-busy');
  }

  function drawDifferences() {
    if (differ.open && !state.result.refused) drawLate('differences_view', differ.lastElementChild, 'page.panel.failed');
  }

  function drawSources() {
    if (sourcesFold.open && !state.result.refused) drawLate('catalog_sources', root.getElementById('catalog-sources'), 'page.sources.failed');
  }

  function drawModelFile() {
    const place = modelFile.lastElementChild;
    if (modelFile.open) lateScript('model_file_view').then(({ show }) => show(place, { ...state, root, vramfit, site, change })).catch((error) => {
      console.error(error);
      place.textContent = state.text.t('page.panel.failed');
    });
  }

  // What is asked less urgently than the answer waits until that has been painted, and while something is typed until it rests.
  let asking = 0;
  let answered = null;

  function askWhatIf(patience) {
    if (answered === state) return;
    answered = state;
    clearTimeout(asking);
    if (state.view.refused) return fill(limits, null);
    // Nothing of the default configuration under another's answer.
    if ('pending' in frame.dataset) fill(limits, '');
    limits.closest('section').hidden = false;
    limits.setAttribute('aria-busy', 'true');
    asking = setTimeout(() => drawLate('what_if_view', limits, 'page.what_if.failed'), patience);
  }

  let drawing = 0;

  function drawRegions(patience = 30) {
    const { view, text } = state;
    const made = regions(view, text, fitView);
    if (byEngine(state.result)) Object.assign(made, engine?.regionsOf({ ...state, vramfit }));
    for (const region of body.querySelectorAll('[data-region]')) fill(region, made[region.dataset.region] ?? null);
    showFitView(root, fitView);
    root.getElementById('sources').hidden = view.refused;
    drawSources();
    drawDifferences();
    drawModelFile();
    askWhatIf(patience);
    delete frame.dataset.pending;
  }

  // The query shown, or asked for last and waiting for the full module: what it replaces stays until then.
  let asked = '';

  // Shows `share` (with view keys in it) and returns the canonical query for it. Waits for nothing but the full module and a language
  // not yet loaded, so that whoever calls sees the new state at once; while something is being typed, drawing waits for the next frame.
  async function show(share, finished = true) {
    asked = share;
    let result = vramfit.estimate(share);
    const speech = languageOf(result.view);
    const { lang } = speech;
    const awaited = needsFull(result) ? [vramfit.growFor(result), engine && locales.get(lang)?.because ? null : loadEngine(lang)].filter(Boolean) : [];
    const growing = awaited.length > 0 && Promise.all(awaited);
    body.setAttribute('aria-busy', !!growing);
    retry.hidden = true;
    if (growing) {
      await growing.catch((error) => {
        console.error(error);
        retry.hidden = false;
      });
      if (asked !== share) return asked;
      body.setAttribute('aria-busy', false);
      result = vramfit.estimate(share);
    }
    if (!locales.has(lang)) await localeOf(lang);
    // The texts of the markup, where it is in another language.
    if (labelled !== lang) addMessages(locales.get(lang), await site.locale(lang, 'fixed'));
    const text = textFor(speech, result.view.units);
    const redrawForm = text.formats !== state.text?.formats;
    const view = viewOf(result, catalog, text);
    state = { result, view, text, lang };
    drawFixed(result);
    drawn(state, finished);
    if (redrawForm) drawForm();
    if (byEngine(result)) engine?.addFields(form, catalog, state, controls);
    controls.update();
    canvas?.follow();
    cancelAnimationFrame(drawing);
    if (result.refused) loadLateTexts().catch(console.error);  // no late section asks for them
    if (finished) drawRegions();
    else drawing = requestAnimationFrame(() => drawRegions(200));
    return (asked = query(result.share, result.view));
  }

  // Sorts and filters the fit table: the same answer, seen otherwise.
  function lookAt(wanted) {
    fitView = wanted;
    drawRegions();
  }

  // The drawn view loads when its section comes into sight.
  let canvas = null;

  function bindCanvas() {
    const place = root.getElementById('canvas-place');
    let opening = false;
    const close = (why, what) => {
      canvas = null;
      opening = false;
      place.hidden = true;
      failed.hidden = false;
      [why, what].forEach((key, i) => { failed.children[i].dataset.t = key; });
      relabel(failed, state.text);
    };
    const open = async () => {
      if (opening) return;
      opening = true;
      place.hidden = false;
      failed.hidden = true;
      try {
        const { mountCanvas } = await site.script('canvas_view');
        canvas = await mountCanvas(place, site, {
          vramfit,
          current: () => ({ share: state.result.share, lang: state.text.formats, units: state.result.view.units, prices: prices(), t: state.text.t }),
          edited: async (share, finished) => edited(await show(query(share, state.result.view), finished), finished),
          closed: () => close('page.canvas.elsewhere', 'page.canvas.here'),
          signal,
        });
        await canvas.loaded;
      } catch (error) {
        console.error(error);
        close('page.canvas.failed', 'page.canvas.retry');
      }
    };
    // Once it is there, or under way, coming into sight again does nothing; after a failure it is another attempt.
    const sight = new IntersectionObserver((entries) => entries.at(-1).isIntersecting && open());
    sight.observe(root.getElementById('canvas'));
    signal?.addEventListener('abort', () => sight.disconnect());
    failed.querySelector('button').addEventListener('click', open);
  }

  let rereading = false;

  async function change(changes, finished) {
    if (rereading) return;
    const keys = new URLSearchParams(asked);
    for (const [key, value] of Object.entries(changes)) {
      if (value === null) keys.delete(key);
      else keys.set(key, value);
    }
    edited(await show(keys.toString(), finished), finished);
  }

  async function reset() {
    controls.forget();
    edited(await show(query('', state.result.view)), true);
  }

  // After the reader stepped through the history.
  async function reread(share) {
    // Leaving the field in use would finish what is being typed there; the step goes elsewhere.
    rereading = true;
    root.activeElement?.blur?.();
    rereading = false;
    controls.forget();
    return show(share);
  }

  function openPanel() {
    site.script('share_panel')
      .then(({ openSharePanel }) => openSharePanel({ ...state, place: root.body ?? root, site, vramfit, link: link() }))
      .catch((error) => {
        console.error(error);
        root.getElementById('copied').textContent = state.text.t('page.panel.failed');
      });
  }

  function press(button) {
    if (button.dataset.pick) {
      const { gpu, count } = state.result.inputs;
      const again = gpu === button.dataset.pick && String(count) === button.dataset.count;
      change(again ? { gpu: null, count: null } : { gpu: button.dataset.pick, count: button.dataset.count }, true);
    }
    if (button.dataset.set) change({ [button.dataset.set]: button.dataset.value }, true);
    if (button.dataset.change) change(Object.fromEntries(new URLSearchParams(button.dataset.change)), true);
    if (button.id === 'unfilter') {
      lookAt({ ...asMade, sort: fitView.sort });
      root.querySelector('[data-look]').focus();
    }
    if (button.parentElement === retry) change({}, true);
    if (button.id === 'reset') reset();
    if (button.id === 'panel') openPanel();
    if (button.id === 'copy') copyLink(link(), root.getElementById('copied'), state.text);
  }

  // Once the first state has been shown.
  function bind() {
    body.addEventListener('click', ({ target }) => {
      const button = target.closest('button');
      if (button) press(button);
    });
    body.addEventListener('change', ({ target }) => {
      if (target.dataset.look) lookAt({ ...fitView, [target.dataset.look]: target.value });
    });
    bindCounts(body);
    sourcesFold.addEventListener('toggle', drawSources);
    differ.addEventListener('toggle', drawDifferences);
    modelFile.addEventListener('toggle', drawModelFile);
    bindCanvas();
  }

  signal?.addEventListener('abort', () => {
    clearTimeout(asking);
    cancelAnimationFrame(drawing);
  });
  return { show, change, reread, bind };
}
