// What is asked of the model hub and how its answers are taken, against a stand-in that answers as the hub does.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';

import { choiceFor, choicesOf, isModelFile } from '../../web/import/choices.mjs';
import { createHub, HubFailure, waitOf } from '../../web/import/hub.mjs';
import { hub as address, hubHosts } from '../../web/import/hub_address.mjs';
import { isBranch, readReference } from '../../web/import/hub_reference.mjs';
import { startHub } from '../browser/hub_stand_in.mjs';

const gib = 2 ** 30;
const config = Buffer.from('{"model_type":"llama"}');
const head = Buffer.alloc(300000, 7);
const models = {
  'org/name': {
    main: { 'config.json': config, 'model.safetensors': { size: 40 * gib, head }, 'big é#?.json': Buffer.alloc(9000, 32), 'a.gguf': { size: 5 * gib, head } },
    'refs/pr/1': { 'config.json': Buffer.from('{}') },
  },
};
const clean = { gated: new Set(), moved: {}, limited: null, ignoresRange: false, shiftsRange: false, brokenAt: 0, page: null, list: null, withoutCors: new Set(), pageSize: 1000 };
const at = { model: 'org/name', branch: 'main' };

let stand, hub;
before(async () => {
  stand = await startHub(models);
  hub = createHub({ base: stand.origin });
});
beforeEach(() => {
  stand.asked.length = 0;
  Object.assign(stand.ways, clean);
});
after(() => stand.close());

// Of that failure, with what its message names.
const fails = (promise, id, values = {}) => assert.rejects(promise, (error) => {
  assert.ok(error instanceof HubFailure, String(error.stack));
  assert.equal(error.id, id);
  for (const [key, value] of Object.entries(values)) assert.equal(error.values[key], value, key);
  return true;
});

test('the hub has one address', () => {
  assert.equal(address, 'https://huggingface.co');
  assert.deepEqual(hubHosts, ['https://huggingface.co', 'https://*.hf.co']);
  assert.equal(createHub().listAddress({ model: 'org/na me', branch: 'refs/pr/1' }), 'https://huggingface.co/api/models/org/na%20me/tree/refs%2Fpr%2F1?recursive=true');
});

test('a model is named by its id, the address of any of its pages, or as GGUF programs write it', () => {
  const wanted = {
    'org/name': ['org/name', null, null, null],
    ' gpt2 ': ['gpt2', null, null, null],
    'https://huggingface.co/org/name-1.5_x?library=transformers#top': ['org/name-1.5_x', null, null, null],
    'https://huggingface.co/org/name/tree/main': ['org/name', 'main', null, null],
    'https://huggingface.co/org/name/tree/refs%2Fpr%2F1/sub/folder': ['org/name', 'refs/pr/1', 'sub/folder', null],
    'https://huggingface.co/org/name/blob/v2/a/b.gguf': ['org/name', 'v2', 'a/b.gguf', null],
    'https://huggingface.co/org/name/resolve/main/model.safetensors?download=true': ['org/name', 'main', 'model.safetensors', null],
    'https://huggingface.co/gpt2/tree/main': ['gpt2', 'main', null, null],
    'huggingface.co/org/name': ['org/name', null, null, null],
    'hf.co/org/name:Q4_K_M': ['org/name', null, null, 'Q4_K_M'],
    'org/name:UD-Q2_K_XL': ['org/name', null, null, 'UD-Q2_K_XL'],
    'hf://org/name': ['org/name', null, null, null],
  };
  for (const [typed, [model, branch, path, tag]] of Object.entries(wanted)) assert.deepEqual(readReference(typed), { model, branch, path, tag }, typed);
  for (const [typed, error] of Object.entries({
    '': 'empty', '  ': 'empty', 'https://example.com/org/name': 'other_host', 'https://huggingface.co.evil.example/org/name': 'other_host',
    'https://huggingface.co/datasets/org/name': 'not_a_model', 'a/b/c': 'not_a_model', '../etc': 'not_a_model', 'org/..': 'not_a_model', 'org/na me': 'not_a_model',
    'https://huggingface.co/': 'not_a_model', 'javascript:alert(1)': 'not_a_model', 'org/name:a:b': 'not_a_model', 'https://huggingface.co/org/name/tree/..%2f..': 'not_a_model',
  })) assert.deepEqual(readReference(typed), { error }, typed);
  for (const good of ['main', 'v1.0', 'refs/pr/12', 'feature/x-y']) assert.ok(isBranch(good), good);
  for (const bad of ['', 'a b', '../x', 'a..b', '/a', 'a/', 'a//b', 'x'.repeat(256), 'a?b']) assert.ok(!isBranch(bad), bad);
});

test('the list of files comes page by page, of files only', async () => {
  stand.ways.pageSize = 2;
  const files = await hub.list(at);
  assert.deepEqual(files.map(({ path }) => path).sort(), Object.keys(models['org/name'].main).sort());
  assert.equal(files.find(({ path }) => path === 'model.safetensors').size, 40 * gib);
  assert.equal(stand.asked.length, 2);
  assert.deepEqual((await hub.list({ model: 'org/name', branch: 'refs/pr/1' })).map(({ path }) => path), ['config.json']);
});

test('of a file only what is asked for comes, over the redirect, and a longer beginning goes on from the shorter', async () => {
  const file = hub.fileOf(at, { path: 'model.safetensors', size: 40 * gib });
  assert.deepEqual([file.name, file.size], ['model.safetensors', 40 * gib]);
  assert.deepEqual(Buffer.from(await file.read(0, 8)), head.subarray(0, 8));
  assert.deepEqual(Buffer.from(await file.read(8, 140000)), head.subarray(8, 140000));
  await file.read(0, 65536);
  assert.deepEqual(stand.asked.map(({ host, range }) => [host, range]), [['hub', 'bytes=0-131071'], ['cdn', 'bytes=0-131071'], ['hub', 'bytes=131072-262143'], ['cdn', 'bytes=131072-262143']]);
  assert.ok(stand.asked.every(({ cookie, authorization }) => cookie === null && authorization === null));
  const text = hub.fileOf(at, { path: 'big é#?.json', size: 9000 });
  assert.equal((await text.read(0, 9000)).length, 9000);
  assert.equal(stand.asked.at(-1).range, null, 'a whole file needs no range');
  assert.deepEqual(Buffer.from(await hub.fileOf(at, { path: 'config.json', size: config.length }).read(0, 1e6)), config);
});

test('reads that come together ask one after the other, and nothing twice', async () => {
  const file = hub.fileOf(at, { path: 'model.safetensors', size: 40 * gib });
  const all = await Promise.all([file.read(0, 100), file.read(0, 200000), file.read(50, 300000)]);
  assert.deepEqual(all.map((bytes) => bytes.length), [100, 200000, 299950]);
  const ranges = stand.asked.filter(({ host }) => host === 'cdn').map(({ range }) => range);
  assert.deepEqual(ranges, ['bytes=0-131071', 'bytes=131072-262143', 'bytes=262144-393215']);
});

test('a server that ignores ranges is left as soon as the bytes are there', async () => {
  stand.ways.ignoresRange = true;
  const file = hub.fileOf(at, { path: 'model.safetensors', size: 40 * gib });
  assert.deepEqual(Buffer.from(await file.read(0, 8)), head.subarray(0, 8));
  assert.deepEqual(Buffer.from(await file.read(0, 200000)), head.subarray(0, 200000));
  await new Promise((done) => { setTimeout(done, 200); });
  const sent = stand.asked.reduce((sum, entry) => sum + entry.sent, 0);
  assert.ok(sent < 64 * 2 ** 20, `${sent} bytes were sent`);
});

test('answers that are none are told apart', async () => {
  const read = (path = 'config.json', reference = at, size = config.length) => hub.fileOf(reference, { path, size }).read(0, size);
  stand.ways.gated = new Set(['org/name']);
  await fails(read(), 'gated', { model: 'org/name' });
  stand.ways.gated = new Set();
  await fails(read('none.json'), 'no_file', { file: 'none.json', branch: 'main' });
  await fails(hub.list({ model: 'org/name', branch: 'v9' }), 'no_branch', { branch: 'v9', model: 'org/name' });
  await fails(hub.list({ model: 'org/none', branch: 'main' }), 'no_model', { model: 'org/none' });
  await fails(read('config.json', { model: 'org/none', branch: 'main' }), 'no_model');
  stand.ways.limited = { 'Retry-After': '37' };
  await fails(hub.list(at), 'rate_limited.wait', { seconds: 37 });
  stand.ways.limited = { RateLimit: '"api";r=0;t=123' };
  await fails(hub.list(at), 'rate_limited.wait', { seconds: 123 });
  stand.ways.limited = {};
  await fails(hub.list(at), 'rate_limited');
  stand.ways.limited = null;
  stand.ways.page = '<!doctype html><title>Sign in</title>';
  await fails(read(), 'wrong_content', { type: 'text/html' });
  stand.ways.page = null;
  stand.ways.shiftsRange = true;
  await fails(hub.fileOf(at, { path: 'model.safetensors', size: 40 * gib }).read(0, 8), 'wrong_range');
  stand.ways.shiftsRange = false;
  stand.ways.brokenAt = 30000;
  await fails(hub.fileOf(at, { path: 'model.safetensors', size: 40 * gib }).read(0, 8), 'broken_off', { file: 'model.safetensors' });
});

test('statuses without a code of the hub\'s, and a network that fails', async () => {
  const answering = (status, headers = {}) => createHub({ base: stand.origin, fetch: async (url) => Object.defineProperty(new Response('', { status, headers }), 'url', { value: url }) });
  const file = (of) => of.fileOf(at, { path: 'a.gguf', size: 10 }).read(0, 10);
  await fails(answering(403).list(at), 'refused', { host: new URL(stand.origin).host });
  await fails(answering(404).list(at), 'no_model');
  await fails(file(answering(404)), 'no_file');
  await fails(answering(503).list(at), 'fault', { status: 503 });
  await fails(answering(418).list(at), 'status', { status: 418 });
  await fails(file(answering(416)), 'status', { status: 416 });
  const down = async () => { throw new TypeError('Failed to fetch'); };
  await fails(createHub({ fetch: down, online: () => false }).list(at), 'offline');
  await fails(createHub({ fetch: down, online: () => true }).list(at), 'unreachable', { host: 'huggingface.co' });
  await fails(createHub({ fetch: down, online: () => true, blocked: () => true }).list(at), 'not_allowed');
});

test('lists that are none', async () => {
  for (const body of ['<html>', '{}', '[{"path":1}]', '[{"type":"file","path":"a","size":-1}]', '[{"type":"file","path":"a","size":1e300}]', '[null]']) {
    stand.ways.list = { body, type: 'application/json' };
    await fails(hub.list(at), 'wrong_list');
  }
  stand.ways.list = { body: Buffer.alloc(17 * 2 ** 20, 32), type: 'application/json' };
  await fails(hub.list(at), 'too_large');
  stand.ways.list = null;
  // A list that goes on for ever, or elsewhere.
  const page = (link) => createHub({ base: stand.origin, fetch: async (url) => Object.defineProperty(new Response('[]', { headers: { link } }), 'url', { value: url }) });
  await fails(page(`<${stand.origin}/api/again>; rel="next"`).list(at), 'too_many');
  await fails(page('<https://elsewhere.example/>; rel="next"').list(at), 'wrong_list');
});

test('a model that moved is found at its new name', async () => {
  stand.ways.moved = { 'old/name': 'org/name' };
  assert.equal((await hub.list({ model: 'old/name', branch: 'main' })).length, 4);
});

test('stopping stops, and is no failure of the hub', async () => {
  const stop = new AbortController();
  const reading = hub.fileOf(at, { path: 'model.safetensors', size: 40 * gib }, { signal: stop.signal, onBytes: () => stop.abort() }).read(0, 200 * 2 ** 20);
  await assert.rejects(reading, { name: 'AbortError' });
  await assert.rejects(hub.list(at, { signal: AbortSignal.abort() }), { name: 'AbortError' });
});

test('a beginning that no model has is not read', async () => {
  await fails(hub.fileOf(at, { path: 'a.gguf', size: 5 * gib }).read(0, 300 * 2 ** 20), 'too_large', { file: 'a.gguf' });
  assert.equal(stand.asked.length, 0);
});

test('how long to wait is read in every form', () => {
  const wait = (headers) => waitOf(new Headers(headers), Date.parse('2026-01-01T00:00:00Z'));
  assert.equal(wait({ 'Retry-After': '5' }), 5);
  assert.equal(wait({ 'Retry-After': 'Thu, 01 Jan 2026 00:01:00 GMT' }), 60);
  assert.equal(wait({ RateLimit: '"api";r=0;t=55' }), 55);
  assert.equal(wait({ 'Retry-After': 'soon' }), null);
  assert.equal(wait({}), null);
});

// --- the choice among files ---------------------------------------------------------------------------------------------

const sized = (...paths) => paths.map((path, i) => ({ path, size: 1000 + i }));
const brief = (files) => choicesOf(files).map(({ kind, id, files: own, parts }) => [kind, id, own.map(({ path }) => path), parts]);

test('a repository\'s sets of weights, each with what belongs to it', () => {
  assert.deepEqual(brief(sized('README.md', 'config.json', 'params.json', 'model.safetensors.index.json', 'model-00002-of-00002.safetensors', 'model-00001-of-00002.safetensors', 'consolidated.safetensors', 'tokenizer.json')), [
    ['safetensors', 'model.safetensors', ['config.json', 'model.safetensors.index.json', 'model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'], 2],
    ['consolidated', 'consolidated.safetensors', ['params.json', 'consolidated.safetensors'], 1],
    ['config', 'config.json', ['config.json'], 0],
    ['config', 'params.json', ['params.json'], 0],
  ]);
  assert.deepEqual(brief(sized('model.safetensors', 'adapter_model.safetensors', 'optimizer.safetensors')), [['safetensors', 'model.safetensors', ['model.safetensors'], 1]]);
});

test('GGUF files of a repository, split ones whole, in folders too', () => {
  assert.deepEqual(brief(sized('x-Q8_0.gguf', 'x-Q4_K_M.gguf', 'BF16/x-BF16-00001-of-00002.gguf', 'BF16/x-BF16-00002-of-00002.gguf', 'config.json')), [
    ['gguf', 'x-Q8_0.gguf', ['x-Q8_0.gguf'], 1],
    ['gguf', 'x-Q4_K_M.gguf', ['x-Q4_K_M.gguf'], 1],
    ['gguf', 'BF16/x-BF16.gguf', ['BF16/x-BF16-00001-of-00002.gguf', 'BF16/x-BF16-00002-of-00002.gguf'], 2],
    ['config', 'config.json', ['config.json'], 0],
  ]);
});

test('folders have their own configuration, or that above them', () => {
  const choices = brief(sized('config.json', 'text/config.json', 'text/model.safetensors', 'fp8/sub/model.safetensors'));
  assert.deepEqual(choices.slice(0, 2).map(([, , files]) => files), [['text/config.json', 'text/model.safetensors'], ['config.json', 'fp8/sub/model.safetensors']]);
  const [variant] = brief(sized('config.json', 'model.safetensors.index.fp16.json', 'model.fp16-00001-of-00002.safetensors', 'model.fp16-00002-of-00002.safetensors'));
  assert.equal(variant[2][1], 'model.safetensors.index.fp16.json');
  // Parts that are missing are not made up.
  assert.equal(choicesOf(sized('m-00001-of-00009.safetensors'))[0].parts, 9);
});

test('what an address named is what is chosen', () => {
  const choices = choicesOf(sized('a-Q4_K_M.gguf', 'a-Q8_0.gguf', 'sub/b-IQ4_XS.gguf', 'config.json'));
  assert.equal(choiceFor(choices, { path: 'a-Q8_0.gguf' }).id, 'a-Q8_0.gguf');
  assert.equal(choiceFor(choices, { path: 'sub' }).id, 'sub/b-IQ4_XS.gguf');
  assert.equal(choiceFor(choices, { tag: 'q4_k_m' }).id, 'a-Q4_K_M.gguf');
  assert.equal(choiceFor(choices, { path: 'config.json' }).id, 'config.json');
  assert.equal(choiceFor(choices).id, choices[0].id);
  assert.equal(choiceFor([]), null);
});

test('files that no importer reads are told from those it does', () => {
  for (const path of ['config.json', 'a/params.json', 'model.safetensors', 'x-00001-of-00002.GGUF', 'model.safetensors.index.json']) assert.ok(isModelFile(path), path);
  for (const path of ['tokenizer.json', 'README.md', 'pytorch_model.bin', 'adapter_model.safetensors', 'generation_config.json', 'xconfig.json']) assert.ok(!isModelFile(path), path);
});
