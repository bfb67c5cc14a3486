// GGUF tensors in the table that all importers share: class, layer, rows as the model sees them.
#include <algorithm>

#include "import/gguf_model.h"

namespace vramfit::importer {

int GgufModel::model_layer(const NamedTensor& named) const {
  const int layer = named.name.layer;
  if (layer < 0 || !architecture_.two_mixers) return layer;
  const bool state =
      class_of(named.name.role) == TensorClass::recurrent || (named.name.role >= R::ssm_in && named.name.role <= R::ssm_g_a);
  return 2 * layer + !state;
}

void GgufModel::store(const NamedTensor& named, std::vector<StoredTensor>& table) const {
  const GgufTensor& t = *named.tensor;
  const GgmlType type = ggml_type(t.type);
  StoredTensor s;
  s.layer = model_layer(named);
  s.in_mtp = named.name.layer >= num_layers_;
  s.format = type.format;
  s.dtype = type.name;
  s.bytes = double(t.bytes);
  s.rows = t.rows();
  s.cols = t.cols();
  s.count = t.stack();
  const auto add = [&](TensorClass cls, double rows) {
    StoredTensor part = s;
    part.classes = class_set(cls);
    part.rows = rows;
    part.bytes = s.bytes / s.rows * rows;  // whole rows of blocks
    if (rows > 0) table.push_back(part);
  };
  const auto vector_of = [&](TensorClass cls) {
    s.rows = s.count = 1;
    s.cols = t.elements();
    add(cls, 1);
  };

  const R role = named.name.role;
  if (role == R::unknown || role == R::rope_table || role == R::extra_matrix || role == R::hash_table) {
    s.classes = 0;
    table.push_back(s);
    return;
  }
  if (named.name.part == GgufPart::bias && role != R::exp_probs_b) {
    const bool of_experts =
        role == R::ffn_down_exps || role == R::ffn_up_exps || role == R::ffn_gate_exps || role == R::ffn_gate_up_exps;
    return vector_of(of_experts ? TensorClass::expert_bias : TensorClass::small);
  }
  const TensorClass cls = class_of(role);
  if (cls == TensorClass::small || named.name.part != GgufPart::weight) return vector_of(TensorClass::small);
  if (cls == TensorClass::tower) return vector_of(cls);
  if (named.name.layer < 0) return add(cls, s.rows);

  const GgufLayer& l = layers_[named.name.layer];
  const bool delta = l.has(R::ssm_conv_q) || l.has(R::ssm_ba);
  switch (role) {
    case R::attn_q:
    case R::attn_k:
    case R::attn_v:
    case R::attn_output:
    case R::attn_gate: {
      if (delta) return add(TensorClass::recurrent, s.rows);
      // A gate with one row a head is beyond what the shape knows.
      if (role == R::attn_gate && l.has(R::attn_output) && s.rows != l.weight(R::attn_output)->cols()) s.classes = 0;
      else return add(cls, s.rows);
      table.push_back(s);
      return;
    }
    case R::attn_qkv: {
      if (delta) return add(TensorClass::recurrent, s.rows);
      // Query, key and value rows follow each other.
      const GgufTensor* out = l.weight(R::attn_output);
      const int layer = named.name.layer;
      const int heads = std::max(1, at(heads_, layer));
      const int kv = at(kv_heads_, layer) > 0 ? at(kv_heads_, layer) : heads;
      const int dim = at(key_lengths_, layer) > 0 ? at(key_lengths_, layer) : model_.hidden_size / heads;
      const double k_rows = double(kv) * dim, v_rows = out ? out->cols() / heads * kv : 0;
      if (v_rows <= 0 || s.rows <= k_rows + v_rows) {  // of a layer that does not attend
        table.push_back(s);
        return;
      }
      add(TensorClass::attention_query, s.rows - k_rows - v_rows);
      add(TensorClass::attention_key, k_rows);
      add(TensorClass::attention_value, v_rows);
      return;
    }
    case R::attn_k_b:  // stored for the other multiplication: heads, then the latent, then a head's width
      s.rows = t.cols() * t.stack();
      s.cols = t.rows();
      s.count = 1;
      return add(cls, s.rows);
    case R::attn_v_b:
      s.rows = t.rows() * t.stack();
      s.count = 1;
      return add(cls, s.rows);
    case R::ffn_up:
      if (!l.has(R::ffn_gate) && l.has(R::ffn_down) && s.rows == 2 * l.weight(R::ffn_down)->cols()) {
        add(TensorClass::ffn_gate, s.rows / 2);
        return add(TensorClass::ffn_up, s.rows / 2);
      }
      return add(cls, s.rows);
    case R::ffn_gate_up_exps: add(TensorClass::expert_gate, s.rows / 2); return add(TensorClass::expert_up, s.rows / 2);
    default: return add(cls, s.rows);
  }
}

}  // namespace vramfit::importer
