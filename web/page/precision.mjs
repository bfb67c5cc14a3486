// The same model at three precisions, with the smallest rental that holds each.
import { html } from './html.mjs';

export function precisionHtml(view, { t, parts }) {
  if (view.precision.length === 0) return null;
  return html`<ul class="precision">${view.precision.map((p) => html`<li data-used="${p.used}">
    <button type="button" data-set="weights" data-value="${p.id}" data-key="precision/${p.id}" aria-pressed="${String(p.used)}" aria-label="${t('page.precision.use', { weights: p.weights })}">${p.weights}</button>
    <span>${p.total}${p.gpus ? html` → ${p.gpus}${p.tight && html` (${t('verdict.tight')})`}` : html` → ${t('page.fit.nothing')}`}</span>
    <span class="cost">${p.cost}</span><span class="hint">${p.change}</span></li>`)}</ul>
    <p class="hint">${t('page.precision.note')}</p>`;
}
