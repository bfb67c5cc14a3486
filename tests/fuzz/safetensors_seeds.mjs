// Writes the seeds of the safetensors importer's corpus (tests/fuzz/corpus/safetensors): node tests/fuzz/safetensors_seeds.mjs
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'corpus', 'safetensors');
mkdirSync(folder, { recursive: true });

// Flags and files as import_safetensors_fuzz.cpp reads them; `more`: 2^more bytes behind the beginning.
function seed(name, flags, ...files) {
  const parts = files.flatMap(([text, more]) => {
    const bytes = Buffer.from(text);
    return [Buffer.from([bytes.length & 255, bytes.length >> 8, more]), bytes];
  });
  writeFileSync(join(folder, name), Buffer.concat([Buffer.from([flags | ((files.length - 1) << 3)]), ...parts]));
}

const bits = { F32: 32, BF16: 16, I32: 32, U8: 8, F8_E4M3: 8, I64: 64, F4: 4, F8_E8M0: 8 };
function header(tensors) {
  let at = 0;
  const entries = tensors.map(([name, dtype, shape]) => {
    const begin = at;
    at += shape.reduce((a, b) => a * b, 1) * bits[dtype] / 8;
    return [name, { dtype, shape, data_offsets: [begin, at] }];
  });
  return JSON.stringify(Object.fromEntries([['__metadata__', { format: 'pt' }], ...entries]));
}
const layer = (i) => [
  ['q_proj', 256, 256], ['k_proj', 64, 256], ['v_proj', 64, 256], ['o_proj', 256, 256],
].map(([name, rows, cols]) => [`model.layers.${i}.self_attn.${name}.weight`, 'BF16', [rows, cols]]).concat(
  [['gate_proj', 512, 256], ['up_proj', 512, 256], ['down_proj', 256, 512]].map(([name, rows, cols]) => [`model.layers.${i}.mlp.${name}.weight`, 'BF16', [rows, cols]]),
  ['input_layernorm', 'post_attention_layernorm'].map((name) => [`model.layers.${i}.${name}.weight`, 'BF16', [256]]),
);
const outside = [['model.embed_tokens.weight', 'BF16', [1000, 256]], ['model.norm.weight', 'BF16', [256]]];
const all = [0, 1, 2].flatMap(layer).concat(outside);
const up = 'model.layers.0.mlp.up_proj';
const map = (names) => JSON.stringify({ metadata: { total_size: 3149824 }, weight_map: Object.fromEntries(names.map((name, i) => [name, `model-0000${1 + (i % 3)}-of-00003.safetensors`])) });

seed('whole', 3, [header(all), 21]);
seed('whole-alone', 2, [header(all), 0]);
seed('shards', 3, ...[0, 1, 2].map((i) => [header(i === 2 ? layer(2).concat(outside) : layer(i)), 20]));
seed('index', 5, [map(all.map(([name]) => name)), 0]);
seed('index-and-shards', 7, [map(all.map(([name]) => name)), 0], [header(layer(0)), 20], [header(layer(1)), 20]);
seed('gptq', 3, [header([[`${up}.qweight`, 'I32', [32, 512]], [`${up}.qzeros`, 'I32', [2, 64]], [`${up}.scales`, 'BF16', [2, 512]], [`${up}.g_idx`, 'I32', [256]]]), 9]);
seed('awq', 3, [header([[`${up}.qweight`, 'I32', [256, 64]], [`${up}.qzeros`, 'I32', [2, 64]], [`${up}.scales`, 'BF16', [2, 512]]]), 9]);
seed('compressed', 3, [header([[`${up}.weight_packed`, 'I32', [512, 32]], [`${up}.weight_scale`, 'BF16', [512, 2]], [`${up}.weight_shape`, 'I64', [2]]]), 9]);
seed('fp8', 3, [header([[`${up}.weight`, 'F8_E4M3', [512, 256]], [`${up}.weight_scale_inv`, 'F32', [4, 2]], [`${up}.input_scale`, 'F32', []]]), 9]);
seed('nf4', 3, [header([[`${up}.weight`, 'U8', [65536, 1]], [`${up}.weight.absmax`, 'U8', [2048]], [`${up}.weight.nested_absmax`, 'F32', [8]], [`${up}.weight.quant_state.bitsandbytes__nf4`, 'U8', [80]]]), 9]);
seed('mxfp4', 3, [header([['model.layers.0.mlp.experts.gate_up_proj_blocks', 'U8', [4, 64, 8, 16]], ['model.layers.0.mlp.experts.gate_up_proj_scales', 'U8', [4, 64, 8]], ['model.layers.0.mlp.experts.gate_up_proj_bias', 'BF16', [4, 64]]]), 9]);
seed('f4', 2, [header([[`${up}.weight`, 'F4', [512, 256]], [`${up}.weight_scale`, 'F8_E8M0', [512, 8]]]), 9]);
const tensor = (shape, offsets) => `{"t":{"dtype":"F32","shape":${shape},"data_offsets":${offsets}}}`;
seed('overflow', 2, [tensor('[18446744073709551615,18446744073709551615]', '[0,4]'), 2]);
seed('reversed', 2, [tensor('[1]', '[4,0]'), 2]);
seed('huge-offsets', 2, [tensor('[1]', '[9007199254740992,9007199254740996]'), 53]);
seed('negative', 2, [tensor('[-1]', '[-4,0]'), 2]);
seed('nan', 2, [tensor('[NaN]', '[1e999,0]'), 2]);
seed('raw-length', 0, [Buffer.from([255, 255, 255, 255, 255, 255, 255, 127, 123, 125]), 60]);
seed('deep', 2, [`{"t":{"x":${'['.repeat(300)}`, 0]);
seed('duplicate', 2, ['{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}', 1]);
