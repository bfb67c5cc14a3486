// A log against the prediction: compartment by compartment, what does not match, and the configuration to go on from.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { readLocales } from '../../web/locale_files.mjs';
import { compareLog, resultForLog } from '../../web/log/compare_log.mjs';
import { changesFromLog, logMeasures, logSettings, shareFromLog } from '../../web/log/log_settings.mjs';
import { readLog } from '../../web/log/read_log.mjs';
import { createText } from '../../web/text/explain.mjs';
import { explainLog } from '../../web/text/log.mjs';
import { loadVramfit } from '../../web/vramfit.mjs';
import { assets, dist, root } from './support.mjs';

const bytesOf = (name) => readFileSync(join(assets, name));
const { default: moduleFactory } = await import(pathToFileURL(join(assets, 'vramfit-core.mjs')));
const vramfit = await loadVramfit({ moduleFactory, wasmBinary: bytesOf('vramfit-full.wasm') });
const small = (full) => loadVramfit({ moduleFactory, wasmBinary: bytesOf('vramfit-core.wasm'), full });
const lines = (...all) => all.join('\n');

// Llama 3.1 8B on an H100 of 80 GB under 0.19.0, with the figures published for that run.
const vllm = (changes = (line) => line) => lines(...[
  "(APIServer pid=1) INFO [utils.py:233] non-default args: {'model': 'meta-llama/Llama-3.1-8B-Instruct', 'max_model_len': 8192, 'gpu_memory_utilization': 0.95, 'max_num_seqs': 1024}",
  "(EngineCore pid=9) INFO [core.py:58] Initializing a V1 LLM engine (v0.19.0) with config: model='meta-llama/Llama-3.1-8B-Instruct', dtype=torch.bfloat16, max_seq_len=8192, tensor_parallel_size=1, pipeline_parallel_size=1, quantization=None, kv_cache_dtype=auto",
  '(EngineCore pid=9) INFO [gpu_model_runner.py:4879] Model loading took 14.99 GiB memory and 5.420225 seconds',
  '(EngineCore pid=9) DEBUG [gpu_worker.py:399] Memory profiling takes 6.40 seconds. Total non KV cache memory: 17.12GiB; torch peak memory increase: 1.89GiB; non-torch forward increase memory: 0.25GiB; weights memory: 14.99GiB.',
  '(EngineCore pid=9) INFO [gpu_worker.py:436] Available KV cache memory: 58.11 GiB',
  '(EngineCore pid=9) INFO [kv_cache_utils.py:1286] GPU KV cache size: 476,000 tokens',
  '(EngineCore pid=9) INFO [kv_cache_utils.py:1291] Maximum concurrency for 8,192 tokens per request: 58.11x',
  '(EngineCore pid=9) INFO [gpu_model_runner.py:5820] Graph capturing finished in 5 secs, took 0.87 GiB',
  '(EngineCore pid=9) INFO [gpu_worker.py:391] Free memory on device (78.66/79.19 GiB) on startup. Desired GPU memory utilization is (0.95, 75.23 GiB).',
].map(changes));
const ours = 'model=llama-3.1-8b&weights=bf16&context=8192&gpu=h100-sxm&count=1&method=engine&engine=vllm&vllm_version=0.17&gpu_memory_utilization=0.95&max_num_seqs=1024';

const compare = (log, share) => compareLog(readLog(log), vramfit.estimate(share), vramfit);
const row = (compared, id) => compared.rows.find((r) => r.id === id);

test('predicted against measured, with error and range', () => {
  const compared = compare(vllm(), ours);
  assert.equal(compared.method, 'engine');
  assert.equal(compared.engine, true);
  assert.deepEqual(compared.mismatches, []);
  assert.deepEqual(compared.rows.map((r) => r.id), ['weights', 'pool', 'activations', 'communication', 'graphs', 'budget', 'kv_tokens', 'max_concurrency']);
  const report = vramfit.estimate(ours);
  const predicted = report.methods.engine.compartments.find((c) => c.id === 'weights').per_gpu_bytes;
  const weights = row(compared, 'weights');
  assert.deepEqual(weights.predicted, predicted);
  assert.equal(weights.measured, Math.round(14.99 * 2 ** 30));
  assert.equal(weights.difference, predicted.likely - weights.measured);
  assert.equal(weights.error, predicted.likely / weights.measured - 1);
  assert.ok(Math.abs(weights.error) < 0.005);
  assert.deepEqual([weights.line_number, row(compared, 'pool').line_number], [3, 5]);
  assert.deepEqual(row(compared, 'pool').predicted, report.engine.pool_bytes);
  assert.deepEqual(row(compared, 'kv_tokens').predicted, report.engine.tokens);
  for (const r of compared.rows.filter((r) => r.measured < r.predicted.low * 0.99 || r.measured > r.predicted.high * 1.01)) assert.equal(r.inside, false, r.id);
  for (const r of compared.rows.filter((r) => r.measured >= r.predicted.low && r.measured <= r.predicted.high)) assert.equal(r.inside, true, r.id);
});

test('a figure is as exact as it is printed', () => {
  const share = 'model=llama-3.1-8b&weights=q4_k_m&kv=fp16&context=8192&gpu=rtx-4090&count=1&method=worksheet';
  const bytes = vramfit.estimate(share).methods.worksheet.compartments.find((c) => c.id === 'kv_cache').per_gpu_bytes.likely;
  assert.equal(bytes, 2 ** 30);
  const inside = (size) => {
    const result = vramfit.estimate(share);
    delete result.methods.engine;
    return row(compareLog(readLog(`time=2025 level=INFO source=device.go:251 msg="kv cache" device=CUDA0 size="${size}"`), result, vramfit), 'kv_cache').inside;
  };
  assert.deepEqual(['1.0 GiB', '1024.0 MiB', '1.04 GiB', '1000.0 MiB', '0.9 GiB', '1.1 GiB', '1 GiB'].map(inside), [true, true, false, false, false, false, true]);
});

test('a figure outside the range is said to be', () => {
  const compared = compare(vllm((line) => line.replaceAll('14.99 GiB memory', '20.99 GiB memory').replace('weights memory: 14.99', 'weights memory: 20.99')), ours);
  assert.equal(row(compared, 'weights').inside, false);
  assert.ok(row(compared, 'weights').difference < -5e9);
});

for (const [key, share, log, page] of [
  ['model', ours.replace('llama-3.1-8b', 'qwen3-8b'), 'llama-3.1-8b', 'qwen3-8b'],
  ['weights', ours.replace('weights=bf16', 'weights=fp8'), 'bf16', 'fp8'],
  ['context', ours.replace('context=8192', 'context=32768'), '8192', '32768'],
  ['count', ours.replace('count=1', 'count=2'), '1', '2'],
  ['kv', `${ours}&kv=fp8`, 'bf16', 'fp8'],
  ['vllm_version', ours.replace('=0.17', '=0.21'), '0.17', '0.21'],
  ['gpu_memory_utilization', ours.replace('=0.95', '=0.8'), '0.95', '0.8'],
  ['max_num_seqs', ours.replace('max_num_seqs=1024', 'max_num_seqs=64'), '1024', '64'],
  ['gpu_total', ours.replace('h100-sxm', 'h200'), String(Math.round(79.19 * 2 ** 30)), null],
]) {
  test(`what does not match is named with both values: ${key}`, () => {
    const found = compare(vllm(), share).mismatches.find((m) => m.key === key);
    assert.ok(found, JSON.stringify(compare(vllm(), share).mismatches));
    assert.equal(found.log, log);
    if (page !== null) assert.equal(found.page, page);
  });
}

test('names of one thing are no mismatch', () => {
  assert.deepEqual(compare(vllm((line) => line.replace('kv_cache_dtype=auto', 'kv_cache_dtype=float16')), ours).mismatches, []);
  assert.deepEqual(compare(vllm((line) => line.replaceAll('meta-llama/Llama-3.1-8B-Instruct', '/root/.cache/huggingface/hub/models--meta-llama--Llama-3.1-8B-Instruct/snapshots/0e9e39f2')), ours).mismatches, []);
});

test('weights as published are the format that they were published in', () => {
  const log = vllm((line) => line.replaceAll('meta-llama/Llama-3.1-8B-Instruct', 'deepseek-ai/DeepSeek-V3').replace('quantization=None', 'quantization=fp8'));
  assert.equal(changesFromLog(readLog(log), vramfit).weights, 'native');
  const { native } = vramfit.catalog().models.find((m) => m.id === 'deepseek-v3');
  for (const weights of ['native', native]) assert.ok(!compare(log, `model=deepseek-v3&weights=${weights}&context=8192`).mismatches.some((m) => m.key === 'weights'), weights);
  assert.ok(compare(log, 'model=deepseek-v3&weights=int4&context=8192').mismatches.some((m) => m.key === 'weights'));
});

test('a model that the catalogue does not have is not taken for another', () => {
  const log = vllm((line) => line.replaceAll('meta-llama/Llama-3.1-8B-Instruct', 'acme/Secret-12B'));
  assert.deepEqual(compare(log, ours).mismatches.map(({ key, log: said, page }) => [key, said, page]), [['model_unknown', 'acme/Secret-12B', 'llama-3.1-8b']]);
  assert.equal(new URLSearchParams(shareFromLog(readLog(log), ours, vramfit)).get('model'), 'llama-3.1-8b');
});

test('a log of another engine is said to be, and its knobs are not held against this one', () => {
  const compared = compare(vllm(), 'model=llama-3.1-8b&weights=q4_k_m&context=8192&gpu=rtx-4090&count=1&method=engine&engine=llama.cpp');
  assert.equal(compared.engine, false);
  assert.deepEqual(compared.mismatches.map((m) => m.key), ['engine', 'weights', 'gpu_total']);
  assert.deepEqual([compared.mismatches[0].log, compared.mismatches[0].page], ['vllm', 'llama.cpp']);
});

test('going on from a log gives what it measured', () => {
  const read = readLog(vllm());
  const share = shareFromLog(read, 'model=qwen3-32b&weights=fp8&num_layers=3&kv=fp8&units=GiB', vramfit);
  const result = vramfit.estimate(share);
  assert.equal(result.refused, false, JSON.stringify(result.notices));
  const keys = Object.fromEntries(new URLSearchParams(share));
  assert.deepEqual(keys, {
    model: 'llama-3.1-8b', weights: 'bf16', kv: 'bf16', units: 'GiB', engine: 'vllm', context: '8192', count: '1', vllm_version: '0.17', pipeline_parallel: '1', gpu_memory_utilization: '0.95', max_num_seqs: '1024', method: 'engine',
    measured_total_gib: '79.19', measured_weights_gib: '14.99', measured_activations_gib: '1.89', measured_other_gib: '0.25', measured_graphs_gib: '0.87',
  });
  const compared = compareLog(read, result, vramfit);
  assert.deepEqual(compared.mismatches, []);
  for (const id of ['weights', 'activations', 'communication', 'graphs', 'budget']) assert.ok(Math.abs(row(compared, id).error) < 0.001, `${id}: ${row(compared, id).error}`);
  for (const id of ['pool', 'kv_tokens', 'max_concurrency']) assert.ok(Math.abs(row(compared, id).error) < 0.002, `${id}: ${row(compared, id).error}`);
  assert.ok(compared.rows.every((r) => r.inside));
});

test('every key that a log sets is a field, and every value one that the field takes', () => {
  const fields = new Map(vramfit.catalog().fields.map((f) => [f.key, f]));
  const logs = [
    vllm(),
    "INFO Initializing an LLM engine (v0.6.3) with config: model='deepseek-ai/DeepSeek-V3', dtype=torch.bfloat16, max_seq_len=8192, tensor_parallel_size=16, kv_cache_dtype=fp8, enforce_eager=True\nINFO model weights take 7.48GiB; non_torch_memory takes -0.05GiB; PyTorch activation peak memory takes 99999GiB; the rest of the memory reserved for KV Cache is 1GiB.",
    "[2025-10-16 09:00:22] server_args=ServerArgs(model_path='Qwen/Qwen3-30B-A3B', tp_size=2, ep_size=2, mem_fraction_static=0.88, kv_cache_dtype='fp8_e5m2', page_size=64, enable_dp_attention=True, disable_cuda_graph=False)\n[2025-10-16 09:06:32 TP0] Load weight end. type=M, avail mem=50.15 GB, mem usage=28.43 GB.",
    'llama_model_loader: loaded meta data with 33 key-value pairs and 292 tensors from /m/Llama-3.1-8B-Instruct-Q4_K_M.gguf (version GGUF V3 (latest))\nprint_info: file type   = Q4_K - Medium\nload_tensors: offloaded 20/33 layers to GPU\nload_tensors:        CUDA0 model buffer size =  4403.49 MiB\nllama_context: n_ctx         = 8192\nllama_context: n_seq_max     = 2\nllama_context: kv_unified    = false\nllama_context: flash_attn    = enabled\nllama_kv_cache: size =  544.00 MiB (  8192 cells,  32 layers,  4/1 seqs), K (q8_0):  272.00 MiB, V (q8_0):  272.00 MiB',
  ];
  for (const log of logs) {
    const read = readLog(log);
    for (const { key, value } of [...logSettings(read, vramfit), ...logMeasures(read, vramfit)]) {
      const field = fields.get(key);
      assert.ok(field, key);
      if (field.kind === 'choice' && field.choices?.length > 0) assert.ok(field.choices.includes(value), `${key}=${value}`);
      else if (field.kind !== 'choice') assert.ok(Number(value) >= field.minimum && Number(value) <= field.maximum, `${key}=${value}`);
    }
    const unsure = vramfit.estimate(shareFromLog(read, '', vramfit)).notices.filter((n) => n.severity !== 'info' && n.value !== '' && ['out-of-range', 'not-a-choice', 'unknown-key', 'malformed'].includes(n.id));
    assert.deepEqual(unsure, []);
  }
  // What no field takes is left out: 16 GPUs, a library that frees memory, more than any GPU has.
  const odd = changesFromLog(readLog(logs[1]), vramfit);
  assert.deepEqual([odd.count, odd.measured_other_gib, odd.measured_activations_gib, odd.vllm_version, odd.enforce_eager, odd.kv], [undefined, undefined, undefined, '0.6', 'yes', 'fp8']);
  const llama = changesFromLog(readLog(logs[3]), vramfit);
  assert.deepEqual([llama.engine, llama.weights, llama.kv, llama.context, llama.n_gpu_layers, llama.n_parallel, llama.kv_unified, llama.flash_attn], ['llama.cpp', 'q4_k_m', 'q8_0', '4096', '20', '2', 'no', 'on']);
});

test('eras of vLLM and llama.cpp from what they call themselves', () => {
  const era = (log) => changesFromLog(readLog(log), vramfit);
  for (const [version, wanted] of [['0.5.4', '0.6'], ['0.6.6.post1', '0.6'], ['0.7.3', 'v0'], ['0.8.5', 'v1'], ['0.9.1', 'v1'], ['0.9.2', '0.8'], ['0.11.0', '0.8'], ['0.16.1', '0.8'], ['0.17.0', '0.17'], ['0.20.2', '0.17'], ['0.21.0', '0.21'], ['0.26.1rc1.dev608', '0.21'], ['1.2.0', '0.21']]) {
    assert.equal(era(`INFO vLLM API server version ${version}\nINFO Model loading took 5.0 GiB`).vllm_version, wanted, version);
  }
  assert.equal(era("INFO Initializing a V0 LLM engine (v0.8.5) with config: model='m'\nINFO Model loading took 5.0 GiB").vllm_version, 'v0');
  assert.equal(era("INFO Initializing a V1 LLM engine (v0.1.dev20073+g8e685d198) with config: model='m'\nINFO Model loading took 5.0 GiB").vllm_version, undefined);
  for (const [build, wanted] of [['b484', undefined], ['b3500', '2024'], ['b6182', '2025-05'], ['b8586', '2025-05'], ['b9849', '2026-05'], ['b11258', '2026-05']]) {
    assert.equal(era(`build: ${build.slice(1)} (abcdef01) with cc\nload_tensors:        CUDA0 model buffer size =  4403.49 MiB`).llama_cpp_build, wanted, build);
  }
});

test('cards by the names that drivers give them', () => {
  for (const [name, total, id] of [['NVIDIA GeForce RTX 4090', 24564, 'rtx-4090'], ['NVIDIA H100 80GB HBM3', 81559, 'h100-sxm'], ['Tesla T4', 15360, 't4'], ['NVIDIA L40S', 46068, 'l40s'], ['NVIDIA A40', 46068, 'a40'], ['NVIDIA H200', 143771, 'h200'], ['NVIDIA A100-SXM4-80GB', 81920, null], ['Some Other Card', 8192, null]]) {
    const read = readLog(lines('NVIDIA-SMI 580.95.05', `|   0  ${name.padEnd(30)}On  |   00000000:1B:00.0 Off |  0 |`, `| N/A   34C    P0   70W / 700W |   100MiB / ${total}MiB |      0%      Default |`));
    const { gpu } = changesFromLog(read, vramfit);
    if (id) assert.equal(gpu, id, name);
    else if (gpu) assert.match(gpu, /a100/, name);
  }
});

test('the module without engines is grown when a log is there, and the worksheet stands in where it cannot be', async () => {
  let asked = 0;
  const growing = await small(async () => { asked += 1; return { wasmBinary: bytesOf('vramfit-full.wasm') }; });
  const result = growing.estimate('model=llama-3.1-8b&weights=bf16');
  assert.ok(!(result.methods.engine?.compartments.length > 0));
  const grown = await resultForLog(result, growing);
  assert.equal(asked, 1);
  assert.equal(compareLog(readLog(vllm()), grown, growing).method, 'engine');
  const never = await small(async () => { throw new Error('offline'); });
  const kept = await resultForLog(never.estimate('model=llama-3.1-8b&weights=bf16'), never);
  const compared = compareLog(readLog(vllm()), kept, never);
  assert.equal(compared.method, 'worksheet');
  assert.ok(row(compared, 'weights').predicted.likely > 0);
  assert.deepEqual([row(compared, 'pool').predicted, row(compared, 'pool').inside], [null, null]);
  assert.ok(compared.mismatches.every((m) => ['context', 'gpu_total'].includes(m.key)), JSON.stringify(compared.mismatches));
});

for (const lang of ['en', 'es', 'pt-BR']) {
  test(`${lang}: everything about a log has its words`, () => {
    const text = createText(readLocales(lang), lang, { strict: true });
    for (const [log, share] of [[vllm(), ours], [vllm(), 'model=qwen3-8b&method=engine'], [vllm((line) => line.replaceAll('Llama', 'Lama')), ours], ['x', ours], ['build: 6182 (1fe00296) with cc\nout of memory', ours],
      [lines('NVIDIA-SMI 580.95.05', '| N/A   34C    P0   70W / 700W |   100MiB / 24564MiB |      0%      Default |'), ours],
      ['INFO Model loading took 5.0 GiB\n(Worker_TP0 pid=1) INFO Model loading took 5.1 GiB\nINFO vLLM API server version 0.15.0\nValueError: No available memory for the cache blocks.\nINFO vLLM API server version 0.15.0', ours]]) {
      const read = readLog(log);
      const result = vramfit.estimate(share);
      const settings = [...logSettings(read, vramfit), ...logMeasures(read, vramfit)];
      const view = explainLog({ read, compared: read.engine ? compareLog(read, result, vramfit) : null, settings }, result, vramfit.catalog(), text);
      const said = JSON.stringify([view.sentence, view.notes, view.problems.map((p) => p.text), view.mismatches.map((m) => m.text), view.rows.map((r) => [r.label, String(r.predicted), r.range, String(r.measured), String(r.difference), r.percent, r.verdict]), view.settings.map((s) => [s.label, s.value])]);
      assert.doesNotMatch(said, /undefined|NaN|\[object|\{\w+\}|measured_|_gib/);
    }
  });
}

// --- the terminal -------------------------------------------------------------------------------------------------------

const estimate = (args, input = '') => spawnSync(process.execPath, [join(root, 'web', 'cli', 'estimate.mjs'), '--dist', dist, ...args], { encoding: 'utf8', input });

test('--log holds a file or standard input against the answer', () => {
  const work = mkdtempSync(join(tmpdir(), 'vramfit-log-'));
  try {
    const file = join(work, 'server.log');
    writeFileSync(file, vllm());
    const { status, stdout, stderr } = estimate(['--log', file, ours]);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /^From your log\n {2}vLLM 0\.19\.0: 8 figures compared, \d within the predicted range\.$/m);
    assert.match(stdout, /^ {2}Weights +\S+ GiB +\S+ GiB +\S+ GiB +14\.99 GiB +\S+ \S+ +inside/m);
    assert.match(stdout, /^ {2}Go on from these values:\s+\S*measured_weights_gib=14\.99/m);
    assert.deepEqual(stdout.split('\n').filter((line) => [...line].length > 100 && !line.includes('model=')), []);
    assert.equal(estimate(['--log=-', ours], vllm()).stdout, stdout);
    for (const lang of ['es', 'pt']) assert.match(estimate(['--lang', lang, '--log', file, 'model=qwen3-8b']).stdout, lang === 'es' ? /^De tu log\n/m : /^Do seu log\n/m);
  } finally {
    rmSync(work, { recursive: true });
  }
});

test('--log with --json is under `log`', () => {
  const { log } = JSON.parse(estimate(['--json', '--log', '-', ours], vllm()).stdout);
  assert.deepEqual([log.engine, log.version, log.method, log.same_engine, log.rows.length, log.mismatches], ['vllm', '0.19.0', 'engine', true, 8, []]);
  assert.equal(log.figures.find((f) => f.id === 'weights').bytes, Math.round(14.99 * 2 ** 30));
  assert.equal(vramfit.estimate(log.share).refused, false);
  assert.deepEqual(JSON.parse(estimate(['--json', '--log', '-', ours], 'nothing').stdout).log.engine, null);
});

for (const [what, args, message] of [['no such file', ['--log', '/nonexistent/a.log'], /\/nonexistent\/a\.log/], ['a format that it does not go with', ['--log', '-', '--format', 'csv'], /--log/], ['no value', ['--log'], /--log/]]) {
  test(`--log: exit 64 for ${what}`, () => {
    const { status, stdout, stderr } = estimate(args);
    assert.deepEqual([status, stdout], [64, '']);
    assert.match(stderr, message);
  });
}
