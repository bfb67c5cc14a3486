// Of a model's files the choice among them, and what was understood, as markup.
import { html } from './html.mjs';

// What stands in backticks is typed, or a file's name.
export const marked = (words) => html`${words.split('`').map((piece, i) => (i % 2 ? html`<code>${piece}</code>` : piece))}`;

// A choice as a list offers it.
function choiceText({ kind, folder, name, parts, files, bytes }, { t, format }) {
  const weights = files.filter(({ path }) => !/\.json$/i.test(path)).length;
  const size = format.bytes(bytes);
  const said = kind === 'config' ? t('import.choice.config') : t(`import.choice.${kind}`, { count: parts, size });
  return [`${folder}${name}`, said, weights < parts && t('import.choice.incomplete', { there: format.number(weights), parts: format.number(parts) })].filter(Boolean).join(' · ');
}

export const choicesHtml = (choices, chosen, text) => choices.map((choice) => html`<option value="${choice.id}"${choice === chosen && html` selected`}>${choiceText(choice, text)}</option>`);

const remarkHtml = ({ severity, text: words, place }, { t }) => html`<li data-severity="${severity}"><strong>${t(`severity.${severity}`)}:</strong> ${marked(words)}${place.length > 0 && html` <span class="remark-place">${place.map((piece, i) => html`${i > 0 && ' · '}<code>${piece}</code>`)}</span>`}</li>`;

// A table whose first column names its rows. `columns`: [{head, cell(row)}]; cells of rows that have none of a column stay empty.
function tableHtml(label, rows, [first, ...columns]) {
  const used = columns.filter(({ cell }) => rows.some((row) => cell(row) !== null));
  return html`<table class="imported stack" role="table" aria-label="${label}"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${first.head}</th>${used.map(({ head }) => html`<th role="columnheader" scope="col">${head}</th>`)}</tr></thead>
    <tbody role="rowgroup">${rows.map((row) => html`<tr role="row"><th role="rowheader" scope="row">${first.cell(row)}</th>${used.map(({ head, cell }) => html`<td role="cell" data-empty="${String(cell(row) === null)}"><span class="cell-label">${head}</span><div>${cell(row)}</div></td>`)}</tr>`)}</tbody></table>`;
}

const shareTable = (label, head, rows, { t }) => tableHtml(label, rows, [
  { head, cell: (row) => row.label },
  { head: t('import.params'), cell: (row) => row.params },
  { head: t('import.bytes'), cell: (row) => row.bytes },
  { head: t('import.part'), cell: (row) => row.share },
]);

// Each source once, below what is taken from it.
function rulesHtml(rules) {
  const bySource = new Map(rules.map(({ source }) => [source, []]));
  for (const rule of rules) bySource.get(rule.source).push(rule);
  return [...bySource].map(([source, from]) => html`<div class="import-rules"><ul>${from.map((rule) => html`<li>${marked(rule.text)}</li>`)}</ul>${source && html`<cite>${source}</cite>`}</div>`);
}

const foldHtml = (id, title, content) => html`<details data-key="import/${id}"><summary>${title}</summary>${content}</details>`;

// `view` as explainImport() gives it; `warning`: what stands against using it, or null.
export function importHtml(view, warning, text) {
  const { t } = text;
  return html`${(view.remarks.length > 0 || warning) && html`<div class="notices"><ul>${warning && html`<li data-severity="warning"><strong>${t('severity.warning')}:</strong> ${warning}</li>`}${view.remarks.map((remark) => remarkHtml(remark, text))}</ul></div>`}
    ${view.ok && html`<dl class="import-facts" aria-label="${t('import.understood')}">${view.facts.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${typeof value === 'string' ? marked(value) : value}</dd></div>`)}</dl>
    ${view.rest && html`<p class="hint">${view.rest}</p>`}
    <h3>${t('import.layers')}</h3>${tableHtml(t('import.layers'), view.layers, [
      { head: t('import.layers.mixer'), cell: (row) => row.mixer },
      { head: t('import.layers.count'), cell: (row) => row.count },
      { head: t('import.layers.feed'), cell: (row) => row.feed },
      { head: t('import.layers.kv'), cell: (row) => row.kv },
      { head: t('import.layers.state'), cell: (row) => row.state },
      { head: t('import.layers.which'), cell: (row) => row.which && html`${row.which.split(' ').map((run) => html`<span class="run">${run}</span> `)}` },
    ])}
    ${view.rules.length > 0 && html`<h3>${t('import.rules')}</h3>${rulesHtml(view.rules)}`}
    ${foldHtml('classes', t('import.classes'), shareTable(t('import.classes'), t('import.class'), view.classes, text))}
    ${view.dtypes.length > 0 && foldHtml('dtypes', t('import.dtypes'), shareTable(t('import.dtypes'), t('import.dtype'), view.dtypes, text))}`}`;
}
