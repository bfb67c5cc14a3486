// How far context and concurrency go: a limit in each cell that can be pressed, and the needs that lead to it folded away. What the
// canvas draws as curves stands here in words.
import { html } from './html.mjs';

const query = (set) => new URLSearchParams(set).toString();

function entry(e, { t, parts }) {
  if (!e.value) return html`<span>${e.text}</span>`;
  const button = html`<button type="button" data-change="${query(e.set)}" data-key="${e.key}" aria-pressed="${String(e.used)}" aria-label="${e.label}">${e.value}</button>`;
  return html`<span>${parts('page.what_if.to', { verdict: e.words, value: button })}</span>`;
}

function axisHtml(axis, cards, text) {
  const { t } = text;
  const cell = (entries, i) => html`<td role="cell"><span class="cell-label">${cards[i].gpus} <span class="unit">${cards[i].capacity}</span></span><div>${entries.length > 0 ? entries.map((e) => entry(e, text)) : html`<span class="hint">${t(cards[i].excluded ? 'verdict.unusable' : 'verdict.does-not-fit')}</span>`}</div></td>`;
  const limits = html`${axis.note && html`<p class="hint">${axis.note}</p>`}
    <table class="limits stack" role="table" aria-label="${axis.field}"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${axis.corner}</th>${cards.map((c) => html`<th role="columnheader" scope="col">${c.gpus} <span class="unit">${c.capacity}</span></th>`)}</tr></thead>
    <tbody role="rowgroup">${axis.rows.map((row) => html`<tr role="row" data-used="${row.used}"><th role="rowheader" scope="row">${row.label}</th>${row.cells.map(cell)}</tr>`)}</tbody></table>`;
  return html`<h3>${axis.title}</h3>${axis.none ? html`<p>${axis.none}</p>` : limits}
    <details data-key="need/${axis.id}"><summary class="hint">${t('page.what_if.need', { field: axis.field })}</summary>
    <table class="needs"><thead><tr><th scope="col">${axis.field}</th>${axis.rows.map((row) => html`<th scope="col">${row.label}</th>`)}</tr></thead>
    <tbody>${axis.values.map((value, at) => html`<tr><th scope="row">${value}</th>${axis.rows.map((row) => html`<td>${row.need[at]}</td>`)}</tr>`)}</tbody></table></details>`;
}

export function whatIfHtml(view, text) {
  return html`<p class="hint">${text.t('page.what_if.hint')}</p>${view.incomplete && html`<p>${view.incomplete}</p>`}${view.axes.map((axis) => axisHtml(axis, view.cards, text))}`;
}
