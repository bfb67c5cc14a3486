// The methods side by side. What an engine takes is shown where it was asked for.
import { html } from './html.mjs';

export function methodsHtml(view, { t, parts }) {
  const shown = (m) => m.used || m.id !== 'engine';
  const one = (m) => html`<div class="method" data-used="${m.used}">
    <h3>${m.name}</h3>
    ${shown(m) && html`<p class="total">${m.least ? parts('method.least', { need: m.total }) : m.total}</p>`}
    <p class="hint">${shown(m) && m.range && html`${m.range}<br>`}${m.note}</p>
    <button type="button" data-set="method" data-value="${m.id}" data-key="method/${m.id}" aria-pressed="${String(m.used)}">${t(m.used ? 'page.methods.used' : 'page.methods.use')}</button>
  </div>`;
  return html`<div class="methods">${view.methods.map(one)}</div>`;
}
