// What a published statement says of the engine's settings, in the product's own fields.
import { engine_match } from './engine_match.mjs';
import { count_of, gib, text_of } from './values.mjs';
import { vllm_version } from './vllm.mjs';

const llama = new Set(['llama.cpp', 'ollama', 'lm-studio', 'koboldcpp']);
// Of "0.80 and 0.93 tried" the last.
const number_after = (pattern, text) => {
  const m = new RegExp(`${pattern.source}[ =:]*(\\d+(?:\\.\\d+)?)(?: and (\\d+(?:\\.\\d+)?))?`, 'i').exec(text);
  return m ? Number(m[2] ?? m[1]) : undefined;
};

const releases = ['0.6', 'v0', 'v1', '0.8', '0.17', '0.21'];

// Releases that a statement may be about: the one it names, with all later ones if it says "or later"; else that of its date and that of two months before, which many still run;
// without a date any of the V1 engine.
function statement_versions(row) {
  const said = text_of(row.engine_version);
  if (/no MLA/i.test(row.engine ?? '')) return ['0.6'];
  // Other engines' release numbers say nothing of vLLM's.
  if (said && /vllm/i.test(row.engine ?? '') && !/nim/i.test(row.engine)) {
    const { id } = vllm_version(said);
    return /^>=/.test(said) ? releases.slice(releases.indexOf(id)) : [id];
  }
  const [year, month] = (/^(20\d\d)-(\d\d)/.exec(row.date ?? '') ?? []).slice(1).map(Number);
  if (!year) return [undefined, '0.17', '0.8'];
  const months = [2, 0].map((back) => new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7));
  return [...new Set(months.map((m) => vllm_version(m).id))];
}

// -> {inputs, others, count, tp, pp, dp, ep, assumed, not_engine}: the last says why the engine method cannot be asked. `row`: the statement's
// own keys.
export function engine_inputs(row) {
  const engine = engine_match(row.engine);
  if (engine.reason) return { inputs: {}, others: [], ...parallel(row), assumed: [], not_engine: engine.reason };
  const id = engine.id === 'auto' && /gguf/i.test(row.precision ?? '') ? 'llama.cpp' : engine.id === 'auto' ? 'vllm' : engine.id;
  const flags = text_of(row.flags) ?? '';
  const told = [flags, row.precision, row.model].filter((v) => typeof v === 'string').join(' | ');
  const assumed = [engine.assumed];
  const inputs = { engine: id };
  const others = []; // other settings that the statement may be about
  const size = parallel(row);
  if (/litgpt/i.test(row.engine ?? '') && count_of(row.tp) > 1) return { inputs: {}, others: [], ...size, assumed: [], not_engine: 'engine not modelled: tensor parallelism of litgpt' };
  const sequences = count_of(row.max_num_seqs);

  if (id === 'vllm') {
    const versions = statement_versions(row);
    inputs.vllm_version = versions[0];
    for (const version of versions.slice(1)) others.push({ vllm_version: version });
    inputs.gpu_memory_utilization = number_after(/gpu[-_ ]memory[-_ ]utilization/, flags) ?? number_after(/utilization/, flags);
    inputs.max_num_seqs = sequences ?? number_after(/max[-_]num[-_]seqs/, flags);
    inputs.max_num_batched_tokens = number_after(/max[-_]num[-_]batched[-_]tokens/, flags);
    if (/enforce[-_]eager/i.test(flags)) inputs.enforce_eager = 'yes';
    if (/text only|language[-_]model[-_]only/i.test(told)) inputs.language_model_only = 'yes';
    inputs.cpu_offload_gb = number_after(/cpu[-_]offload[-_]gb/, flags) ?? gib_before(/GiB\/rank offload/, flags);
    if (size.pp > 1) inputs.pipeline_parallel = size.pp;
    if (size.dp > 1) inputs.data_parallel = size.dp;
    if (size.ep > 1) inputs.expert_parallel = 'yes';
  } else if (id === 'sglang') {
    inputs.mem_fraction_static = number_after(/mem[-_]frac(?:tion)?[-_]static/, flags) ?? number_after(/mem[-_]frac/, flags);
    inputs.max_running_requests = sequences ?? number_after(/max[-_]running[-_]requests/, flags);
    inputs.chunked_prefill_size = number_after(/chunked[-_]prefill[-_]size/, flags);
    if (/disable[-_]cuda[-_]graph/i.test(flags)) inputs.disable_cuda_graph = 'yes';
    if (/dp[-_]attention/i.test(flags)) inputs.attention_dp = 'yes';
    if (size.pp > 1) inputs.pipeline_parallel = size.pp;
    if (size.ep > 1) inputs.expert_parallel = 'yes';
  } else if (id === 'tensorrt-llm') {
    inputs.free_gpu_memory_fraction = number_after(/free[-_]gpu[-_]memory[-_]fraction/, flags) ?? number_after(/memory fraction/, flags);
    // A batch that the engine is built for; a server of the others takes as many as there is room for.
    if (sequences) Object.assign(inputs, { max_batch_size: sequences, sequences });
    if (size.pp > 1) inputs.pipeline_parallel = size.pp;
    if (size.ep > 1) inputs.expert_parallel = 'yes';
  } else if (id === 'transformers') {
    if (sequences) inputs.sequences = sequences;
    if (/eager attention|without flash/i.test(`${flags} ${row.reason ?? ''}`)) inputs.attn_implementation = 'eager';
  } else if (llama.has(id)) {
    inputs.n_gpu_layers = number_after(/-ngl/, flags) ?? number_after(/num_gpu/, flags);
    inputs.n_ubatch = number_after(/-ub/, flags) ?? number_after(/ubatch(?:-size)?/, flags);
    others.push({ n_parallel: 1 }); // the server's default is several slots; whoever runs it alone may take one
    if (/mmproj/i.test(told) && !/no mmproj|without/i.test(told)) inputs.mmproj = 'yes';
    if (/\brow split|split-mode row/i.test(flags)) inputs.split_mode = 'row';
  }
  if (/\bMTP\b/.test(told)) inputs.speculative = 'mtp';
  else if (/DFlash|DSpark|EAGLE|draft/i.test(told)) {
    inputs.speculative = 'eagle3';
    assumed.push('draft model as an EAGLE head');
  }
  const draft = number_after(/\bn/, /(?:MTP|draft)[^|]*/i.exec(told)?.[0] ?? '') ?? number_after(/MTP/, told);
  if (inputs.speculative && draft) inputs.num_speculative_tokens = draft;
  if (/\bonline\b/i.test(row.precision ?? '') || /--quantization fp8/i.test(flags)) inputs.quantize_at_load = 'yes';
  const total = stated_total(text_of(row.gpu));
  if (total) inputs.measured_total_gib = total;
  const weights = stated_weights(text_of(row.precision));
  if (weights && !llama.has(id)) inputs.measured_weights_gib = weights / Math.max(1, size.tp * size.pp * (size.ep > size.tp ? size.dp : 1));
  return { inputs, others, ...size, assumed };
}

// GPUs and how they are shared out. `tp` 1 with several GPUs and nothing else said is the engine's default: whoever has the GPUs asks
// about all of them.
function parallel(row) {
  const tp = count_of(row.tp);
  const pp = count_of(row.pp) ?? 1;
  const dp = count_of(row.dp) ?? 1;
  const gpus = count_of(row.gpu_count);
  const ep = count_of(row.ep) ?? (/\bwith EP\b|expert[-_ ]parallel/i.test(row.flags ?? '') ? 2 : 1);
  const left_at_one = tp === 1 && pp * dp === 1 && gpus > 1;
  const count = tp && !left_at_one ? tp * pp * dp : (gpus ?? (pp * dp > 1 ? pp * dp : null));
  return { tp: left_at_one || !tp ? Math.max(1, Math.floor((count ?? 1) / (pp * dp))) : tp, pp, dp, ep, count };
}

const gib_before = (pattern, text) => {
  const m = new RegExp(`(\\d+(?:\\.\\d+)?) ?${pattern.source}`, 'i').exec(text);
  return m ? Number(m[1]) : undefined;
};

// "24 GB GPU (21.99 GiB usable)", "(128 GB, 124 GiB for the GPU)", "(49,152 MB working set)": what the engine could use, GiB.
export function stated_total(gpu) {
  const m = /(\d[\d,]*(?:\.\d+)?) ?(GiB|MB|MiB|GB)\)?[^,(]*?\b(usable|free|for the GPU|working set)/i.exec(gpu ?? '');
  if (!m) return null;
  const value = Number(m[1].replace(/,(?=\d{3})/g, ''));
  return /^M/i.test(m[2]) ? value / 1024 : m[2] === 'GB' ? (value * 1e9) / gib : value;
}

// "NVFP4 (24.6 GiB)", "FP8 (~134 GB)", "MXFP4 (149.03 GiB load)": the checkpoint's own size, GiB.
export function stated_weights(precision) {
  const m = /\(~?(\d+(?:\.\d+)?) ?(TiB|TB|GiB|GB)(?: load)?\)/.exec(precision ?? '');
  return m ? (Number(m[1]) * { TiB: 1024 * gib, TB: 1e12, GiB: gib, GB: 1e9 }[m[2]]) / gib : null;
}
