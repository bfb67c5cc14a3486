// Times of the importing module against what JavaScript would be used otherwise, in one run: JSON.parse on a safetensors index of 9 MB,
// @huggingface/gguf on a GGUF header with a vocabulary of 150,000.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { gguf as parseGguf } from '@huggingface/gguf';

import { fileFrom, importModel } from '../../web/import/import_model.mjs';
import { gguf } from '../browser/model_files.mjs';

// A mixture of 256 experts whose matrices have scales, as its index lists it.
export function largeIndex(bytes = 9e6) {
  const map = {};
  const layers = 61;
  let size = 0;
  const add = (name, shard) => {
    map[name] = `model-${String(1 + shard).padStart(5, '0')}-of-00163.safetensors`;
    size += name.length + 45;
  };
  for (let i = 0; i < layers && size < bytes; i += 1) {
    const at = `model.layers.${i}.`;
    for (const part of ['q_a_proj', 'q_b_proj', 'kv_a_proj_with_mqa', 'kv_b_proj', 'o_proj']) for (const end of ['weight', 'weight_scale_inv']) add(`${at}self_attn.${part}.${end}`, i);
    for (const part of ['input_layernorm', 'post_attention_layernorm', 'mlp.gate']) add(`${at}${part}.weight`, i);
    for (let e = 0; e < 256; e += 1) for (const part of ['gate_proj', 'up_proj', 'down_proj']) for (const end of ['weight', 'weight_scale_inv']) add(`${at}mlp.experts.${e}.${part}.${end}`, i);
  }
  return JSON.stringify({ metadata: { total_size: 688586727753 }, weight_map: map }, null, 2);
}

const least = (times) => Math.min(...times);
async function milliseconds(call) {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

// The shortest time of each, taken in turns, so that whatever else the machine does hits both.
async function inTurns(calls, times) {
  const taken = calls.map(() => []);
  for (const call of calls) await call();
  for (let i = 0; i < times; i += 1) for (const [c, call] of calls.entries()) taken[c].push(await milliseconds(call));
  return taken.map(least);
}

// Answers a request for a range from memory.
function served(bytes) {
  return async (url, { headers } = {}) => {
    const [, from, to] = new Headers(headers).get('range').match(/bytes=(\d+)-(\d+)/).map(Number);
    return new Response(bytes.subarray(from, Math.min(bytes.length, to + 1)), { status: 206, headers: { 'content-range': `bytes ${from}-${to}/${bytes.length}` } });
  };
}

export async function importTimes(assets, times = 9) {
  const { default: moduleFactory } = await import(pathToFileURL(resolve(assets, 'vramfit-core.mjs')));
  const module = { moduleFactory, wasmBinary: readFileSync(join(assets, 'vramfit-import.wasm')) };
  const read = (name, bytes) => importModel([fileFrom(new Blob([bytes]), name)], module);

  const index = largeIndex();
  const indexBytes = Buffer.from(index);
  const { head, size } = gguf({ vocabulary: 150000 });
  const file = Buffer.concat([head, Buffer.alloc(Math.min(size - head.length, 4e6))]);
  const [index_json_parse_ms, index_import_ms] = await inTurns([() => JSON.parse(index), () => read('model.safetensors.index.json', indexBytes)], times);
  const [gguf_huggingface_ms, gguf_import_ms] = await inTurns([() => parseGguf('http://localhost/model.gguf', { fetch: served(file) }), () => read('model.gguf', file)], Math.min(times, 5));
  return { index_bytes: indexBytes.length, index_json_parse_ms, index_import_ms, gguf_header_bytes: head.length, gguf_huggingface_ms, gguf_import_ms };
}
