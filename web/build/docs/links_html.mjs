// The share-string reference, from the field table: what a key is, what it takes, and when it plays a part.
import { html } from '../../page/html.mjs';
import { explain } from '../../text/explain.mjs';
import { weightsGroup } from '../../text/names.mjs';
import { shareExamples } from './examples.mjs';
import { anchored, bullets, code, facts, prose, shareCode, table } from './prose_html.mjs';

function rangeText(field, { t, format }) {
  if (field.minimum === undefined) return null;
  const write = (value) => (field.kind === 'params' ? format.params(value) : format.number(value, 1));
  return t('docs.links.range.of', { from: write(field.minimum), to: write(field.maximum) });
}

function kindText(field, { t }) {
  const kind = t(`docs.links.kind.${field.kind === 'number' && field.whole ? 'whole' : field.kind}`);
  return field.unit && !['tokens', 'params'].includes(field.kind) ? t('docs.links.unit', { kind, unit: t(`unit.${field.unit}`) }) : kind;
}

export const defaultOf = (field, { t }) => (field.default === null || field.default === '' ? t('docs.none') : code(String(field.default)));

const choice = (field, id, name) => html`<span class="choice">${code(id)} ${name}</span>`;

function choicesHtml(field, { catalog, text }) {
  const { t } = text;
  if (field.key === 'model' || field.key === 'gpu') {
    const list = field.key === 'model' ? 'models' : 'gpus';
    return prose(t(`docs.links.choices.${list}`, { count: catalog[list].length }));
  }
  if (!field.choices?.length) return null;
  if (field.kind === 'gpu-list') {
    const size = (id) => catalog.gpus.filter((gpu) => id === 'all' || gpu.sets.includes(id)).length;
    return field.choices.map((id) => choice(field, id, t('docs.links.choices.set', { name: t(`choice.${field.key}.${id}`), count: size(id) })));
  }
  return field.choices.map((id) => choice(field, id, t(`choice.${field.key}.${id}`)));
}

// Weight formats by group where whole groups are meant.
function factorValues(factor, values, { catalog, text }) {
  const { t, format } = text;
  if (factor === 'model') return format.list(values.map((value) => t(`docs.links.when.${value}`)));
  if (factor === 'max_loras') return t('docs.links.when.some');
  if (factor !== 'weights') return format.list(values.map((value) => t(`choice.${factor}.${value}`)));
  const groups = [...new Set(values.map(weightsGroup))];
  const whole = catalog.fields.find((f) => f.key === 'weights').choices.filter((id) => groups.includes(weightsGroup(id)));
  return format.list(whole.length === values.length ? groups.map((group) => t(`weights_group.${group}`)) : values.map((id) => t(`choice.weights.${id}`)));
}

function whenHtml(field, context) {
  const { t } = context.text;
  const needs = Object.entries(context.asked.conditions[field.key]);
  if (needs.length === 0) return t('docs.always');
  return needs.map(([factor, values]) => html`<div>${t('docs.links.when.factor', { field: t(`field.${factor}`), values: factorValues(factor, values, context) })}</div>`);
}

function keyHtml(field, context) {
  const { t } = context.text;
  return html`<div class="entry">${anchored(3, `key-${field.key}`, html`${code(field.key)} ${t(`field.${field.key}`)}`)}
    <p>${t(`help_field.${field.key}`)}</p>
    ${facts([
      [t('docs.links.kind'), kindText(field, context.text)],
      [t('docs.links.range'), rangeText(field, context.text)],
      [t('docs.links.default'), defaultOf(field, context.text)],
      [t('docs.links.choices'), choicesHtml(field, context)],
      [t('docs.links.when'), whenHtml(field, context)],
    ])}</div>`;
}

function examplesHtml({ vramfit, catalog, text, root }) {
  const { t } = text;
  return table(t('docs.links.examples'), [t('docs.links.example'), t('docs.links.answer')], shareExamples.map((share) => {
    const view = explain(vramfit.estimate(share), catalog, text);
    const notes = view.notices.filter((notice) => notice.severity !== 'info' && !view.sentence.includes(notice.text));
    return { cells: [html`<a href="${root}${share && `?${share}`}">${share ? shareCode(share) : t('docs.links.empty')}</a>`, html`${view.sentence}${notes.map((notice) => html`<div class="hint">${notice.text}</div>`)}`] };
  }), { unseen: true });
}

const idList = (rows, { t }) => html`<details><summary>${t('docs.links.list', { count: rows.length })}</summary><ul class="ids">${rows.map(({ id, name }) => html`<li>${code(id)} ${name}</li>`)}</ul></details>`;

export function linksHtml(context) {
  const { catalog, asked, text, targets } = context;
  const { t, format } = text;
  const p = (id, values) => html`<p>${prose(t(`docs.links.${id}`, values), targets)}</p>`;
  const grammar = ['pairs', 'ids', 'numbers', 'encoding', 'list', 'bare', 'length'];
  return [
    ['grammar', t('docs.links.grammar'), [bullets(grammar.map((id) => prose(t(`docs.links.grammar.${id}`, { length: format.number(asked.maxLength) }))))]],
    ['examples', t('docs.links.examples'), [p('examples.lead'), examplesHtml(context)]],
    ['wrong', t('docs.links.wrong'), [p('wrong.lead')]],
    ['canonical', t('docs.links.canonical'), [p('canonical.lead')]],
    ['versions', t('docs.links.version'), [p('version.lead')]],
    ['keys', t('docs.links.keys'), [p('keys.lead'), catalog.fields.map((field) => keyHtml(field, context))]],
    ['view', t('docs.links.view'), [p('view.lead'), table(t('docs.links.view'), [t('docs.column.id'), t('docs.column.meaning')], asked.viewKeys.map((key) => ({ id: `key-${key}`, cells: [code(key), prose(t(`docs.links.view.${key}`))] })), { unseen: true })]],
    ['model-ids', t('docs.links.models'), [idList(catalog.models, text)]],
    ['gpu-ids', t('docs.links.gpus'), [idList(catalog.gpus, text)]],
  ];
}
