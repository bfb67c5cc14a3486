// Settings and figures of SGLang, TensorRT-LLM and Transformers rows as the product's inputs and answers.
import { count_of, gib, mib, number_of, object_of, positive, rounding_of, text_of } from './values.mjs';

const families = { sglang: 'sglang', 'tensorrt-llm': 'tensorrt-llm', 'hf-transformers': 'transformers', autoawq: 'transformers' };
export const other_engine = (row) => families[row.engine] ?? null;

const date_of = (text) => {
  const [year, month] = (/(20\d\d)(?:-(\d\d))?/.exec(String(text ?? '')) ?? []).slice(1).map(Number);
  return year ? year * 12 + (month || 6) : null;
};
const minor_of = (text, major) => {
  const m = new RegExp(`^v?${major}\\.(\\d+)`).exec(String(text ?? ''));
  return m ? Number(m[1]) : null;
};

// -> {inputs, assumed, stored_as} with the row's settings under the engine's own names, and what a plain "Int4" is in its checkpoints.
export function other_inputs(row) {
  const engine = other_engine(row);
  const read = { sglang: sglang_inputs, 'tensorrt-llm': tensorrt_inputs, transformers: transformers_inputs }[engine];
  if (!read) return { inputs: { engine: row.engine } };
  const { inputs, ...rest } = read(row.data, row);
  return { inputs: { engine, ...inputs }, ...rest };
}

function sglang_inputs(data, row) {
  const extra = object_of(data.extra);
  // The defaults by prefill chunk came with 0.5 in August 2025.
  const minor = minor_of(data.engine_version, 0);
  const months = date_of(data.engine_version);
  const old = minor !== null && minor > 0 ? minor < 5 : months !== null && months < 2025 * 12 + 8;
  // A log prints what was free before it loaded anything: the card as the engine saw it.
  const loaded = positive(extra.avail_after_load);
  const weights = positive(data.weights_gib_per_gpu);
  const free = positive(extra.avail_before_load) ?? (loaded && weights ? loaded + weights : null);
  return {
    inputs: {
      sglang_version: old ? '0.4' : '0.5',
      mem_fraction_static: positive(data.mem_fraction_static) ?? undefined,
      max_running_requests: count_of(data.max_num_seqs) ?? undefined,
      max_mamba_cache_size: count_of(extra.max_mamba_cache_size) ?? undefined,
      chunked_prefill_size: count_of(extra.chunked_prefill_size) ?? undefined,
      disable_cuda_graph: data.enforce_eager === true ? 'yes' : undefined,
      expert_parallel: count_of(data.ep) > 1 ? 'yes' : undefined,
      pipeline_parallel: count_of(data.pp) > 1 ? count_of(data.pp) : undefined,
      attention_dp: count_of(data.dp) > 1 ? 'yes' : undefined,
      speculative: /\bMTP\b/.test(text_of(data.model) ?? '') ? 'mtp' : positive(extra.eagle3_draft_gib) ? 'eagle3' : undefined,
      measured_total_gib: free ? free + 0.001 : (positive(data.gpu_total_gib) ?? undefined),
      measured_other_gib: free ? 0.001 : undefined,
    },
    assumed: data.engine_version || row.data.mem_fraction_static ? undefined : 'SGLang 0.5',
  };
}

function tensorrt_inputs(data) {
  const extra = object_of(data.extra);
  return {
    inputs: {
      free_gpu_memory_fraction: positive(extra.kv_cache_free_gpu_mem_fraction) ?? undefined,
      tokens_per_block: count_of(data.block_size) ?? undefined,
      max_batch_size: count_of(data.max_num_seqs) ?? count_of(extra.max_batch_size) ?? undefined,
      max_num_tokens: count_of(data.max_num_batched_tokens) ?? undefined,
      pipeline_parallel: count_of(data.pp) > 1 ? count_of(data.pp) : undefined,
      expert_parallel: count_of(data.ep) > 1 ? 'yes' : undefined,
      measured_total_gib: positive(data.gpu_total_gib) ?? undefined,
    },
  };
}

function transformers_inputs(data, row) {
  const extra = object_of(data.extra);
  const minor = minor_of(data.engine_version, 4);
  const fused = /autoawq/i.test(text_of(data.engine) ?? '');
  const version = transformers_version(minor, data, fused);
  return {
    inputs: {
      transformers_version: version.id,
      prompt_tokens: prompt_of(extra) ?? undefined,
      attn_implementation: 'flash_attention_2',
      do_fuse: fused ? 'yes' : undefined,
    },
    assumed: row.data.engine_version ? undefined : version.assumed,
    stored_as: { int4: 'int4-gptq', int8: 'int8-gptq' },
  };
}

function transformers_version(minor, data, fused) {
  if (minor !== null) return { id: minor >= 56 ? '4.56' : minor >= 45 ? '4.45' : minor >= 36 ? '4.36' : '4.0' };
  if (/^v?5\./.test(String(data.engine_version ?? ''))) return { id: '4.56' };
  if (fused) return { id: '4.36', assumed: 'Transformers of AutoAWQ 0.1-0.2' };
  // Qwen's first generation brought model code of its own, with a cache of tuples.
  if (/\bQwen-\d/.test(text_of(data.model) ?? '')) return { id: '4.0', assumed: 'Qwen 1 model code' };
  return { id: '4.56', assumed: 'newest Transformers' };
}

// Tokens read at once; tables of generation alone start from one.
function prompt_of(extra) {
  return positive(extra.input_len) ?? positive(extra.prefill) ?? (positive(extra.generated_tokens) ? 1 : null);
}

// The table of Qwen3's documentation grows by the cache alone: it was read when all was generated. The others are peaks.
const at_rest = (data) => /\bQwen3 docs\b/.test(text_of(data.source) ?? '');

// Bytes of the process's tensors, over all GPUs, as such a table counts them; -> null for methods without compartments.
export function table_bytes(method, data) {
  const left_out = at_rest(data) ? ['reserve', 'activations'] : ['reserve'];
  const parts = method.compartments.filter((c) => !left_out.includes(c.id)).map((c) => c.total_bytes);
  return parts.length > 0 ? parts.reduce(add) : null;
}

const add = (a, b) => ({ low: a.low + b.low, likely: a.likely + b.likely, high: a.high + b.high });

// The engine's bytes of one token and of one request's state, from the terms that explain the pools.
export function slot_value(method, id, formula, name) {
  const value = method.compartments.find((c) => c.id === id)?.terms.find((t) => t.formula === formula)?.values[name];
  return value ? { low: value, likely: value, high: value } : null;
}

// What the log prints of the pools, given nothing but the settings.
export function other_figures(row, ask, records, card_known, extra) {
  const { data } = row;
  const engine = other_engine(row);
  if (engine !== 'sglang' && engine !== 'tensorrt-llm') return;
  const more = object_of(data.extra);
  const length = count_of(data.max_model_len);
  const answer = ask({ context: length ?? 8192, sequences: 1 });
  if (!answer?.engine) return;
  const compare = (name, measured, of, rest) =>
    records.compare(row, name, measured, answer, (m) => (m === answer.methods.engine ? of(answer.engine, m) : null), { ...extra, ...rest });
  const draft = positive(more.eagle3_draft_gib);
  if (draft) compare('draft', draft * gib, (_, m) => part(m, 'draft'), { rounding: rounding_of(draft) });
  if (!card_known) return records.skip(row, 'pool: the memory of the card is not known');
  // With recurrent layers the log prints the cache's pool and the state's apart.
  const state = [more.ssm_state_gib, more.conv_state_gib].map(number_of).reduce((a, b) => (a ?? 0) + (b ?? 0), 0);
  const cache = positive(data.kv_cache_gib_per_gpu);
  if (cache) compare('pool', (cache + state) * gib, (e) => e.pool_bytes, { rounding: rounding_of(cache) });
  const free = positive(more.free_before_kv_gib);
  const fraction = positive(more.kv_cache_free_gpu_mem_fraction) ?? 0.9;
  if (engine === 'tensorrt-llm' && free && !cache)
    compare('pool', fraction * free * gib, (e) => e.pool_bytes, { rounding: rounding_of(free) });
  const tokens = positive(data.kv_tokens);
  if (tokens) compare('tokens', tokens, (e) => e.tokens, { unit: 'tokens', rounding: 64 / tokens });
  const process = positive(data.process_mib_nvidia_smi);
  if (process) compare('total_process', process * mib, (e) => e.reported_bytes);
}

const part = (method, id) => method.compartments.find((c) => c.id === id)?.per_gpu_bytes ?? null;
