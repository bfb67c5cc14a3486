// Published statements as the engine method's inputs, and how its answers are scored.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { class_of_message, known_reason, named_causes, same_class, score } from '../../web/cli/accuracy/causes.mjs';
import { engine_inputs, stated_total, stated_weights } from '../../web/cli/accuracy/engine_inputs.mjs';
import { engine_match } from '../../web/cli/accuracy/engine_match.mjs';
import { judge } from '../../web/cli/accuracy/fitting.mjs';
import { Records } from '../../web/cli/accuracy/records.mjs';

const plain = (inputs) => JSON.parse(JSON.stringify(inputs));

test('engines by their names; those with rules of their own are no engine of the product', () => {
  for (const [text, id] of [
    ['vLLM', 'vllm'],
    ['vLLM (ROCm)', 'vllm'],
    ['vLLM/SGLang', 'vllm'],
    ['NIM (vLLM)', 'vllm'],
    ['SGLang', 'sglang'],
    ['SGLang/vLLM', 'sglang'],
    ['TensorRT-LLM', 'tensorrt-llm'],
    ['llama.cpp (Metal)', 'llama.cpp'],
    ['llama.cpp / LM Studio', 'lm-studio'],
    ['ik_llama.cpp', 'llama.cpp'],
    ['Ollama', 'ollama'],
    ['litgpt', 'transformers'],
    ['transformers', 'transformers'],
    [null, 'auto'],
  ])
    assert.equal(engine_match(text).id, id, text);
  for (const text of ['KTransformers', 'SGLang + KTransformers', 'vLLM (TPU)', 'vLLM Ascend', 'LMDeploy', 'TGI', 'Frobnicator'])
    assert.match(engine_match(text).reason, /^engine not modelled: /, text);
});

test("a row's settings under the engine's own names", () => {
  const vllm = engine_inputs({
    engine: 'vLLM',
    engine_version: '0.26.1rc1.dev608',
    tp: 4,
    pp: 2,
    max_num_seqs: 8,
    flags: '--gpu-memory-utilization 0.91 --max-num-batched-tokens 1024, --enforce-eager, --cpu-offload-gb 2.5',
    precision: 'FP8',
  });
  assert.deepEqual(plain(vllm.inputs), {
    engine: 'vllm',
    vllm_version: '0.21',
    gpu_memory_utilization: 0.91,
    max_num_seqs: 8,
    max_num_batched_tokens: 1024,
    enforce_eager: 'yes',
    cpu_offload_gb: 2.5,
    pipeline_parallel: 2,
  });
  assert.equal(vllm.count, 8);
  assert.equal(engine_inputs({ engine: 'vLLM', flags: 'CUDA graphs on (default); --gpu-memory-utilization 0.80 and 0.93 tried' }).inputs.gpu_memory_utilization, 0.93);
  assert.equal(engine_inputs({ engine: 'vLLM', flags: 'default utilization 0.92' }).inputs.gpu_memory_utilization, 0.92);
  const sglang = engine_inputs({ engine: 'SGLang', tp: 8, flags: '--mem-fraction-static 0.8 --enable-dp-attention', max_num_seqs: 64 }).inputs;
  assert.deepEqual(plain(sglang), { engine: 'sglang', mem_fraction_static: 0.8, max_running_requests: 64, attention_dp: 'yes' });
  const llama = engine_inputs({ engine: 'llama.cpp', flags: '-ngl 99, MTP draft n=2', precision: 'GGUF Q6_K' }).inputs;
  assert.deepEqual(plain(llama), { engine: 'llama.cpp', n_gpu_layers: 99, speculative: 'mtp', num_speculative_tokens: 2 });
  assert.equal(engine_inputs({ engine: 'TensorRT-LLM', max_num_seqs: 2048 }).inputs.max_batch_size, 2048);
  assert.equal(engine_inputs({ engine: 'vLLM', precision: 'online FP8' }).inputs.quantize_at_load, 'yes');
  assert.equal(engine_inputs({ precision: 'GGUF Q4_K_M' }).inputs.engine, 'llama.cpp');
});

test('GPUs and how they are shared out', () => {
  const size = (row) => {
    const { tp, pp, dp, count } = engine_inputs({ engine: 'vLLM', ...row });
    return [tp, pp, dp, count];
  };
  assert.deepEqual(size({ gpu_count: 4 }), [4, 1, 1, 4]);
  assert.deepEqual(size({ gpu_count: 4, tp: 4 }), [4, 1, 1, 4]);
  assert.deepEqual(size({ gpu_count: 8, tp: 4, pp: 2 }), [4, 2, 1, 8]);
  assert.deepEqual(size({ gpu_count: 8, dp: 8, ep: 8 }), [1, 1, 8, 8]);
  // Tensor parallelism left at its default of one: whoever has the GPUs asks about all of them.
  assert.deepEqual(size({ gpu_count: 8, tp: 1 }), [8, 1, 1, 8]);
  assert.equal(size({})[3], null);
});

test('a statement without a release, or about one and all later ones, may be about several', () => {
  const versions = (row) => {
    const { inputs, others } = engine_inputs({ engine: 'vLLM', ...row });
    return [inputs.vllm_version, ...others.map((o) => o.vllm_version)];
  };
  assert.deepEqual(versions({ engine_version: '0.11.2', date: '2026-09-01' }), ['0.8']);
  // The oldest release that a table of supported sizes allows: it was tested on that one or on any behind it.
  assert.deepEqual(versions({ engine_version: '>=0.17.1' }), ['0.17', '0.21']);
  assert.deepEqual(versions({ engine_version: '>=0.8.4' }), ['v1', '0.8', '0.17', '0.21']);
  assert.deepEqual(versions({ engine_version: '>=0.21 (2026-05)' }), ['0.21']);
  assert.deepEqual(versions({ date: '2026-04-27' }), ['0.8', '0.17']);
  assert.deepEqual(versions({ date: '2026-09-27' }), ['0.21']);
  assert.deepEqual(versions({}), [undefined, '0.17', '0.8']);
});

test('sizes that a row states', () => {
  assert.equal(stated_total('24 GB GPU (21.99 GiB usable)'), 21.99);
  assert.equal(stated_total('Ryzen AI Max+ 395 (128 GB, 124 GiB for the GPU)'), 124);
  assert.equal(stated_total('Apple silicon (49,152 MB working set)'), 48);
  assert.equal(stated_total('RTX 3090 24GB'), null);
  assert.equal(stated_weights('NVFP4 (24.6 GiB)'), 24.6);
  assert.equal(Math.round(stated_weights('FP8 (~134 GB)')), 125);
  assert.equal(stated_weights('MXFP4 (149.03 GiB load)'), 149.03);
  assert.equal(stated_weights('BF16 (427B)'), null);
});

test('classes of reasons: the line of the published table', () => {
  assert.ok(same_class('heads_divisibility', ['kv-heads']));
  assert.ok(same_class('kv_single_request', ['graphs', 'one-request']));
  assert.ok(!same_class('kv_single_request', ['weights']));
  assert.ok(!same_class('default_tp1', ['window-flag']));
  assert.ok(!known_reason('engine_quirk'));
  assert.equal(class_of_message('max seq len 131072 larger than tokens storable in KV cache (81536)'), 'kv_single_request');
  assert.equal(class_of_message('OOM during CUDA graph capture (784 MiB wanted)'), 'cuda_graphs');
  assert.equal(class_of_message('something else'), null);
});

test('three questions: possible, warned, cause', () => {
  const none = { cause: null, warnings: [] };
  assert.deepEqual(score('fits', 'tight', none, null, false), { not_impossible: true, not_silent: null, same_class: null });
  assert.equal(score('fits', 'does-not-fit', none, null, false).not_impossible, false);
  assert.equal(score('fits', 'heads', none, null, false).not_impossible, false);
  const refused = (got, named, stated = true) => score('does-not-fit', got, named, 'default_tp1', stated);
  assert.deepEqual(refused('fits', none), { not_impossible: null, not_silent: false, same_class: false });
  // A warning beside "fits" must be about the reason.
  assert.equal(refused('fits', { cause: null, warnings: ['window-flag'] }).not_silent, false);
  assert.deepEqual(refused('fits', { cause: null, warnings: ['tensor-parallel-flag'] }), { not_impossible: null, not_silent: true, same_class: true });
  assert.deepEqual(refused('tight', { cause: 'graphs', warnings: [] }), { not_impossible: null, not_silent: true, same_class: false });
  assert.equal(refused('fits', none, false).same_class, null);
});

test('what an answer names: the cause of the count asked for and warnings of refusals, nothing else', () => {
  const answer = {
    fit: [{ gpu: 'l4', causes: ['weights', 'graphs', '', '', '', '', '', ''] }],
    notices: [
      { id: 'window-flag', severity: 'warning' },
      { id: 'field-not-used', severity: 'warning' },
      { id: 'tensor-parallel-flag', severity: 'info' },
    ],
  };
  assert.deepEqual(named_causes(answer, 'l4', 2), { cause: 'graphs', warnings: ['window-flag'] });
  assert.deepEqual(named_causes(answer, 'l4', 3), { cause: null, warnings: ['window-flag'] });
});

// A product that answers from a table.
function asked(verdicts) {
  const shares = [];
  const product = {
    methods: ['rule', 'engine'],
    answer(inputs) {
      shares.push(inputs);
      const got = verdicts(inputs);
      return got ? { answer: { asked: '', fit: [{ gpu: inputs.gpus, verdicts: [got], causes: [''] }], notices: [] }, refusal: null } : { answer: null, refusal: 'engine-needs-model' };
    },
  };
  return { product, shares };
}
const row = () => ({ file: 'x', line: 1, id: 'r', kind: 'fit', engine: 'vllm', basis: 'catalogue', assumed: [] });
const cards = [
  { id: 'small', usable_mib: 1 },
  { id: 'large', usable_mib: 2 },
];

test('several cards named: the hardest is asked; some card of a size: the easiest', () => {
  const of = (expected, options) => {
    const { product, shares } = asked(() => 'fits');
    judge(row(), {}, cards, 1, expected, { firmness: 'tested' }, { product }, new Records(), options);
    return shares[0].gpus;
  };
  assert.equal(of('fits', {}), 'small');
  assert.equal(of('does-not-fit', {}), 'large');
  assert.equal(of('fits', { some_card: true }), 'large');
  assert.equal(of('does-not-fit', { some_card: true }), 'small');
});

test('settings that a statement may be about: it is contradicted only when all of them do', () => {
  const of = (verdicts) => {
    const { product } = asked((inputs) => (inputs.method === 'engine' ? verdicts[inputs.vllm_version] : 'fits'));
    const records = new Records();
    judge(row(), {}, cards, 1, 'fits', { firmness: 'tested' }, { product }, records, { knobs: { vllm_version: '0.17' }, others: [{ vllm_version: '0.8' }] });
    return records.verdicts.find((v) => v.method === 'engine').not_impossible;
  };
  assert.equal(of({ 0.17: 'does-not-fit', 0.8: 'fits' }), true);
  assert.equal(of({ 0.17: 'does-not-fit', 0.8: 'does-not-fit' }), false);
});

test('what the engine method cannot be asked is left out with the reason; the other methods are asked', () => {
  const { product } = asked((inputs) => (inputs.method === 'engine' ? null : 'fits'));
  const records = new Records();
  const one = row();
  judge(one, {}, cards, 1, 'fits', { firmness: 'tested' }, { product }, records);
  records.finish([one]);
  assert.deepEqual(records.verdicts.map((v) => v.method), ['rule']);
  assert.deepEqual(records.left_out.map((l) => l.reason), ['verdict of the engine method: engine-needs-model']);
});
