// What a publisher pastes: one configuration as HTML, in its shortest form. Whatever stands in the configuration ends up within attributes
// or as text; keys become attributes of the element only where they are inputs, so that no link can smuggle another attribute in.
import { query } from '../page/address.mjs';
import { html } from '../page/html.mjs';
import { languages } from '../text/messages.mjs';

// Fixed heights, in CSS pixels, for frames that nobody resizes.
const heights = { compact: 480, full: 900 };

const pageOf = ({ site, lang, share, units }) => {
  const keys = query(share, { units: chosen(units) });
  return `${site}${languages.find((l) => l.lang === lang)?.path ?? ''}${keys && `?${keys}`}`;
};
const chosen = (value, usual = 'auto') => (value && value !== usual ? value : null);
const attributes = (pairs) => pairs.filter(([, value]) => value !== null && value !== undefined).map(([name, value]) => html` ${name}="${value}"`);

// `share` is a canonical share string, `fields` the keys of the inputs; `site` the absolute address of the site's folder; `label` names what
// is shown, in the language. `view`, `theme` and `units` as the element's attributes have them. With a link for where there are no scripts.
export function elementSnippet({ share, fields, lang, view, theme, units, site, label }) {
  const pairs = share.split('&').filter(Boolean);
  const isInput = (pair) => fields.includes(pair.split('=')[0]);
  const rest = pairs.filter((pair) => !isInput(pair)).join('&');
  const own = attributes([
    ...new URLSearchParams(pairs.filter(isInput).join('&')),
    ['share', rest || null], ['lang', lang], ['view', chosen(view, 'compact')], ['theme', chosen(theme)], ['units', chosen(units)],
  ]);
  return String(html`<script type="module" src="${site}assets/vram-fit.js"></script>
<vram-fit${own}>
  <a href="${pageOf({ site, lang, share, units })}">${label}</a>
</vram-fit>`);
}

// The same as a frame. `parentScript` is the text of parent.js for those who want it in the page, without it a file of the site's is named.
export function frameSnippet({ share, lang, view = 'compact', theme, units, site, label, parentScript = null }) {
  const keys = query(share, { lang, theme: chosen(theme, 'light'), units: chosen(units), view: chosen(view, 'compact') });
  const own = attributes([
    ['src', `${site}embed.html${keys && `?${keys}`}`], ['title', label], ['width', '100%'], ['height', heights[view]], ['loading', 'lazy'], ['frameborder', '0'],
    ['allow', view === 'full' ? 'clipboard-write' : null],
  ]);
  const script = parentScript === null ? html`<script src="${site}assets/embed-parent.js" async></script>` : `<script>\n${parentScript.trim()}\n</script>`;
  return `${html`<iframe data-vramfit${own}></iframe>`}\n${script}`;
}
