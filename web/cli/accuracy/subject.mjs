// What a row is about, in the product's inputs: a catalogue model, a typed shape, or no more than a typed size.
import { stated_size } from './model_match.mjs';
import { inferred_model } from './inferred.mjs';
import { number_of, object_of, params_of, positive, text_of } from './values.mjs';

// Architectures whose cache is what the product's typed shape describes: the same grouped-query heads in every layer.
const plain_architectures = new Set([
  'llama',
  'qwen2',
  'qwen3',
  'qwen2moe',
  'qwen3moe',
  'glm4',
  'glm4moe',
  'mistral',
  'phi2',
  'phi3',
  'gptneox',
  'internlm2',
  'bitnet',
  'minimax-m2',
  'smollm3',
]);

// -> {basis, inputs, model, name, assumed} or {reason}
export function subject(row, tools) {
  const name = text_of(row.model);
  const inferred = inferred_model(row);
  if (inferred) return { reason: inferred };
  const found = tools.models.find(name) ?? from_file(row, tools);
  if (found) {
    const assumed = found.why ? [`${name} as ${found.model.id}: ${found.why}`] : [];
    return { basis: 'catalogue', inputs: { model: found.model.id }, known_size: true, model: found.model, name, assumed };
  }
  const shape = typed_shape(row);
  if (shape)
    return { basis: 'shape', inputs: { model: '', ...shape.inputs }, known_size: shape.known_size, model: null, name, assumed: [] };
  const params = params_of(row.params) ?? stated_size(name);
  if (params) return { basis: 'size', inputs: { model: '', params }, known_size: true, model: null, name, assumed: [] };
  return { reason: name ? `model not in the catalogue: ${name}` : 'no model named' };
}

// Logs without a useful name often show the file's.
function from_file(row, tools) {
  const file = text_of(row.file);
  const name = text_of(row.model);
  if (!file || (name && !/^(models?|unknown|gguf)$/i.test(name))) return null;
  return tools.models.find(file.replace(/[-_]mix[-_].*$/i, ''));
}

function typed_shape(row) {
  const size = params_of(row.params) ?? stated_size(text_of(row.model));
  const serving = object_of(row.arch);
  if (positive(serving.layers) && positive(serving.kv_heads) && positive(serving.head_dim)) {
    const shape = { num_layers: serving.layers, num_kv_heads: serving.kv_heads, head_dim: serving.head_dim };
    return { inputs: { ...(size && { params: size }), ...shape }, known_size: size !== null };
  }
  const f = object_of(row.arch_facts);
  const dim = positive(f.n_embd_head_k);
  const known = [f.n_layer, f.n_head, f.n_head_kv, dim].every(positive);
  if (!known || !size || !plain_architectures.has(row.arch)) return null;
  if ((number_of(f.n_swa) ?? 0) > 0 || dim !== f.n_embd_head_v || f.n_embd_k_gqa !== f.n_head_kv * dim) return null;
  return {
    inputs: {
      params: size,
      num_layers: f.n_layer,
      hidden_size: positive(f.n_embd),
      intermediate_size: positive(f.n_ff),
      vocab_size: positive(f.n_vocab),
      num_heads: f.n_head,
      num_kv_heads: f.n_head_kv,
      head_dim: dim,
    },
    known_size: true,
  };
}
