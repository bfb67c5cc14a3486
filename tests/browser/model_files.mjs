// Files of small models, made for tests: a configuration, a safetensors file or its shards, a GGUF file; and any of them as large as
// wanted, with nothing behind the header.

export const config = {
  architectures: ['LlamaForCausalLM'], model_type: 'llama', hidden_size: 64, intermediate_size: 128, num_attention_heads: 4,
  num_hidden_layers: 2, num_key_value_heads: 2, head_dim: 16, vocab_size: 100, max_position_embeddings: 2048, tie_word_embeddings: false,
  torch_dtype: 'bfloat16', rms_norm_eps: 1e-5, hidden_act: 'silu',
};

// [name, rows, columns] as Transformers writes them.
const norm = (name) => [name, 64, 0];
const layer = (i) => [
  norm(`model.layers.${i}.input_layernorm.weight`), norm(`model.layers.${i}.post_attention_layernorm.weight`),
  [`model.layers.${i}.self_attn.q_proj.weight`, 64, 64], [`model.layers.${i}.self_attn.k_proj.weight`, 32, 64],
  [`model.layers.${i}.self_attn.v_proj.weight`, 32, 64], [`model.layers.${i}.self_attn.o_proj.weight`, 64, 64],
  [`model.layers.${i}.mlp.gate_proj.weight`, 128, 64], [`model.layers.${i}.mlp.up_proj.weight`, 128, 64], [`model.layers.${i}.mlp.down_proj.weight`, 64, 128],
];
export const tensors = [['model.embed_tokens.weight', 100, 64], ...layer(0), ...layer(1), norm('model.norm.weight'), ['lm_head.weight', 100, 64]];

const elements = ([, rows, cols]) => rows * (cols || 1);
export const parameters = tensors.reduce((sum, tensor) => sum + elements(tensor), 0);

// {size, head} of a file that holds `some` tensors in 16 bits: the header, and the size with all that follows.
export function safetensors(some = tensors) {
  const header = { __metadata__: { format: 'pt' } };
  let offset = 0;
  for (const tensor of some) {
    const [name, rows, cols] = tensor;
    header[name] = { dtype: 'BF16', shape: cols ? [rows, cols] : [rows], data_offsets: [offset, offset + 2 * elements(tensor)] };
    offset += 2 * elements(tensor);
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const head = Buffer.concat([length, text]);
  return { head, size: head.length + offset };
}

// {path: file} of a model in `count` shards with their index.
export function sharded(count) {
  const name = (i) => `model-${String(i + 1).padStart(5, '0')}-of-${String(count).padStart(5, '0')}.safetensors`;
  const shares = Array.from({ length: count }, (_, i) => tensors.filter((_, k) => k % count === i));
  const index = { metadata: { total_size: 2 * parameters }, weight_map: Object.fromEntries(shares.flatMap((some, i) => some.map(([tensor]) => [tensor, name(i)]))) };
  return { 'config.json': Buffer.from(JSON.stringify(config)), 'model.safetensors.index.json': Buffer.from(JSON.stringify(index)), ...Object.fromEntries(shares.map((some, i) => [name(i), safetensors(some)])) };
}

// --- GGUF ---------------------------------------------------------------------------------------------------------------

const types = { u32: 4, f32: 6, string: 8, array: 9 };
const u32 = (n) => { const b = Buffer.alloc(4); b.writeUInt32LE(n); return b; };
const u64 = (n) => { const b = Buffer.alloc(8); b.writeBigUInt64LE(BigInt(n)); return b; };
const string = (text) => Buffer.concat([u64(Buffer.byteLength(text)), Buffer.from(text)]);
const f32 = (n) => { const b = Buffer.alloc(4); b.writeFloatLE(n); return b; };
function value(of) {
  if (typeof of === 'string') return [types.string, string(of)];
  if (Array.isArray(of)) return [types.array, Buffer.concat([u32(types.string), u64(of.length), ...of.map(string)])];
  return Number.isInteger(of) ? [types.u32, u32(of)] : [types.f32, f32(of)];
}

// ggml's number and bytes per element.
const stored = { F32: [0, 4], F16: [1, 2], Q8_0: [8, 34 / 32] };
const align = (n) => Math.ceil(n / 32) * 32;

// {size, head} of the same model as a GGUF file; `vocabulary` long tokens make its header longer than a first piece, `size` says how
// large the file is to be.
export function gguf({ name = 'Tiny', vocabulary = 100, version = 3, type = 'Q8_0', metadata = {}, magic = 'GGUF' } = {}) {
  const keys = {
    'general.architecture': 'llama', 'general.name': name, 'llama.block_count': 2, 'llama.embedding_length': 64, 'llama.feed_forward_length': 128,
    'llama.attention.head_count': 4, 'llama.attention.head_count_kv': 2, 'llama.context_length': 2048, 'llama.attention.layer_norm_rms_epsilon': 1e-5 + Number.EPSILON,
    'tokenizer.ggml.model': 'gpt2', 'tokenizer.ggml.tokens': Array.from({ length: vocabulary }, (_, i) => `token number ${i}`), ...metadata,
  };
  const names = { q_proj: 'attn_q', k_proj: 'attn_k', v_proj: 'attn_v', o_proj: 'attn_output', gate_proj: 'ffn_gate', up_proj: 'ffn_up', down_proj: 'ffn_down', input_layernorm: 'attn_norm', post_attention_layernorm: 'ffn_norm' };
  const ggml = (tensor) => tensor.replace('model.embed_tokens', 'token_embd').replace(/^model\.norm/, 'output_norm').replace('lm_head', 'output')
    .replace(/model\.layers\.(\d+)\.(?:self_attn\.|mlp\.)?(\w+)/, (_, i, part) => `blk.${i}.${names[part]}`);
  let offset = 0;
  const infos = tensors.map(([tensor, rows, cols]) => {
    const [number, bytes] = stored[cols ? type : 'F32'];
    const count = rows === 100 ? vocabulary : rows;
    const info = Buffer.concat([string(ggml(tensor)), u32(cols ? 2 : 1), ...(cols ? [u64(cols), u64(count)] : [u64(count)]), u32(number), u64(offset)]);
    offset += align(count * (cols || 1) * bytes);
    return info;
  });
  const entries = Object.entries(keys).map(([key, of]) => { const [kind, bytes] = value(of); return Buffer.concat([string(key), u32(kind), bytes]); });
  const head = Buffer.concat([Buffer.from(magic), u32(version), u64(infos.length), u64(entries.length), ...entries, ...infos]);
  return { head, size: align(head.length) + offset };
}

// A file's bytes, all of them.
export const whole = (file) => (Buffer.isBuffer(file) ? file : Buffer.concat([file.head, Buffer.alloc(file.size - file.head.length)]));
