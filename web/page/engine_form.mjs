// The engines' fields of the form: which engine, what most people set of it, and the rest behind disclosures. Only those of the engine
// in use are shown, which the form sees to.
import { fieldHtml } from './form.mjs';
import { html } from './html.mjs';

// Fields that no engine calls so: what is asked about it, not of it.
const ours = /^(engine|\w+_version|llama_cpp_build|prompt_tokens|quantize_at_load|draft_model|kv_cache_memory_gib|host_memory_gib|other_programs_gib|measured_\w+)$/;
const measured = /^measured_/;

export function engineFieldsHtml(catalog, result, text) {
  const { t } = text;
  const fields = catalog.fields.filter(({ group }) => group === 'engine');
  const make = (field) => fieldHtml(field, result, catalog, text, ours.test(field.key) ? null : field.key);
  const fold = (id, some) => html`<details data-key="engine/${id}" data-group="engine-${id}"><summary>${t(id === 'more' ? 'page.more' : 'engine.measured', { group: t('group.engine') })}</summary><div class="fields">${some.map(make)}</div></details>`;
  return html`<div class="fields" data-group="engine">${fields.filter(({ common }) => common).map(make)}</div>
    <div class="folds">${fold('more', fields.filter(({ key, common }) => !common && !measured.test(key)))}${fold('measured', fields.filter(({ key }) => measured.test(key)))}</div>`;
}

// What an engine takes where a field is left to it.
const defaults = {
  gpu_memory_utilization: ({ memory_share: share }) => share,
  mem_fraction_static: ({ memory_share: share }) => share,
  max_num_seqs: ({ max_num_seqs: n }) => n,
  max_running_requests: ({ max_num_seqs: n }) => n,
  max_batch_size: ({ max_num_seqs: n }) => n,
  max_num_batched_tokens: ({ max_num_batched_tokens: n }) => n,
  chunked_prefill_size: ({ max_num_batched_tokens: n }) => n,
  block_size: ({ block_tokens: n }) => n,
};

export function showDefaults(form, result, { t, format }) {
  for (const [key, read] of Object.entries(defaults)) {
    const value = result.engine && read(result.engine);
    const input = form.elements[key];
    if (input) input.placeholder = value > 0 ? t('engine.own_default', { value: format.number(value, 3) }) : t('page.by_program');
  }
}
