// Logs that nobody printed: damaged, endless, or made to harm. They are read in time proportional to their length, and what comes out
// are finite figures, plain facts and known problems.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { forEachLine, longestText } from '../../web/log/lines.mjs';
import { readLog } from '../../web/log/read_log.mjs';
import { randomSource } from './support.mjs';

const real = [
  '(Worker_TP0 pid=34322) INFO 05-06 20:59:59 [gpu_model_runner.py:4879] Model loading took 12.66 GiB memory and 31.657031 seconds',
  "INFO 04-12 08:20:31 [llm_engine.py:242] Initializing a V0 LLM engine (v0.8.3) with config: model='a/b', max_seq_len=8192, tensor_parallel_size=2, kv_cache_dtype=auto,",
  "(APIServer pid=1) INFO [utils.py:233] non-default args: {'model': 'm', 'max_model_len': 8192, 'gpu_memory_utilization': 0.95}",
  'INFO [worker.py:267] model weights take 21.21GiB; non_torch_memory takes 0.20GiB; PyTorch activation peak memory takes 0.37GiB; the rest of the memory reserved for KV Cache is 1.57GiB.',
  'INFO [kv_cache_utils.py:2464] GPU KV cache size: 460,496 tokens, Maximum concurrency for 131,072 tokens per request: 3.51x',
  'INFO Free memory on device (78.84/79.25 GiB) on startup. Desired GPU memory utilization is (0.92, 72.91 GiB). Actual usage is 15.26 GiB for consumed memory (weights + non-torch), 1.44 GiB for peak activation, and 0.23 GiB for CUDAGraph memory.',
  "ValueError: To serve at least one request with the models's max seq len (40960), (5.62 GiB KV cache is needed, which is larger than the available KV cache memory (4.50 GiB). Based on the available memory, the estimated maximum model length is 32768.",
  "[2025-10-16 09:00:22] server_args=ServerArgs(model_path='m', tp_size=2, mem_fraction_static=0.88)",
  '[2025-10-16 09:06:32 TP0] Load weight end. type=M, dtype=torch.bfloat16, avail mem=50.15 GB, mem usage=28.43 GB.',
  '[2025-10-16 09:06:33 TP1] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 850921, K size: 20.29 GB, V size: 20.29 GB',
  '[2026-02-26 05:20:00] Mamba Cache is allocated. max_mamba_cache_size: 361, conv_state size: 1.20GB, ssm_state size: 50.77GB ',
  '[2025-10-16 09:06:41 TP0] max_total_num_tokens=850921, chunked_prefill_size=8192, context_len=40960, available_gpu_mem=8.80 GB',
  'llama_model_loader: loaded meta data with 33 key-value pairs and 292 tensors from /models/a.gguf (version GGUF V3 (latest))',
  'load_tensors:        CUDA0 model buffer size =  4403.49 MiB',
  'llama_kv_cache: size =  544.00 MiB (  8192 cells,  32 layers,  4/1 seqs), K (q8_0):  272.00 MiB, V (q8_0):  272.00 MiB',
  'common_memory_breakdown_print: |   - CUDA0 (RTX 4090)   | 24080 = 18400 + ( 5214 =  4403 +     544 +     266) +         466 |',
  'time=2025-11-08T01:39:28.9Z level=INFO source=device.go:240 msg="model weights" device=CUDA0 size="4.6 GiB"',
  '|   0  NVIDIA H100 80GB HBM3          On  |   00000000:1B:00.0 Off |                    0 |',
  '| N/A   34C    P0            123W /  700W |   71234MiB /  81559MiB |      0%      Default |',
  '|    0   N/A  N/A      1234      C   VLLM::Worker_TP0                           71220MiB |',
];

function isSound(read) {
  for (const f of read.figures) {
    assert.ok(Number.isFinite(f.bytes ?? f.number), JSON.stringify(f));
    assert.ok((f.bytes === undefined) !== (f.number === undefined), JSON.stringify(f));
    assert.ok(f.line.length <= 241 && !/[\x00-\x1f]/.test(f.line), JSON.stringify(f));
    assert.ok(Number.isInteger(f.line_number) && f.line_number >= 0 && f.line_number <= read.lines, JSON.stringify(f));
  }
  assert.equal(new Set(read.figures.map((f) => f.id)).size, read.figures.length, 'one figure per id');
  for (const fact of Object.values(read.facts)) assert.ok(['string', 'number', 'boolean'].includes(typeof fact.value));
  assert.ok(read.problems.length <= 21);
}

test('damaged logs: 20,000 of them', () => {
  const random = randomSource(20261130);
  const noise = ['', '\r', '\x1b[31m', '\x1b[', '\ufeff', '\0', '9'.repeat(400), '-', '.', 'NaN', 'Infinity', '1e999', '  ', '(', '[20', '|', "'", '"', '{"log":"', '\ud800', '🙂', ',', 'GiB', 'MiB', '=', '__proto__=1', "'constructor': 2"];
  for (let i = 0; i < 20000; i += 1) {
    const all = Array.from({ length: 1 + random.below(6) }, () => {
      let line = random.pick(real);
      for (let n = random.below(4); n > 0; n -= 1) {
        const from = random.below(line.length + 1);
        line = line.slice(0, from) + random.pick(noise) + line.slice(from + random.below(8));
      }
      return line;
    });
    isSound(readLog(all.join(random.pick(['\n', '\r\n', '\n\n']))));
  }
});

test('keys of objects are no settings', () => {
  const read = readLog("INFO non-default args: {'__proto__': 'x', 'constructor': 'y', 'toString': 3, 'model': 'm'}\nvllm serve --constructor 5 --__proto__ 6");
  assert.deepEqual(Object.keys(read.facts), ['model']);
  assert.equal({}.x, undefined);
});

// Each is repeated to fill lines of every length; what a careless pattern would go over again and again.
const repeated = [
  'a', ' ', '\t', '9', '-', '.', ',', '(', "'", '"', '=', '|', '[20', '\x1b[', '\x1b]', '\x1b', 'pid=', '(Worker', 'GiB', '1 GiB ', 'MiB', '= 1 MiB', '- A (', '- CUDA0 (a) | 1 = 1 + (1 = 1 + 1 + ', 'model buffer size = ', 'CUDA0 model buffer size = 1.0 ', '{"log":"',
  "model='", 'model=', "'model': ", "ServerArgs(model='", " --model '", 'vllm serve --tp ', 'Namespace(a=', 'model weights take ', 'weights take 1', 'Load weight end. ', 'KV Cache is allocated. K size: ', 'Mamba Cache is allocated. a size: ', 'Capture cuda graph ', 'Capture a a a ',
  'loaded meta data with x from ', 'Device 0: ', 'using device a (', 'max_total_num_tokens=', 'msg="model weights" device=', 'memory.required.full="', 'architecture=a file_type=b name="', 'Parallel:1', '|   0  a  ', '| 1MiB / 1MiB', '1, ', 'a, 1', '█ version ', 'LLM engine (', 'Initializing an LLM engine (', 'Free memory on device (', 'KV cache is needed', ...real,
];
// Milliseconds of the processor, so that what else the machine does counts little.
const fastest = (text) => Math.min(...[0, 1, 2].map(() => {
  const start = process.cpuUsage();
  isSound(readLog(text));
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}));

// `size` characters of `piece`, in lines of `length`.
function filled(piece, length, size) {
  const line = piece.repeat(Math.ceil(length / piece.length)).slice(0, length - 1);
  return `${line}\n`.repeat(Math.ceil(size / length));
}

// Holds two texts against each other; what is out of proportion is so every time. Below some milliseconds clocks say nothing.
function inProportion(piece, small, large, most) {
  let short;
  let long;
  for (let attempt = 0; attempt < 4 && !(long < most * Math.max(short, 3)); attempt += 1) [short, long] = [fastest(small), fastest(large)];
  assert.ok(long < most * Math.max(short, 3), `${JSON.stringify(piece.slice(0, 40))}: ${short.toFixed(1)} ms, then ${long.toFixed(1)} ms`);
}

test('four times the text takes four times as long, not sixteen', () => {
  for (const piece of repeated) inProportion(piece, filled(piece, 200, 1 << 16), filled(piece, 200, 1 << 18), 12);
});

test('long lines take as long as short ones of the same length together', () => {
  for (const piece of repeated) inProportion(piece, filled(piece, 2000, 1 << 17), filled(piece, 32000, 1 << 17), 6);
});

test('one endless line is read as far as lines may go', () => {
  for (const piece of repeated) inProportion(piece, filled(piece, 1 << 15, 1 << 15), filled(piece, 1 << 22, 1 << 22), 12);
});

test('50 MB of a server’s log take seconds', () => {
  const requests = 'INFO:     127.0.0.1:47780 - "POST /v1/completions HTTP/1.1" 200 OK\nINFO 10-06 17:10:41 [loggers.py:127] Engine 000: Avg prompt throughput: 1027.8 tokens/s, Avg generation throughput: 151.1 tokens/s, Running: 3 reqs, Waiting: 0 reqs, GPU KV cache usage: 12.1%, Prefix cache hit rate: 51.2%\n';
  const text = `${real[0]}\n${requests.repeat(Math.ceil(50e6 / requests.length))}`;
  const start = performance.now();
  const read = readLog(text);
  assert.ok(performance.now() - start < 15000);
  assert.deepEqual(read.figures.map((f) => f.id), ['weights']);
  assert.equal(read.lines, 1 + 2 * Math.ceil(50e6 / requests.length));
});

test('of a text beyond the limit the end is read, and that is said', () => {
  const filler = `${'x'.repeat(1023)}\n`.repeat(longestText / 1024);
  const read = readLog(`INFO Model loading took 1.00 GiB and 3 seconds\n${filler}INFO Model loading took 2.00 GiB and 3 seconds\n`);
  assert.deepEqual(read.figures.map((f) => f.bytes / 2 ** 30), [2]);
  assert.deepEqual(read.problems.map((p) => p.id), ['too_long']);
});

test('lines are counted as editors count them', () => {
  for (const [text, lines] of [['', 0], ['a', 1], ['a\n', 1], ['a\nb', 2], ['\n\n', 2]]) assert.equal(forEachLine(text, /a/, () => {}), lines, JSON.stringify(text));
});
