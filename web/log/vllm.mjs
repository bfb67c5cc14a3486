// What vLLM prints when it starts, from 0.4 on: the old engine's one line about memory, the new one's several, its detailed log, and why
// it refuses. The figures are GiB wherever it writes GB.
import { flagsIn, settingsIn } from './settings.mjs';
import { ofTightest, Reader, stepOf, toBytes, toNumber } from './run.mjs';

const names = {
  model: 'model', tensor_parallel_size: 'tensor_parallel_size', pipeline_parallel_size: 'pipeline_parallel_size', data_parallel_size: 'data_parallel_size',
  decode_context_parallel_size: 'decode_context_parallel_size', enable_expert_parallel: 'enable_expert_parallel', max_model_len: 'max_model_len', max_seq_len: 'max_model_len',
  gpu_memory_utilization: 'gpu_memory_utilization', kv_cache_dtype: 'kv_cache_dtype', max_num_seqs: 'max_num_seqs', max_num_batched_tokens: 'max_num_batched_tokens', dtype: 'dtype',
  quantization: 'quantization', enforce_eager: 'enforce_eager', enable_prefix_caching: 'enable_prefix_caching', block_size: 'block_size', cpu_offload_gb: 'cpu_offload_gb',
  num_spec_tokens: 'num_speculative_tokens', num_speculative_tokens: 'num_speculative_tokens', max_loras: 'max_loras', max_lora_rank: 'max_lora_rank',
};
const flags = { ...names, tp: 'tensor_parallel_size', pp: 'pipeline_parallel_size', dp: 'data_parallel_size', dcp: 'decode_context_parallel_size' };

// [id, pattern]: the first group is GiB.
const sizes = [
  ['weights', /model weights take\s{1,9}(-?[\d.]{1,12}) ?GiB/],
  ['weights', /Model loading took (-?[\d.]{1,12}) G/],
  ['weights', /Loading model weights took (-?[\d.]{1,12}) G/],
  ['weights', /weights memory: (-?[\d.]{1,12}) ?GiB/],
  ['weights', /\b([\d.]{1,12}) GiB for weight\b/],
  ['consumed', /\b([\d.]{1,12}) GiB for consumed memory/],
  ['consumed', /total consumed \(from mem_get_info\): ([\d.]{1,12}) ?GiB/],
  ['activations', /PyTorch activation peak memory(?: takes)?\s{1,9}(-?[\d.]{1,12}) ?GiB/],
  ['activations', /torch peak memory increase: (-?[\d.]{1,12}) ?GiB/],
  ['activations', /\b([\d.]{1,12}) GiB for peak activation/],
  ['communication', /non_torch_memory(?: takes)?\s{1,9}(-?[\d.]{1,12}) ?GiB/],
  ['communication', /non-torch forward increase memory: (-?[\d.]{1,12}) ?GiB/],
  ['communication', /(-?\b[\d.]{1,12}) GiB for non-torch memory/],
  ['graphs', /Graph capturing finished in [\d.]{1,9} secs?, took (-?[\d.]{1,12}) G/],
  ['graphs', /(-?\b[\d.]{1,12}) GiB for CUDAGraph memory/],
  ['graphs', /CUDA graph pool memory: ([\d.]{1,12}) GiB \(actual\)/],
  ['graphs_estimate', /Estimated CUDA graph memory: (-?[\d.]{1,12}) GiB/],
  ['kv_cache', /rest of the memory reserved for KV Cache is (-?[\d.]{1,12}) ?GiB/],
  ['kv_cache', /Available KV cache memory: (-?[\d.]{1,12}) GiB/],
  ['kv_cache', /available_kv_cache_memory\s{1,9}(-?[\d.]{1,12}) ?GiB/],
  ['kv_cache', /\bkv_cache_size=(-?[\d.]{1,12}) ?GiB/],
  ['kv_cache', /reserved ([\d.]{1,12}) GiB memory for KV Cache/],
  ['kv_cache', /Current kv cache memory in use is ([\d.]{1,12}) GiB/],
  ['kv_cache', /larger than the available KV cache memory \((-?[\d.]{1,12}) GiB/],
  ['kv_needed', /\b([\d.]{1,12}) GiB KV cache is needed/],
  ['gpu_total', /total_gpu_memory[\s=(]{1,9}([\d.]{1,20}) ?GiB/],
  ['gpu_total', /Free memory on device[^(]{0,12} \([\d.-]{1,20}\/([\d.]{1,12}) GiB\)/],
  ['gpu_total', /GPU \d{1,3} has a total capacity of ([\d.]{1,12}) GiB/],
  ['gpu_total', /\(GPU \d{1,3}; ([\d.]{1,12}) GiB total capacity/],
  ['budget', /gpu_memory_utilization \([\d.]{1,9}\) = ([\d.]{1,12}) ?GiB/],
  ['budget', /esired GPU memory utilization (?:is )?\([\d.]{1,9}, ([\d.]{1,12}) GiB\)/],
  ['budget', /Requested memory: [\d.]{1,9} \(util\), ([\d.]{1,12}) GiB/],
];

// The same for plain numbers.
const counts = [
  ['kv_tokens', /GPU KV cache size: ([\d,]{1,20}) tokens/],
  ['num_blocks', /# (?:GPU|CUDA|cuda) blocks: ([\d,]{1,15})/],
  ['max_concurrency', /Maximum concurrency for [\d,]{1,15} tokens per request: ([\d.,]{1,15})x/],
  ['longest_context', /estimated maximum model length is ([\d,]{1,15})/],
  ['longest_context', /maximum number of tokens that can be stored in KV cache \(([\d,]{1,15})\)/],
];

// Settings that lines of their own state.
const stated = [
  ['max_model_len', /Maximum concurrency for ([\d,]{1,15}) tokens per request/],
  ['max_model_len', /Using max model len ([\d,]{1,15})/],
  ['max_model_len', /max seq len \(([\d,]{1,15})\)/],
  ['max_num_batched_tokens', /enabled with max_num_batched_tokens=([\d,]{1,15})/],
  ['gpu_memory_utilization', /x gpu_memory_utilization \(([\d.]{1,9})\)/],
  ['gpu_memory_utilization', /esired GPU memory utilization (?:is )?\(([\d.]{1,9}),/],
  ['gpu_memory_utilization', /Requested memory: ([\d.]{1,9}) \(util\)/],
  ['gpu_memory_utilization', /The current --gpu-memory-utilization=([\d.]{1,9}) /],
  ['block_size', /Setting attention block size to ([\d,]{1,9}) tokens/],
];

const refusals = [
  ['no_cache_room', /No available memory for the cache blocks/],
  ['request_larger_than_cache', /KV cache is needed, which is larger than|larger than the maximum number of tokens that can be stored in KV cache/],
  ['memory_taken', /on startup is less than desired GPU memory/],
  ['out_of_memory', /CUDA out of memory|HIP out of memory|torch\.OutOfMemoryError|torch\.cuda\.OutOfMemoryError/],
];

const starts = /API server version ([\w.+-]{1,60})|[█▄▀] {1,4}version (\d[\w.+-]{1,60})/;
const begins = /Initializing an? (?:(V[01]) )?LLM engine \((v?[^)]{1,60})\)/;

// "(Worker_TP1 pid=448)", "(VllmWorker rank=1 pid=7)", "(VllmWorkerProcess pid=521)", "(EngineCore_DP0 pid=9)": who prints.
function rankOf(line) {
  const at = line.indexOf('pid=');
  if (at < 0) return '';
  const before = line.slice(Math.max(0, at - 80), at);
  const open = before.lastIndexOf('(');
  if (open < 0) return '';
  const who = before.slice(open + 1).trim();
  const named = /^(?:Vllm)?(?:Worker|EngineCore)_(\w{1,40})$/.exec(who) ?? /^VllmWorker (rank=\d{1,5})$/.exec(who);
  if (named) return named[1].replace('=', ' ');
  return /Worker/.test(who) && who !== 'Worker' ? line.slice(at, at + 16).match(/^pid=\d{1,10}/)[0].replace('=', ' ') : '';
}

export class VllmReader extends Reader {
  engine = 'vllm';
  wanted = /GiB|took [\d.]{1,12} (?:GB|MB)|blocks: |tokens per request|KV [Cc]ache (?:is|memory|size)|kv cache memory|kv_cache_memory|in KV cache \(|Using max model len|LLM engine \(|API server version|[█▄▀] {1,4}version |non-default args|Namespace\(|max_num_batched_tokens=|vllm serve |vllm\.entrypoints|cache blocks|out of memory|Setting attention block size/;
  begun = new Set();  // who began in this run: several data-parallel engines do
  generation = null;  // V0 or V1, as it says itself

  restart() {
    super.restart();
    this.begun.clear();
    this.generation = null;
  }

  line(line, number) {
    const told = this.configuration(line, number) | this.measures(line, number);
    if (told) this.lastLine = number;
  }

  configuration(line, number) {
    const { run } = this;
    const server = starts.exec(line);
    if (server) {
      this.restart();
      this.version = server[1] ?? server[2];
      return true;
    }
    const engine = begins.exec(line);
    const who = rankOf(line);
    if (engine) {
      if (this.begun.has(who)) this.restart();
      this.begun.add(who);
      this.version = engine[2].replace(/^v/, '');
      this.generation = engine[1] ?? (/^v?0\.[0-7]\./.test(engine[2]) ? 'V0' : null);
    }
    if (engine || /non-default args|Namespace\(/.test(line)) {
      for (const [id, value] of settingsIn(line, names)) this.run.fact(id, value, line, number);
      return true;
    }
    if (/vllm serve |vllm\.entrypoints/.test(line)) {
      const served = /vllm serve ['"]?([\w./:@+-]{1,200})/.exec(line);
      if (served) run.fact('model', served[1], line, number);
      for (const [id, value] of flagsIn(line, flags)) run.fact(id, value, line, number);
      return true;
    }
    return false;
  }

  measures(line, number) {
    const { run } = this;
    const rank = rankOf(line);
    let told = false;
    for (const [id, pattern] of sizes) {
      const found = pattern.exec(line);
      if (!found) continue;
      told = true;
      run.figure({ id, bytes: toBytes(found[1], 'GiB'), step: stepOf(found[1]) * 2 ** 30, rank }, line, number);
    }
    const small = /Loading model weights took ([\d.]{1,12}) MB/.exec(line);
    if (small) run.figure({ id: 'weights', bytes: toBytes(small[1], 'MB'), step: stepOf(small[1]) * 2 ** 20, rank }, line, number);
    const pool = /Current kv cache memory in use is (\d{4,20}) bytes/.exec(line);
    if (pool) run.figure({ id: 'kv_cache', bytes: Number(pool[1]), step: 1, rank }, line, number);
    for (const [id, pattern] of counts) {
      const found = pattern.exec(line);
      if (!found) continue;
      told = true;
      run.figure({ id, number: toNumber(found[1]), step: stepOf(found[1]), rank }, line, number);
    }
    for (const [id, pattern] of stated) {
      const found = pattern.exec(line);
      if (found) run.fact(id, toNumber(found[1]), line, number);
    }
    for (const [id, pattern] of refusals) {
      if (pattern.test(line)) {
        told = true;
        run.problem(id, {}, line, number);
      }
    }
    if (/model weights take/.test(line)) this.generation ??= 'V0';
    return told || Boolean(small || pool);
  }

  finish() {
    const { run } = this;
    // The pool of the rank with least room is everybody's; without pools the rank that carries most says what there is no room for.
    const size = (own, id) => own.get(id)?.bytes ?? null;
    const { figures, rank, ranks } = ofTightest(run.figures, (own) => size(own, 'kv_cache') ?? (size(own, 'weights') === null ? null : 2 ** 50 - size(own, 'weights')));
    // Pool, tokens and blocks are the least of all that were printed.
    const least = (id) => run.figures.filter((f) => f.id === id).reduce((a, b) => (a && a.number <= b.number ? a : b), null);
    const settled = figures.map((f) => (['kv_tokens', 'num_blocks', 'max_concurrency', 'longest_context'].includes(f.id) ? least(f.id) : f));
    const of = (id) => settled.find((f) => f.id === id);
    // Newer releases print weights and the rest together.
    if (of('consumed') && of('weights') && !of('communication')) {
      const { line, line_number } = of('consumed');
      settled.push({ id: 'communication', bytes: of('consumed').bytes - of('weights').bytes, derived: true, rank, line, line_number });
    }
    return { ...this.summary(settled, ranks > 1 ? rank || 'driver' : null, ranks), generation: this.generation };
  }
}
