// The form, made from the catalogue's field table: a new field appears here by being in the table and in the locale files.
import { modelName, weightsGroup } from '../text/names.mjs';
import { html } from './html.mjs';

const searched = ['model', 'gpu', 'draft_model'];
const groupOrder = ['model', 'precision', 'workload', 'training', 'method', 'hardware'];

const options = (ids, label, chosen, key) => ids.map((id) => html`<option value="${id}"${key && html` data-t="choice.${key}.${id}"`}${id === chosen && html` selected`}>${label(id)}</option>`);

function select(field, value, { t }) {
  const label = (id) => t(`choice.${field.key}.${id}`);
  let body;
  if (field.key === 'weights') {
    const groups = new Map();
    for (const id of field.choices) groups.set(weightsGroup(id), [...(groups.get(weightsGroup(id)) ?? []), id]);
    body = [...groups].map(([group, ids]) => html`<optgroup label="${t(`weights_group.${group}`)}">${options(ids, label, value)}</optgroup>`);
  } else {
    body = options(field.choices, label, value, !field.common && field.key);
  }
  const stray = !field.choices.includes(value) && field.kind === 'choice' && html`<option value="${value}" selected>${value}</option>`;
  return html`<select id="f-${field.key}" name="${field.key}" aria-describedby="h-${field.key} e-${field.key}">${body}${stray}</select>`;
}

function combobox(field, shown, { t }) {
  return html`<span class="combobox"><input id="f-${field.key}" name="${field.key}" role="combobox" aria-expanded="false" aria-controls="l-${field.key}" aria-autocomplete="list" aria-describedby="h-${field.key} e-${field.key}" autocomplete="off" autocapitalize="none" spellcheck="false" value="${shown}"><button type="button" class="open" tabindex="-1" aria-label="${t('page.show')}">▾</button><ul id="l-${field.key}" role="listbox" aria-label="${t(`field.${field.key}`)}" hidden></ul></span>`;
}

function gpuList(field, value, text) {
  const { t } = text;
  const own = !field.choices.includes(value);
  return html`<select id="f-${field.key}" name="${field.key}" aria-describedby="h-${field.key} e-${field.key}">${options(field.choices, (id) => t(`choice.${field.key}.${id}`), value)}<option value=""${own && html` selected`}>${t('page.own_list')}</option></select><input id="own-${field.key}" data-own="${field.key}" aria-label="${t('page.own_list')}" aria-describedby="h-${field.key} e-${field.key}" autocapitalize="none" spellcheck="false" placeholder="h200, l40s:0.97" value="${own ? value : ''}"${!own && html` hidden`}>`;
}

// What a number field shows: plain digits that the field itself reads back, with the reader's decimal mark.
export function fieldText(field, value, formats) {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'number') return value;
  const plain = new Intl.NumberFormat(formats, { useGrouping: false, maximumFractionDigits: 6 });
  if (field.kind === 'params') {
    for (const [suffix, factor] of [['T', 1e12], ['B', 1e9], ['M', 1e6]]) {
      if (value >= factor && Number.isInteger((value * 1000) / factor)) return plain.format(value / factor) + suffix;
    }
  }
  return plain.format(value);
}

// What a searched field shows for an id: the name, or the id itself when the catalogue does not know it.
export function searchedText(key, id, catalog, { t }) {
  if (id === '') return t(key === 'model' ? 'page.bare_model' : key === 'gpu' ? 'page.none_chosen' : 'page.by_program');
  return (key === 'gpu' ? catalog.gpus : catalog.models).find((entry) => entry.id === id)?.name ?? id;
}

// The same of an answer's inputs: an imported model has its name.
export const chosenText = (key, result, catalog, text) => (key === 'model' && result.inputs.shape ? modelName(result, text) : searchedText(key, result.inputs[key] ?? '', catalog, text));

function control(field, value, result, catalog, text) {
  if (searched.includes(field.key)) return combobox(field, chosenText(field.key, result, catalog, text), text);
  if (field.kind === 'choice') return select(field, value, text);
  if (field.kind === 'gpu-list') return gpuList(field, value, text);
  const hint = field.optional ? html` placeholder="${text.t('page.by_program')}"` : null;
  return html`<input id="f-${field.key}" name="${field.key}" inputmode="${field.kind === 'number' ? 'decimal' : 'text'}" autocomplete="off" autocapitalize="none" aria-describedby="h-${field.key} e-${field.key}" value="${fieldText(field, value, text.formats)}"${hint}>`;
}

// `name`: what an engine calls it.
// Of a result's inputs, which leave out what an engine was not told.
export const valueOf = (field, inputs) => (field.key in inputs ? inputs[field.key] : field.default);

export function fieldHtml(field, result, catalog, text, name = null) {
  const { t } = text;
  const unit = field.unit && text.has(`unit.${field.unit}`) && !['params', 'layers', 'sequences', 'gpus'].includes(field.unit) ? html` <span class="unit">${t(`unit.${field.unit}`)}</span>` : null;
  return html`<div class="field" data-field="${field.key}"${!result.applies.includes(field.key) && html` hidden`}>
    <label for="f-${field.key}">${t(`field.${field.key}`)}${unit}</label>
    ${control(field, valueOf(field, result.inputs), result, catalog, text)}
    <p class="hint" id="h-${field.key}"${!name && html` data-t="help_field.${field.key}"`}>${name && html`<code>${name}</code> `}${text.has(`help_field.${field.key}`) && t(`help_field.${field.key}`)}</p>
    <p class="error" id="e-${field.key}" hidden></p>
  </div>`;
}

export function formHtml(catalog, result, text) {
  const make = (field) => fieldHtml(field, result, catalog, text);
  // What an imported model is described in is no one's to type.
  const folded = groupOrder.map((group) => ({ group, fields: catalog.fields.filter((f) => f.group === group && !f.common && f.kind !== 'text') }));
  return html`<div class="fields">${catalog.fields.filter((f) => f.common && f.group !== 'engine').map(make)}</div>
    <div id="engine-fields"></div>
    <div class="folds">${folded.filter(({ fields }) => fields.length > 0).map(({ group, fields }) => html`<details data-key="group/${group}" data-group="${group}"${!fields.some((f) => result.applies.includes(f.key)) && html` hidden`}><summary>${text.t('page.more', { group: text.t(`group.${group}`) })}</summary><div class="fields">${fields.map(make)}</div></details>`)}</div>`;
}
