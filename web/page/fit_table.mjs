// Which GPUs fit: one row each, with a button per count. Explicit roles keep it a table where narrow screens stack its rows.
import { arrange, asMade } from './fit_view.mjs';
import { html } from './html.mjs';

const marks = { fits: '✓', tight: '≈', 'does-not-fit': '×', unusable: '' };
const longTable = 12;
// The columns that say what the rows are in order of.
const sorted = { memory: { memory: 'descending' }, smallest: { headroom: 'descending', cost: 'ascending' } };

function chip(row, c) {
  // Says why when it has the focus, which the arrow keys bring: Tab goes by what can be chosen.
  if (c.verdict === 'unusable') return html`<button type="button" class="chip" data-verdict="unusable" data-key="${row.id}/${c.count}" tabindex="-1" aria-disabled="true" title="${c.label}" aria-label="${c.label}"><s>${c.count}</s></button>`;
  return html`<button type="button" class="chip" data-verdict="${c.verdict}" data-pick="${row.id}" data-count="${c.count}" data-key="${row.id}/${c.count}"${c.cause && html` title="${c.label}"`} aria-pressed="${String(c.chosen)}" aria-label="${c.label}">${c.count}<span aria-hidden="true">${marks[c.verdict]}</span></button>`;
}

function rowHtml(row, { t }) {
  const s = row.smallest;
  const cell = (label, content) => html`<td role="cell"><span class="cell-label">${label}</span>${content}</td>`;
  return html`<tr role="row" data-fit="${s ? s.verdict : 'none'}">
    <th role="rowheader" scope="row">${row.name}<span class="hint">${row.form}</span></th>
    ${cell(t('page.fit.memory'), html`<div>${row.marketed}<span class="hint">${row.usable}</span></div>`)}
    ${cell(t('page.fit.price'), row.price ? html`<div>${row.price.perGpu}<span class="hint">${row.price.note}</span></div>` : html`<span class="hint">${t('page.fit.no_price')}</span>`)}
    ${cell(t('page.fit.counts'), html`<div><span class="chips" role="group" aria-label="${t('page.fit.counts')}, ${row.short}">${row.counts.map((c) => chip(row, c))}</span>${row.limit && html`<span class="hint">${row.limit}</span>`}</div>`)}
    ${cell(t('page.fit.smallest'), s ? html`<div><strong>${t('answer.gpus', { count: s.count })}</strong> ${s.verdict === 'tight' && t('verdict.tight')}${s.cost && html` ${s.cost}`}<span class="hint">${s.verdict === 'fits' ? s.free : row.why}</span></div>` : html`<div class="hint">${t('page.fit.nothing')}<br>${row.why}</div>`)}
  </tr>`;
}

function table(rows, text, sort) {
  const head = ['gpu', 'memory', 'price', 'counts', 'smallest'].map((id) => html`<th role="columnheader" scope="col"${sorted[id]?.[sort] && html` aria-sort="${sorted[id][sort]}"`}>${text.t(`page.fit.${id}`)}</th>`);
  return html`<table class="fit stack" role="table"><thead role="rowgroup"><tr role="row">${head}</tr></thead><tbody role="rowgroup">${rows.map((row) => rowHtml(row, text))}</tbody></table>`;
}

// What the table's marks mean, and why some counts are out.
export function fitNotesHtml(view, { t, parts }) {
  const legend = Object.entries(marks).filter(([, mark]) => mark).map(([verdict, mark]) => html`<span class="legend"><span class="chip" data-verdict="${verdict}" aria-hidden="true">n<span>${mark}</span></span> ${t(`verdict.${verdict}`)}</span>`);
  const excluded = view.fit.some((row) => row.counts.some((c) => c.verdict === 'unusable')) && html`<span class="legend"><span class="chip" data-verdict="unusable" aria-hidden="true"><s>n</s></span> ${t('verdict.unusable')}${view.layoutNotes.length > 0 && `: ${view.layoutNotes.join('; ')}`}</span>`;
  return html`${view.cheapest && html`<p>${parts('page.fit.cheapest', view.cheapest)}</p>`}
    <p class="hint">${t('page.fit.legend')}</p><p class="legends">${legend}${excluded}</p>`;
}

export function fitHtml(view, text, fitView = asMade) {
  const rows = arrange(view.fit, fitView);
  if (rows.length === 0) return html`<p>${text.t('page.fit.empty')}</p>`;
  const holding = rows.filter((row) => row.smallest);
  const rest = rows.filter((row) => !row.smallest);
  const fold = rows.length > longTable && rest.length > 0 && holding.length > 0;
  return html`${table(fold ? holding : rows, text, fitView.sort)}
    ${fold && html`<details data-key="unfit"><summary>${text.t('page.fit.unfit', { count: rest.length })}</summary>${table(rest, text, fitView.sort)}</details>`}`;
}

// Arrow keys go from count to count within a row.
export function bindCounts(region) {
  region.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 'nextElementSibling', ArrowLeft: 'previousElementSibling' }[event.key];
    const next = step && event.target.closest('.chip')?.[step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
}
