// How a logged run of llama.cpp or a relative was set up, as the engine method's inputs. Each returns what it had to assume.
import { count_of, number_of, object_of, text_of } from './values.mjs';

const mib = 2 ** 20;

export const is_ik = (row) => /ik_llama/i.test(String(row.engine));

const programs = [
  [/ollama/i, 'ollama'],
  [/lm ?studio/i, 'lm-studio'],
  [/kobold/i, 'koboldcpp'],
];
export const program_of = (row) => programs.find(([name]) => name.test(String(row.engine)))?.[1] ?? 'llama.cpp';

// Builds are numbered since 2023, some fifteen a day in 2026.
const first_build = [
  [9400, '2026-05'],
  [7400, '2026-01'],
  [5400, '2025-05'],
];
const first_month = [
  ['2026-06', '2026-05'],
  ['2025-12', '2026-01'],
  ['2025-06', '2025-05'],
];

// Mainline logs in the archive of ik_llama.cpp's threads carry the thread's number alone; 450 was opened in June 2025.
function era_of_thread(id) {
  const thread = Number(/^ik-(\d+)/.exec(id ?? '')?.[1] ?? NaN);
  return Number.isFinite(thread) ? (thread >= 450 ? '2025-05' : '2024') : null;
}

// Logs that show the host's buffer show how wide the mask was: 4 bytes before May 2026, 2 since.
function era_of_mask(row) {
  const host = Object.entries(object_of(row.compute_mib)).find(([key]) => /_Host|^CPU$|^Host$/.test(key))?.[1];
  const [cells, batch] = [count_of(row.n_ctx), count_of(row.n_ubatch)];
  if (!(host > 0) || !cells || !batch || cells * batch < 64 * mib) return null;
  const wide = host * mib >= cells * batch * 4;
  const recent = /qwen35|qwen3next|gemma4|qwen3\.[5-9]|gemma-?4/i.test(`${row.arch} ${row.model}`);
  return wide ? (recent ? '2026-01' : '2025-05') : '2026-05';
}

// ik_llama.cpp: a log of a latent cache has no values, or says how it is read.
function caches_latent(row) {
  if (/deepseek2|mla=/i.test(`${row.arch} ${row.flash_attn}`) || /MLA|c\^?KV/.test(`${row.check} ${row.notes}`))
    return !(number_of(object_of(row.kv_detail).v_mib) > 0);
  return false;
}

// -> {build, assumed}
export function era_of(row) {
  if (is_ik(row))
    // A fork of mid-2024; latent caches came to it on their own.
    return { build: caches_latent(row) ? '2026-01' : '2024', assumed: 'ik_llama.cpp as the llama.cpp with the same cache' };
  const told = `${text_of(row.engine_version) ?? ''} ${text_of(row.engine) ?? ''}`;
  if (/#23861 \+ #23764/.test(told)) return { build: '2026-05' };
  if (/445b7cef6/.test(told)) return { build: '2026-01', assumed: 'the build before May 2026, one change apart' };
  const number = Number(/\bb(\d{4,5})\b/.exec(told)?.[1] ?? NaN);
  if (Number.isFinite(number)) return { build: first_build.find(([from]) => number >= from)?.[1] ?? '2024' };
  const thread = era_of_thread(row.id);
  if (thread) return { build: thread, assumed: `build of ${thread} by the number of the thread` };
  const month = /20\d\d-\d\d/.exec(told)?.[0];
  if (month) return { build: first_month.find(([from]) => month >= from)?.[1] ?? '2024' };
  const mask = era_of_mask(row);
  if (mask) return { build: mask, assumed: `build of ${mask} by the mask in the host's buffer` };
  if (/\b2026\b/.test(told)) return { build: '2026-05', assumed: 'build of 2026-05' };
  const recent = /qwen35|qwen3next|gemma4|qwen3\.[5-9]|coder-next/i.test(`${row.arch} ${row.model}`);
  return recent ? { build: '2026-01', assumed: 'build of 2026-01' } : { build: '2025-05', assumed: 'build of 2025-05' };
}

function flash_of(row) {
  const said = String(row.flash_attn ?? '');
  if (/^(0|off)/.test(said)) return 'off';
  return /^1|on\b/.test(said) ? 'on' : 'auto';
}

// The output buffer holds one row of logits a slot.
function slots_of(row, vocabulary) {
  const stated = count_of(row.n_parallel);
  if (stated) return { slots: stated };
  const output = Object.values(object_of(row.output_mib)).map(number_of)[0];
  const rows = output > 0 && vocabulary > 0 ? (output * mib) / (vocabulary * 4) : 0;
  const whole = Math.round(rows);
  if (whole >= 1 && whole <= 16 && Math.abs(rows - whole) < 0.03 * whole)
    return { slots: whole, assumed: `${whole} slots by the output buffer` };
  return { slots: 1, assumed: 'one slot' };
}

// Layers on GPUs: "26/65", "all", "CPU" or nothing.
function layers_of(row) {
  const m = /(\d+)\s*\/\s*(\d+)/.exec(String(row.offload ?? ''));
  return m ? { on: Number(m[1]), of: Number(m[2]) } : null;
}

// -> {inputs, layers, experts_on_host: 'none' | 'all' | 'some' | number, assumed: []}
export function llama_settings(row, { vocabulary, told }) {
  const era = era_of(row);
  const slots = slots_of(row, vocabulary);
  const context = count_of(row.n_ctx);
  const layers = layers_of(row);
  const split = row.kv_unified === false && slots.slots > 1;
  const offload = `${row.offload ?? ''} ${told}`;
  const moe = Number(/--n-cpu-moe (\d+)/.exec(offload)?.[1] ?? NaN);
  const experts_on_host = Number.isFinite(moe)
    ? moe
    : /--cpu-moe/.test(offload)
      ? 'all'
      : /experts? (on|to|moved)|exps=CPU|moved experts/i.test(offload)
        ? 'some'
        : 'none';
  const batch = count_of(row.n_ubatch) ?? 512;
  const inputs = {
    engine: program_of(row),
    llama_cpp_build: era.build,
    context: split ? Math.floor((context ?? 4096) / slots.slots) : (context ?? 4096),
    sequences: split ? slots.slots : 1,
    n_parallel: slots.slots,
    kv_unified: split ? 'no' : 'yes',
    n_batch: Math.max(batch, count_of(row.n_batch) ?? 2048),
    n_ubatch: batch,
    flash_attn: flash_of(row),
    swa_full: is_ik(row) || /swa_full|--swa-full|full-size SWA/i.test(told) || object_of(row.kv_detail).swa_full ? 'yes' : 'auto',
    ...(layers && { n_gpu_layers: layers.on }),
    ...(Number.isFinite(moe) ? { n_cpu_moe: moe } : experts_on_host === 'all' ? { n_cpu_moe: 999 } : {}),
    ...(/KV cache kept in host/i.test(offload) && { kv_offload: 'no' }),
  };
  const assumed = [era.assumed, slots.assumed, count_of(row.n_ubatch) ? null : 'micro-batch 512'].filter(Boolean);
  return { inputs, layers, experts_on_host, assumed };
}
