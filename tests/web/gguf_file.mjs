// Writes GGUF files for tests: a header as the format has it, and a hole in place of the data.
import { open, writeFile } from 'node:fs/promises';

export const ggmlTypes = {
  F32: [0, 1, 4], F16: [1, 1, 2], Q4_0: [2, 32, 18], Q4_1: [3, 32, 20], Q5_0: [6, 32, 22], Q5_1: [7, 32, 24], Q8_0: [8, 32, 34], Q2_K: [10, 256, 84],
  Q3_K: [11, 256, 110], Q4_K: [12, 256, 144], Q5_K: [13, 256, 176], Q6_K: [14, 256, 210], IQ2_XXS: [16, 256, 66], IQ4_NL: [20, 32, 18], IQ4_XS: [23, 256, 136],
  BF16: [30, 1, 2], TQ1_0: [34, 256, 54], MXFP4: [39, 32, 17],
};
const valueTypes = { u8: 0, i8: 1, u16: 2, i16: 3, u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9, u64: 10, i64: 11, f64: 12 };

export class GgufFile {
  #values = [];
  #tensors = [];
  #count = 0;
  #tensorList = [];
  #data = 0;
  alignment = 32;

  #bytes(size, set) {
    const bytes = Buffer.alloc(size);
    set(bytes);
    return bytes;
  }
  #u32(v) { return this.#bytes(4, (b) => b.writeUInt32LE(v)); }
  #u64(v) { return this.#bytes(8, (b) => b.writeBigUInt64LE(BigInt(v))); }
  #text(v) {
    const bytes = Buffer.from(v);
    return Buffer.concat([this.#u64(bytes.length), bytes]);
  }
  #one(type, v) {
    switch (type) {
      case 'u8': case 'bool': return Buffer.from([Number(v)]);
      case 'i8': return this.#bytes(1, (b) => b.writeInt8(v));
      case 'u16': return this.#bytes(2, (b) => b.writeUInt16LE(v));
      case 'i16': return this.#bytes(2, (b) => b.writeInt16LE(v));
      case 'u32': return this.#u32(v);
      case 'i32': return this.#bytes(4, (b) => b.writeInt32LE(v));
      case 'f32': return this.#bytes(4, (b) => b.writeFloatLE(v));
      case 'f64': return this.#bytes(8, (b) => b.writeDoubleLE(v));
      case 'u64': return this.#u64(v);
      case 'i64': return this.#bytes(8, (b) => b.writeBigInt64LE(BigInt(v)));
      case 'string': return this.#text(v);
      default: throw new Error(type);
    }
  }

  value(key, type, v) {
    this.#values.push(this.#text(key), this.#u32(valueTypes[type]), this.#one(type, v));
    this.#count += 1;
    return this;
  }
  array(key, type, list) {
    this.#values.push(this.#text(key), this.#u32(valueTypes.array), this.#u32(valueTypes[type]), this.#u64(list.length), Buffer.concat(list.map((v) => this.#one(type, v))));
    this.#count += 1;
    return this;
  }
  tensor(name, type, dims) {
    const [number, elements, bytes] = ggmlTypes[type];
    const count = dims.reduce((product, d) => product * d, 1);
    this.#tensors.push(this.#text(name), this.#u32(dims.length), ...dims.map((d) => this.#u64(d)), this.#u32(number), this.#u64(this.#data));
    this.#tensorList.push({ name, type, params: count, bytes: (count / elements) * bytes });
    this.#data += (count / elements) * bytes;
    this.#data = Math.ceil(this.#data / this.alignment) * this.alignment;
    return this;
  }

  get tensors() { return this.#tensorList; }
  header() {
    return Buffer.concat([Buffer.from('GGUF'), this.#u32(3), this.#u64(this.#tensorList.length), this.#u64(this.#count), ...this.#values, ...this.#tensors]);
  }
  get size() {
    return Math.ceil(this.header().length / this.alignment) * this.alignment + this.#data;
  }
  async write(path) {
    await writeFile(path, this.header());
    const handle = await open(path, 'r+');
    await handle.truncate(this.size);
    await handle.close();
    return path;
  }
}

// A llama of the given size, each matrix in the type that `typeOf` names for it.
export function llama({ layers = 2, hidden = 256, heads = 4, kvHeads = 2, ffn = 512, vocab = 300, context = 4096, architecture = 'llama', tied = false,
  typeOf = () => 'Q4_K', tokens = (i) => `token${i}` } = {}) {
  const file = new GgufFile();
  const head = hidden / heads;
  file.value('general.architecture', 'string', architecture).value('general.name', 'string', 'A llama')
    .value(`${architecture}.block_count`, 'u32', layers).value(`${architecture}.context_length`, 'u32', context)
    .value(`${architecture}.embedding_length`, 'u32', hidden).value(`${architecture}.feed_forward_length`, 'u32', ffn)
    .value(`${architecture}.attention.head_count`, 'u32', heads).value(`${architecture}.attention.head_count_kv`, 'u32', kvHeads)
    .value(`${architecture}.attention.layer_norm_rms_epsilon`, 'f32', 1e-5).value('general.file_type', 'u32', 15)
    .array('tokenizer.ggml.tokens', 'string', Array.from({ length: vocab }, (_, i) => tokens(i)))
    .array('tokenizer.ggml.token_type', 'i32', Array.from({ length: vocab }, () => 1));
  const add = (name, dims) => file.tensor(name, dims.length === 1 ? 'F32' : typeOf(name), dims);
  add('token_embd.weight', [hidden, vocab]);
  for (let i = 0; i < layers; i += 1) {
    add(`blk.${i}.attn_norm.weight`, [hidden]);
    add(`blk.${i}.attn_q.weight`, [hidden, hidden]);
    add(`blk.${i}.attn_k.weight`, [hidden, kvHeads * head]);
    add(`blk.${i}.attn_v.weight`, [hidden, kvHeads * head]);
    add(`blk.${i}.attn_output.weight`, [hidden, hidden]);
    add(`blk.${i}.ffn_norm.weight`, [hidden]);
    add(`blk.${i}.ffn_gate.weight`, [hidden, ffn]);
    add(`blk.${i}.ffn_up.weight`, [hidden, ffn]);
    add(`blk.${i}.ffn_down.weight`, [ffn, hidden]);
  }
  add('output_norm.weight', [hidden]);
  if (!tied) add('output.weight', [hidden, vocab]);
  return file;
}
