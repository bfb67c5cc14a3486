// Reading a model's files by the module that ships: what is read of them, what comes out, and what others make of the same files.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

import { gguf as parseGguf } from '@huggingface/gguf';
import { parseSafetensorsMetadata } from '@huggingface/hub';

import { fileFrom, fileFromText, importModel as read } from '../../web/import/import_model.mjs';
import { fileFromPath } from '../../web/import/node_file.mjs';
import { config, gguf, parameters, safetensors, sharded, whole } from '../browser/model_files.mjs';
import { assets, dist, randomSource, root, shippedCalculator } from './support.mjs';

const { default: moduleFactory } = await import(pathToFileURL(join(assets, 'vramfit-core.mjs')));
const wasmBinary = readFileSync(join(assets, 'vramfit-import.wasm'));
const vramfit = await shippedCalculator();
const importModel = (files, options = {}) => read(files, { moduleFactory, wasmBinary, ...options });

const folder = mkdtempSync(join(tmpdir(), 'vramfit-import-'));
after(() => rmSync(folder, { recursive: true }));

// As large as it says, with nothing behind its header: what is asked for beyond that is a fault.
const claimed = (name, { head, size }, asked = []) => ({
  name, size,
  read: async (start, end) => {
    asked.push([start, end]);
    assert.ok(end <= size);
    return new Uint8Array(Buffer.concat([head.subarray(start, end), Buffer.alloc(Math.max(0, end - Math.max(start, head.length)))]));
  },
});
const configFile = (change = {}) => fileFromText('config.json', JSON.stringify({ ...config, ...change }));
const filesOf = (parts) => Object.entries(parts).map(([name, part]) => fileFrom(new Blob([whole(part)]), name));
const ids = ({ remarks }) => remarks.map(({ id }) => id);

test('a configuration alone is a model that the calculator answers for', async () => {
  const imported = await importModel([configFile()]);
  assert.deepEqual(ids(imported), []);
  assert.ok(imported.ok);
  assert.equal(imported.origin, 'config');
  assert.equal(imported.parameters.total, parameters);
  assert.deepEqual(imported.layers.map(({ mixer, count, layers }) => [mixer, count, layers]), [['full', 2, '0-1']]);
  assert.equal(imported.layers[0].kv_bytes_per_token, 2 * 2 * 16 * 2);
  const result = vramfit.estimate(`${imported.share}&context=1024`);
  assert.ok(!result.refused, JSON.stringify(result.notices));
  assert.deepEqual(result.notices, []);
  assert.deepEqual(vramfit.estimate(`${imported.share}&context=4096`).notices.map(({ id, used }) => [id, used]), [['context-beyond-model', 2048]]);
});

test('with headers the weights are exact to the byte', async () => {
  for (const parts of [{ 'config.json': Buffer.from(JSON.stringify(config)), 'model.safetensors': safetensors() }, sharded(3)]) {
    const files = filesOf(parts);
    const imported = await importModel(files);
    assert.deepEqual(ids(imported), []);
    assert.equal(imported.tensor_bytes, 2 * parameters);
    assert.equal(imported.explained_bytes, 2 * parameters);
    const backwards = await importModel(files.reverse());
    assert.deepEqual({ ...backwards, remarks: [] }, { ...imported, remarks: [] });
    const result = vramfit.estimate(`${imported.share}&method=worksheet`);
    assert.ok(!result.refused, JSON.stringify(result.notices));
    assert.ok(JSON.stringify(result).includes(String(2 * parameters)), 'the weights are among the figures');
  }
});

test('a GGUF file is a model by itself', async () => {
  const imported = await importModel([fileFrom(new Blob([whole(gguf())]), 'tiny-q8_0.gguf')]);
  assert.deepEqual(ids(imported), []);
  assert.ok(imported.ok);
  assert.equal(imported.origin, 'gguf');
  assert.equal(imported.name, 'Tiny');
  assert.match(imported.formats, /^gguf;q8_0/);
  assert.ok(!vramfit.estimate(imported.share).refused);
});

test('only the beginning is read, in pieces, with progress', async () => {
  const asked = [];
  const told = [];
  const big = gguf({ vocabulary: 300000 });
  const imported = await importModel([claimed('big.gguf', { head: big.head, size: 40e9 }, asked)], { onProgress: (p) => told.push(p) });
  assert.equal(ids(imported).filter((id) => id !== 'import-gguf-unknown-tensors').length, 0, ids(imported).join());
  const bytes = asked.reduce((sum, [start, end]) => sum + end - start, 0);
  assert.ok(bytes < 4 * big.head.length, `${bytes} of a header of ${big.head.length}`);
  for (const [start, end] of asked) assert.ok(end - start <= 4 * 1024 * 1024);
  assert.ok(told.length > 2);
  assert.deepEqual(Object.keys(told[0]), ['file', 'index', 'count', 'read', 'needed']);
  assert.equal(told.at(-1).read, told.at(-1).needed);

  const shard = safetensors();
  const one = [];
  await importModel([configFile(), claimed('model.safetensors', shard, one)]);
  assert.deepEqual(one, [[0, 131072]], 'one request holds the header');
});

test('reading can be ended, and a file that is not there any more is named', async () => {
  const stop = new AbortController();
  const slow = { name: 'a.gguf', size: 1e9, read: async () => { stop.abort(new Error('enough')); return new Uint8Array(131072); } };
  await assert.rejects(importModel([slow], { signal: stop.signal }), /enough/);
  await assert.rejects(importModel([configFile()], { signal: stop.signal }), /enough/);
  await assert.rejects(importModel([{ name: 'short.json', size: 100, read: async () => new Uint8Array(10) }]), { message: 'import-short-read', file: 'short.json' });
  await assert.rejects(importModel([{ name: 'gone.json', size: 100, read: async () => { throw new Error('gone'); } }]), /gone/);
  assert.ok((await importModel([configFile()])).ok, 'and the next is read');
});

test('two at once do not mix', async () => {
  const [a, b] = await Promise.all([importModel([configFile()]), importModel([configFile({ num_hidden_layers: 5 })])]);
  assert.equal(a.layers[0].count, 2);
  assert.equal(b.layers[0].count, 5);
});

test('names go into the link as they are', async () => {
  const imported = await importModel([fileFrom(new Blob([whole(gguf({ name: 'Ünlü & Söhne=1%' }))]), 'x.gguf')]);
  assert.equal(new URLSearchParams(imported.share).get('name'), 'Ünlü & Söhne=1%');
  assert.equal(vramfit.estimate(imported.share).model.name, 'Ünlü & Söhne=1%');
});

test('a header length of 2^63 and files of nothing are refused by name', async () => {
  const huge = Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 0, 128]), Buffer.from('{}')]);
  assert.deepEqual(ids(await importModel([fileFrom(new Blob([huge]), 'x.safetensors')])).slice(0, 1), ['import-header-length']);
  assert.deepEqual(ids(await importModel([fileFrom(new Blob([]), 'x.safetensors')])), ['import-empty-file']);
  assert.deepEqual(ids(await importModel([fileFromText('config.json', 'not json')])), ['import-unknown-file']);
  assert.deepEqual(ids(await importModel([])), ['import-no-model']);
});

// --- what others read in the same files ---------------------------------------------------------------------------------

// Answers requests for ranges of `parts`, as the hub does.
function hubOf(parts) {
  return async (url, { headers, method } = {}) => {
    const name = String(url).split('/').at(-1).split('?')[0];
    if (!Object.hasOwn(parts, name)) return new Response('{"error":"Entry not found"}', { status: 404, headers: { 'x-error-code': 'EntryNotFound' } });
    const bytes = parts[name];
    const asked = new Headers(headers).get('range')?.match(/bytes=(\d+)-(\d+)/);
    const [from, to] = asked ? [Number(asked[1]), Math.min(bytes.length - 1, Number(asked[2]))] : [0, bytes.length - 1];
    const answer = { etag: '"x"', 'accept-ranges': 'bytes', 'content-length': String(to + 1 - from), ...(asked && { 'content-range': `bytes ${from}-${to}/${bytes.length}` }) };
    return new Response(method === 'HEAD' ? null : bytes.subarray(from, to + 1), { status: asked ? 206 : 200, headers: answer });
  };
}

test('@huggingface/hub finds the same types and parameters in generated headers', async () => {
  const random = randomSource(6);
  const bits = { BF16: 16, F32: 32, F16: 16, F8_E4M3: 8, F64: 64, I8: 8 };
  for (let round = 0; round < 20; round += 1) {
    const header = {};
    let offset = 0;
    for (let i = random.below(40); i >= 0; i -= 1) {
      const dtype = random.pick(Object.keys(bits));
      const shape = Array.from({ length: 1 + random.below(3) }, () => 1 + random.below(97));
      const bytes = shape.reduce((a, b) => a * b, 1) * bits[dtype] / 8;
      header[`model.layers.${i}.mlp.${random.pick(['up_proj', 'novel'])}.weight`] = { dtype, shape, data_offsets: [offset, offset + bytes] };
      offset += bytes;
    }
    const text = Buffer.from(JSON.stringify(header));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(text.length));
    const bytes = Buffer.concat([length, text, Buffer.alloc(offset)]);
    const theirs = await parseSafetensorsMetadata({ repo: 'a/b', path: 'model.safetensors', computeParametersCount: true, fetch: hubOf({ 'model.safetensors': bytes }) });
    const ours = await importModel([fileFrom(new Blob([bytes]), 'model.safetensors')]);
    assert.deepEqual(Object.fromEntries(ours.dtypes.map(({ id, params }) => [id, params])), theirs.parameterCount);
    assert.equal(ours.tensor_bytes, offset);
  }
});

test('@huggingface/gguf finds the same in a GGUF header', async () => {
  for (const options of [{}, { type: 'F16' }, { version: 2 }, { vocabulary: 3000 }]) {
    const bytes = whole(gguf(options));
    const theirs = await parseGguf('http://localhost/a.gguf', { fetch: hubOf({ 'a.gguf': bytes }), computeParametersCount: true });
    const ours = await importModel([fileFrom(new Blob([bytes]), 'a.gguf')]);
    assert.ok(ours.ok, ids(ours).join());
    assert.equal(ours.dtypes.reduce((sum, { params }) => sum + params, 0), theirs.parameterCount);
    assert.equal(ours.max_position_embeddings, theirs.metadata['llama.context_length']);
  }
});

// --- the terminal -------------------------------------------------------------------------------------------------------

function estimate(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'web', 'cli', 'estimate.mjs'), '--dist', dist, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}
const paths = Object.entries(sharded(2)).map(([name, part]) => {
  writeFileSync(join(folder, name), whole(part));
  return join(folder, name);
});

test('the terminal answers for files and says what it understood, in three languages', () => {
  for (const [lang, understood] of [['en', 'What was understood'], ['es', null], ['pt-BR', null]]) {
    const { status, stdout, stderr } = estimate('--lang', lang, '--model-file', ...paths, 'gpus=h200,l40s');
    assert.equal(status, 0, stderr);
    if (understood) assert.ok(stdout.includes(understood), stdout);
    assert.match(stdout, /shape=hidden64/);
    assert.match(stdout, /BF16/);
  }
  const { status, stdout } = estimate('--json', '--model-file', folder, 'context=1024&weights=fp8');
  assert.equal(status, 0);
  const answer = JSON.parse(stdout);
  assert.equal(answer.imported.tensor_bytes, 2 * parameters);
  assert.equal(answer.inputs.weights, 'fp8', 'what is asked beside the files wins');
  assert.deepEqual(answer.notices.filter(({ id }) => id === 'duplicate-key'), []);
});

test('the terminal refuses what is not understood, with the reason', () => {
  writeFileSync(join(folder, 'odd.json'), JSON.stringify({ model_type: 'never-heard-of' }));
  const { status, stdout, stderr } = estimate('--model-file', join(folder, 'odd.json'));
  assert.equal(status, 2);
  assert.equal(stdout, '');
  assert.match(stderr, /never-heard-of/);
  assert.equal(JSON.parse(estimate('--json', '--model-file', join(folder, 'odd.json')).stdout).imported.ok, false);
  assert.equal(estimate('--model-file', join(folder, 'not-there')).status, 64);
  assert.equal(estimate('--model-file').status, 64);
});

test('a file by its path is read where it is asked', async () => {
  const file = await fileFromPath(paths[0]);
  assert.equal(file.name, 'config.json');
  assert.deepEqual(await file.read(1, 9), new Uint8Array(readFileSync(paths[0]).subarray(1, 9)));
  await assert.rejects(fileFromPath(join(folder, 'not-there')), { code: 'ENOENT' });
});

test('the module is one of its own', (t) => {
  const bytes = gzipSync(wasmBinary, { level: 9 }).length;
  t.diagnostic(`${bytes} bytes compressed`);
  assert.ok(bytes < 140000, `${bytes} bytes`);
});

test('the types that IMPORT.md lists are those that are read', async () => {
  const part = readFileSync(join(root, 'web', 'IMPORT.md'), 'utf8').split('\n## ').find((text) => text.startsWith('config.json'));
  const listed = part.split('\n').filter((line) => line.includes('`, `')).flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, type]) => type));
  assert.ok(listed.length > 150);
  for (const type of listed) {
    const { remarks } = await importModel([fileFromText('config.json', JSON.stringify({ model_type: type }))]);
    assert.ok(!remarks.some(({ id }) => id === 'import-unknown-type'), type);
  }
  const sources = ['dense', 'hybrid', 'mixture', 'other'].map((name) => readFileSync(join(root, 'core', 'src', 'import', `config_${name}.cpp`), 'utf8')).join();
  const rows = [...sources.matchAll(/\.type = "([^"]+)"|\{"([^"]+)", "[^"]*", "[^"]+", \w+/g)].map(([, type, wrapping]) => type ?? wrapping);
  assert.deepEqual(rows.filter((type) => type !== 'params' && !listed.includes(type)), [], 'params: params.json, which has no model_type');
});
