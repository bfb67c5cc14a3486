// Which GPUs fit: one row each, with a button per count. Explicit roles keep it a table where narrow screens stack its rows.
import { html } from './html.mjs';

const marks = { fits: '✓', tight: '≈', 'does-not-fit': '×', unusable: '' };
const longTable = 12;

function chip(row, c) {
  if (c.verdict === 'unusable') return html`<span class="chip" data-verdict="unusable"><s aria-label="${c.label}" role="img">${c.count}</s></span>`;
  return html`<button type="button" class="chip" data-verdict="${c.verdict}" data-pick="${row.id}" data-count="${c.count}" data-key="${row.id}/${c.count}" aria-pressed="${String(c.chosen)}" aria-label="${c.label}">${c.count}<span aria-hidden="true">${marks[c.verdict]}</span></button>`;
}

function rowHtml(row, { t }) {
  const s = row.smallest;
  const cell = (label, content) => html`<td role="cell"><span class="cell-label">${label}</span>${content}</td>`;
  return html`<tr role="row" data-fit="${s ? s.verdict : 'none'}">
    <th role="rowheader" scope="row">${row.name}<span class="hint">${row.form}</span></th>
    ${cell(t('page.fit.memory'), html`<div>${row.marketed}<span class="hint">${row.usable}</span></div>`)}
    ${cell(t('page.fit.price'), row.price ? html`<div>${row.price.perGpu}<span class="hint">${row.price.note}</span></div>` : html`<span class="hint">${t('page.fit.no_price')}</span>`)}
    ${cell(t('page.fit.counts'), html`<div><span class="chips" role="group" aria-label="${t('page.fit.counts')}, ${row.short}">${row.counts.map((c) => chip(row, c))}</span>${row.limit && html`<span class="hint">${row.limit}</span>`}</div>`)}
    ${cell(t('page.fit.smallest'), s ? html`<div><strong>${t('answer.gpus', { count: s.count })}</strong> ${s.verdict === 'tight' && t('verdict.tight')}${s.cost && html` ${s.cost}`}<span class="hint">${s.verdict === 'fits' && s.free}</span></div>` : html`<span class="hint">${t('page.fit.nothing')}</span>`)}
  </tr>`;
}

function table(rows, text) {
  const head = ['gpu', 'memory', 'price', 'counts', 'smallest'].map((id) => html`<th role="columnheader" scope="col">${text.t(`page.fit.${id}`)}</th>`);
  return html`<table class="fit" role="table"><thead role="rowgroup"><tr role="row">${head}</tr></thead><tbody role="rowgroup">${rows.map((row) => rowHtml(row, text))}</tbody></table>`;
}

export function fitHtml(view, text) {
  const { t, parts } = text;
  const legend = Object.entries(marks).filter(([, mark]) => mark).map(([verdict, mark]) => html`<span class="legend"><span class="chip" data-verdict="${verdict}" aria-hidden="true">n<span>${mark}</span></span> ${t(`verdict.${verdict}`)}</span>`);
  const excluded = view.fit.some((row) => row.counts.some((c) => c.verdict === 'unusable')) && html`<span class="legend"><span class="chip" data-verdict="unusable" aria-hidden="true"><s>n</s></span> ${t('verdict.unusable')}${view.layoutNotes.length > 0 && `: ${view.layoutNotes.join('; ')}`}</span>`;
  const holding = view.fit.filter((row) => row.smallest);
  const rest = view.fit.filter((row) => !row.smallest);
  const fold = view.fit.length > longTable && rest.length > 0 && holding.length > 0;
  return html`${view.cheapest && html`<p>${parts('page.fit.cheapest', view.cheapest)}</p>`}
    <p class="hint">${t('page.fit.legend')}</p><p class="legends">${legend}${excluded}</p>
    ${table(fold ? holding : view.fit, text)}
    ${fold && html`<details data-key="unfit"><summary>${t('page.fit.unfit', { count: rest.length })}</summary>${table(rest, text)}</details>`}`;
}
