// What the site sends, stores and logs.
import { html } from '../../page/html.mjs';
import { calculatorPolicy } from '../../page/policy.mjs';
import { block, prose } from './prose_html.mjs';

export function privacyHtml({ text }) {
  const { t } = text;
  const p = (id) => html`<p>${prose(t(`docs.privacy.${id}`))}</p>`;
  const h2 = (id) => t(`docs.privacy.${id}`);
  return [
    ['sent', h2('sent'), [p('sent.files'), p('sent.policy'), block(calculatorPolicy.replaceAll('; ', ';\n'), h2('sent')), p('sent.links'), p('sent.log'), p('sent.model_files'), p('sent.hub')]],
    ['stored', h2('stored'), ['none', 'worker', 'history', 'clipboard'].map((id) => p(`stored.${id}`))],
    ['logged', h2('logged'), [p('logged.none')]],
    ['embeds', h2('embeds'), [p('embeds.element'), p('embeds.frame')]],
    ['check', h2('check'), [p('check.lead')]],
  ];
}
