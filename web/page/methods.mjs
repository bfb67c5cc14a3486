// The two methods side by side, and why their figures differ.
import { html } from './html.mjs';

export function methodsHtml(view, { t, parts }) {
  const one = (m) => html`<div class="method" data-used="${m.used}">
    <h3>${m.name}</h3>
    <p class="total">${m.least ? parts('method.least', { need: m.total }) : m.total}</p>
    <p class="hint">${m.range && html`${m.range}<br>`}${m.note}</p>
    <button type="button" data-set="method" data-value="${m.id}" data-key="method/${m.id}" aria-pressed="${String(m.used)}">${t(m.used ? 'page.methods.used' : 'page.methods.use')}</button>
  </div>`;
  return html`<div class="methods">${view.methods.map(one)}</div><p class="why">${view.difference}</p>`;
}
