// The page in a frame, for hosts that strip scripts: <vram-fit> for the configuration in its own address, and what the page around it
// is told. It writes no history, stores nothing and registers no worker.
//
//   embed.html?model=llama-3.1-70b&weights=fp8&lang=es&view=compact&theme=auto
//
// The query is a link's: a share string with view keys in it, behind '?' or '#'.
//   lang    en, es, pt-BR; without it the reader's language
//   view    compact (the default) or full
//   theme   light (the default), dark, or auto: what the page around it wants. Browsers tell a frame the `color-scheme` of its <iframe>
//           element as the reader's preference. Where that page declares none they tell it the reader's own, and most such pages are
//           light whatever the reader prefers; so without `theme` the frame is light, and parent.js declares what was left unsaid.
//   units   GB, GiB or auto
//
// To the page around it, for any origin: whoever frames this page has set what it shows, and nothing else is in the messages.
//   {type: 'vramfit-resize', version: 1, height}       CSS pixels, on load and whenever it changes
//   {type: 'vramfit-change', version: 1, share}        the canonical share string of another answer, the first too
//   {type: 'vramfit-error', version: 1, id, message}   what the element's vramfit-error says; `script-missing` where there is none
// From the page around it and nobody else; anything of another form is ignored.
//   {type: 'vramfit-ask', version: 1}                  height and share once more, for who began to listen late
//   {type: 'vramfit-set', version: 1, share}           another configuration, as the address has it. A page that frames this one could
//                                                      as well set its src; the core reads either, and names what it cannot use.
// From a sandbox it needs allow-scripts and, for links, allow-popups with allow-popups-to-escape-sandbox. Without allow-same-origin its
// host must allow other origins to read its files (Access-Control-Allow-Origin: *), as modules and the wasm file are asked for that way.
import { readAddress } from '../page/address.mjs';
import { resolveLanguage } from '../text/messages.mjs';
import { followHeight } from './height.mjs';

const root = document.documentElement;
const element = document.querySelector('vram-fit');
const framed = window.parent !== window;
let share = null;  // told last

function tell(type, values) {
  if (framed) window.parent.postMessage({ type: `vramfit-${type}`, version: 1, ...values }, '*');
}

// The way out, where the element has none.
function showLinks(query) {
  const place = document.getElementById('failed');
  place.hidden = false;
  for (const link of place.querySelectorAll('a')) {
    link.search = query;
    link.parentNode.hidden = link.parentNode.lang !== root.lang;
  }
}

function show(query) {
  const keys = new URLSearchParams(query);
  Object.assign(root.dataset, { theme: keys.get('theme') ?? '', view: keys.get('view') ?? '' });
  const { lang, formats } = resolveLanguage(keys.get('lang'), navigator.languages);
  root.lang = lang;
  element.lang = formats;
  document.getElementById('failed').hidden = true;
  element.setAttribute('share', query);
}

let height = null;  // of what is shown, once something is

function begin() {
  if (framed) height ??= followHeight((now) => tell('resize', { height: now }));
}

function fail(id, message) {
  tell('error', { id, message });
  if (element.state !== 'failed' && element.state !== undefined) return;
  showLinks(element.getAttribute('share'));
  begin();
}

element.addEventListener('vramfit-change', ({ detail }) => {
  share = detail.share;
  tell('change', { share });
  begin();
});
element.addEventListener('vramfit-error', ({ detail: { id, message } }) => fail(id, message));
document.getElementById('element').addEventListener('error', () => fail('script-missing', ''));

if (framed) {
  window.addEventListener('message', ({ source, data }) => {
    if (source !== window.parent || typeof data !== 'object' || data === null || data.version !== 1) return;
    if (data.type === 'vramfit-set' && typeof data.share === 'string') show(data.share.replace(/^[?#]/, ''));
    if (data.type !== 'vramfit-ask' || !height) return;
    tell('resize', { height: height() });
    if (share !== null) tell('change', { share });
  });
}
window.addEventListener('hashchange', () => show(readAddress()));
show(readAddress());
