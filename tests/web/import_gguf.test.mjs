// GGUF headers as @huggingface/gguf reads them and as importModel() does: the same files, the same figures.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { GGMLQuantizationType, gguf } from '@huggingface/gguf';

import { importModel } from '../../web/import/import_model.mjs';
import { fileFromPath } from '../../web/import/node_file.mjs';
import { ggmlTypes, GgufFile, llama } from './gguf_file.mjs';
import { assets } from './support.mjs';

const folder = mkdtempSync(join(tmpdir(), 'vramfit-gguf-'));
after(() => rmSync(folder, { recursive: true }));

const { default: moduleFactory } = await import(pathToFileURL(join(assets, 'vramfit-core.mjs')));
const wasmBinary = readFileSync(join(assets, 'vramfit-import.wasm'));
const ours = async (...paths) => importModel(await Promise.all(paths.map(fileFromPath)), { moduleFactory, wasmBinary });

const byType = (tensors) => {
  const sums = {};
  for (const { type, params, bytes } of tensors) {
    sums[type] ??= { params: 0, bytes: 0 };
    sums[type].params += params;
    sums[type].bytes += bytes;
  }
  return sums;
};
const oursByType = (imported) => Object.fromEntries(imported.dtypes.map(({ id, params, bytes }) => [id, { params, bytes }]));

const kinds = Object.keys(ggmlTypes);
const files = {
  'a mix': llama({ typeOf: (name) => (name.includes('attn_v') || name === 'output.weight' ? 'Q6_K' : name.includes('ffn_down') ? 'Q5_K' : 'Q4_K') }),
  'many layers, tied': llama({ layers: 40, tied: true, typeOf: (name) => (name === 'token_embd.weight' ? 'Q8_0' : 'IQ4_XS') }),
  'all types in turn': (() => {
    let turn = 0;
    return llama({ layers: 6, typeOf: () => kinds[(turn += 1) % kinds.length] });
  })(),
  'a vocabulary of 30,000 words in many scripts': llama({ vocab: 30000, tokens: (i) => `Ġ${String.fromCodePoint(0x4e00 + (i % 20000))}é${i}` }),
};

for (const [what, file] of Object.entries(files))
  test(`${what}: tensors, types and metadata as @huggingface/gguf has them`, async () => {
    const path = await file.write(join(folder, `${what.replace(/\W+/g, '-')}.gguf`));
    const { metadata, tensorInfos, parameterCount } = await gguf(path, { allowLocalFile: true, computeParametersCount: true });
    const imported = await ours(path);
    assert.deepEqual(imported.remarks.filter((r) => r.severity === 'error'), []);
    assert.ok(imported.ok);

    const theirs = byType(tensorInfos.map(({ dtype, shape }) => {
      const type = GGMLQuantizationType[dtype];
      const params = Number(shape.reduce((product, d) => product * d, 1n));
      const [, elements, bytes] = ggmlTypes[type];
      return { type, params, bytes: (params / elements) * bytes };
    }));
    assert.deepEqual(oursByType(imported), theirs);
    assert.equal(imported.dtypes.reduce((sum, d) => sum + d.params, 0), parameterCount);
    assert.equal(imported.tensor_bytes, file.tensors.reduce((sum, t) => sum + t.bytes, 0));
    assert.equal(imported.file_bytes, file.size);
    assert.equal(imported.type, metadata['general.architecture']);
    assert.equal(imported.name, metadata['general.name']);
    assert.equal(imported.max_position_embeddings, metadata['llama.context_length']);
    const shape = imported.shape.split(/[;,]/);
    assert.ok(shape.includes(`hidden${metadata['llama.embedding_length']}`), imported.shape);
    assert.ok(shape.includes(`vocab${metadata['tokenizer.ggml.tokens'].length}`), imported.shape);
    assert.ok(shape.includes(`kv${metadata['llama.attention.head_count_kv']}`), imported.shape);
    assert.ok(shape.includes(`${metadata['llama.block_count']}aA`), imported.shape);
  });

test('what @huggingface/gguf takes and llama.cpp does not is refused here', async () => {
  const file = new GgufFile().value('general.architecture', 'string', 'llama').tensor('t', 'F32', [8]).tensor('t', 'F32', [8]);
  const path = await file.write(join(folder, 'twice.gguf'));
  assert.equal((await gguf(path, { allowLocalFile: true })).tensorInfos.length, 2);
  const imported = await ours(path);
  assert.equal(imported.ok, false);
  assert.deepEqual(imported.remarks.map((r) => [r.severity, r.id, r.where]), [['error', 'import-gguf-doubled-tensor', 't']]);
});

test('only the beginning of a file of many gigabytes is read', async () => {
  const file = llama({ layers: 80, hidden: 8192, heads: 64, kvHeads: 8, ffn: 28672, vocab: 128000 });
  const head = file.header();
  let read = 0;
  const imported = await importModel([{
    name: 'large.gguf', size: file.size,
    read: async (start, end) => {
      read = Math.max(read, end);
      const bytes = new Uint8Array(end - start);
      bytes.set(head.subarray(start, Math.min(end, head.length)));
      return bytes;
    },
  }], { moduleFactory, wasmBinary });
  assert.ok(imported.ok);
  assert.ok(imported.file_bytes > 39e9);
  assert.ok(read < 2 * head.length + 1e6, `${read} of ${head.length}`);
  assert.match(imported.share, /^shape=hidden8192,vocab128000.*;full,q64,kv8,dim128;dense,i28672;80aA&formats=gguf;q4_k/);
});
