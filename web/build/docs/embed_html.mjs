// The embedding guide: attributes from the field table, the rest as the element and the iframe page have it.
import { html } from '../../page/html.mjs';
import { contentSecurityPolicy } from '../../page/policy.mjs';
import { elementSnippet, eventsSnippet, frameScript, frameSnippet, pricesSnippet, styleSnippet } from './examples.mjs';
import { defaultOf } from './links_html.mjs';
import { block, code, facts, prose, table } from './prose_html.mjs';

const ownAttributes = ['lang', 'theme', 'units', 'view', 'prices', 'wasm-url'];
const properties = ['share', 'result', 'state'];
const events = ['change', 'resize', 'error'];

export function embedHtml({ catalog, text, targets }) {
  const { t } = text;
  const p = (id) => html`<p>${prose(t(`docs.embed.${id}`), targets)}</p>`;
  const h2 = (id) => t(`docs.embed.${id}`);
  // Where the element has an attribute of its own by an input's name, it is described there.
  const inputs = catalog.fields.filter((field) => !ownAttributes.includes(field.key));
  return [
    ['element', h2('element'), [p('element.lead'), block(elementSnippet, h2('element')), p('element.places')]],
    ['attributes', h2('attributes'), [p('attributes.lead'),
      table(h2('attributes.own'), [h2('attribute'), t('docs.column.meaning')], ownAttributes.map((id) => ({ id: `attribute-${id}`, cells: [code(id), prose(t(`docs.embed.own.${id}`))] }))),
      table(h2('attributes.inputs'), [h2('attribute'), t('docs.column.meaning'), h2('default')], inputs.map((field) => ({
        id: `attribute-${field.key}`, cells: [html`<a href="${targets.links}#key-${field.key}">${code(field.key)}</a>`, html`${t(`field.${field.key}`)}<div class="hint">${t(`help_field.${field.key}`)}</div>`, defaultOf(field, text)] })))]],
    ['properties', h2('properties'), [facts(properties.map((id) => [code(id), t(`docs.embed.properties.${id}`)]))]],
    ['events', h2('events'), [p('events.lead'), facts(events.map((id) => [code(`vramfit-${id}`), t(`docs.embed.events.${id}`)])), block(eventsSnippet, h2('events'))]],
    ['style', h2('style'), [p('style.lead'), block(styleSnippet, h2('style'))]],
    ['policy', h2('policy'), [p('policy.lead'), block(contentSecurityPolicy.replaceAll('; ', ';\n'), h2('policy')), p('policy.wasm')]],
    ['prices', h2('prices'), [p('prices.lead'), block(pricesSnippet, h2('prices')), p('prices.bad')]],
    ['frame', h2('frame'), [p('frame.lead'), block(frameSnippet, h2('frame')), p('frame.height'), block(frameScript, h2('frame')), p('copy')]],
  ];
}
