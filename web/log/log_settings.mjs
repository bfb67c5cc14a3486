// A log's configuration in the calculator's own keys: what it says of itself, and what it measured.
import { dtype_in_name, ggml_format, kv_format, weights_format } from '../cli/accuracy/format_match.mjs';
import { GpuMatch } from '../cli/accuracy/gpu_match.mjs';
import { ModelMatch } from '../cli/accuracy/model_match.mjs';
import { gib } from './run.mjs';

const yes = (value) => (value ? 'yes' : 'no');

// The release that began the era a version belongs to, as `vllm_version` names it.
function vllmEra({ version, generation, facts, figures }) {
  const found = /^(\d+)\.(\d+)\./.exec(version ?? '');
  const minor = found && !/^0\.1\.dev/.test(version) ? Number(found[1]) * 1000 + Number(found[2]) : null;
  if (generation === 'V0') return minor !== null && minor < 7 ? '0.6' : 'v0';
  if (minor === null) return facts.gpu_memory_utilization?.line.includes('default since v0.21.0') || figures.some((f) => /consumed memory/.test(f.line)) ? '0.21' : null;
  if (minor < 8) return minor < 7 ? '0.6' : 'v0';
  return minor < 17 ? '0.8' : minor < 21 ? '0.17' : '0.21';
}

// Builds are numbered by commits: window caches of May 2025 came with about b5430, the 16-bit mask of May 2026 with about b9400. What
// was built from a part of the history has a small number that says nothing.
function llamaEra(version) {
  const number = Number(/^b(\d{3,6})$/.exec(version ?? '')?.[1] ?? 0);
  if (number < 1500) return null;
  return number < 5430 ? '2024' : number < 9400 ? '2025-05' : '2026-05';
}

// The catalogue's own GPU names are found as accuracy finds those of measured rows.
function gpuMatch(calculator, catalog) {
  return new GpuMatch({
    catalog,
    gpu_named(name) {
      const answer = calculator.estimate(`gpus=${encodeURIComponent(name)}`);
      const known = answer.fit?.length === 1 && !answer.notices.some((n) => n.id === 'unknown-gpu' || n.id === 'no-gpus');
      return known ? { id: answer.fit[0].gpu, ambiguous: answer.notices.some((n) => n.id === 'ambiguous-gpu') } : null;
    },
  });
}

// Words that drivers add to a name are no class of cards.
function findGpu(name, bytes, calculator, catalog) {
  const plain = String(name).replace(/\b(GPU|card|class)\b/gi, ' ').trim();
  const found = gpuMatch(calculator, catalog).find(bytes ? `${plain} (${(bytes / gib).toFixed(1)} GiB)` : plain);
  return found.gpus?.length === 1 ? found.gpus[0] : null;
}

// Hub names, file names and paths to them.
function findModel(names, catalog) {
  const match = new ModelMatch(catalog.models);
  for (const name of names.filter(Boolean)) {
    const parts = String(name).split(/[\\/]+/).filter(Boolean);
    // Of a path its last parts, where the name is; a folder of the hub's cache has it in one.
    for (const part of [...parts.slice(-4).reverse(), String(name)]) {
      const found = match.find(part.replace(/^models--/, '').replaceAll('--', '/'));
      if (found) return found.model;
    }
  }
  return null;
}

function weightsOf(facts, model, choices) {
  const file = facts.file_type?.value;
  if (file) {
    const id = ggml_format(String(file))?.id ?? (/^b?f16|^bf16/i.test(file) ? 'f16' : null);
    return choices.includes(id) ? id : null;
  }
  const name = String(facts.model?.value ?? '');
  if (/\.gguf$/i.test(name)) {
    const { id } = ggml_format(name) ?? {};
    return choices.includes(id) ? id : null;
  }
  const quantized = facts.quantization?.value;
  const said = quantized ? dtype_in_name(name) ?? (/^(fp8|awq|gptq|nvfp4|mxfp4|bitsandbytes)/i.exec(String(quantized))?.[0] ?? null) : dtype_in_name(name) ?? facts.dtype?.value;
  if (!said || said === 'auto') return null;
  const found = weights_format(String(said), model, choices);
  return found.id ?? null;
}

function cacheOf(facts, choices) {
  const typed = facts.type_k?.value ?? facts.kv_cache_dtype?.value ?? facts.pool_dtype?.value;
  if (!typed) return null;
  // `auto` is the model's own: 16 bits.
  const wanted = typed === 'auto' ? facts.dtype?.value ?? 'bf16' : /float8|fp8/.test(typed) ? 'fp8' : String(typed);
  return kv_format(wanted, choices).id ?? null;
}

const product = (...numbers) => numbers.reduce((all, n) => all * (n ?? 1), 1);

// A list of settings, each once, that takes only what the calculator's fields do. `from`: the line that says it.
function settingsOf({ fields }) {
  const settings = [];
  const byKey = new Map(fields.map((f) => [f.key, f]));
  function add(key, found, from) {
    const field = byKey.get(key);
    if (!field || found === null || found === undefined || settings.some((s) => s.key === key)) return;
    if (field.kind === 'choice' ? field.choices?.length > 0 && !field.choices.includes(String(found)) : !(found >= field.minimum && found <= field.maximum)) return;
    settings.push({ key, value: String(found), line_number: from?.line_number ?? 0, line: from?.line ?? '' });
  }
  return { settings, add, field: (key) => byKey.get(key) };
}

// [{ key, value, line_number, line }] in the calculator's keys, values as a share string has them. `calculator` as loadVramfit() gives it.
export function logSettings(read, calculator) {
  const catalog = calculator.catalog();
  const { facts, engine } = read;
  const { settings, add, field } = settingsOf(catalog);
  const choices = (key) => field(key)?.choices ?? [];
  const value = (id) => facts[id]?.value ?? null;
  const number = (key, id = key) => typeof value(id) === 'number' && add(key, value(id), facts[id]);
  const flag = (key, id = key) => typeof value(id) === 'boolean' && add(key, yes(value(id)), facts[id]);

  const model = findModel([value('model'), value('name')], catalog);
  if (engine && engine !== 'nvidia-smi') {
    add('engine', engine, null);
    if (model) add('model', model.id, facts.model ?? facts.name);
    add('weights', weightsOf(facts, model, choices('weights')), facts.file_type ?? facts.quantization ?? facts.dtype ?? facts.model);
    add('kv', cacheOf(facts, choices('kv')), facts.type_k ?? facts.kv_cache_dtype ?? facts.pool_dtype);
  }
  if (engine === 'vllm' || engine === 'sglang') {
    number('context', 'max_model_len');
    add('count', product(value('tensor_parallel_size'), value('pipeline_parallel_size'), engine === 'vllm' && value('data_parallel_size')), facts.tensor_parallel_size);
    number('pipeline_parallel', 'pipeline_parallel_size');
    number('cpu_offload_gb');
  }
  if (engine === 'vllm') {
    add('vllm_version', vllmEra(read), null);
    number('data_parallel', 'data_parallel_size');
    number('decode_context_parallel', 'decode_context_parallel_size');
    flag('expert_parallel', 'enable_expert_parallel');
    for (const key of ['gpu_memory_utilization', 'max_num_seqs', 'max_num_batched_tokens', 'num_speculative_tokens', 'max_loras', 'max_lora_rank']) number(key);
    // What hybrid models make of it follows from their layers.
    if (!facts.block_size?.line.includes('Setting attention block size')) number('block_size');
    flag('enforce_eager');
    flag('enable_prefix_caching');
  }
  if (engine === 'sglang') {
    for (const key of ['mem_fraction_static', 'max_running_requests', 'chunked_prefill_size', 'page_size', 'mamba_full_memory_ratio', 'swa_full_tokens_ratio']) number(key);
    if (value('expert_parallel_size') !== null) add('expert_parallel', yes(value('expert_parallel_size') > 1), facts.expert_parallel_size);
    flag('attention_dp', 'enable_dp_attention');
    flag('disable_cuda_graph');
  }
  if (engine === 'llama.cpp' || engine === 'ollama') {
    add('llama_cpp_build', llamaEra(engine === 'ollama' ? read.engine_version : read.version), null);
    // Cells are shared by the sequences, or each has its part.
    const shared = value('kv_unified') !== 'no';
    const each = value('n_ctx_seq') ?? (value('n_ctx') === null ? null : shared ? value('n_ctx') : Math.floor(value('n_ctx') / (value('n_seq_max') ?? 1)));
    add('context', each, facts.n_ctx_seq ?? facts.n_ctx);
    if (value('gpus')) add('count', value('gpus'), facts.gpus);
    number('n_batch');
    number('n_ubatch');
    number('n_parallel', 'n_seq_max');
    add('kv_unified', value('kv_unified'), facts.kv_unified);
    // Cells for so many at that length: shared ones are of one.
    if (each !== null) add('sequences', shared ? 1 : value('n_seq_max'), facts.n_seq_max ?? facts.n_ctx);
    add('flash_attn', value('flash_attn'), facts.flash_attn);
    number('n_cpu_moe');
    // All of them is what the field means when nothing is said.
    if (value('gpu_layers') !== null) add('n_gpu_layers', value('gpu_layers') >= (value('model_layers') ?? Infinity) ? field('n_gpu_layers').default : value('gpu_layers'), facts.gpu_layers);
    add('split_mode', value('split_mode'), facts.split_mode);
    if (value('swa_full')) add('swa_full', 'yes', facts.swa_full);
    if (value('mmproj')) add('mmproj', 'yes', facts.mmproj);
  }
  const total = read.figures.find((f) => f.id === 'gpu_total');
  if (value('gpu')) add('gpu', findGpu(value('gpu'), total?.bytes, calculator, catalog)?.id, facts.gpu);
  return settings;
}

// [{ key, value, line_number, line }] of what was measured, in place of what the engine method predicts.
export function logMeasures(read, calculator) {
  const { settings, add } = settingsOf(calculator.catalog());
  const of = (id) => read.figures.find((f) => f.id === id && !f.estimate);
  const measure = (key, figure) => figure && add(key, Math.round(figure.bytes / gib * 1e4) / 1e4, figure);
  const served = read.engine === 'vllm' || read.engine === 'sglang';
  // From 0.21 vLLM takes what it expects of the graphs off the pool, and not what they then need.
  const expects = read.engine === 'vllm' && vllmEra(read) === '0.21';
  measure('measured_total_gib', of('gpu_total'));
  measure('measured_weights_gib', of('weights'));
  measure('measured_activations_gib', of('activations'));
  measure('measured_other_gib', of(served ? 'communication' : 'other'));
  measure('measured_graphs_gib', (expects && of('graphs_estimate')) || of('graphs'));
  return settings;
}

// The share string to go on from: `share` with what the log says. Where a weight format or a count is the log's, what was chosen for
// another configuration goes.
export function shareFromLog(read, share, calculator) {
  const keys = new URLSearchParams(share);
  for (const [key, value] of Object.entries(changesFromLog(read, calculator))) {
    if (value === null) keys.delete(key);
    else keys.set(key, value);
  }
  return keys.toString();
}

// The same as what changes, as the page takes it: { key: value, or null for none }.
export function changesFromLog(read, calculator) {
  const told = [...logSettings(read, calculator), ...logMeasures(read, calculator)];
  if (told.length === 0) return {};
  const changes = { ...Object.fromEntries(told.map(({ key, value }) => [key, value])), method: 'engine' };
  // A model of the catalogue has its own dimensions.
  if (changes.model) Object.assign(changes, { shape: null, name: null, formats: null, params: null, num_layers: null, hidden_size: null, intermediate_size: null, vocab_size: null, num_heads: null, num_kv_heads: null, head_dim: null });
  // Without a name of the card the count alone chooses among the cards considered.
  if (changes.gpu) changes.count ??= '1';
  return changes;
}
