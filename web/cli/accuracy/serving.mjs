// Start-up logs and memory tables of serving engines, per GPU.
import { dtype_in_name, kv_format, weights_format } from './format_match.mjs';
import { not_to_validate } from './inferred.mjs';
import { class_of_message } from './causes.mjs';
import { engine_match } from './engine_match.mjs';
import { compartment, in_use, scaled, sum_of } from './product.mjs';
import { count_reason, judge } from './fitting.mjs';
import { other_engine, other_figures, other_inputs, slot_value, table_bytes } from './other_engines.mjs';
import { names_other_rank, names_vllm, vllm_figures, vllm_inputs } from './vllm.mjs';
import { count_of, gib, mib, number_of, object_of, positive, rounding_of, text_of } from './values.mjs';

// Refusals that are about something other than the need of model and cache.
const not_about_memory =
  /rank out of bounds|only one GPU visible|free memory on a device at startup|another process|not supported|invalid argument/i;

export function serving(row, tools, records) {
  const data = row.data;
  const { product } = tools;
  const stated = text_of(data.weight_dtype);
  // "compressed-tensors" is a container: the name says which format it holds.
  const said = (stated === 'compressed-tensors' ? null : stated) ?? dtype_in_name(row.subject.name) ?? stated;
  const weights = weights_format(said, row.subject.model, product.choices('weights'));
  const kv = kv_format(text_of(data.kv_dtype), product.choices('kv'), said);
  const barred = not_to_validate(data);
  const tp = count_of(data.tp);
  const pp = count_of(data.pp) ?? 1;
  const dp = count_of(data.dp) ?? 1;
  const count = tp ? tp * pp * dp : pp * dp > 1 ? pp * dp : (count_of(data.gpu_count) ?? 1);
  const extra = object_of(data.extra);
  const offload = positive(extra.cpu_offload_gb) || positive(extra.offloaded_gib);
  if (count > product.max_count) records.skip(row, `more GPUs than the product counts: ${count}`);
  if (count > product.max_count) return;
  const settings = names_vllm(row) ? vllm_inputs(data) : other_inputs(row);
  const gpus = tools.gpus.find(text_of(data.gpu)).gpus;
  const base = {
    ...row.subject.inputs,
    task: 'serve',
    ...settings.inputs,
    weights: settings.stored_as?.[weights.id] ?? weights.id,
    kv: kv.id,
    count,
    batched_tokens: count_of(data.max_num_batched_tokens) ?? undefined,
  };
  const method = product.methods.includes('worksheet') ? 'worksheet' : undefined;
  const ask = (more) => product.ask({ ...base, gpus: gpus?.[0].id, method, ...more });
  const assumed = [weights.assumed, settings.assumed];

  weights_figures();
  cache_figures();
  engine_figures();
  totals();
  verdicts();
  if (names_vllm(row) && row.basis !== 'size' && !weights.missing && !kv.missing && !barred.weights && !barred.kv)
    vllm_figures(row, ask, records, Boolean(gpus || settings.inputs.measured_total_gib), { assumed: [...assumed, kv.assumed] });

  if (other_engine(row) && row.basis !== 'size' && !weights.missing && !kv.missing && !barred.weights && !barred.kv)
    other_figures(row, ask, records, Boolean(gpus || settings.inputs.measured_total_gib), { assumed: [...assumed, kv.assumed] });

  function weights_figures() {
    const ranks = Array.isArray(data.weights_gib_ranks) ? data.weights_gib_ranks.filter((v) => number_of(v) > 0) : [];
    const measured = ranks.length > 0 ? Math.max(...ranks) : positive(data.weights_gib_per_gpu);
    if (!measured) return;
    if (barred.weights) return records.skip(row, `weights: ${barred.weights}`);
    if (weights.missing) return records.skip(row, `weights: quantization not modelled: ${weights.missing}`);
    if (!row.subject.known_size) return records.skip(row, 'weights: size not stated');
    if (offload && !names_vllm(row)) return records.skip(row, 'weights: CPU offload is not an input of the product');
    // A model's own prediction layers are a compartment of their own where the engine loads them as a draft.
    const ids = settings.inputs.speculative === 'mtp' ? ['weights', 'draft'] : ['weights'];
    records.compare(row, 'weights', measured * gib, ask({ context: 4096, sequences: 1 }), (m) => sum_of(m, ids), {
      assumed,
      rounding: rounding_of(measured),
    });
  }

  // The pool and its tokens, both per rank. Printed tokens mean cache bytes only where every layer keeps every token; elsewhere the
  // bytes of one longest request (pool / printed concurrency) are the figure that engines and product both have.
  function cache_figures() {
    const pool = positive(data.kv_cache_gib_per_gpu);
    const tokens = positive(data.kv_tokens);
    const check = object_of(data.check);
    if (!pool) return;
    if (Array.isArray(extra['per_rank_profile(total_non_kv,act,non_torch,weights)']))
      return records.skip(row, 'KV cache: pool and tokens are of different pipeline stages');
    if (barred.kv) return records.skip(row, `KV cache: ${barred.kv}`);
    if (kv.missing) return records.skip(row, `KV cache: format not modelled: ${kv.missing}`);
    if (dp > 1) return records.skip(row, 'KV cache: data-parallel attention is not an input of the product');
    const context = 65536;
    const answer = ask({ weights: base.weights ?? 'bf16', context, sequences: 1 });
    const sheet = answer?.methods.worksheet ?? Object.values(answer?.methods ?? {}).find((m) => compartment(m, 'kv_cache'));
    if (!sheet || !compartment(sheet, 'kv_cache')) return records.skip(row, 'KV cache: the product has no shape for this model');
    const uniform = !sheet.compartments.some(
      (c) => c.id === 'state' || c.terms.some((t) => /^kv-(sliding|chunked|cross|compressed)/.test(t.formula)),
    );
    if (check.verdict === 'discrepancy') return records.skip(row, 'KV cache: the row says that pool and tokens are of different ranks');
    const context_parallel = positive(extra.decode_context_parallel_size) ?? 1;
    const concurrency = positive(data.max_concurrency);
    const length = positive(data.max_model_len);
    if (uniform) {
      const all = tokens ?? (concurrency && length ? concurrency * length : null);
      if (!all) return records.skip(row, 'KV cache: pool without tokens');
      const scale = (m) => (m === answer.methods.engine ? context_parallel : 1); // the engine method's cache is cut already
      const predict = (m) => scaled(per_token(m, context), scale(m));
      return records.compare(row, 'kv_per_token', (pool * gib) / (all / context_parallel), answer, predict, {
        unit: 'bytes per token',
        assumed: [kv.assumed],
        rounding: rounding_of(pool) * (row.engine === 'sglang' ? 2 : 1) + 16 / all, // SGLang prints keys and values apart
      });
    }
    if (!concurrency || !length)
      return records.skip(row, 'KV cache: printed tokens of this layer mix are not cache bytes, and no concurrency is printed');
    records.compare(
      row,
      'kv_per_request',
      (pool * gib) / concurrency,
      ask({ context: length, sequences: 1 }),
      (m) => (compartment(m, 'kv_cache') ? sum_of(m, ['kv_cache', 'state']) : null),
      { assumed: [kv.assumed], rounding: rounding_of(pool) + rounding_of(concurrency) },
    );
  }

  function per_token(m, context) {
    const bytes = compartment(m, 'kv_cache');
    return bytes ? scaled(bytes, 1 / context) : { low: -1, likely: -1, high: -1 };
  }

  function engine_figures() {
    const known = row.subject.basis !== 'size' && row.subject.known_size;
    const activations = positive(data.activation_peak_gib);
    const length = count_of(data.max_model_len) ?? 8192;
    const sequences = count_of(data.max_num_seqs) ?? default_sequences(data);
    const note = count_of(data.max_num_seqs) ? undefined : `${sequences} sequences`;
    const other_rank = names_vllm(row) && names_other_rank(data);
    if (activations && other_rank) records.skip(row, `activations: ${other_rank}`);
    if (activations && known && !other_rank)
      records.compare(row, 'activations', activations * gib, ask({ context: length, sequences }), (m) => compartment(m, 'activations'), {
        assumed: [note],
        rounding: rounding_of(activations),
      });
    const parts = [data.init_used_gib, data.non_torch_gib, data.enforce_eager === true ? 0 : data.cuda_graph_gib].map(number_of);
    if (parts.every((v) => v !== null && v >= 0) && !weights.missing)
      records.compare(row, 'reserve', parts.reduce((a, b) => a + b) * gib, ask({ context: 4096, sequences: 1 }), (m) =>
        sum_of(m, ['reserve', 'communication', 'graphs']),
      );
    const slots = positive(extra.max_mamba_cache_size); // SGLang allocates one more than it prints
    const state = [extra.ssm_state_gib, extra.conv_state_gib].map(number_of);
    if (slots && state.every((v) => v !== null))
      records.compare(
        row,
        'state_per_request',
        ((state[0] + state[1]) * gib) / (slots + 1),
        ask({ context: 4096, sequences: 1 }),
        (m) => slot_value(m, 'state', 'state-pool', 'state_bytes') ?? compartment(m, 'state'),
        { rounding: 0.01 / (state[0] + state[1]) },
      );
  }

  function totals() {
    if (weights.missing || kv.missing || barred.weights || barred.kv || offload) return;
    // Tables of a bare framework: memory of one process that holds `batch` sequences of prompt plus answer.
    const table =
      positive(extra.reported_memory_gb_total) ??
      positive(extra.reported_memory_gb) ??
      (positive(extra.reported_memory_mb) ? (extra.reported_memory_mb * mib) / gib : null);
    if (table) {
      const context = table_tokens();
      if (!context) return records.skip(row, 'total: number of tokens not stated');
      const gpus = count_of(data.gpu_count) ?? 1;
      // "total" is a sum over the GPUs that the framework spread the layers over.
      const asked = { context, sequences: count_of(extra.batch) ?? 1, batched_tokens: context };
      const answer = ask({ ...asked, count: 1 });
      const more = {
        assumed: [...assumed, kv.assumed, gpus > 1 && 'sum over GPUs'],
        rounding: rounding_of(extra.reported_memory_gb_total ?? extra.reported_memory_gb ?? extra.reported_memory_mb),
      };
      const of_one = (m) => (m === answer?.methods.engine ? null : m === answer?.methods.rule ? m.total_bytes : in_use(m));
      records.compare(row, 'total_allocated', table * gib, answer, of_one, more);
      // Every GPU has activations of its own.
      const spread = ask({ ...asked, count: gpus });
      const of_all = (m) => (m === spread?.methods.engine ? table_bytes(m, data) : null);
      records.compare(row, 'total_allocated', table * gib, spread, of_all, more);
      return;
    }
    const process = positive(data.process_mib_nvidia_smi);
    const tokens = count_of(data.kv_tokens);
    if (!process) return;
    if (!tokens) return records.skip(row, 'total: process memory without the tokens its pool holds');
    const answer = ask({ context: tokens, sequences: 1 });
    records.compare(
      row,
      'total_process',
      process * mib,
      answer,
      (m) => (m === answer?.methods.rule ? m.layouts[count - 1].need_bytes : in_use(m, { process: true })),
      { assumed: [...assumed, kv.assumed] },
    );
  }

  function table_tokens() {
    const sums = [
      [extra.input_len, extra.output_len],
      [extra.prefill, extra.decode],
    ].map(([a, b]) => (positive(b) ? (number_of(a) ?? 0) + b : null));
    return sums.find(Boolean) ?? count_of(extra.generated_tokens) ?? count_of(data.max_model_len);
  }

  function verdicts() {
    if (typeof data.oom !== 'boolean') return;
    const stated = table_tokens();
    const held = positive(data.kv_tokens);
    // An engine that started may hold fewer tokens than its longest request would need.
    const length = data.oom === false && held && stated ? Math.min(stated, held) : stated;
    const error = text_of(data.error) ?? '';
    if (data.oom && not_about_memory.test(error))
      return records.skip(row, 'verdict: the refusal is not about the memory that model and cache need');
    if (weights.missing) return records.skip(row, `verdict: quantization not modelled: ${weights.missing}`);
    if (kv.missing) return records.skip(row, `verdict: KV format not modelled: ${kv.missing}`);
    if (!row.subject.known_size) return records.skip(row, 'verdict: size not stated');
    if (!length) return records.skip(row, 'verdict: context not stated');
    if (data.confidence === 'low') return records.skip(row, 'verdict: low confidence (left out of the score)');
    const gpu = tools.gpus.find(text_of(data.gpu));
    if (!gpu.gpus) return records.skip(row, gpu.missing ? `verdict: GPU not in the catalogue: ${gpu.missing}` : 'verdict: no GPU named');
    const gpus = count_of(data.gpu_count) ?? count;
    // Frameworks without tensor parallelism may still spread layers; the product is asked for the count the row used.
    const used = tp || pp * dp > 1 ? count : gpus;
    const engine = engine_match(data.engine);
    if (!names_vllm(row) && (offload || dp > 1)) return records.skip(row, 'verdict: offload and replicas are not inputs of this engine');
    const reason = count_reason(row, used, tools);
    if (reason) return records.skip(row, `verdict: ${reason}`);
    judge(
      row,
      { ...base, context: length, sequences: count_of(extra.batch) ?? 1 },
      gpu.gpus,
      used,
      data.oom ? 'does-not-fit' : 'fits',
      {
        firmness: 'tested',
        reason_class: data.oom ? class_of_message(error) : null,
        reason_basis: 'stated',
        assumed: [gpu.assumed, engine.assumed, ...assumed, kv.assumed],
      },
      tools,
      records,
      {
        knobs: names_vllm(row) ? {} : { engine: engine.id, mem_fraction_static: positive(data.mem_fraction_static) ?? undefined },
        only_engine: pp * dp > 1 || Boolean(offload),
        not_engine: engine.reason,
        some_card: gpu.some_card,
      },
    );
  }
}

// vLLM's default for `max_num_seqs`: 256, and since its V1 engine 1024 on cards of the H100's class.
function default_sequences(data) {
  const version = String(data.engine_version ?? '');
  const minor = /^0\.(\d+)/.exec(version)?.[1];
  const v1 = /\bV1\b/.test(version) || Number(minor) >= 9;
  return v1 && /\b(H100|H200|H800|H20|GH200|B[123]00|GB[23]00|MI3\d\dX)\b/i.test(String(data.gpu ?? '')) ? 1024 : 256;
}
