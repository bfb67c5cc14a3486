// Start-up logs: each engine's lines over its versions, whose figures count, and what surrounds the lines. The lines are written after
// public ones, with public figures.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { decodeLog } from '../../web/log/lines.mjs';
import { readLog } from '../../web/log/read_log.mjs';

const lines = (...all) => all.join('\n');
// { id: GiB to four decimals, or the number }
const figures = (read) => Object.fromEntries(read.figures.map((f) => [f.id, f.bytes === undefined ? f.number : Math.round(f.bytes / 2 ** 30 * 1e4) / 1e4]));
const mib = (n) => Math.round(n / 1024 * 1e4) / 1e4;
const facts = (read) => Object.fromEntries(Object.entries(read.facts).map(([id, f]) => [id, f.value]));
const problems = (read) => read.problems.map((p) => p.id);
const some = (all, wanted) => assert.deepEqual(Object.fromEntries(Object.keys(wanted).map((key) => [key, all[key]])), wanted);

// --- vLLM ---------------------------------------------------------------------------------------------------------------

test('vLLM V0: the line that says all, with the tightest rank', () => {
  const read = readLog(lines(
    "INFO 04-12 08:20:31 [llm_engine.py:242] Initializing a V0 LLM engine (v0.8.3) with config: model='Qwen/Qwen2.5-32B-Instruct-AWQ', speculative_config=None, tokenizer='x', dtype=torch.float16, max_seq_len=32768, tensor_parallel_size=2, pipeline_parallel_size=1, quantization=awq, enforce_eager=False, kv_cache_dtype=auto,",
    '(VllmWorkerProcess pid=521) INFO 04-12 08:21:19 [worker.py:267] the current vLLM instance can use total_gpu_memory (23.58GiB) x gpu_memory_utilization (0.99) = 23.35GiB',
    '(VllmWorkerProcess pid=521) INFO 04-12 08:21:19 [worker.py:267] model weights take 9.21GiB; non_torch_memory takes 0.20GiB; PyTorch activation peak memory takes 0.37GiB; the rest of the memory reserved for KV Cache is 13.57GiB.',
    'INFO 04-12 08:21:19 [worker.py:267] the current vLLM instance can use total_gpu_memory (23.58GiB) x gpu_memory_utilization (0.99) = 23.35GiB',
    'INFO 04-12 08:21:19 [worker.py:267] model weights take 9.21GiB; non_torch_memory takes 0.21GiB; PyTorch activation peak memory takes 1.40GiB; the rest of the memory reserved for KV Cache is 12.53GiB.',
    'INFO 04-12 08:21:20 [executor_base.py:113] # cuda blocks: 6415, # CPU blocks: 2048',
    'INFO 04-12 08:21:20 [executor_base.py:118] Maximum concurrency for 32768 tokens per request: 3.13x',
    'INFO 04-12 08:21:40 [model_runner.py:1671] Graph capturing finished in 14 secs, took 0.28 GiB',
  ));
  assert.deepEqual([read.engine, read.version, read.generation, read.rank, read.ranks, read.runs], ['vllm', '0.8.3', 'V0', 'driver', 2, 1]);
  assert.deepEqual(figures(read), { gpu_total: 23.58, budget: 23.35, weights: 9.21, activations: 1.4, communication: 0.21, kv_cache: 12.53, num_blocks: 6415, max_concurrency: 3.13, graphs: 0.28 });
  some(facts(read), { model: 'Qwen/Qwen2.5-32B-Instruct-AWQ', tensor_parallel_size: 2, pipeline_parallel_size: 1, max_model_len: 32768, quantization: 'awq', kv_cache_dtype: 'auto', dtype: 'float16', enforce_eager: false, gpu_memory_utilization: 0.99 });
  assert.deepEqual(read.figures.find((f) => f.id === 'activations').line_number, 5);
  assert.match(read.figures.find((f) => f.id === 'activations').line, /^INFO 04-12 .* activation peak memory takes 1\.40GiB/);
});

test('vLLM of December 2024: one figure a line, set by tabs', () => {
  const at = 'INFO 12-13 19:55:25 worker.py:243] ';
  const read = readLog(lines(`${at}Memory profiling results:`, `${at}total_gpu_memory \t79.22GiB`, `${at}gpu_memory_utilization \t0.90`, `${at}the current vLLM instance can use \t71.29GiB`, `${at}model weights take \t7.48GiB`, `${at}non_torch_memory \t3.58GiB`, `${at}PyTorch activation peak memory \t1.26GiB`, `${at}available_kv_cache_memory \t58.97GiB`));
  assert.deepEqual(figures(read), { gpu_total: 79.22, weights: 7.48, communication: 3.58, activations: 1.26, kv_cache: 58.97 });
});

test('vLLM of early 2024: GB that are GiB, MB, and blocks', () => {
  assert.deepEqual(figures(readLog(lines('INFO 06-01 model_runner.py:160] Loading model weights took 14.9888 GB', 'INFO 06-01 gpu_executor.py:83] # GPU blocks: 7321, # CPU blocks: 2048'))), { weights: 14.9888, num_blocks: 7321 });
  assert.deepEqual(figures(readLog(lines('INFO 02-29 19:21:45 model_runner.py:90] Loading model weights took 244.61 MB', 'INFO 02-29 19:21:45 llm_engine.py:338] # GPU blocks: 76240, # CPU blocks: 7281'))), { weights: mib(244.61), num_blocks: 76240 });
});

test('vLLM V1: one line each, and the detailed log', () => {
  const read = readLog(lines(
    '(APIServer pid=1) INFO 10-06 16:59:01 [api_server.py:1839] vLLM API server version 0.19.0',
    "(APIServer pid=1) INFO 10-06 16:59:01 [utils.py:233] non-default args: {'model_tag': 'Qwen/Qwen3-8B', 'host': '0.0.0.0', 'model': 'Qwen/Qwen3-8B', 'max_model_len': 32768, 'served_model_name': ['x'], 'gpu_memory_utilization': 0.95, 'max_num_seqs': 64, 'max_num_batched_tokens': 8192}",
    "(EngineCore_DP0 pid=9) INFO 10-06 16:59:21 [core.py:58] Initializing a V1 LLM engine (v0.19.0) with config: model='Qwen/Qwen3-8B', dtype=torch.bfloat16, max_seq_len=32768, tensor_parallel_size=1, pipeline_parallel_size=1, kv_cache_dtype=fp8_e4m3",
    '(EngineCore_DP0 pid=9) INFO 10-06 17:00:11 [gpu_model_runner.py:1316] Model loading took 15.2683 GiB and 3.652170 seconds',
    '(EngineCore_DP0 pid=9) DEBUG 10-06 17:00:31 [gpu_worker.py:387] Initial free memory: 78.66 GiB; Requested memory: 0.95 (util), 75.23 GiB',
    '(EngineCore_DP0 pid=9) DEBUG 10-06 17:00:31 [gpu_worker.py:399] Memory profiling takes 24.71 seconds. Total non KV cache memory: 17.76GiB; torch peak memory increase: 2.24GiB; non-torch forward increase memory: 0.25GiB; weights memory: 15.27GiB.',
    '(EngineCore_DP0 pid=9) INFO 10-06 17:00:31 [gpu_worker.py:400] Available KV cache memory: 57.47 GiB',
    '(EngineCore_DP0 pid=9) INFO 10-06 17:00:32 [kv_cache_utils.py:1286] GPU KV cache size: 836,992 tokens',
    '(EngineCore_DP0 pid=9) INFO 10-06 17:00:32 [kv_cache_utils.py:1291] Maximum concurrency for 32,768 tokens per request: 25.54x',
    '(EngineCore_DP0 pid=9) INFO 10-06 17:00:41 [gpu_model_runner.py:3118] Graph capturing finished in 5 secs, took 0.67 GiB',
    '(EngineCore_DP0 pid=9) INFO 10-06 17:00:41 [gpu_worker.py:391] Free memory on device (78.66/79.19 GiB) on startup. Desired GPU memory utilization is (0.95, 75.23 GiB). Actual usage is 15.27 GiB for weight, 2.24 GiB for peak activation, 0.25 GiB for non-torch memory, and 0.67 GiB for CUDAGraph memory. Replace gpu_memory_utilization config with `--kv-cache-memory=58333988249` to fit into requested memory, or `--kv-cache-memory=66273897472` to fully utilize gpu memory. Current kv cache memory in use is 61707943280 bytes.',
  ));
  assert.deepEqual([read.engine, read.version, read.generation, read.rank], ['vllm', '0.19.0', 'V1', null]);
  // The digits are those of the line that has most.
  some(figures(read), { weights: 15.2683, activations: 2.24, communication: 0.25, graphs: 0.67, kv_tokens: 836992, max_concurrency: 25.54, budget: 75.23, gpu_total: 79.19 });
  assert.equal(read.figures.find((f) => f.id === 'kv_cache').bytes, 61707943280);
  some(facts(read), { model: 'Qwen/Qwen3-8B', max_model_len: 32768, gpu_memory_utilization: 0.95, max_num_seqs: 64, max_num_batched_tokens: 8192, kv_cache_dtype: 'fp8_e4m3' });
});

test('vLLM 0.29: weights and libraries in one figure, tokens and concurrency in one line', () => {
  const read = readLog(lines(
    '(EngineCore pid=326) INFO 10-06 17:00:11 [model_runner.py:407] Model loading took 15.0 GiB memory and 5.420225 seconds',
    '(EngineCore pid=326) INFO 10-06 17:00:33 [kv_cache_utils.py:2464] GPU KV cache size: 460,496 tokens, Maximum concurrency for 131,072 tokens per request: 3.51x',
    '(EngineCore pid=326) INFO 10-06 17:00:41 [gpu_worker.py:955] Free memory on device (78.84/79.25 GiB) on startup. Desired GPU memory utilization is (0.92, 72.91 GiB). Actual usage is 15.26 GiB for consumed memory (weights + non-torch), 1.44 GiB for peak activation, and 0.23 GiB for CUDAGraph memory. Current kv cache memory in use is 56.21 GiB.',
  ));
  some(figures(read), { weights: 15, consumed: 15.26, communication: 0.26, activations: 1.44, graphs: 0.23, kv_cache: 56.21, kv_tokens: 460496, max_concurrency: 3.51, gpu_total: 79.25 });
  assert.equal(read.figures.find((f) => f.id === 'communication').derived, true);
});

test('vLLM: the pool of the tightest rank is everybody’s, and the rank has a name', () => {
  const worker = (rank, pool, weights) => [`(Worker_TP${rank} pid=${440 + rank}) INFO 08-14 14:07:20 [gpu_model_runner.py:4879] Model loading took ${weights} GiB memory and 31.6 seconds`, `(Worker_TP${rank} pid=${440 + rank}) INFO 08-14 14:07:22 [gpu_worker.py:563] Available KV cache memory: ${pool} GiB`];
  const read = readLog(lines(...worker(0, 8.69, 12.66), ...worker(1, 7.46, 12.67), ...worker(2, 8.7, 12.66), '(EngineCore pid=102) INFO 08-14 14:07:23 [kv_cache_utils.py:634] GPU KV cache size: 90,000 tokens', '(EngineCore pid=102) INFO 08-14 14:07:23 [kv_cache_utils.py:634] GPU KV cache size: 77,312 tokens'));
  assert.deepEqual([read.rank, read.ranks], ['TP1', 3]);
  assert.deepEqual(figures(read), { weights: 12.67, kv_cache: 7.46, kv_tokens: 77312 });
});

for (const [who, rank] of [['(Worker_TP2_EP2 pid=4155526)', 'TP2_EP2'], ['(VllmWorker rank=1 pid=77)', 'rank 1'], ['(RayWorkerWrapper pid=1234, ip=10.0.0.2)', 'pid 1234'], ['(Worker_PP1 pid=3)', 'PP1']]) {
  test(`vLLM names ranks as ${who}`, () => {
    const read = readLog(lines('INFO Model loading took 5.0 GiB and 3 seconds', 'INFO Available KV cache memory: 9.00 GiB', `${who} INFO Model loading took 5.1 GiB and 3 seconds`, `${who} INFO Available KV cache memory: 8.00 GiB`));
    assert.deepEqual([read.rank, figures(read)], [rank, { weights: 5.1, kv_cache: 8 }]);
  });
}

test('vLLM: graphs expected and graphs captured', () => {
  const read = readLog(lines('INFO [gpu_model_runner.py:6806] Estimated CUDA graph memory: 0.36 GiB total', 'INFO [gpu_worker.py:578] CUDA graph memory profiling is enabled (default since v0.21.0). The current --gpu-memory-utilization=0.8200 is equivalent to --gpu-memory-utilization=0.8048 without CUDA graph memory profiling. To maintain the same effective KV cache size as before, increase --gpu-memory-utilization to 0.8352.', 'INFO [gpu_worker.py:793] CUDA graph pool memory: 4.13 GiB (actual), 4.99 GiB (estimated), difference: 0.86 GiB (20.9%).'));
  assert.deepEqual(figures(read), { graphs_estimate: 0.36, graphs: 4.13 });
  assert.equal(facts(read).gpu_memory_utilization, 0.82);
});

for (const [line, id, wanted] of [
  ['ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.', 'no_cache_room', {}],
  ["ERROR 03-13 02:05:13 [engine.py:411] The model's max seq len (128000) is larger than the maximum number of tokens that can be stored in KV cache (3040). Try increasing `gpu_memory_utilization`", 'request_larger_than_cache', { longest_context: 3040 }],
  ["ValueError: To serve at least one request with the models's max seq len (40960), (5.62 GiB KV cache is needed, which is larger than the available KV cache memory (4.50 GiB). Based on the available memory, the estimated maximum model length is 32768. Try increasing", 'request_larger_than_cache', { kv_needed: 5.62, kv_cache: 4.5, longest_context: 32768 }],
  ["ValueError: To serve at least one request with the model's max seq len (262144), 9.29 GiB KV cache is needed, which is larger than the available KV cache memory (9.28 GiB). Based on the available memory, the estimated maximum model length is 260,800.", 'request_larger_than_cache', { kv_needed: 9.29, kv_cache: 9.28, longest_context: 260800 }],
  ['ValueError: Free memory on device cuda:0 (12.18/23.56 GiB) on startup is less than desired GPU memory utilization (0.92, 21.67 GiB).', 'memory_taken', { gpu_total: 23.56, budget: 21.67 }],
  ['torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 224.00 MiB. GPU 0 has a total capacity of 23.64 GiB of which 100.00 MiB is free.', 'out_of_memory', { gpu_total: 23.64 }],
]) {
  test(`vLLM refuses: ${line.slice(0, 70)}`, () => {
    const read = readLog(lines('INFO vLLM API server version 0.15.0', line));
    assert.deepEqual([problems(read), figures(read)], [[id], wanted]);
  });
}

test('vLLM: a pool below nothing is what it says', () => {
  assert.equal(figures(readLog('(EngineCore pid=129) INFO 07-01 04:24:37 [gpu_worker.py:480] Available KV cache memory: -14.28 GiB')).kv_cache, -14.28);
});

test('vLLM: settings from the command line; the engine’s own overrule them', () => {
  const typed = readLog('$ vllm serve meta-llama/Llama-3.1-70B-Instruct -tp 4 --max-model-len 16384 --enforce-eager --kv-cache-dtype=fp8');
  some(facts(typed), { model: 'meta-llama/Llama-3.1-70B-Instruct', tensor_parallel_size: 4, max_model_len: 16384, enforce_eager: true, kv_cache_dtype: 'fp8' });
});

// --- SGLang -------------------------------------------------------------------------------------------------------------

test('SGLang: GB that are GiB, the tightest rank, a progress bar in the line', () => {
  const read = readLog(lines(
    "[2025-10-16 09:00:22] server_args=ServerArgs(model_path='Qwen/Qwen3-30B-A3B', tokenizer_path='x', context_length=None, dtype='auto', tp_size=2, pp_size=1, mem_fraction_static=0.88, kv_cache_dtype='auto', quantization=None, page_size=1)",
    '[2025-10-16 09:06:22 TP0] Load weight begin. avail mem=78.58 GB',
    '[2025-10-16 09:06:22 TP1] Load weight begin. avail mem=78.48 GB',
    '[2025-10-16 09:06:32 TP0] Load weight end. type=Qwen3MoeForCausalLM, dtype=torch.bfloat16, avail mem=50.15 GB, mem usage=28.43 GB.',
    '[2025-10-16 09:06:32 TP1] Load weight end. elapsed=9.1 s, type=Qwen3MoeForCausalLM, dtype=torch.bfloat16, avail mem=50.05 GB, mem usage=28.43 GB.',
    '[2025-10-16 09:06:33 TP0] KV Cache is allocated. #tokens: 853,021, K size: 20.31 GB, V size: 20.31 GB',
    '[2025-10-16 09:06:33 TP1] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 850921, K size: 20.29 GB, V size: 20.29 GB',
    '[2025-10-16 09:06:33 TP1] Memory pool end. avail mem=9.43 GB',
    'Capturing batches (bs=1 avail_mem=9.30 GB):   0%|          | 0/5 [00:00<?, ?it/s][2025-10-16 09:06:40 TP1] Capture cuda graph end. Time elapsed: 7.00 s. mem usage=0.50 GB. avail mem=8.8 GB.',
    '[2025-10-16 09:06:41 TP0] max_total_num_tokens=850921, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2049, context_len=40960, available_gpu_mem=8.80 GB',
  ));
  assert.deepEqual([read.engine, read.rank, read.ranks, read.runs], ['sglang', 'TP0', 2, 1]);
  some(figures(read), { weights: 28.43, kv_tokens: 850921, graphs: 0.5, free: 8.8 });
  some(facts(read), { model: 'Qwen/Qwen3-30B-A3B', tensor_parallel_size: 2, mem_fraction_static: 0.88, max_model_len: 40960, max_running_requests: 2049, chunked_prefill_size: 8192 });
});

test('SGLang: latent caches, state pools, draft models and older lines', () => {
  const one = (...all) => readLog(lines('[2026-02-26 05:19:58] server_args=ServerArgs(model_path=\'m\')', ...all));
  some(figures(one('[2026-02-26 05:20:00] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 715072, KV size: 46.80 GB')), { kv_cache: 46.8, kv_tokens: 715072 });
  some(figures(one('[2026-02-26 05:20:00] Mamba Cache is allocated. max_mamba_cache_size: 361, conv_state size: 1.20GB, ssm_state size: 50.77GB ', '[2026-02-26 05:20:00] KV Cache is allocated. #tokens: 100, K size: 3.5 GB, V size: 3.5 GB')), { state: 51.97, kv_cache: 7 });
  some(figures(one('[2026-02-26 05:20:00] Load weight begin. avail mem=78.58 GB', '[2026-02-26 05:20:09] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.50 GB')), { weights: 15.08 });
  // The draft's weights, pool and graphs come on top; the tokens are the model's.
  some(figures(one('[2026-02-26 05:20:09] Load weight end. type=A, avail mem=29.01 GB, mem usage=62.97 GB.', '[2026-02-26 05:20:10] Load weight end. type=B, avail mem=27.0 GB, mem usage=2.21 GB.',
    '[2026-02-26 05:20:10] KV Cache is allocated. #tokens: 159552, K size: 5.83 GB, V size: 5.83 GB', '[2026-02-26 05:20:10] KV Cache is allocated. #tokens: 159552, K size: 0.10 GB, V size: 0.10 GB',
    '[2026-02-26 05:20:20] Capture target decode CUDA graph end. elapsed=22.18 s, mem usage=1.91 GB, avail mem=14.18 GB.', '[2026-02-26 05:20:22] Capture draft cuda graph end. Time elapsed: 1.66 s. mem usage=0.06 GB. avail mem=14.1 GB.')),
  { weights: 65.18, kv_cache: 11.86, graphs: 1.97, kv_tokens: 159552 });
  some(figures(one('[2026-02-26 05:20:10] KV Cache is allocated. #tokens: 798276, K size: 20.00 GB, V size: 20.00 GB', '[2026-02-26 05:20:10] KV Cache is allocated. #tokens: 997846, K size: 19.97 GB, V size: 19.97 GB', '[2026-02-26 05:20:10] SWAKVPool mem usage: 79.94 GB, swa size: 798276, full size: 997846')), { kv_cache: 79.94 });
  assert.deepEqual(problems(one('RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.')), ['no_cache_room']);
});

// --- llama.cpp ----------------------------------------------------------------------------------------------------------

const llama31 = (build = 'build: 6182 (1fe00296) with cc (Ubuntu 11.4.0) for x86_64-linux-gnu') => [
  'ggml_cuda_init: found 1 CUDA devices (Total VRAM: 24080 MiB):',
  '  Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9, VMM: yes, VRAM: 24080 MiB',
  build,
  'llama_model_load_from_file_impl: using device CUDA0 (NVIDIA GeForce RTX 4090) (0000:01:00.0) - 23676 MiB free',
  'llama_model_loader: loaded meta data with 33 key-value pairs and 292 tensors from /models/Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf (version GGUF V3 (latest))',
  'llama_model_loader: - kv   2:                               general.name str              = Meta Llama 3.1 8B Instruct',
  'print_info: file type   = Q4_K - Medium',
  'load_tensors: offloading 32 repeating layers to GPU',
  'load_tensors: offloaded 33/33 layers to GPU',
  'load_tensors:   CPU_Mapped model buffer size =   281.81 MiB',
  'load_tensors:        CUDA0 model buffer size =  4403.49 MiB',
  'llama_context: constructing llama_context',
  'llama_context: n_seq_max     = 4',
  'llama_context: n_ctx         = 8192',
  'llama_context: n_ctx_seq     = 8192',
  'llama_context: n_batch       = 2048',
  'llama_context: n_ubatch      = 512',
  'llama_context: flash_attn    = enabled',
  'llama_context: kv_unified    = true',
  'llama_context:  CUDA_Host  output buffer size =     1.96 MiB',
  'llama_kv_cache:      CUDA0 KV buffer size =   544.00 MiB',
  'llama_kv_cache: size =  544.00 MiB (  8192 cells,  32 layers,  4/1 seqs), K (q8_0):  272.00 MiB, V (q8_0):  272.00 MiB',
  'sched_reserve:      CUDA0 compute buffer size =   266.50 MiB',
  'sched_reserve:  CUDA_Host compute buffer size =    24.01 MiB',
];

test('llama.cpp: buffers by device, those of the host apart', () => {
  const read = readLog(lines(...llama31()));
  assert.deepEqual([read.engine, read.version, read.rank, read.ranks], ['llama.cpp', 'b6182', null, 1]);
  some(figures(read), { weights: mib(4403.49), kv_cache: mib(544), activations: mib(266.5), total: mib(4403.49 + 544 + 266.5), host_weights: mib(281.81), host_activations: mib(24.01), host_output: mib(1.96), gpu_total: mib(24080) });
  some(facts(read), { name: 'Meta Llama 3.1 8B Instruct', file_type: 'Q4_K - Medium', gpu_layers: 33, model_layers: 33, n_ctx: 8192, n_seq_max: 4, n_batch: 2048, n_ubatch: 512, flash_attn: 'on', kv_unified: 'yes', type_k: 'q8_0', type_v: 'q8_0', gpu: 'NVIDIA GeForce RTX 4090', gpus: 1 });
});

test('llama.cpp over the years: prefixes, names and units of the same buffers', () => {
  some(figures(readLog(lines('llm_load_tensors: offloaded 33/33 layers to GPU', 'llm_load_tensors:        CPU buffer size =    70.31 MiB', 'llm_load_tensors:      CUDA0 buffer size =  4095.05 MiB', 'llama_kv_cache_init:      CUDA0 KV buffer size =  2048.00 MiB', 'llama_new_context_with_model: KV self size  = 2048.00 MiB, K (f16): 1024.00 MiB, V (f16): 1024.00 MiB', 'llama_new_context_with_model:      CUDA0 compute buffer size =   296.00 MiB'))),
    { weights: mib(4095.05), kv_cache: 2, activations: mib(296), host_weights: mib(70.31) });
  some(figures(readLog(lines('0.00.100.000 I load_tensors:  MTL0_Mapped model buffer size = 11073.83 MiB', '0.08.032.922 I llama_kv_cache:       MTL0 KV buffer size =  3096.00 MiB', '0.08.162.110 I sched_reserve:       MTL0 compute buffer size =   420.83 MiB'))), { weights: mib(11073.83), kv_cache: mib(3096), activations: mib(420.83) });
  some(figures(readLog(lines('llama_kv_cache_unified:    Vulkan0 KV buffer size =   512.00 MiB', 'llama_memory_recurrent:    Vulkan0 RS buffer size =   448.88 MiB'))), { kv_cache: 0.5, state: mib(448.88) });
  some(figures(readLog('llama_kv_cache_recurrent:      CUDA0 KV buffer size =   23.75 MiB')), { state: mib(23.75) });
});

for (const [line, version] of [['build: 6182 (1fe00296) with cc (Ubuntu) for x86_64-linux-gnu', 'b6182'], ['main: build = 2291 (8c0e8f4e)', 'b2291'], ['0.00.012.001 I build_info: b8198-2c4055912', 'b8198'], ['2026-05-14 22:14:13.291 | build_info: b484-2c4055912', 'b484'], ['0.00.047.566 I common_params_print_info: build 9284 (afcda09d1) with GNU 11.4.0 for Linux x86_64', 'b9284']]) {
  test(`llama.cpp calls itself ${version}: ${line}`, () => assert.equal(readLog(lines(line, 'load_tensors:        CUDA0 model buffer size =  4403.49 MiB')).version, version));
}

test('llama.cpp: window and global caches add up, a buffer reserved anew does not', () => {
  const read = readLog(lines('llama_kv_cache_iswa: creating non-SWA KV cache, size = 32768 cells', 'llama_kv_cache:      CUDA0 KV buffer size =   416.00 MiB', 'llama_kv_cache_iswa: creating     SWA KV cache, size =  2560 cells', 'llama_kv_cache:      CUDA0 KV buffer size =    97.50 MiB', 'sched_reserve:      CUDA0 compute buffer size =   300.00 MiB', 'sched_reserve:      CUDA0 compute buffer size =   310.00 MiB'));
  some(figures(read), { kv_cache: mib(513.5), activations: mib(310) });
});

test('llama.cpp: the draft’s context comes on top, its settings do not count', () => {
  const read = readLog(lines(...llama31(), "srv    load_model: creating MTP draft context against the target model '/models/x.gguf'", 'llama_context: constructing llama_context', 'llama_context: n_ctx         = 4096', 'llama_kv_cache:      CUDA0 KV buffer size =    32.00 MiB', 'sched_reserve:      CUDA0 compute buffer size =   100.00 MiB'));
  some(figures(read), { kv_cache: mib(576), activations: mib(366.5) });
  some(facts(read), { n_ctx: 8192 });
  const drafted = readLog(lines(...llama31(), 'llama_model_loader: loaded meta data with 30 key-value pairs and 147 tensors from /models/Llama-3.2-1B-Q8_0.gguf (version GGUF V3 (latest))', 'print_info: file type   = Q8_0', 'load_tensors: offloaded 17/17 layers to GPU', 'load_tensors:        CUDA0 model buffer size =  1252.41 MiB'));
  some(figures(drafted), { weights: mib(4403.49 + 1252.41) });
  some(facts(drafted), { file_type: 'Q4_K - Medium', gpu_layers: 33 });
  assert.equal(drafted.runs, 1);
});

test('llama.cpp: of several cards the fullest', () => {
  const read = readLog(lines('load_tensors:        CUDA0 model buffer size = 11456.40 MiB', 'load_tensors:        CUDA1 model buffer size =  7448.29 MiB', 'llama_kv_cache:      CUDA0 KV buffer size =   480.11 MiB', 'llama_kv_cache:      CUDA1 KV buffer size =  6246.42 MiB', 'sched_reserve:      CUDA1 compute buffer size =    9.87 MiB'));
  assert.deepEqual([read.rank, read.ranks], ['CUDA1', 2]);
  some(figures(read), { weights: mib(7448.29), kv_cache: mib(6246.42), activations: mib(9.87) });
  assert.equal(facts(read).gpus, 2);
});

test('llama.cpp: what is printed while it looks for settings that fit was never loaded', () => {
  const table = (self, model) => `common_memory_breakdown_print: |   - CUDA0 (RTX 2000 Ada Generation Laptop GPU) |  7807 = 7627 + (${self} =  ${model} +    2622 +     493) +      -24590 |`;
  const read = readLog(lines('common_memory_breakdown_print: | memory breakdown [MiB] | total   free     self   model   context   compute    unaccounted |', table(24770, 21654), 'common_params_fit_impl: set ngl_per_device[0].n_layer=42', table(5658, 2542), 'llama_params_fit: successfully fit params to free device memory', ...llama31().slice(3)));
  some(figures(read), { weights: mib(4403.49), kv_cache: mib(544) });
  assert.equal(read.runs, 1);
});

test('llama.cpp: the table at the end by itself, and beside the buffers', () => {
  const table = ['llama_print_memory_breakdown: memory breakdown:      total   free     self   model   context   compute    unaccounted', 'llama_print_memory_breakdown:   - CUDA0 (RTX 4090):  24080 = 9436 + (14193 = 13169 +      38 +     985) +         451', 'llama_print_memory_breakdown:   - CUDA1 (RTX 4090):  24080 = 9868 + (13756 = 13169 +      38 +     548) +         456'];
  const read = readLog(lines(...table));
  assert.equal(read.rank, 'CUDA0');
  some(figures(read), { weights: mib(13169), context: mib(38), activations: mib(985), total: mib(14193), other: mib(451), gpu_total: mib(24080) });
  some(figures(readLog(lines(...llama31(), 'common_memory_breakdown_print: |   - CUDA0 (RTX 4090)   | 24080 = 18400 + ( 5214 =  4403 +     544 +     266) +         466 |'))), { weights: mib(4403.49), activations: mib(266.5), other: mib(466) });
});

test('llama.cpp: out of memory', () => {
  assert.deepEqual(problems(readLog(lines('build: 6182 (1fe00296) with cc', 'ggml_backend_cuda_buffer_type_alloc_buffer: allocating 25145.56 MiB on device 0: cudaMalloc failed: out of memory'))), ['out_of_memory']);
});

// --- Ollama -------------------------------------------------------------------------------------------------------------

const ollama = (...all) => lines(
  'time=2025-11-08T01:39:20.000Z level=INFO source=routes.go:1528 msg="Listening on 127.0.0.1:11434 (version 0.12.7)"',
  'time=2025-11-08T01:39:20.563Z level=INFO source=types.go:60 msg="inference compute" id=GPU-1 library=CUDA compute=8.9 name=CUDA0 description="NVIDIA GeForce RTX 4090" libdirs=ollama total="23.6 GiB" available="23.1 GiB"',
  'time=2025-11-08T01:39:28.563Z level=INFO source=server.go:385 msg="starting runner" cmd="/usr/local/bin/ollama runner --ollama-engine --port 44625"',
  ...all);

test('Ollama: its engine’s own allocations; the last of each counts', () => {
  const read = readLog(ollama(
    'time=2025-11-08T01:39:28.6Z level=INFO source=runner.go:1172 msg=load request="{Operation:commit LoraPath:[] Parallel:1 BatchSize:512 FlashAttention:Enabled KvSize:16384 KvCacheType:q8_0 NumThreads:4 GPULayers:37[ID:GPU-1 Layers:37(0..36)] MultiUserCache:false}"',
    'time=2025-11-08T01:39:28.7Z level=INFO source=ggml.go:136 msg="" architecture=qwen3 file_type=Q4_K_M name="Qwen3 8B" description="" num_tensors=399',
    'time=2025-11-08T01:39:28.8Z level=INFO source=ggml.go:672 msg="compute graph" backend=CUDA0 buffer_type=CUDA0 size="0 B"',
    'time=2025-11-08T01:39:28.9Z level=INFO source=ggml.go:494 msg="offloaded 37/37 layers to GPU"',
    'time=2025-11-08T01:39:28.9Z level=INFO source=device.go:240 msg="model weights" device=CUDA0 size="4.6 GiB"',
    'time=2025-11-08T01:39:28.9Z level=INFO source=device.go:245 msg="model weights" device=CPU size="333.8 MiB"',
    'time=2025-11-08T01:39:28.9Z level=INFO source=device.go:251 msg="kv cache" device=CUDA0 size="1.2 GiB"',
    'time=2025-11-08T01:39:28.9Z level=INFO source=device.go:262 msg="compute graph" device=CUDA0 size="140.5 MiB"',
  ));
  assert.deepEqual([read.engine, read.version, read.runs], ['ollama', '0.12.7', 1]);
  some(figures(read), { weights: 4.6, kv_cache: 1.2, activations: mib(140.5), host_weights: mib(333.8), gpu_total: 23.6 });
  some(facts(read), { n_ctx: 16384, n_seq_max: 1, n_ubatch: 512, flash_attn: 'on', type_k: 'q8_0', file_type: 'Q4_K_M', name: 'Qwen3 8B', gpu: 'NVIDIA GeForce RTX 4090', gpu_layers: 37, model_layers: 37 });
});

test('Ollama: what it required was an estimate; llama.cpp’s own lines are the measure', () => {
  const estimate = 'time=2024-08-14T16:27:00.222+08:00 level=INFO source=memory.go:309 msg="offload to cuda" layers.requested=-1 layers.model=33 layers.offload=33 layers.split="" memory.available="[21.3 GiB]" memory.required.full="6.2 GiB" memory.required.partial="6.2 GiB" memory.required.kv="1.0 GiB" memory.required.allocations="[6.2 GiB]" memory.weights.total="4.7 GiB" memory.weights.repeating="4.3 GiB" memory.graph.full="560.0 MiB" memory.graph.partial="585.0 MiB"';
  const alone = readLog(ollama(estimate));
  some(facts(alone), { gpu_layers: 33, model_layers: 33 });
  assert.deepEqual(alone.figures.filter((f) => f.estimate).map((f) => f.id), ['estimate_total', 'estimate_kv_cache', 'estimate_weights', 'estimate_activations']);
  assert.ok(!alone.figures.some((f) => f.id === 'weights'));
  const read = readLog(ollama('time=2026-05-05T01:30:33.796+08:00 level=INFO source=device.go:240 msg="model weights" device=CUDA0 size="4.1 GiB"', 'time=2026-05-05T01:30:33.813+08:00 level=INFO source=runner.go:965 msg="starting go runner"', ...llama31().slice(3)));
  assert.equal(read.engine, 'ollama');
  some(figures(read), { weights: mib(4403.49), kv_cache: mib(544), estimate_weights: 4.1 });
  assert.equal(read.figures.find((f) => f.id === 'estimate_weights').estimate, true);
});

// --- nvidia-smi ---------------------------------------------------------------------------------------------------------

const smi = [
  '+-----------------------------------------------------------------------------------------+',
  '| NVIDIA-SMI 580.95.05              Driver Version: 580.95.05      CUDA Version: 13.0     |',
  '| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |',
  '|=========================================+========================+======================|',
  '|   0  NVIDIA H100 80GB HBM3          On  |   00000000:1B:00.0 Off |                    0 |',
  '| N/A   34C    P0            123W /  700W |   71234MiB /  81559MiB |      0%      Default |',
  '|                                         |                        |             Disabled |',
  '|   1  NVIDIA H100 80GB HBM3          On  |   00000000:2B:00.0 Off |                    0 |',
  '| N/A   35C    P0            121W /  700W |   72234MiB /  81559MiB |      0%      Default |',
  '| Processes:                                                                              |',
  '|    0   N/A  N/A      1234      C   VLLM::Worker_TP0                           71220MiB |',
  '|    1   N/A  N/A      1235      C   VLLM::Worker_TP1                           72220MiB |',
];

test('nvidia-smi: the fullest GPU and its process', () => {
  const read = readLog(lines(...smi));
  assert.deepEqual([read.engine, read.version, read.rank, read.ranks], ['nvidia-smi', '580.95.05', 'GPU 1', 2]);
  assert.deepEqual(figures(read), { used: mib(72234), gpu_total: mib(81559), process: mib(72220) });
  assert.equal(facts(read).gpu, 'NVIDIA H100 80GB HBM3');
});

test('nvidia-smi: the older table, a later picture, and comma-separated values', () => {
  const old = ['|   0  Tesla T4            On   | 00000000:00:08.0 Off |                    0 |', '| N/A   39C    P0    27W /  70W |   7967MiB / 15109MiB |      0%      Default |'];
  assert.deepEqual([figures(readLog(lines(...old))), facts(readLog(lines(...old))).gpu], [{ used: mib(7967), gpu_total: mib(15109) }, 'Tesla T4']);
  assert.deepEqual(figures(readLog(lines(...old, ...old.map((l) => l.replace('7967', '8000'))))), { used: mib(8000), gpu_total: mib(15109) });
  assert.deepEqual(figures(readLog(lines('index, name, memory.used [MiB], memory.total [MiB]', '0, NVIDIA L4, 1000 MiB, 23034 MiB', '1, NVIDIA L4, 2000 MiB, 23034 MiB'))), { used: mib(2000), gpu_total: mib(23034) });
  assert.deepEqual(figures(readLog(lines('memory.total [MiB], memory.used [MiB]', '23034, 17', '23034, 400'))), { used: mib(400), gpu_total: mib(23034) });
});

test('nvidia-smi beside an engine’s log adds what the driver says', () => {
  const read = readLog(lines('INFO [gpu_model_runner.py:1316] Model loading took 14.9889 GiB and 3.6 seconds', ...smi));
  assert.equal(read.engine, 'vllm');
  some(figures(read), { weights: 14.9889, process: mib(72220) });
});

// --- what surrounds the lines -------------------------------------------------------------------------------------------

const weights = 'INFO 05-06 20:59:59 [gpu_model_runner.py:4879] Model loading took 12.66 GiB memory and 31.657031 seconds';
for (const [what, line] of [
  ['colours', `\x1b[1;36m(EngineCore pid=1)\x1b[0;0m ${weights}\x1b[K`],
  ['Windows line ends', `${weights}\r`],
  ['a time of Docker', `2026-05-14T12:43:13.531000000Z ${weights}`],
  ['Kubernetes', `2026-05-14T12:43:13.531Z stderr F ${weights}`],
  ['Compose', `runner-llm-1  | ${weights}`],
  ['journald', `Sep 11 00:42:49 ai vllm[3110]: ${weights}`],
  ['Docker’s JSON', JSON.stringify({ log: `${weights}\n`, stream: 'stderr', time: '2026-05-14T12:43:13.5Z' })],
  ['a quote', `> ${weights}`],
  ['a progress bar', `Loading:  10%|#         |\rLoading: 100%|##########| 9/9\r${weights}`],
]) {
  test(`within ${what} the line is the same`, () => assert.deepEqual(figures(readLog(line)), { weights: 12.66 }));
}

test('PowerShell’s UTF-16 is read, and bytes that are no text do no harm', () => {
  assert.deepEqual(figures(readLog(decodeLog(Buffer.from(`\ufeff${weights}`, 'utf16le')))), { weights: 12.66 });
  assert.deepEqual(figures(readLog(decodeLog(Buffer.concat([Buffer.from([0xff, 0x80, 0x00, 0x0a]), Buffer.from(weights)])))), { weights: 12.66 });
});

test('lines that nobody knows are ignored, and so is prose about logs', () => {
  for (const text of ['', '\n\n', 'hello', 'GiB', 'the engine took 5 GiB', 'INFO:     127.0.0.1:47780 - "GET /health HTTP/1.1" 200 OK', '{"a": 1}']) {
    const read = readLog(text);
    assert.deepEqual([read.engine, read.figures, read.problems], [null, [], []], text);
  }
  assert.equal(readLog('a\nb\nc').lines, 3);
});

test('of several starts the last counts', () => {
  const run = (gib) => ['INFO vLLM API server version 0.15.0', `INFO Model loading took ${gib} GiB and 3 seconds`, `INFO Available KV cache memory: ${gib * 2} GiB`];
  const read = readLog(lines(...run(5), 'ValueError: No available memory for the cache blocks.', ...run(7), ...run(6)));
  assert.deepEqual([read.runs, figures(read), problems(read)], [3, { weights: 6, kv_cache: 12 }, []]);
  assert.equal(readLog(lines(...run(5), 'INFO vLLM API server version 0.15.0', 'ValueError: No available memory for the cache blocks.')).figures.length, 0);
  // The same without a server: the engine itself says that it begins.
  const offline = (gib) => ["INFO [core.py:58] Initializing a V1 LLM engine (v0.15.0) with config: model='m'", `INFO Model loading took ${gib} GiB and 3 seconds`];
  assert.deepEqual([readLog(lines(...offline(1), ...offline(2))).runs, figures(readLog(lines(...offline(1), ...offline(2))))], [2, { weights: 2 }]);
  const parallel = (dp) => [`(EngineCore_DP${dp} pid=${dp}) INFO Initializing a V1 LLM engine (v0.15.0) with config: model='m'`, `(EngineCore_DP${dp} pid=${dp}) INFO Model loading took ${dp + 1} GiB and 3 seconds`];
  assert.equal(readLog(lines(...parallel(0), ...parallel(1))).runs, 1);
  assert.deepEqual([readLog(lines(...llama31(), ...llama31())).runs, figures(readLog(lines(...llama31(), ...llama31()))).weights], [2, mib(4403.49)]);
  const noBuild = llama31('main: starting');
  assert.deepEqual([readLog(lines(...noBuild, ...noBuild)).runs, figures(readLog(lines(...noBuild, ...noBuild))).weights], [2, mib(4403.49)]);
  const sglang = ["[2026-02-26 05:19:58] server_args=ServerArgs(model_path='m')", '[2026-02-26 05:20:09] Load weight end. type=A, avail mem=29.01 GB, mem usage=62.97 GB.', '[2026-02-26 05:20:29] max_total_num_tokens=1000, context_len=4096'];
  for (const twice of [[...sglang, ...sglang], [...sglang.slice(1), ...sglang.slice(1)]]) assert.deepEqual([readLog(lines(...twice)).runs, figures(readLog(lines(...twice))).weights], [2, 62.97]);
});

test('a log that was cut off says what it says', () => {
  const whole = llama31();
  for (let n = 0; n <= whole.length; n += 1) {
    const read = readLog(lines(...whole.slice(0, n)));
    assert.ok(read.engine === null || read.engine === 'llama.cpp');
    assert.equal(read.figures.some((f) => f.id === 'weights'), n > 10);
  }
});
