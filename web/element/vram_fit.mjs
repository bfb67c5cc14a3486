// <vram-fit>: the calculator as an element of somebody else's page.
//
//   <script type="module" src="https://host/path/vram-fit.js"></script>
//   <vram-fit model="llama-3.1-70b" weights="fp8" lang="es"><p>What is shown until the answer is there, and where it cannot be.</p></vram-fit>
//
// Attributes
//   every key of a share string   model, weights, num_layers, context, gpus, gpu, count, prices, ...: as in a link
//   share       a whole share string; a key that has an attribute of its own goes by that attribute
//   view        `compact` (the default): the sentence, what fills one GPU, the three smallest choices, a link to the page; or `full`:
//               the whole calculator, which needs vram-fit-full.js and what lies with it beside the script
//   lang        en, es, pt-BR; else the language of the nearest element that states one, else the browser's
//   units       GB, GiB or auto (each method in its own)
//   theme       light, dark or auto (as the page around it)
//   prices      a price book, as in a link, or the address of a list of the host's own prices, on the host page's origin: what holds a
//               slash or ends in .json is an address. What is wrong with it is listed, and told as vramfit-error. Read by
//               vram-fit-prices.js, which lies beside the script
//   wasm-url    address of vramfit-core.wasm; beside the script by default. Beside it vramfit-full.wasm, for method="engine" alone
//   page-url    address of the full page; the folder above the script's by default
// `lang`, `units`, `theme` and `view` may stand in `share` too, as they do in a link; the attribute wins.
//
// Properties
//   share       the canonical share string of what is shown; setting it sets the attribute
//   result      the whole answer, frozen, as RESULT.md describes it; null before there is one
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
// Everything is read anew when an attribute changes, once for all that change together; what a reader changed in the full view gives
// way to it. An element that failed tries again when an attribute changes or when it is put in anew.
import { lateScript } from '../page/late_script.mjs';
import { fill } from '../page/render.mjs';
import { namesFor } from '../text/brief.mjs';
import { noticeText } from '../text/notices.mjs';
import { addMessages } from '../text/messages.mjs';
import { createText } from '../text/text.mjs';
import { readAttributes, viewAttributes } from './attributes.mjs';
import { mountCompact } from './compact.mjs';
import { Failure } from './failure.mjs';
import { footHtml, frameHtml, labelOf, linkHtml, problemsHtml } from './frame.mjs';
import { languageOf } from './language.mjs';
import { loadCore } from './load_core.mjs';
import { pageLinks } from './page_link.mjs';

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

async function mountOf(view, base) {
  if (view === 'compact') return mountCompact;
  try {
    return (await lateScript(new URL('vram-fit-full.js', base))).mountFull;
  } catch (error) {
    throw new Failure('full-missing', {}, error);
  }
}

// As hostPrices() of prices.mjs, for the address as the host wrote it, or null.
async function hostPrices(given, base, catalog) {
  const none = { prices: null, problems: [], from: () => null };
  if (given === null) return none;
  const failed = (id, error) => {
    const failure = new Failure(id, { url: given }, error);
    return { ...none, problems: [{ id, message: (text) => failure.told(text).message }] };
  };
  let url = null;
  try {
    url = new URL(given, document.baseURI);
  } catch {
    // No address at all is none of the page's either.
  }
  if (url?.origin !== window.location.origin) return failed('prices-origin');
  try {
    return await (await lateScript(new URL('vram-fit-prices.js', base))).hostPrices(url.href, catalog);
  } catch (error) {
    return failed('prices-missing', error);
  }
}

// `moduleFactory` is the default export of vramfit-core.mjs, `fields` the keys of a share string but for the engine method's, `texts` the messages that all languages share and the rest by language,
// `styles` the style sheets of the frame and of the compact view, `base` the address of the script, or null. Gives the class of the
// element: the one that is there already where a script has been before, and null where there are no elements at all.
export function defineVramFit({ moduleFactory, fields, texts, styles, base }) {
  if (!globalThis.customElements) return null;
  if (customElements.get(tag)) return customElements.get(tag);

  const [shared, own] = texts;
  const late = new Map();
  const messagesIn = (lang) => [own[lang], ...[...late.values()].map((more) => more[lang])].reduce(addMessages, { ...shared });
  const written = new Map();
  // What few answers say: `engine`, those by an engine; `remarks`, those with a remark.
  async function loadTexts(name) {
    if (late.has(name)) return;
    late.set(name, (await lateScript(new URL(`vram-fit-${name}.js`, base))).texts);
    written.clear();
  }
  function textFor({ lang, formats }, units) {
    const key = `${formats} ${units}`;
    if (!written.has(key)) written.set(key, createText(messagesIn(lang), lang, { formats, units }));
    return written.get(key);
  }

  // A style sheet belongs to one document.
  const sheets = new WeakMap();
  function sheetFor(css, { defaultView }) {
    if (!sheets.has(defaultView)) sheets.set(defaultView, new Map());
    const known = sheets.get(defaultView);
    if (!known.has(css)) {
      known.set(css, new defaultView.CSSStyleSheet());
      known.get(css).replaceSync(css);
    }
    return known.get(css);
  }

  let keys = fields;  // all of them once the module has told them

  class VramFit extends HTMLElement {
    static observedAttributes = [...fields, ...viewAttributes];  // others: #noticed()

    #root = this.attachShadow({ mode: 'open' });
    #state = 'idle';
    #result = null;
    #written = '';  // the answer shown, as text
    #asked = null;  // what is shown, see #ask()
    #view = null;  // what draws it
    #finished = true;  // nobody is in the middle of changing it
    #told = '';  // what was complained of last
    #runs = 0;  // an update that comes back when there has been another is out of date
    #answer = open();
    #height = null;
    #sizes = new ResizeObserver(() => this.#measure());
    #around = new MutationObserver((records) => this.#noticed(records));

    get state() { return this.#state; }
    get result() { return this.#result; }
    get ready() {
      this.#noticed(this.#around.takeRecords());
      return this.#answer.promise;
    }
    get share() { return this.#result?.share ?? readAttributes(this, keys).share; }
    set share(share) { this.setAttribute('share', share); }
    get view() { return readAttributes(this, keys).view; }
    set view(view) { this.setAttribute('view', view); }

    connectedCallback() {
      if (!this.#root.firstChild) this.#root.innerHTML = String(frameHtml());
      this.#dress();
      this.#sizes.observe(this);
      this.#around.observe(this.ownerDocument.documentElement, { attributeFilter: ['lang'] });
      this.#around.observe(this, { attributes: true });
      this.#ask();
    }

    disconnectedCallback() {
      this.#sizes.disconnect();
      this.#around.disconnect();
      this.#runs += 1;
      if (this.#state === 'loading') this.#become('idle');
    }

    attributeChangedCallback() {
      if (this.isConnected) this.#ask();
    }

    // Another language around it, or another knob of the engine method: their names would make the script half a kilobyte longer.
    #noticed(records) {
      if (records.some(({ target, attributeName: name }) => target !== this || (keys.includes(name) && !fields.includes(name)))) this.#ask();
    }

    #part(name) { return this.#root.querySelector(name); }

    #dress() {
      this.#root.adoptedStyleSheets = [styles.frame, this.#view?.style ?? styles.compact].map((css) => sheetFor(css, this.ownerDocument));
    }

    #become(state) {
      const frame = this.#part('figure');
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
      if (this.#answer.settled) this.#answer = open();
      this.#runs += 1;
      const run = this.#runs;
      const outdated = () => run !== this.#runs;
      await null;
      if (outdated()) return;
      let asked = readAttributes(this, keys);
      const write = () => textFor(languageOf(this, asked.lang), asked.units);
      let text = write();
      if (this.#state === 'idle' || this.#state === 'failed') {
        this.#told = '';
        this.#become('loading');
      }
      try {
        const [{ vramfit }, mount] = await Promise.all([loadCore(asked.wasmUrl, base, moduleFactory), mountOf(asked.view, base)]);
        keys = vramfit.catalog().fields.map(({ key }) => key);
        asked = readAttributes(this, keys);
        const first = vramfit.estimate(asked.share);
        const byEngine = first.inputs.method === 'engine' || first.inputs.shape;
        const growing = vramfit.growFor(first);
        if (growing || (byEngine && !late.has('engine'))) this.#part('figure').setAttribute('aria-busy', 'true');
        const remarks = byEngine || first.notices.length > 0 || asked.pricesUrl !== null || asked.view === 'full';
        const [host] = await Promise.all([
          hostPrices(asked.pricesUrl, base, vramfit.catalog()), growing, byEngine && loadTexts('engine'),
          remarks && loadTexts('remarks').catch((error) => console.error(error)),  // their ids say something too
        ]);
        text = write();
        if (outdated()) return;
        await this.#show(mount, vramfit, { ...asked, ...host, text });
      } catch (error) {
        if (outdated()) return;
        this.#fail(error, asked, text);
      }
      // Whoever was told may have asked for something else.
      if (!outdated()) this.#answer.settle(this.#state);
    }

    async #show(mount, { estimate, whatIf, ...calculator }, asked) {
      const { prices, text } = asked;
      const failures = [...asked.failures];
      let linkTo = () => null;
      try {
        linkTo = pageLinks(asked.pageUrl, base, asked, text.lang);
      } catch (failure) {
        failures.push(failure);
      }
      const before = this.#asked;
      const vramfit = { ...calculator, estimate: (share) => estimate(share, { prices }), whatIf: (share) => whatIf(share, { prices }) };
      this.#asked = { ...asked, failures, vramfit, linkTo };
      if (this.#view?.mount !== mount) {
        this.#view?.end();
        this.#view = { mount, ...mount(this.#part('.view'), { root: this.#root, answered: (...answer) => this.#answered(...answer) }) };
        this.#dress();
      } else if (this.#state !== 'loading' && ['share', 'text', 'wasmUrl'].every((key) => before[key] === asked[key]) && before.prices?.table === prices?.table) {
        // Put elsewhere, or another address: what the reader changed stays.
        this.#complain(this.#draw());
        return;
      }
      await this.#view.show(this.#asked);
    }

    #answered(result, finished) {
      this.#become(result.refused ? 'refused' : 'ready');
      const answer = JSON.stringify(result);
      const another = answer !== this.#written;
      this.#written = answer;
      this.#result = frozen(result);
      const errors = this.#draw();
      if (another || (finished && !this.#finished)) this.#tell('change', { share: result.share, result, finished });
      this.#finished = finished;
      this.#complain(errors);
    }

    // What is around the view. Gives what there is to complain of.
    #draw() {
      const result = this.#result;
      const { text, from, problems, linkTo, theme, failures, vramfit } = this.#asked;
      const wrong = problems.map(({ id, message }) => ({ id, message: message(text) }));
      const frame = this.#part('figure');
      frame.lang = text.lang;
      frame.dataset.theme = theme;
      frame.setAttribute('aria-label', labelOf(result, text));
      fill(this.#part('.failure'), null);
      fill(this.#part('.problems'), problemsHtml(wrong.map(({ message }) => message), text));
      fill(this.#part('.foot'), footHtml(result, { link: linkTo(result.share), prices: from(text) }, text));
      const names = namesFor(result, vramfit.catalog());
      const against = result.notices.filter(({ severity }) => severity === 'error').map((notice) => ({ id: notice.id, message: noticeText(notice, names, text) }));
      return [...failures.map((failure) => failure.told(text)), ...wrong, ...against];
    }

    // What the author wrote is shown again. The page may still be there.
    #fail(error, asked, text) {
      const failure = error instanceof Failure ? error : new Failure('unexpected', { reason: String(error) }, error);
      const told = failure.told(text);
      console.error(`<${tag}> ${told.message}`, failure.cause ?? '');
      this.#view?.end();
      this.#view = null;
      this.#written = '';
      this.#result = null;
      this.#part('.view').replaceChildren();
      let link = null;
      try {
        link = pageLinks(asked.pageUrl, base, asked, text.lang)(asked.share);
      } catch {
        // Told when there is an answer.
      }
      fill(this.#part('.problems'), null);
      fill(this.#part('.foot'), link && linkHtml(link, text));
      fill(this.#part('.failure'), text.t('element.failed'));
      this.#become('failed');
      this.#complain([told]);
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
