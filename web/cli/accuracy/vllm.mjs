// vLLM's settings in a row as the product's inputs, and the figures of its start-up log.
import { count_of, gib, mib, number_of, object_of, positive, rounding_of, text_of } from './values.mjs';

// The V1 engine was the default from 0.9 on; a date says which release was new: 0.9.2 came in July 2025.
export function vllm_version(text) {
  const said = String(text ?? '');
  const minor = Number(/(?:^|[^\d.])v?0\.(\d{1,2})(?:\.|$|[^\d])/.exec(said)?.[1] ?? NaN);
  const [year, month] = (/(20\d\d)(?:-(\d\d))?/.exec(said) ?? []).slice(1).map(Number);
  const months = year * 12 + (month || 6);
  if (/\bV0\b/.test(said)) return { id: minor <= 6 || months <= 2025 * 12 + 1 ? '0.6' : 'v0' };
  if (Number.isFinite(minor) && !/dev\d{5}/.test(said)) {
    if (minor >= 21) return { id: '0.21' };
    if (minor >= 17) return { id: '0.17' };
    if (minor >= 9) return { id: /\b0\.9\.[01]\b/.test(said) ? 'v1' : '0.8' };
    if (minor === 8) return { id: 'v1', assumed: 'V1 engine' };
    return { id: minor <= 6 ? '0.6' : 'v0' };
  }
  if (year) {
    if (months >= 2026 * 12 + 5) return { id: '0.21', assumed: 'vLLM of its date' };
    if (months >= 2026 * 12 + 3) return { id: '0.17', assumed: 'vLLM of its date' };
    if (/\bV1\b/.test(said) && months < 2025 * 12 + 7) return { id: 'v1', assumed: 'vLLM of its date' };
    if (months >= 2025 * 12 + 6) return { id: '0.8', assumed: 'vLLM of its date' };
    return { id: months <= 2024 * 12 + 11 ? '0.6' : 'v0', assumed: 'vLLM of its date' };
  }
  if (/\bV1\b/.test(said)) return { id: '0.8', assumed: 'V1 engine' };
  return { id: '0.21', assumed: 'newest vLLM' };
}

// NVIDIA's containers are numbered by themselves: those of 1.x, of 2025, hold a vLLM of that year.
const release_of = (data) => {
  const version = vllm_version(data.engine_version);
  const nim = !text_of(data.engine_version) && /\bNIM 1\.\d/.test(text_of(data.engine) ?? '');
  return nim ? { id: '0.8', assumed: 'vLLM of NIM 1' } : version;
};

const yes_no = (v) => (v === true ? 'yes' : v === false ? 'no' : undefined);

export function vllm_inputs(data) {
  const extra = object_of(data.extra);
  const version = release_of(data);
  const pp = count_of(data.pp) ?? 1;
  const dp = count_of(data.dp) ?? 1;
  return {
    assumed: version.assumed,
    inputs: {
      engine: 'vllm',
      vllm_version: version.id,
      gpu_memory_utilization: positive(data.gpu_memory_utilization) ?? undefined,
      measured_total_gib: positive(data.gpu_total_gib) ?? undefined,
      pipeline_parallel: pp > 1 ? pp : undefined,
      data_parallel: dp > 1 ? dp : undefined,
      expert_parallel: count_of(data.ep) > 1 || data.ep === true ? 'yes' : undefined,
      decode_context_parallel: positive(extra.decode_context_parallel_size) ?? undefined,
      max_num_seqs: count_of(data.max_num_seqs) ?? undefined,
      max_num_batched_tokens: count_of(data.max_num_batched_tokens) ?? undefined,
      enforce_eager: yes_no(data.enforce_eager),
      block_size: count_of(data.block_size) ?? undefined,
      cpu_offload_gb: positive(extra.cpu_offload_gb) ?? undefined,
      speculative: extra.mtp === true ? 'mtp' : undefined,
      language_model_only: extra.limit_mm_images === 0 || /vision (tower )?off/i.test(text_of(extra.note) ?? '') ? 'yes' : undefined,
    },
  };
}

// What the log prints of the pool, given nothing but the settings. `ask` asks with the row's inputs.
// Without a card's size, what follows from it is left out.
export function vllm_figures(row, ask, records, card_known, extra) {
  const data = row.data;
  const length = count_of(data.max_model_len);
  const ranks = object_of(data.extra)['per_rank_profile(total_non_kv,act,non_torch,weights)'];
  const answer = ask({ context: length ?? 8192, sequences: 1 });
  if (!answer?.engine) return;
  const only_engine = (of) => (m) => (m === answer.methods.engine ? of(answer.engine, m) : null);
  const compare = (name, measured, of, more) => records.compare(row, name, measured, answer, only_engine(of), { ...extra, ...more });
  if (!card_known) records.skip(row, 'pool: the memory of the card is not known');
  const pool = card_known ? positive(data.kv_cache_gib_per_gpu) : null;
  // Printed by one rank while another decides: of stages their own figures are in the row, of others none.
  const other_rank = names_other_rank(data);
  if (pool && other_rank) records.skip(row, `pool: ${other_rank}`);
  if (pool && !Array.isArray(ranks) && !other_rank) compare('pool', pool * gib, (e) => e.pool_bytes, { rounding: rounding_of(pool) });
  const tokens = card_known ? positive(data.kv_tokens) : null;
  if (tokens) compare('tokens', tokens, (e) => e.tokens, { unit: 'tokens', rounding: 16 / tokens });
  const concurrency = positive(data.max_concurrency);
  if (concurrency && length && card_known)
    compare('max_concurrency', concurrency, (e) => e.max_concurrency, { unit: 'requests', rounding: rounding_of(concurrency) });
  pages();
  const part = (id) => (e, m) => m.compartments.find((c) => c.id === id)?.per_gpu_bytes ?? null;
  const non_torch = number_of(data.non_torch_gib);
  if (non_torch > 0) compare('communication', non_torch * gib, part('communication'), { rounding: rounding_of(non_torch) });
  const graphs = number_of(data.cuda_graph_gib);
  if (graphs > 0 && data.enforce_eager !== true) compare('graphs', graphs * gib, part('graphs'), { rounding: rounding_of(graphs) });
  const context = number_of(data.init_used_gib);
  if (context > 0) compare('context', context * gib, part('reserve'), { rounding: rounding_of(context) });
  // Everything but the pool: what the range of the total is about.
  const parts = [data.weights_gib_per_gpu, data.activation_peak_gib, data.non_torch_gib].map(number_of);
  if (parts.every((v) => v !== null) && parts[0] > 0 && !Array.isArray(ranks) && !other_rank)
    compare('total_before_pool', parts.reduce((a, b) => a + b) * gib, (_, m) => sum(m, ['weights', 'activations', 'communication']));
  const process = positive(data.process_mib_nvidia_smi);
  if (process && card_known) compare('total_process', process * mib, (e) => e.reported_bytes);

  // Blocks, groups and pages alone: what the pool that was printed holds, whatever is left for it.
  function pages() {
    const printed = positive(data.kv_cache_gib_per_gpu);
    if (!printed || Array.isArray(ranks) || other_rank) return;
    const given = ask({ context: length ?? 8192, sequences: 1, kv_cache_memory_gib: printed });
    if (!given?.engine) return;
    const held = (name, measured, of, unit, rounding) =>
      measured && records.compare(row, name, measured, given, (m) => (m === given.methods.engine ? of(given.engine) : null), { ...extra, unit, rounding: rounding + rounding_of(printed) });
    held('pool_tokens', positive(data.kv_tokens), (e) => e.tokens, 'tokens', 16 / data.kv_tokens);
    held('pool_requests', length && concurrency, (e) => e.max_concurrency, 'requests', rounding_of(concurrency));
  }
}

// -> a reason where the row says that what it prints of memory is not of the rank that decides, or null.
export function names_other_rank(data) {
  const check = object_of(data.check);
  const said = check.verdict === 'discrepancy' && /\brank\b/i.test(text_of(check.note) ?? '');
  return said ? 'printed by another rank than the one that decides' : null;
}

function sum(method, ids) {
  const parts = method.compartments.filter((c) => ids.includes(c.id)).map((c) => c.per_gpu_bytes);
  return parts.reduce((a, b) => ({ low: a.low + b.low, likely: a.likely + b.likely, high: a.high + b.high }));
}

export const names_vllm = (row) => row.engine === 'vllm' || row.engine === 'nim' || /vllm/i.test(text_of(row.data.engine) ?? '');
