// <vramfit-canvas>: the drawn view as an element. What stands inside it is shown until the canvas is ready, and where it cannot be.
//
//   const canvas = document.createElement('vramfit-canvas');      // after defineCanvas(address)
//   Object.assign(canvas, { lang: 'es-MX', units: 'GiB', share: 'model=llama-3.1-70b' });
//   canvas.addEventListener('vramfit-share', ({ detail }) => { detail.share; detail.finished; });
//
// Attributes: `inputs` (with the panel of inputs), `alone` (no page around it: shows the answer, takes wheel and finger).
// Properties: share; lang, a tag whose language speaks and whose region writes the figures; units; prices: what price_list.mjs read of a
// publisher's list, null for the catalogue's; vramfit: the calculator that answers, as loadVramfit() of vramfit.mjs makes it, else one
// is loaded when the element is put in; state: 'idle', 'loading', 'ready', 'lost', 'no-webgl', 'failed'; progress, 0 to 1. An
// element that failed tries again when it is put in anew.
// Events: vramfit-share {share, finished}; vramfit-state {state}, for a new state and for the same one in another language;
// vramfit-copy {text}.
import { bindEvents } from './events.mjs';
import { partsAt } from './loader.mjs';
import { marksOf } from './marks.mjs';
import { readPalette } from './palette.mjs';

const languages = ['en', 'es', 'pt-BR'];
// Which of them a tag means ("es-MX"), -1 when none.
function languageOf(tag) {
  try {
    const { language } = new Intl.Locale(tag);
    return languages.findIndex((lang) => lang.slice(0, 2) === language);
  } catch {
    return -1;  // no tag
  }
}
const units = ['', 'GB', 'GiB'];
const style = `
  :host { display: block; position: relative; min-height: 20rem; }
  :host([data-state="no-webgl"]) { min-height: 0; }
  .frame { position: absolute; inset: 0; overflow: hidden; }
  canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; outline: none; touch-action: pan-y pinch-zoom; }
  canvas.by-keyboard:focus { outline: 2px solid var(--accent, currentColor); outline-offset: -2px; }
  :host([alone]) canvas { touch-action: pinch-zoom; }
  .typing { position: absolute; left: 0; bottom: 0; width: 1px; height: 1px; padding: 0; border: 0; opacity: 0; font-size: 16px; pointer-events: none; }
  .spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: pre-line; forced-color-adjust: none; }
  :host(:not([data-state="ready"])) .frame { visibility: hidden; }
  :host([data-state="ready"]) slot { display: none; }
`;

let parts = null;  // where the module and its texts come from

class VramfitCanvas extends HTMLElement {
  #share = '';
  #prices = null;
  #lang = 'en';
  #units = '';
  #core = null;
  #gl = null;
  #calculator = null;
  #parts = null;
  #stop = null;  // takes every listener and observer off
  #scheduled = 0;
  #inView = true;
  #spokenTimer = 0;
  #flags = 0;
  #pixels = null;  // the size in the screen's pixels, where the browser tells it
  #misfit = false;  // the size changed while out of view
  #table = '';

  vramfit = null;
  state = 'idle';
  progress = 0;
  framesDrawn = 0;

  // Canonical as soon as the canvas is there.
  get share() {
    if (!this.#core) return this.#share;
    this.#core._vramfit_share();
    return this.#core.outgoing;
  }
  set share(share) {
    this.#share = share;
    if (!this.#core) return;
    this.#send('open', share);
    this.#describeSoon();
  }

  get prices() { return this.#prices; }
  set prices(prices) {
    this.#prices = prices;
    this.#askAgain();
  }

  get lang() { return this.#lang; }
  set lang(wanted) {
    const lang = languageOf(wanted) < 0 ? 'en' : wanted;
    if (lang === this.#lang) return;
    this.#lang = lang;
    this.#speak();
  }

  get units() { return this.#units; }
  set units(wanted) {
    const known = units.includes(wanted) ? wanted : '';
    if (known === this.#units) return;
    this.#units = known;
    this.#speak();
  }

  connectedCallback() { this.#start(); }
  disconnectedCallback() { this.#end(); }

  // The widgets drawn, by name, in CSS pixels of the page: [{id, label, x, y, width, height}].
  widgets() {
    if (!this.#core) return [];
    const { left, top, width } = this.#parts.canvas.getBoundingClientRect();
    const ratio = width / this.#parts.canvas.width;
    this.#core._vramfit_widgets();
    return this.#core.outgoing.split('\n').filter(Boolean).map((line) => {
      const [id, x, y, w, h, label] = line.split('\t');
      return { id, label, x: left + x * ratio, y: top + y * ratio, width: w * ratio, height: h * ratio };
    });
  }

  // All that is drawn, as text.
  spoken() {
    if (!this.#core) return '';
    this.#core._vramfit_spoken();
    return this.#core.outgoing;
  }

  // Milliseconds that building one frame takes, the drawing itself aside: the mean of `frames`.
  frameMilliseconds(frames) { return this.#core._vramfit_frame_ms(frames); }

  // A message of the texts that the canvas speaks with, once they are loaded.
  message(key) {
    return this.#table.split('\n').find((line) => line.startsWith(`${key}\t`))?.slice(key.length + 1) ?? '';
  }

  // Draws soon; for whoever changed colours in a way that cannot be seen from here.
  repaint() {
    if (!this.#core) return;
    this.#paint();
    this.#schedule();
  }

  #become(state) {
    if (state === this.state) return;
    this.state = state;
    this.dataset.state = state;
    this.#tell();
  }

  #tell() {
    const { state } = this;
    this.dispatchEvent(new CustomEvent('vramfit-state', { detail: { state }, bubbles: true, composed: true }));
  }

  #send(name, text, ...rest) {
    this.#core.incoming = new TextEncoder().encode(text);
    const answer = this.#core[`_vramfit_${name}`](this.#core.incoming.length, ...rest);
    this.#schedule();
    return answer;
  }

  // The calculator's answer, as bytes. What only its other module can answer is asked again once that is there.
  #answer(whatIf, share) {
    let answer = {};
    try {
      answer = this.#calculator[whatIf ? 'whatIf' : 'estimate'](share, { prices: this.#prices });
      if (!whatIf) this.#calculator.growFor(answer)?.then(() => this.#askAgain(), (error) => console.error(error));
    } catch (error) {
      console.error(error);  // and no answer is one that is refused
    }
    return new TextEncoder().encode(JSON.stringify(answer));
  }

  #askAgain() {
    if (!this.#core) return;
    this.#core._vramfit_ask_again();
    this.#schedule();
    this.#describeSoon();
  }

  // Gets the texts of the language asked for, whichever that is when they are there.
  async #loadTable() {
    for (;;) {
      const lang = this.#lang;
      const table = await parts.table(languages[languageOf(lang)]);
      if (lang !== this.#lang) continue;
      this.#table = table + marksOf(lang);
      return;
    }
  }

  async #speak() {
    if (!this.#table) return;  // what is loading now will speak it
    try {
      await this.#loadTable();
    } catch (error) {
      console.error(error);  // the old language stays
      return;
    }
    if (this.#core) {
      this.#send('speak', this.#table, languageOf(this.#lang), units.indexOf(this.#units));
      this.#describeSoon();
    }
    this.#tell();
  }

  #paint() {
    this.#core._vramfit_ink_names();
    this.#core.incoming = readPalette(this.#parts.probe, this.#core.outgoing.trim().split('\n'));
    this.#core._vramfit_paint();
  }

  #build() {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
    const make = (tag, className, attributes = {}) => {
      const node = document.createElement(tag);
      if (className) node.className = className;
      for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
      return node;
    };
    const frame = make('div', 'frame');
    const canvas = make('canvas', '', { tabindex: '0', role: 'application', 'aria-describedby': 'keys' });
    const typing = make('input', 'typing', { type: 'text', tabindex: '-1', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', 'aria-hidden': 'true' });
    const keys = make('div', 'spoken', { id: 'keys' });
    const spoken = make('div', 'spoken');
    const focused = make('div', 'spoken', { role: 'status', 'aria-live': 'polite' });
    const probe = make('span', 'spoken');
    frame.append(canvas, typing, keys, spoken, focused, probe);
    root.replaceChildren(document.createElement('slot'), frame);
    return { frame, canvas, typing, keys, spoken, focused, probe };
  }

  async #start() {
    if (this.#stop) return;
    const life = new AbortController();
    this.#stop = () => life.abort();
    this.#become('loading');
    try {
      this.#parts = this.#build();
      const [factory, module, calculator] = await Promise.all([
        parts.factory(),
        parts.module((share) => { this.progress = share; this.dispatchEvent(new CustomEvent('vramfit-progress', { detail: { progress: share } })); }),
        this.vramfit ?? parts.calculator(),
        this.#loadTable(),
      ]);
      this.#calculator = calculator;
      if (life.signal.aborted) return;
      await this.#boot(factory, module, life.signal);
    } catch (error) {
      if (life.signal.aborted) return;
      console.error(error);
      this.#become('failed');
    }
  }

  async #boot(factory, module, signal) {
    const { canvas } = this.#parts;
    if (!window.WebGL2RenderingContext) return this.#become('no-webgl');
    const core = await factory({
      canvas,
      answer: (whatIf, share) => this.#answer(whatIf, share),
      copy: (text) => navigator.clipboard?.writeText(text).catch(() => {}),
      instantiateWasm: (imports, done) => { WebAssembly.instantiate(module, imports).then((instance) => done(instance, module)); return {}; },
    });
    if (signal.aborted) return undefined;
    const { models, gpus, fields } = this.#calculator.catalog();
    const choices = (key) => fields.find((field) => field.key === key).choices;
    core.incoming = new TextEncoder().encode(JSON.stringify({ sets: choices('gpus').filter((id) => id !== 'all'), books: choices('prices'), models, gpus }));
    if (!core._vramfit_catalog(core.incoming.length)) throw new Error('catalogue');
    core.incoming = new TextEncoder().encode(this.#table);
    if (!core._vramfit_start(core.incoming.length, languageOf(this.#lang), units.indexOf(this.#units))) return this.#become('no-webgl');
    this.#core = core;
    this.#gl = canvas.getContext('webgl2');
    this.#paint();
    core._vramfit_arrange(this.hasAttribute('inputs'), this.hasAttribute('alone'));
    this.#send('open', this.#share);
    this.#observe(signal);
    this.#describe();
    this.#fit();
    this.#become('ready');
    this.#schedule();
    return undefined;
  }

  #observe(signal) {
    const { canvas, typing } = this.#parts;
    const listen = (target, type, handler) => target.addEventListener(type, handler, { signal });
    const sizes = new ResizeObserver(([{ devicePixelContentBoxSize }]) => {
      this.#pixels = devicePixelContentBoxSize?.[0];
      this.#fit();
    });
    try {
      sizes.observe(canvas, { box: 'device-pixel-content-box' });
    } catch {
      sizes.observe(canvas);
    }
    this.#followRatio(signal);
    const sight = new IntersectionObserver((entries) => {
      this.#inView = entries.at(-1).isIntersecting;
      if (!this.#inView) return;
      if (this.#misfit) this.#fit();
      this.#schedule();
    });
    sight.observe(this);
    // Themes change by the system's wish or by an attribute of the page.
    const attributes = new MutationObserver(() => this.repaint());
    for (const node of [document.documentElement, document.body, this]) attributes.observe(node, { attributes: true, attributeFilter: ['class', 'style', 'data-theme'] });
    for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) listen(matchMedia(query), 'change', () => this.repaint());
    signal.addEventListener('abort', () => { sizes.disconnect(); sight.disconnect(); attributes.disconnect(); });

    let focused = false;  // what is not shown loses the keyboard
    listen(canvas, 'webglcontextlost', (event) => {
      event.preventDefault();
      this.#core._vramfit_context_lost();
      focused = this.shadowRoot.activeElement !== null;
      this.#become('lost');
    });
    listen(canvas, 'webglcontextrestored', () => {
      this.#core._vramfit_context_restored();
      this.#become('ready');
      if (focused && document.activeElement === document.body) canvas.focus({ preventScroll: true });
      this.#fit();
      this.#schedule();
    });
    bindEvents({
      canvas, typing, signal, core: this.#core,
      send: (...args) => this.#send(...args),
      drawNow: () => this.#draw(performance.now()),
      schedule: () => this.#schedule(),
      takesWheel: () => this.hasAttribute('alone') || (this.#flags & 4) !== 0,
    });
  }

  // Zoom or another screen. A query matches one ratio only: each change needs the next.
  #followRatio(signal) {
    if (signal.aborted) return;
    const query = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    query.addEventListener('change', () => {
      this.#fit();
      this.#followRatio(signal);
    }, { signal, once: true });
  }

  // The drawing buffer has one pixel for each of the screen's.
  #fit() {
    if (!this.#core) return;
    this.#misfit = !this.#inView;
    if (this.#misfit) return;
    const { canvas } = this.#parts;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    // The browser knows to which pixels it rounds the edges; what it says of an emulated screen is that of the real one.
    const whole = (from, length, told) => (Math.abs(told - length * ratio) < 1 ? told : Math.max(1, Math.round((from + length) * ratio) - Math.round(from * ratio)));
    const wide = whole(left, width, this.#pixels?.inlineSize);
    const high = whole(top, height, this.#pixels?.blockSize);
    if (canvas.width !== wide) canvas.width = wide;
    if (canvas.height !== high) canvas.height = high;
    this.#core._vramfit_resize(wide, high, ratio);
    // A new size leaves the buffer empty; drawn at once it does not flicker.
    this.#draw(performance.now());
  }

  #schedule() {
    if (this.#scheduled || !this.#core || !this.#inView) return;
    this.#scheduled = requestAnimationFrame((now) => { this.#scheduled = 0; this.#draw(now); });
  }

  #draw(now) {
    // Lost is told later than it happens.
    if (!this.#core || this.state === 'lost' || this.#gl.isContextLost()) return;
    const flags = this.#core._vramfit_frame(now);
    this.#flags = flags;
    this.framesDrawn += 1;
    if (flags & 8) {
      this.#share = this.#core.outgoing;
      this.dispatchEvent(new CustomEvent('vramfit-share', { detail: { share: this.#share, finished: (flags & 16) !== 0 }, bubbles: true, composed: true }));
    }
    if (flags & 32) {
      this.#core._vramfit_copied();
      this.dispatchEvent(new CustomEvent('vramfit-copy', { detail: { text: this.#core.outgoing }, bubbles: true, composed: true }));
    }
    this.#follow(flags);
    if (flags & 1) this.#schedule();
  }

  // The page's side of what was drawn: pointer, typing, and the text beside it.
  #follow(flags) {
    const { canvas, typing, focused } = this.#parts;
    this.#core._vramfit_cursor();
    canvas.style.cursor = this.#core.outgoing;
    canvas.style.touchAction = flags & 4 ? 'pinch-zoom' : '';
    this.#core._vramfit_focused_label();
    if (focused.textContent !== this.#core.outgoing) focused.textContent = this.#core.outgoing;
    const active = this.shadowRoot.activeElement;
    if (flags & 2 && active === canvas) typing.focus({ preventScroll: true });
    if (!(flags & 2) && active === typing) canvas.focus({ preventScroll: true });
    if (!(flags & 1)) this.#describeSoon();
  }

  // Once all is still; in view or not.
  #describeSoon() {
    clearTimeout(this.#spokenTimer);
    this.#spokenTimer = setTimeout(() => this.#describe(), 200);
  }

  #describe() {
    if (!this.#core) return;
    const { canvas, keys, spoken } = this.#parts;
    const lines = this.spoken();
    canvas.setAttribute('aria-label', lines.split('\n', 1)[0]);
    keys.textContent = this.message('canvas.keys');
    if (spoken.textContent !== lines) spoken.textContent = lines;
  }

  #end() {
    this.#stop?.();
    this.#stop = null;
    cancelAnimationFrame(this.#scheduled);
    clearTimeout(this.#spokenTimer);
    this.#scheduled = 0;
    if (this.#core) {
      this.#core._vramfit_stop();
      // A browser keeps few contexts a page: give this one back at once, not when the garbage is collected.
      this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
      this.#core = null;
      this.#gl = null;
    }
    this.shadowRoot?.replaceChildren(document.createElement('slot'));
    this.#become('idle');
  }
}

// Makes the element known. `from` is the address of the folder that holds the module and locales/, or the parts themselves as in
// loader.mjs. Again is harmless.
export function defineCanvas(from) {
  parts = from.table ? from : partsAt(from);
  if (!customElements.get('vramfit-canvas')) customElements.define('vramfit-canvas', VramfitCanvas);
}
