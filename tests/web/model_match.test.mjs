// Free-form names to catalogue entries: right where it is certain, none where it is not. A wrong match is worse than none.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { GpuMatch } from '../../web/cli/accuracy/gpu_match.mjs';
import { ModelMatch, stated_size } from '../../web/cli/accuracy/model_match.mjs';
import { Product } from '../../web/cli/accuracy/product.mjs';
import { row_kind } from '../../web/cli/accuracy/row_kind.mjs';
import { same_shape } from '../../web/cli/accuracy/same_shape.mjs';
import { bytes_of, count_of, params_of, rounding_of } from '../../web/cli/accuracy/values.mjs';
import { assets, shippedCalculator } from './support.mjs';

const product = new Product(await shippedCalculator());
const { models: rows } = JSON.parse(readFileSync(join(assets, 'sources.json'), 'utf8'));
const models = new ModelMatch(product.catalog.models, Object.fromEntries(Object.entries(rows).map(([id, m]) => [id, m.hf_id])));
const gpus = new GpuMatch(product);

const match = (name) => models.find(name)?.model.id ?? null;

test('every catalogue model is found by its id, its name and its hub id', () => {
  for (const m of product.catalog.models) {
    for (const name of [m.id, m.name, rows[m.id]?.hf_id].filter(Boolean)) assert.equal(match(name), m.id, name);
  }
});

for (const [name, id] of [
  ['meta-llama/Llama-3.1-8B-Instruct', 'llama-3.1-8b'],
  ['Meta-Llama-3.1-70B-Instruct-FP8', 'llama-3.1-70b'],
  ['RedHatAI/Meta-Llama-3.1-70B-Instruct-quantized.w4a16', 'llama-3.1-70b'],
  ['llama-3.1-70b-instruct.Q4_K_M.gguf', 'llama-3.1-70b'],
  ['Llama-2-7b', 'llama-2-7b'],
  ['Qwen/Qwen2.5-32B-Instruct-AWQ', 'qwen2.5-32b'],
  ['Qwen2_5-32B-Instruct', 'qwen2.5-32b'],
  ['Qwen/Qwen3-30B-A3B-Instruct-2507', 'qwen3-30b-a3b'],
  ['deepseek-ai/DeepSeek-V3', 'deepseek-v3'],
  ['DeepSeek-V3 671B', 'deepseek-v3'],
  ['DeepSeek-V3-0324', 'deepseek-v3'],
  ['unsloth/gpt-oss-20b-GGUF', 'gpt-oss-20b'],
  ['openai/gpt-oss-120b', 'gpt-oss-120b'],
  ['Mixtral-8x7B-Instruct-v0.1', 'mixtral-8x7b'],
  ['Llama-3.1-8B-it', 'llama-3.1-8b'],
  ['someone/Qwen2.5-7B-Chat-bnb-4bit', 'qwen2.5-7b'],
]) {
  test(`found: ${name}`, () => assert.equal(match(name), id));
}

test('a stand-in says what it stands in for', () => {
  const found = models.find('codellama/CodeLlama-7b-hf');
  assert.equal(found.model.id, 'llama-2-7b');
  assert.match(found.why, /vocabulary/);
  assert.equal(models.find('Llama-3.1-8B').why, null);
});

test('every stand-in is a catalogue model, and none is a name of the catalogue itself', () => {
  const ids = new Set(product.catalog.models.map((m) => m.id));
  assert.deepEqual(same_shape.filter(([, id, why]) => !ids.has(id) || !why), []);
  assert.equal(new Set(same_shape.map(([words]) => words)).size, same_shape.length);
});

for (const name of [
  'Llama-3.1-9B', 'Llama-3.5-70B', 'Llama 3.1', 'llama', 'Qwen2.5-33B', 'Qwen4-32B', 'Qwen2.5-VL', 'Qwen3-30B', 'Mixtral-8x8B', 'Mistral-8B-v9', 'deepseek', 'DeepSeek-V3 (14B)', 'DeepSeek-V3 500B', 'gpt-oss-21b', 'gpt-4', 'microsoft/phi-1_6',
  'my-own-llama-merge-70b', 'Llama-3.1-70B-Vision', '70B', 'a 7B model', '', '   ', '(name not visible)', 'LlamaForCausalLM 8B-class (name not visible)', 'Qwen3-Coder-Next (14B)',
]) {
  test(`not matched: "${name}"`, () => assert.equal(match(name), null));
}

test('no text, no match', () => {
  for (const nothing of [null, undefined, 7, {}, []]) assert.equal(models.find(nothing), null);
});

test('sizes that names state', () => {
  for (const [name, size] of [['DBRX (132B)', 132e9], ['ERNIE-4.5-300B-A47B', 300e9], ['bloomz-7b1', 7.1e9], ['dense 7B (class)', 7e9], ['Mixtral-8x7B', null], ['Llama-4-Scout-17B-16E', null], ['a model', null], ['13B or 7B', null], [null, null]]) assert.equal(stated_size(name), size, name);
});

test('GPUs: the memory that a name states must be the card\'s', () => {
  const found = (text) => gpus.find(text).gpus?.map((g) => g.id) ?? null;
  for (const [text, ids] of [
    ['NVIDIA H100 80GB HBM3', ['h100-sxm']], ['A100 40GB', ['a100-40gb-sxm']], ['A10G (23028 MiB)', ['a10g']], ['H20 96GB', ['h20-96gb']],
    ['NVIDIA GeForce RTX 3090', ['rtx-3090']], ['2 x L40S', ['l40s']], ['H200 or B200', ['h200', 'b200']], ['A800 80GB', ['a100-80gb-sxm']], ['24 GB GPU', ['a10', 'a30']], ['A100', ['a100-40gb-sxm', 'a100-80gb-sxm']],
    ['Jetson Orin NX 16GB', ['jetson-agx-orin-32gb']], ['Apple silicon 32 GB', ['apple-m1-pro-32gb']],
    ['H100 40GB', null], ['RTX 4090 48GB', null], ['H100 MIG 40GB', null], ['TPU v5e', null], ['A100 + H100', null], ['Voodoo 2', null], ['', null],
  ]) assert.deepEqual(found(text), ids, text);
  assert.match(gpus.find('24 GB GPU').assumed, /a10 to a30$/, 'says what it took');
  assert.equal(gpus.find('24 GB GPU').some_card, true);
  assert.equal(gpus.find('RTX 3090').some_card, undefined);
  assert.ok(gpus.find('Jetson Orin NX 16GB').knobs.measured_total_gib < 16);
});

test('kinds of rows', () => {
  assert.equal(row_kind({ measured: {}, source: '' }), 'speed');
  assert.equal(row_kind({ polarity: 'positive', model: '' }), 'fit');
  assert.equal(row_kind({ measured_peak: 1 }), 'training');
  assert.equal(row_kind({ kv_mib: null }), 'gguf');
  assert.equal(row_kind({ kv_tokens: 1 }), 'serving');
  assert.equal(row_kind({ id: 'x', model: 'y' }), null);
  assert.equal(row_kind({ oom: true, polarity: 'negative', firmness: 'tested' }), 'fit', 'the kind with most marks');
});

test('figures as sources print them', () => {
  assert.deepEqual(['8.25 B', '235.094B', '500M', '1,5 B', 'none', null].map(params_of), [8.25e9, 235.094e9, 500e6, 1.5e9, null, null]);
  assert.deepEqual(['4.58 GiB', '6405 MiB', '495 MB', '84,604 GiB', '7'].map(bytes_of), [4.58 * 2 ** 30, 6405 * 2 ** 20, 495e6, 84.604 * 2 ** 30, null]);
  assert.deepEqual([4, '<=8', '4', 0, -1, 1.5, 'x', null].map(count_of), [4, 8, 4, null, null, null, null, null]);
  assert.ok(Math.abs(rounding_of(12.56) - 0.005 / 12.56) < 1e-15);
  assert.equal(rounding_of(null), 0);
});
