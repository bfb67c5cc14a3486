// llama.cpp and its relatives: buffers per device in MiB, file sizes, process memory.
import { ggml_format, kv_format } from './format_match.mjs';
import { not_to_validate } from './inferred.mjs';
import { compartment, in_use, scaled } from './product.mjs';
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
  const no_estimate =
    !data.weights_mib && !data.kv_mib && !data.compute_mib && !data.measured_process_mib && !data.device_total_mib && !data.file_size;
  if (no_estimate && data.ollama_estimate) return records.skip(row, 'only an estimate that the tool printed before loading');

  weights();
  cache();
  state();
  compute();
  totals();

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
      records.compare(row, 'weights_file', file, answer, (m) => compartment(m, 'weights', true), {
        rounding: rounding_of(Number(/\d+(\.\d+)?/.exec(data.file_size)[0])),
      });
    if (loaded) records.compare(row, 'weights', loaded, answer, (m) => compartment(m, 'weights', true));
    else if (!file) records.skip(row, 'weights: partial offload is not an input of the product');
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
    if (/swa_full|--swa-full|full-size SWA/i.test(told) || object_of(data.kv_detail).swa_full)
      return records.skip(row, 'KV cache: full-size window cache is not an input of the product');
    const with_state = Object.keys(parts).some((k) => /RS/.test(k));
    const latent = answer.methods.worksheet?.compartments.some((c) => c.terms.some((t) => t.formula === 'kv-latent'));
    const expanded =
      latent &&
      !/mla/i.test(String(data.flash_attn ?? '')) &&
      !/c_?kv_mib/.test(JSON.stringify(data.kv_detail ?? {})) &&
      number_of(object_of(data.kv_detail).v_mib) > 0;
    // Builds without latent attention keep full heads: the product has no such input, so these stand apart.
    const name = expanded ? 'kv_cache_no_mla' : with_state ? 'kv_and_state' : 'kv_cache';
    records.compare(
      row,
      name,
      bytes,
      answer,
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
      { assumed: [kv.assumed], rounding: rounding_in(data.kv_mib) },
    );
  }

  function state() {
    const parts = buffers(data.rs_mib);
    const bytes = total(parts, (k) => !draft.test(k));
    if (!(bytes > 0)) return;
    if (speculative) return records.skip(row, 'state: copies for speculative decoding are not an input of the product');
    if (!has('state')) return records.skip(row, 'state: the product has none for this model');
    const sequences = count_of(data.n_parallel);
    if (!sequences) return records.skip(row, 'state: number of sequences not stated');
    records.compare(
      row,
      'state',
      bytes / sequences,
      answer,
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
    // The answer tells whether the micro-batch is an input: does another one change it?
    const figure = (m) => compartment(m, 'activations')?.likely;
    const other = product.ask({ ...base, batched_tokens: 2 * (batch ?? 512) });
    const takes_batch = other && Object.keys(answer.methods).some((id) => figure(answer.methods[id]) !== figure(other.methods[id]));
    if (batch && batch !== 512 && !takes_batch)
      return records.skip(row, `activations: micro-batch ${batch} is not an input of the product`);
    if (row.subject.basis === 'size') return records.skip(row, 'activations: the product has no shape for this model');
    records.compare(row, 'activations', Math.max(...gpu), answer, (m) => compartment(m, 'activations'), {
      assumed: [batch ? null : 'micro-batch 512'],
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
    if (reason) return records.skip(row, `total: ${reason}`);
    if (data.weights_mib ? !fully_offloaded(data) : /cpu|moe|\b0\/|host/i.test(String(data.offload ?? '')))
      return records.skip(row, 'total: partial offload is not an input of the product');
    if (device.length === 1)
      records.compare(row, 'total_allocated', device[0], answer, (m) => (m === answer.methods.rule ? m.total_bytes : in_use(m)), {
        assumed: [kv.assumed],
      });
    if (device.length > 1) records.skip(row, 'total: how the layers were split is not an input of the product');
    if (process && device.length <= 1)
      records.compare(
        row,
        'total_process',
        process,
        answer,
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
