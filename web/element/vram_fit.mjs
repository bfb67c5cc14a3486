// <vram-fit>: the calculator as an element of somebody else's page.
//
//   <script type="module" src="https://host/path/vram-fit.js"></script>
//   <vram-fit model="llama-3.1-70b" weights="fp8" lang="es"><p>What is shown until the answer is there, and where it cannot be.</p></vram-fit>
//
// Attributes
//   every key of a share string   model, weights, num_layers, context, gpus, gpu, count, prices, ...: as in a link
//   share       a whole share string; a key that has an attribute of its own goes by that attribute
//   view        `compact` (the default): the sentence, what fills one GPU, the three smallest choices, a link to the page
//   lang        en, es, pt-BR; else the language of the nearest element that states one, else the browser's
//   units       GB, GiB or auto (each method in its own)
//   theme       light, dark or auto (as the page around it)
//   prices      a price book, as in a link, or the address of a list of the host's own prices, on the host page's origin: what holds a
//               slash or ends in .json is an address. What is wrong with it is listed, and told as vramfit-error
//   wasm-url    address of vramfit-core.wasm; beside the script by default
//   page-url    address of the full page; the folder above the script's by default
// `lang`, `units`, `theme` and `view` may stand in `share` too, as they do in a link; the attribute wins.
//
// Properties
//   share       the canonical share string of what is shown; setting it sets the attribute
//   result      the whole answer, read-only, as RESULT.md describes it; null before there is one
//   state       'idle' (not in a document), 'loading', 'ready', 'refused' (the input gives no answer), 'failed' (see vramfit-error)
//   ready       promise of `state`, once what was asked last is shown or has failed
//   lang, view  as the attributes
//
// Events, which bubble and leave shadow trees
//   vramfit-change  {share, result, finished}  another answer, the first too; `finished` is false while somebody is still typing
//   vramfit-resize  {height}                   another height, in CSS pixels
//   vramfit-error   {id, message}              what went wrong, an id under `element.error` in the locale files, or the notice that stands against an answer
//
// Custom properties: --vramfit-surface, --vramfit-ink, --vramfit-accent and so on, one for each colour of web/page/palette.css.
//
// Everything is read anew when an attribute changes, once for all that change together. An element that failed tries again when an
// attribute changes or when it is put in anew.
import { fill } from '../page/render.mjs';
import { bestRows, brief } from '../text/brief.mjs';
import { createText } from '../text/text.mjs';
import { readAttributes, viewAttributes } from './attributes.mjs';
import { compactRegions, failedHtml, frameHtml, labelOf } from './compact.mjs';
import { Failure } from './failure.mjs';
import { hostPrices } from './host_prices.mjs';
import { languageOf } from './language.mjs';
import { loadCore } from './load_core.mjs';
import { pageLink } from './page_link.mjs';

const tag = 'vram-fit';

// All the way down: whoever is handed the answer cannot change what others are handed.
function frozen(value) {
  if (value && typeof value === 'object') Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

// A promise to be settled from outside.
function open() {
  const made = { settled: false };
  made.promise = new Promise((settle) => {
    made.settle = (value) => {
      made.settled = true;
      settle(value);
    };
  });
  return made;
}

// `moduleFactory` is the default export of vramfit-core.mjs, `fields` the keys of a share string, `texts` the messages by language,
// `style` the style sheet, `base` the address of the script, or null. Gives the class of the element: the one that is there already
// where a script has been before, and null where there are no elements at all.
export function defineVramFit({ moduleFactory, fields, texts, style, base }) {
  if (!globalThis.customElements) return null;
  if (customElements.get(tag)) return customElements.get(tag);

  const written = new Map();
  function textFor(lang, units) {
    const key = `${lang} ${units}`;
    if (!written.has(key)) written.set(key, createText(texts[lang], lang, { units }));
    return written.get(key);
  }

  // A style sheet belongs to one document.
  const sheets = new WeakMap();
  function sheetFor(view) {
    if (!sheets.has(view)) {
      const sheet = new view.CSSStyleSheet();
      sheet.replaceSync(style);
      sheets.set(view, sheet);
    }
    return sheets.get(view);
  }

  class VramFit extends HTMLElement {
    static observedAttributes = [...fields, ...viewAttributes];

    #root = this.attachShadow({ mode: 'open' });
    #state = 'idle';
    #result = null;
    #share = null;
    #written = '';  // the answer shown, as text
    #told = '';  // what was complained of last
    #runs = 0;  // an update that comes back when there has been another is out of date
    #asked = open();
    #height = null;
    #sizes = new ResizeObserver(() => this.#measure());
    #pageLang = new MutationObserver(() => this.#ask());

    get state() { return this.#state; }
    get result() { return this.#result; }
    get ready() { return this.#asked.promise; }
    get share() { return this.#share ?? readAttributes(this, fields).share; }
    set share(share) { this.setAttribute('share', share); }
    get view() { return readAttributes(this, fields).view; }
    set view(view) { this.setAttribute('view', view); }

    connectedCallback() {
      const { defaultView, documentElement } = this.ownerDocument;
      if (!this.#root.firstChild) this.#root.innerHTML = String(frameHtml());
      this.#root.adoptedStyleSheets = [sheetFor(defaultView)];
      this.#sizes.observe(this);
      this.#pageLang.observe(documentElement, { attributeFilter: ['lang'] });
      this.#ask();
    }

    disconnectedCallback() {
      this.#sizes.disconnect();
      this.#pageLang.disconnect();
      this.#runs += 1;
      if (this.#state === 'loading') this.#become('idle');
    }

    attributeChangedCallback() {
      if (this.isConnected) this.#ask();
    }

    #become(state) {
      const frame = this.#root.firstChild;
      this.#state = state;
      frame.dataset.state = state;
      frame.setAttribute('aria-busy', String(state === 'loading'));
    }

    #tell(name, detail) {
      this.dispatchEvent(new CustomEvent(`vramfit-${name}`, { detail, bubbles: true, composed: true }));
    }

    #complain(errors) {
      const told = JSON.stringify(errors);
      if (told === this.#told) return;
      this.#told = told;
      for (const error of errors) this.#tell('error', error);
    }

    // What changes within one task is answered once.
    async #ask() {
      if (this.#asked.settled) this.#asked = open();
      this.#runs += 1;
      const run = this.#runs;
      await null;
      if (run !== this.#runs) return;
      const asked = readAttributes(this, fields);
      const text = textFor(languageOf(this, asked.lang), asked.units);
      if (this.#state === 'idle' || this.#state === 'failed') {
        this.#told = '';
        this.#become('loading');
      }
      try {
        const core = await loadCore(asked.wasmUrl, base, moduleFactory);
        const host = await hostPrices(asked.pricesUrl, core.catalog);
        if (run !== this.#runs) return;
        this.#answer(core, asked, host, text);
      } catch (error) {
        if (run !== this.#runs) return;
        this.#fail(error, text);
      }
      // Whoever was told may have asked for something else.
      if (run !== this.#runs) return;
      this.#asked.settle(this.#state);
    }

    #answer({ vramfit, catalog }, asked, { prices, problems }, text) {
      const result = vramfit.estimate(asked.share, { prices });
      const view = brief(result, catalog, text);
      const wrong = problems.map(({ id, message }) => ({ id, message: message(text) }));
      const errors = [...asked.failures.map((failure) => failure.told(text)), ...wrong];
      let link = null;
      try {
        link = pageLink(asked.pageUrl, base, { share: result.share, units: asked.units }, text.lang);
      } catch (failure) {
        errors.push(failure.told(text));
      }
      result.notices.forEach(({ severity, id }, i) => {
        if (severity === 'error') errors.push({ id, message: view.notices[i].text });
      });
      const best = result.refused ? [] : bestRows(result, catalog, text);
      this.#draw(compactRegions(view, text, { best, link, prices, problems: wrong.map(({ message }) => message) }), labelOf(result, text), asked.theme, text);
      this.#become(result.refused ? 'refused' : 'ready');
      const answer = JSON.stringify(result);
      const another = answer !== this.#written;
      this.#written = answer;
      this.#share = result.share;
      if (another) {
        this.#result = frozen(result);
        this.#tell('change', { share: result.share, result, finished: true });
      }
      this.#complain(errors);
    }

    #draw(regions, label, theme, { lang }) {
      const frame = this.#root.firstChild;
      Object.assign(frame.dataset, { theme });
      frame.lang = lang;
      frame.setAttribute('aria-label', label);
      for (const region of frame.querySelectorAll('[data-region]')) fill(region, regions[region.dataset.region] ?? null);
    }

    // What the author wrote stays.
    #fail(error, text) {
      const failure = error instanceof Failure ? error : new Failure('unexpected', { reason: String(error) }, error);
      console.error(failure);
      this.#draw({ failure: failedHtml(text) }, text.t('page.name'), 'auto', text);
      this.#written = '';
      this.#become('failed');
      this.#complain([failure.told(text)]);
    }

    #measure() {
      const { height } = this.getBoundingClientRect();
      if (height === this.#height) return;
      this.#height = height;
      this.#tell('resize', { height });
    }
  }

  customElements.define(tag, VramFit);
  return VramFit;
}
