// The embedding guide: attributes from the field table, colours from the palette, the rest as the element and the iframe page have it.
import { html } from '../../page/html.mjs';
import { contentSecurityPolicy } from '../../page/policy.mjs';
import { palette } from '../palette.mjs';
import { elementEvents, elementSnippet, eventsSnippet, frameMessages, frameScript, frameSnippet, pricesSnippet, styleSnippet } from './examples.mjs';
import { defaultOf } from './links_html.mjs';
import { block, code, facts, prose, table } from './prose_html.mjs';

const ownAttributes = ['share', 'view', 'lang', 'units', 'theme', 'prices', 'wasm-url', 'page-url'];
const properties = ['share', 'result', 'state', 'ready'];
const priceKinds = ['on-demand', 'marketplace', 'spot', 'reference', 'publisher'];

export function embedHtml({ catalog, text, targets }) {
  const { t } = text;
  const p = (id) => html`<p>${prose(t(`docs.embed.${id}`), targets)}</p>`;
  const h2 = (id) => t(`docs.embed.${id}`);
  const colour = (value) => html`<span class="choice"><svg class="swatch" width="12" height="12" aria-hidden="true"><rect width="12" height="12" fill="${value}"/></svg> ${code(value)}</span>`;
  // Where the element has an attribute of its own by an input's name, it is described there.
  const inputs = catalog.fields.filter((field) => !ownAttributes.includes(field.key));
  return [
    ['element', h2('element'), [p('tag.lead'), block(elementSnippet, h2('element')), p('tag.places')]],
    ['attributes', h2('attributes'), [p('attributes.lead'),
      table(h2('attributes.own'), [h2('attribute'), t('docs.column.meaning')], ownAttributes.map((id) => ({ id: `attribute-${id}`, cells: [code(id), prose(t(`docs.embed.own.${id}`))] }))),
      table(h2('attributes.inputs'), [h2('attribute'), t('docs.column.meaning'), h2('default')], inputs.map((field) => ({
        id: `attribute-${field.key}`, cells: [html`<a href="${targets.links}#key-${field.key}">${code(field.key)}</a>`, html`${t(`field.${field.key}`)}<div class="hint">${t(`help_field.${field.key}`)}</div>`, defaultOf(field, text)] })))]],
    ['properties', h2('properties'), [facts(properties.map((id) => [code(id), prose(t(`docs.embed.properties.${id}`))]))]],
    ['events', h2('events'), [p('events.lead'), facts(elementEvents.map(([id, detail]) => [code(`vramfit-${id}`), html`${code(detail)} ${prose(t(`docs.embed.events.${id}`))}`])), block(eventsSnippet, h2('events'))]],
    ['style', h2('style'), [p('style.lead'), block(styleSnippet, h2('style')), table(h2('style'), [h2('style.property'), h2('style.light'), h2('style.dark')],
      [...palette()].map(([name, { light, dark }]) => ({ cells: [code(`--vramfit-${name}`), colour(light), colour(dark)] })), { unseen: true })]],
    ['policy', h2('policy'), [p('policy.lead'), block(contentSecurityPolicy.replaceAll('; ', ';\n'), h2('policy')), p('policy.wasm')]],
    ['prices', h2('prices'), [p('prices.lead'), facts(priceKinds.map((id) => [code(id), t(`price_kind.${id}`)])), block(pricesSnippet, h2('prices')), p('prices.bad')]],
    ['frame', h2('frame'), [p('frame.lead'), block(frameSnippet, h2('frame')), p('frame.height'), p('frame.messages'), block(frameMessages, h2('frame.messages')), block(frameScript, h2('frame')), p('copy')]],
  ];
}
