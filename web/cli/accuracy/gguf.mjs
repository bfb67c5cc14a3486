// llama.cpp and its relatives: buffers per device in MiB, file sizes, process memory.
import { ggml_format, kv_format } from './format_match.mjs';
import { not_to_validate } from './inferred.mjs';
import { is_ik, llama_settings } from './llama_settings.mjs';
import { compartment, in_use, scaled, sum_of } from './product.mjs';
import { bytes_of, count_of, gib, mib, number_of, object_of, positive, rounding_of, text_of } from './values.mjs';

const on_host = /cpu|host|mapped_cpu|blas/i;
const draft = /mtp|draft/i;

// {device: bytes}; keys may carry their unit: "CUDA0 (GiB)". Sums that stand beside devices, and anything "each", are left out.
function buffers(value) {
  const out = {};
  for (const [key, raw] of Object.entries(object_of(value))) {
    const v = number_of(raw);
    if (v === null || /\beach\b|per device/i.test(key) || /^[RS]$/.test(key)) continue;
    const unit = /\(?GiB\)?/.test(key) ? gib : /\(?GB\)?/.test(key) ? 1e9 : mib;
    out[key] = v * unit;
  }
  const devices = Object.keys(out).filter((k) => !/^total|approx/i.test(k));
  if (devices.length > 0) for (const key of Object.keys(out)) if (/^total/i.test(key)) delete out[key];
  return out;
}
const total = (b, keep = () => true) =>
  Object.entries(b)
    .filter(([k]) => keep(k))
    .reduce((sum, [, v]) => sum + v, 0);
// The largest buffer decides the sum's rounding.
const rounding_in = (value) =>
  Math.max(
    0,
    ...Object.values(object_of(value))
      .map(number_of)
      .filter((v) => v > 0)
      .map(rounding_of),
  );
const gpu_only = (key) => !on_host.test(key) && !draft.test(key);

// All layers on GPUs, and no tensor moved back to the host.
function fully_offloaded(row) {
  const text = String(row.offload ?? '');
  const m = /(\d+)\s*\/\s*(\d+)/.exec(text);
  if (/cpu|moe|expert|host/i.test(text) || (m && Number(m[1]) < Number(m[2]))) return false;
  const w = buffers(row.weights_mib);
  const gpu = total(w, gpu_only);
  return gpu > 0 && (m !== null || /all/i.test(text) || gpu > 0.7 * total(w)) && total(w, (k) => on_host.test(k)) < 0.35 * gpu;
}

export function gguf(row, tools, records) {
  const data = row.data;
  const { product } = tools;
  const barred = not_to_validate(data);
  const recipe = recipe_of(data);
  const context = count_of(data.n_ctx);
  const parallel = count_of(data.n_parallel) ?? 1;
  // Split caches hold n_ctx / n_parallel tokens each; a unified one is shared.
  const split = data.kv_unified === false && parallel > 1;
  const told = [data.notes, data.check, data.model, data.file].filter((v) => typeof v === 'string').join(' ');
  const speculative = /\bMTP\b|draft|rollback/i.test(told) || Object.keys(object_of(data.kv_mib)).some((k) => draft.test(k));
  const kv = one_kv_format(data, product.choices('kv'));
  const modelled = recipe && !recipe.reason && product.choices('weights').includes(recipe.id);
  const base = {
    ...row.subject.inputs,
    task: 'serve',
    engine: 'llama.cpp',
    method: 'worksheet',
    count: 1,
    kv: kv.id,
    batched_tokens: count_of(data.n_ubatch) ?? 512,
    // Cache and buffers do not depend on the mix; any ggml one makes the product split by layers.
    weights: modelled ? recipe.id : 'q4_k_m',
    context: split ? Math.floor((context ?? 4096) / parallel) : (context ?? 4096),
    sequences: split ? parallel : 1,
  };
  const answer = product.ask(base);
  if (!answer) return records.skip(row, 'the product refuses these inputs');
  const has = (id) => Object.values(answer.methods).some((m) => compartment(m, id));
  // The engine method is asked with the run's own settings, the others as they were.
  const set = llama_settings(data, { vocabulary: vocabulary(), told });
  const devices = Math.max(1, ...[data.weights_mib, data.kv_mib].map((b) => Object.keys(buffers(b)).filter(gpu_only).length));
  const too_many = devices > product.max_count ? `${devices} GPUs, more than the product counts` : null;
  const speculation = speculative_inputs();
  const named = data.gpu ? tools.gpus.find(data.gpu) : null;
  const card = named?.gpus?.length === 1 ? named.gpus[0].id : null;
  const asked = {
    ...base,
    ...set.inputs,
    ...speculation.inputs,
    ...(card && devices === 1 && { gpus: card, gpu: card }),
    count: Math.min(devices, product.max_count),
  };
  // ik_llama.cpp took latent caches over before it counted the output layer first.
  if (is_ik(data) && asked.llama_cpp_build === '2026-01') asked.llama_cpp_build = '2025-05';
  const on_gpus = product.ask({ ...asked, llama_cpp_build: set.inputs.llama_cpp_build, gpus: 'h100-sxm', gpu: 'h100-sxm', n_gpu_layers: 999, n_cpu_moe: 0, count: 1 });
  const as_run = too_many ? null : product.ask(asked);
  const assumed_of_run = [...set.assumed, ...speculation.assumed];
  const engine_of = (a) => {
    const m = a?.methods.engine;
    return m && m.compartments.length > 0 ? m : null;
  };
  // One figure of the engine method alone.
  const compare_engine = (name, measured, a, predict, extra = {}) => {
    const engine = engine_of(a);
    if (engine)
      records.compare(row, name, measured, { asked: a.asked, methods: { engine } }, predict, {
        ...extra,
        assumed: [...(extra.assumed ?? []), ...assumed_of_run],
      });
  };
  const others = { ...answer, methods: { ...answer.methods, engine: undefined } };
  delete others.methods.engine;
  const no_estimate =
    !data.weights_mib && !data.kv_mib && !data.compute_mib && !data.measured_process_mib && !data.device_total_mib && !data.file_size;
  if (no_estimate && data.ollama_estimate) return records.skip(row, 'only an estimate that the tool printed before loading');

  weights();
  cache();
  state();
  compute();
  totals();

  function vocabulary() {
    return number_of(object_of(data.arch_facts).n_vocab) ?? row.subject.model?.vocab_size ?? null;
  }

  // Copies of the state show how many tokens are drafted; the sizes of the copies are what is compared.
  function speculative_inputs() {
    const copies = number_of(/RS[^|]*?(\d+) x (\d+) x/.exec(told)?.[2] * 1) ?? number_of(/RS (\d+) x [\d.]+ \(1 seq/.exec(told)?.[1] * 1);
    if (!speculative) return { inputs: {}, assumed: [] };
    return copies > 1
      ? { inputs: { speculative: 'mtp', num_speculative_tokens: copies - 1 }, assumed: [`${copies - 1} drafted tokens, as the log keeps ${copies} states`] }
      : { inputs: { speculative: 'mtp' }, assumed: ['drafted tokens not stated'] };
  }

  // Whether the engine method can be told where the weights were: it knows layers and experts of whole layers, no patterns.
  function placement_reason() {
    if (too_many) return too_many;
    if (set.experts_on_host === 'some') return 'which experts stayed on the host is not stated';
    const host = total(buffers(data.weights_mib), (k) => on_host.test(k));
    const gpu = total(buffers(data.weights_mib), gpu_only);
    // All layers are on GPUs by count, and yet much is on the host: moved by a pattern that the row does not give.
    if (set.experts_on_host === 'none' && set.layers && set.layers.on >= set.layers.of && host > 0.35 * gpu)
      return 'tensors were moved to the host by a pattern that the row does not state';
    if (!set.layers && gpu > 0 && host > 0.35 * gpu) return 'layers on GPUs not stated';
    return null;
  }

  function weights() {
    const file = bytes_of(data.file_size);
    const loaded = fully_offloaded(data) ? total(buffers(data.weights_mib), gpu_only) : null;
    if (!file && !data.weights_mib) return;
    if (barred.weights) return records.skip(row, `weights: ${barred.weights}`);
    if (!modelled)
      return records.skip(
        row,
        recipe ? `weights: quantization not modelled: ${recipe.reason ?? recipe.id}` : 'weights: quantization not stated',
      );
    if (row.subject.basis === 'shape' && !row.subject.known_size) return records.skip(row, 'weights: size not stated');
    if (file)
      records.compare(row, 'weights_file', file, others, (m) => compartment(m, 'weights', true), {
        rounding: rounding_of(Number(/\d+(\.\d+)?/.exec(data.file_size)[0])),
      });
    if (loaded) records.compare(row, 'weights', loaded, others, (m) => compartment(m, 'weights', true));
    const on_devices = total(buffers(data.weights_mib), gpu_only);
    if (!(on_devices > 0)) return;
    const reason = placement_reason() ?? (row.subject.basis === 'size' ? 'the product has no shape for this model' : null);
    if (reason) return records.skip(row, `weights: ${reason}`);
    const shown = Object.keys(buffers(data.weights_mib)).filter(gpu_only).length;
    if (shown < devices) return records.skip(row, 'weights: the source shows only some of the devices');
    // Apple's buffers map a range of the file, the host's table within it.
    const mapped = Object.keys(buffers(data.weights_mib)).some((k) => /^(MTL|Metal).*_Mapped/.test(k));
    const twice = mapped ? total(buffers(data.weights_mib), (k) => on_host.test(k)) : 0;
    compare_engine('weights', on_devices - twice, as_run, (m) => compartment(m, 'weights', true), {
      rounding: rounding_in(data.weights_mib),
      assumed: [mapped ? "the host's table taken off the mapped range" : null].filter(Boolean),
    });
  }

  function cache() {
    const parts = buffers(data.kv_mib);
    const bytes = total(parts, (k) => !draft.test(k));
    if (!(bytes > 0)) return;
    if (barred.kv) return records.skip(row, `KV cache: ${barred.kv}`);
    if (!context) return records.skip(row, 'KV cache: context not stated');
    if (!has('kv_cache')) return records.skip(row, 'KV cache: the product has no shape for this model');
    if (kv.missing) return records.skip(row, `KV cache: format not modelled: ${kv.missing}`);
    if (/omits|not visible|later KV lines/i.test(told)) return records.skip(row, 'KV cache: the source shows only some of the devices');
    const with_state = Object.keys(parts).some((k) => /RS/.test(k));
    const latent = answer.methods.worksheet?.compartments.some((c) => c.terms.some((t) => t.formula === 'kv-latent'));
    const expanded =
      latent &&
      !/mla/i.test(String(data.flash_attn ?? '')) &&
      !/c_?kv_mib/.test(JSON.stringify(data.kv_detail ?? {})) &&
      number_of(object_of(data.kv_detail).v_mib) > 0;
    // Builds without latent attention keep full heads: the product has no such input, so these stand apart.
    const name = expanded ? 'kv_cache_no_mla' : with_state ? 'kv_and_state' : 'kv_cache';
    const extra = { assumed: [kv.assumed], rounding: rounding_in(data.kv_mib) };
    // Cells do not depend on where they are.
    const with_draft = speculation.inputs.speculative ? total(parts) : bytes;
    compare_engine(with_state ? 'kv_and_state' : 'kv_cache', with_draft, on_gpus, (m) => sum_of(m, with_state ? ['kv_cache', 'state'] : ['kv_cache'], true), extra);
    const partly = speculation.inputs.speculative ? 0 : total(parts, gpu_only);
    if (partly > 0 && (partly < bytes || devices > 1) && !placement_reason())
      compare_engine('kv_cache_gpus', partly, as_run, (m) => compartment(m, 'kv_cache', true), extra);
    const windows_full = /swa_full|--swa-full|full-size SWA/i.test(told) || object_of(data.kv_detail).swa_full;
    if (windows_full) return records.skip(row, 'KV cache: full-size window cache is not an input of the rule and the worksheet');
    records.compare(
      row,
      name,
      bytes,
      others,
      (m) => {
        const cached = compartment(m, 'kv_cache', true);
        const more = with_state ? compartment(m, 'state', true) : null;
        // The state is per sequence; a unified cache is asked for as one.
        return cached && more
          ? {
              low: cached.low + more.low * parallel,
              likely: cached.likely + more.likely * parallel,
              high: cached.high + more.high * parallel,
            }
          : cached;
      },
      extra,
    );
  }

  function state() {
    const parts = buffers(data.rs_mib);
    const bytes = total(parts, (k) => !draft.test(k));
    if (!(bytes > 0)) return;
    const sequences_told = count_of(data.n_parallel);
    if (sequences_told && has('state') && (!speculative || speculation.inputs.num_speculative_tokens))
      compare_engine('state', bytes, on_gpus, (m) => compartment(m, 'state', true), { rounding: rounding_in(data.rs_mib) });
    if (speculative) return records.skip(row, 'state: copies for speculative decoding are not an input of the worksheet');
    if (!has('state')) return records.skip(row, 'state: the product has none for this model');
    const sequences = count_of(data.n_parallel);
    if (!sequences) return records.skip(row, 'state: number of sequences not stated');
    records.compare(
      row,
      'state',
      bytes / sequences,
      others,
      (m) => (compartment(m, 'state', true) ? scaled(compartment(m, 'state', true), 1 / base.sequences) : null),
      { rounding: rounding_in(data.rs_mib) },
    );
  }

  function compute() {
    const parts = buffers(data.compute_mib);
    const gpu = Object.entries(parts)
      .filter(([k]) => gpu_only(k))
      .map(([, v]) => v);
    if (gpu.length === 0)
      return Object.keys(object_of(data.compute_mib)).some((k) => /each|per device/.test(k))
        ? records.skip(row, 'activations: not given device by device')
        : undefined;
    if (/FAILED|scheduler bug/.test(told)) return records.skip(row, 'activations: the allocation failed');
    const batch = count_of(data.n_ubatch);
    compute_of_engine(gpu);
    // The answer tells whether the micro-batch is an input: does another one change it?
    const figure = (m) => compartment(m, 'activations')?.likely;
    const other = product.ask({ ...base, batched_tokens: 2 * (batch ?? 512) });
    const takes_batch = other && Object.keys(others.methods).some((id) => figure(answer.methods[id]) !== figure(other.methods[id]));
    if (batch && batch !== 512 && !takes_batch)
      return records.skip(row, `activations: micro-batch ${batch} is not an input of the product`);
    if (row.subject.basis === 'size') return records.skip(row, 'activations: the product has no shape for this model');
    records.compare(row, 'activations', Math.max(...gpu), others, (m) => compartment(m, 'activations'), {
      assumed: [batch ? null : 'micro-batch 512'],
    });
  }

  function totals_of_engine(device, process) {
    const known_speculation = !speculative || speculation.inputs.num_speculative_tokens;
    const reason = !modelled
      ? `quantization not modelled: ${recipe?.reason ?? recipe?.id ?? 'not stated'}`
      : kv.missing
        ? `KV format not modelled: ${kv.missing}`
        : !known_speculation
          ? 'drafted tokens not stated'
          : !context
            ? 'context not stated'
            : row.subject.basis === 'size'
              ? 'the product has no shape for this model'
              : (barred.kv ?? barred.weights ?? placement_reason());
    if (reason) return records.skip(row, `total: ${reason}`);
    const whole = (m, process) =>
      sum_of(
        m,
        m.compartments.map((c) => c.id).filter((id) => id !== 'headroom' && (process || id !== 'reserve')),
        true,
      );
    if (device.length > 0 && device.length === devices) {
      const adapter = total(buffers(data.extra_mib), (k) => /LoRA/i.test(k));
      const sum = device.reduce((a, b) => a + b, 0) - adapter;
      compare_engine('total_allocated', sum, as_run, (m) => whole(m, false), {
        assumed: [kv.assumed, adapter > 0 ? 'the adapter taken off' : null],
      });
    }
    if (process && device.length <= 1) compare_engine('total_process', process, as_run, (m) => whole(m, true), { assumed: [kv.assumed] });
  }

  function compute_of_engine(gpu) {
    const mixture = number_of(object_of(data.arch_facts).n_expert) > 0;
    const placement = placement_reason();
    const some_on_host = total(buffers(data.weights_mib), (k) => on_host.test(k)) > 0.35 * total(buffers(data.weights_mib), gpu_only);
    const reason =
      row.subject.basis === 'size' || (row.subject.basis === 'shape' && (mixture || data.arch === 'glm4'))
        ? 'the typed shape has no experts, no second norms and no fused gate'
        : too_many
          ? too_many
          : !context
            ? 'context not stated'
            : is_ik(data) && row.subject.model?.id && /deepseek|kimi|glm-4.7/.test(row.subject.model.id)
              ? 'ik_llama.cpp unpacks latent attention in chunks of its own'
              : is_ik(data) && mixture && some_on_host
                ? 'ik_llama.cpp leaves experts on the host to the processor'
                : /fork/i.test(String(data.engine)) && !data.n_ubatch
                  ? 'the micro-batch was inferred from these figures'
                  : /embedding workload/i.test(told)
                    ? 'an embedding run pins the inputs of its pooling, which is not an input of the product'
                  : Object.keys(buffers(data.compute_mib)).some((k) => /^RPC/.test(k))
                    ? 'devices over RPC are not an input of the product'
                    : placement && /layers on GPUs/.test(placement)
                      ? placement
                      : placement && !modelled
                        ? 'the size of the tensors that are brought over is not known'
                        : null;
    if (reason) return records.skip(row, `activations: ${reason}`);
    // Tensors moved by an unknown pattern: the experts, as far as the buffer is concerned.
    const moved = placement !== null && set.experts_on_host !== 'all';
    const a = moved ? product.ask({ ...asked, n_cpu_moe: 999 }) : as_run;
    const of_draft = Object.entries(buffers(data.compute_mib)).filter(([k]) => draft.test(k) && !on_host.test(k));
    const measured = Math.max(...gpu) + of_draft.reduce((sum, [, v]) => sum + v, 0);
    compare_engine('activations', measured, a, (m) => compartment(m, 'activations'), {
      assumed: moved ? ['experts on the host'] : [],
    });
  }

  function totals() {
    const device = Object.entries(buffers(data.device_total_mib))
      .filter(([k]) => gpu_only(k))
      .map(([, v]) => v);
    const process = process_bytes(object_of(data.measured_process_mib));
    if (device.length === 0 && !process)
      return data.measured_process_mib ? records.skip(row, 'total: no measured total of one process') : undefined;
    const reason = !modelled
      ? `quantization not modelled: ${recipe?.reason ?? recipe?.id ?? 'not stated'}`
      : kv.missing
        ? `KV format not modelled: ${kv.missing}`
        : speculative
          ? 'speculative decoding is not an input of the product'
          : !context
            ? 'context not stated'
            : (barred.kv ?? barred.weights ?? null);
    totals_of_engine(device, process);
    if (reason) return records.skip(row, `total: ${reason}`);
    if (data.weights_mib ? !fully_offloaded(data) : /cpu|moe|\b0\/|host/i.test(String(data.offload ?? '')))
      return records.skip(row, 'total: partial offload is not an input of the product');
    if (device.length === 1)
      records.compare(row, 'total_allocated', device[0], others, (m) => (m === answer.methods.rule ? m.total_bytes : in_use(m)), {
        assumed: [kv.assumed],
      });
    if (device.length > 1) records.skip(row, 'total: how the layers were split is not an input of the product');
    if (process && device.length <= 1)
      records.compare(
        row,
        'total_process',
        process,
        others,
        (m) => (m === answer.methods.rule ? m.total_bytes : in_use(m, { process: true })),
        { assumed: [kv.assumed] },
      );
  }
}

// The mix's id, or why there is none.
function recipe_of(data) {
  const ftype = text_of(data.ftype);
  const named = [data.file, data.model].map(text_of).filter(Boolean);
  const custom = named.find(
    (n) => /\bUD-|_XL\b|Q\d_K_L\b|-mix-|_R4\b|smart|OPTIMIZED|-V2\.gguf|SPECIAL_TENSOR|_v\d\.gguf/i.test(n) && !/^UD$/.test(n),
  );
  const said = ftype ?? named.map((n) => /\b(I?Q\d[A-Z0-9_]*|MXFP4)\b/i.exec(n.replace(/\.gguf$/i, ''))?.[0]).find(Boolean);
  if (!said) return null;
  if (/_R4|_R8|_KS|_KSS|_KT|_BN|smart|unknown/i.test(said) || custom)
    return { reason: custom && !/_R4|_KS|_KT|_BN/i.test(said) ? `${said} (own mix: ${custom})` : said };
  const found = ggml_format(said) ?? (/^(b?f16)$/i.test(said) ? { id: 'f16' } : null);
  if (!found) return { reason: said };
  // A label that the file's own tensors contradict.
  const types = Object.keys(object_of(data.tensor_types)).map((t) => t.toLowerCase());
  const base = found.id
    .replace(/_[sml]$/, '')
    .replace('mxfp4_moe', 'mxfp4')
    .replace(/^(iq[12])$/, '$1_')
    .replace(/^iq3$/, 'iq3_');
  const foreign = types.filter((t) => /^iq\d_k|_r\d$|_ks|_kt/.test(t));
  if (types.length > 0 && (foreign.length > 0 || !types.some((t) => t.startsWith(base) || (base === 'f16' && t === 'bf16'))))
    return { reason: `${said} (own mix: ${types.join(', ')})` };
  return found.id.startsWith('not-a-recipe:') ? { reason: said } : found;
}

function one_kv_format(data, choices) {
  const k = text_of(data.type_k);
  const v = text_of(data.type_v);
  // Latent caches have keys only.
  if (k && v && k !== v) return { missing: `${k} keys with ${v} values` };
  return kv_format(k ?? v ?? 'f16', choices);
}

function process_bytes(p) {
  const idle = number_of(p.idle) ?? 0;
  if (positive(p.process)) return p.process * mib;
  if (positive(p.nvidia_smi)) return (p.nvidia_smi - idle) * mib;
  if (positive(p.nvidia_smi_total)) return p.nvidia_smi_total * mib;
  if (positive(p.peak_delta)) return p.peak_delta * mib;
  if (positive(p.gtt_delta)) return p.gtt_delta * mib;
  if (positive(p.vram)) return p.vram * mib;
  if (positive(p.peak_vram_gb_as_printed)) return p.peak_vram_gb_as_printed * gib;
  return null;
}
