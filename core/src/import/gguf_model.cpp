// Keys and shapes: what llama.cpp asks of each architecture's files (source id llama-cpp-architectures).
#include "import/gguf_model.h"

#include <algorithm>
#include <cmath>

#include "vramfit/shape.h"

namespace vramfit::importer {
namespace {

using R = GgufRole;

constexpr int max_layers = 4096;
constexpr double max_number = 1e9;  // what the shape's own numbers may be

int at(const std::vector<int>& numbers, int layer) { return layer < int(numbers.size()) ? numbers[layer] : -1; }

// Of a norm over heads: one for all of them, one over their whole width, or one for each.
QkNorm qk_norm_of(const GgufTensor* norm, int head_dim) {
  if (!norm) return QkNorm::none;
  if (norm->num_dims > 1 && norm->rows() > 1) return QkNorm::per_head_weights;
  return norm->elements() == head_dim ? QkNorm::per_head : QkNorm::full_width;
}

}  // namespace

GgufModel::GgufModel(const GgufHeader& metadata, std::string_view file, const std::vector<NamedTensor>& tensors, Imported& out,
                     Remarks& remarks)
    : metadata_(metadata), file_(file), tensors_(tensors), out_(out), model_(out.model), remarks_(remarks) {
  architecture_ = gguf_architecture(out.type);
}

bool GgufModel::refuse(const char* id, std::string_view where, std::string_view value, std::string_view wanted, double number) {
  remarks_.add(Severity::error, id, file_, shown(where), shown(value), shown(wanted), number);
  return false;
}

bool GgufModel::contradiction(const GgufTensor& tensor, double found, const std::string& name, double wanted) {
  return refuse("import-gguf-contradiction", tensor.name, digits(found), name, wanted);
}

void GgufModel::infer(const char* id, std::string where) {
  out_.inferred.push_back({id, std::move(where), "llama-cpp-architectures"});
}

std::string GgufModel::key(std::string_view name) const { return out_.type + "." + std::string(name); }

bool GgufModel::whole_number(const std::string& name, const GgufValue& value, std::uint64_t index, int& target) {
  const std::optional<double> n = value.number(index);
  if (!n || !(*n >= 0 && *n <= max_number) || *n != std::floor(*n))
    return refuse("import-gguf-value", name, n ? shown(*n) : std::string(value.text()));
  target = int(*n);
  return true;
}

bool GgufModel::optional_number(std::string_view name, int& target) {
  const std::string full = key(name);
  const GgufValue* v = metadata_.find(full);
  target = -1;
  if (!v) return true;
  if (v->is_array()) return refuse("import-gguf-value", full, "[]");
  return whole_number(full, *v, 0, target);
}

bool GgufModel::required_number(std::string_view name, int& target) {
  if (!optional_number(name, target)) return false;
  return target > 0 || refuse("import-gguf-missing-key", key(name), target == 0 ? "0" : "");
}

bool GgufModel::layer_numbers(std::string_view name, std::vector<int>& target) {
  const std::string full = key(name);
  const GgufValue* v = metadata_.find(full);
  target.clear();
  if (!v) return true;
  if (!v->is_array()) {
    int n = 0;
    if (!whole_number(full, *v, 0, n)) return false;
    target.assign(layers_.size(), n);
    return true;
  }
  if (v->count < std::uint64_t(num_layers_))
    return refuse("import-gguf-array-length", full, digits(double(v->count)), {}, num_layers_);
  target.resize(std::min<std::uint64_t>(v->count, layers_.size()));
  for (std::size_t i = 0; i < target.size(); ++i)
    if (!whole_number(full, *v, i, target[i])) return false;
  return true;
}

bool GgufModel::build() {
  if (!read_general() || !sort_layers() || !read_windows() || !read_outside() || !build_layers() || !build_prediction_layers())
    return false;
  count_norms();
  // What the shape's own reader would refuse must not leave here.
  const ShapeResult read_back = parse_shape(write_shape(model_));
  return read_back.ok() || refuse("import-gguf-shape", read_back.error);
}

bool GgufModel::read_general() {
  int block_count = 0, predicted = 0, context = 0;
  if (!required_number("block_count", block_count) || !optional_number("nextn_predict_layers", predicted) ||
      !required_number("context_length", context))
    return false;
  if (block_count > max_layers) return refuse("import-gguf-value", key("block_count"), digits(block_count), {}, max_layers);
  if (predicted >= block_count)
    return refuse("import-gguf-value", key("nextn_predict_layers"), digits(predicted), {}, block_count);
  layers_.resize(block_count);
  num_layers_ = block_count - std::max(predicted, 0);
  out_.max_position_embeddings = model_.max_position_embeddings = context;

  if (!layer_numbers("attention.head_count", heads_) || !layer_numbers("attention.head_count_kv", kv_heads_) ||
      !layer_numbers("attention.key_length", key_lengths_) || !layer_numbers("attention.value_length", value_lengths_) ||
      !layer_numbers("feed_forward_length", feed_forward_lengths_) ||
      !layer_numbers("expert_feed_forward_length", expert_lengths_) || !layer_numbers("expert_used_count", experts_used_) ||
      !layer_numbers("attention.compress_ratios", compress_ratios_))
    return false;
  return optional_number("attention.key_length_swa", key_length_swa_) &&
         optional_number("attention.value_length_swa", value_length_swa_) &&
         optional_number("attention.key_length_mla", latent_key_) &&
         optional_number("attention.value_length_mla", latent_value_) && optional_number("attention.kv_lora_rank", kv_rank_) &&
         optional_number("rope.dimension_count", rope_);
}

bool GgufModel::sort_layers() {
  const double width = [&] {
    for (const NamedTensor& t : tensors_)
      if (t.name.role == R::token_embd && t.name.part == GgufPart::weight) return t.tensor->cols();
    return 0.0;
  }();
  for (const NamedTensor& t : tensors_) {
    const GgufName& n = t.name;
    if (n.layer >= int(layers_.size()))
      return refuse("import-gguf-layer", t.tensor->name, digits(n.layer), key("block_count"), double(layers_.size()));
    GgufLayer& l = n.layer < 0 ? outside_ : layers_[n.layer];
    l.any = true;
    if (n.part == GgufPart::scale) continue;
    if (n.part == GgufPart::bias) {
      // The router's own bias has no weight beside it.
      (n.role == R::exp_probs_b ? l.weights : l.biases)[int(n.role)] = t.tensor;
      continue;
    }
    if (n.expert >= 0 && n.role == R::ffn_down_exps) ++l.experts;
    if (n.role == R::norm && t.tensor->elements() == width) ++l.wide_norms;
    if (n.role == R::ssm_inner_norm) l.inner_norms += t.tensor->elements();
    if (n.role == R::time_mix || n.role == R::foreign) return refuse("import-gguf-not-modelled", t.tensor->name, out_.type);
    l.weights[int(n.role)] = t.tensor;
  }
  for (int i = 0; i < num_layers_; ++i)
    if (!layers_[i].any && !architecture_.may_skip_layers)
      return refuse("import-gguf-missing-layer", "blk." + digits(i), {}, {}, i);
  return true;
}

bool GgufModel::read_windows() {
  const GgufArchitecture& a = architecture_;
  windowed_.assign(layers_.size(), false);
  int length = 0, shared = 0;
  if (!optional_number("attention.sliding_window", length) || !optional_number("attention.shared_kv_layers", shared))
    return false;

  first_shared_ = num_layers_;
  if (shared > 0) {
    if (shared >= num_layers_)
      return refuse("import-gguf-value", key("attention.shared_kv_layers"), digits(shared), {}, num_layers_);
    first_shared_ = num_layers_ - shared;
  } else if (a.layers_with_cache > 0 && a.layers_with_cache < num_layers_) {
    first_shared_ = a.layers_with_cache;
    infer("import-gguf-rule-shared-kv", key("attention.shared_kv_layers"));
  }

  const bool applies = a.window_layers == 0 || a.window_layers == num_layers_;
  const std::string pattern_key = key("attention.sliding_window_pattern");
  const GgufValue* pattern = metadata_.find(pattern_key);
  // A period in the file takes the place of the architecture's. Where there is neither, llama.cpp gives no layer a window.
  int period = a.window_period;
  bool listed = false;
  if (pattern && pattern->is_array()) {
    std::vector<int> flags;
    if (!layer_numbers("attention.sliding_window_pattern", flags)) return false;
    for (std::size_t i = 0; i < flags.size(); ++i) windowed_[i] = flags[i] != 0;
    listed = true;
  } else if (pattern) {
    int n = 0;
    if (!whole_number(pattern_key, *pattern, 0, n)) return false;
    if (period >= 0) period = n;
  } else if (a.window_required) {
    return refuse("import-gguf-missing-key", pattern_key);
  }
  window_ = length >= 0 ? length : a.default_window;
  const bool some_listed = listed && std::find(windowed_.begin(), windowed_.end(), true) != windowed_.end();
  if (window_ == 0) {
    if (some_listed && length < 0) return refuse("import-gguf-missing-key", key("attention.sliding_window"));
    windowed_.assign(layers_.size(), false);
    return true;
  }
  if (listed) return true;
  if (period < 0 || !applies) {
    if (length > 0)
      remarks_.add(Severity::info, "import-gguf-window-unused", file_, key("attention.sliding_window"), digits(length));
    return true;
  }
  for (int i = 0; i < num_layers_; ++i)
    windowed_[i] = period == 0 || (a.window_full_first ? i % period != 0 : i % period < period - 1);
  if (!pattern && period > 1) infer("import-gguf-rule-window-period", digits(period));
  if (length < 0) infer("import-gguf-rule-window-length", digits(window_));
  return true;
}

bool GgufModel::read_outside() {
  const GgufLayer& o = outside_;
  const GgufTensor* embedding = o.weight(R::token_embd);
  if (!embedding) return refuse("import-gguf-missing-tensor", "token_embd.weight");
  if (embedding->cols() > max_number || embedding->rows() > max_number || embedding->stack() > 1)
    return refuse("import-gguf-tensor-shape", embedding->name);
  model_.hidden_size = int(embedding->cols());
  model_.vocab_size = int(embedding->rows());
  int width = 0;
  if (!optional_number("embedding_length", width)) return false;
  if (width >= 0 && width != model_.hidden_size)
    return contradiction(*embedding, model_.hidden_size, key("embedding_length"), width);
  const GgufValue* tokens = metadata_.find("tokenizer.ggml.tokens");
  if (tokens && tokens->is_array() && double(tokens->count) != model_.vocab_size)
    return contradiction(*embedding, model_.vocab_size, "tokenizer.ggml.tokens", double(tokens->count));

  const GgufValue* causal = metadata_.find(key("attention.causal"));
  int pooling = 0;
  if (!optional_number("pooling_type", pooling)) return false;
  model_.encoder = architecture_.embedder || (causal && causal->number() == 0.0);
  model_.no_head = architecture_.embedder || pooling > 0;
  model_.tied_embeddings = !architecture_.embedder && !o.has(R::output);
  if (model_.tied_embeddings && !model_.no_head) infer("import-gguf-rule-tied", "output.weight");
  model_.head_bias = o.bias(R::output) != nullptr && !model_.no_head;
  if (const GgufTensor* head = o.weight(R::output);
      head && (head->cols() != model_.hidden_size || head->rows() != model_.vocab_size))
    return contradiction(*head, head->rows(), "token_embd.weight", model_.vocab_size);

  // LFM2 calls its last norm the embedding's.
  const bool misnamed = !o.has(R::output_norm) && out_.type.starts_with("lfm2");
  model_.no_final_norm = !o.has(R::output_norm) && !misnamed;
  model_.embedding_norm = o.has(R::token_embd_norm) && !misnamed;
  if (const GgufTensor* t = o.weight(R::position_embd)) model_.position_rows = int(std::min(t->rows(), max_number));
  if (const GgufTensor* t = o.weight(R::token_types)) model_.type_rows = int(std::min(t->rows(), max_number));
  if (const GgufTensor* t = o.weight(R::cls)) model_.pooler = t->cols() == model_.hidden_size && t->rows() == model_.hidden_size;

  bool norm_bias = o.bias(R::output_norm) != nullptr || o.bias(R::token_embd_norm) != nullptr;
  for (const GgufLayer& l : layers_) norm_bias = norm_bias || l.bias(R::norm) != nullptr;
  model_.norm = norm_bias                                             ? NormKind::layer_norm
                : metadata_.find(key("attention.layer_norm_epsilon")) ? NormKind::layer_norm_no_bias
                                                                      : NormKind::rms;

  if (const GgufTensor* t = o.weight(R::per_layer_token_embd)) {
    int ple = 0;
    if (!required_number("embedding_length_per_layer_input", ple)) return false;
    if (t->cols() != double(ple) * num_layers_)
      return contradiction(*t, t->cols(), key("embedding_length_per_layer_input"), double(ple) * num_layers_);
    model_.per_layer_embedding_dim = ple;
    model_.per_layer_vocab_size = int(std::min(t->rows(), max_number));
  }
  if (o.has(R::altup_proj)) {
    if (!required_number("altup.num_inputs", model_.altup_inputs)) return false;
    if (model_.altup_inputs > 64) return refuse("import-gguf-value", key("altup.num_inputs"), digits(model_.altup_inputs));
  }
  if (o.has(R::output_hc_fn)) {
    if (!required_number("hyper_connection.count", model_.hyper_connections)) return false;
    if (model_.hyper_connections > 64)
      return refuse("import-gguf-value", key("hyper_connection.count"), digits(model_.hyper_connections));
  }
  if (!layers_.empty()) {
    if (const GgufTensor* t = layers_[0].weight(R::laurel_l)) model_.laurel_rank = int(std::min(t->rows(), max_number));
    model_.scalars_per_layer = layers_[0].has(R::layer_scale);
  }
  return true;
}

bool GgufModel::expect_rows(const GgufTensor* tensor, double rows, std::string_view name, double number) {
  return !tensor || tensor->rows() * tensor->stack() == rows ||
         contradiction(*tensor, tensor->rows() * tensor->stack(), key(name), number);
}

bool GgufModel::expect_cols(const GgufTensor* tensor, double cols, std::string_view name, double number) {
  return !tensor || tensor->cols() == cols || contradiction(*tensor, tensor->cols(), key(name), number);
}

bool GgufModel::layer_mixer(int layer, const GgufLayer& l, Mixer& x) {
  if (l.has(R::ssm_conv_q)) return kimi_delta(layer, l, x);
  if (l.has(R::shortconv_conv)) return short_conv(l, x);
  if (l.has(R::ssm_conv)) {
    if (l.has(R::ssm_ba)) return gated_delta_net(l, x);
    return l.has(R::ssm_x) ? mamba1(l, x) : mamba2(l, x);
  }
  if (l.has(R::attn_kv_a)) return latent(layer, l, x);
  if (l.has(R::attn_output_a)) return compressed(layer, l, x);
  if (l.has(R::attn_q) || l.has(R::attn_qkv)) return attention(layer, l, x);
  if (l.has(R::attn_output)) return refuse("import-gguf-layer-kind", l.weight(R::attn_output)->name);
  x.kind = MixerKind::none;
  return true;
}

bool GgufModel::attention(int layer, const GgufLayer& l, Mixer& x) {
  const GgufTensor *q = l.weight(R::attn_q), *k = l.weight(R::attn_k), *v = l.weight(R::attn_v), *out = l.weight(R::attn_output);
  const GgufTensor* fused = l.weight(R::attn_qkv);
  if (!out) return refuse("import-gguf-missing-tensor", "blk." + digits(layer) + ".attn_output.weight");
  const int gate = architecture_.gated_query ? 2 : 1;
  const bool window = windowed_[layer];

  const int heads = at(heads_, layer);
  if (heads <= 0) return refuse("import-gguf-missing-key", key("attention.head_count"), heads == 0 ? "0" : "");
  int kv = at(kv_heads_, layer);
  int dim = window && key_length_swa_ > 0 ? key_length_swa_ : at(key_lengths_, layer);
  int v_dim = window && value_length_swa_ > 0 ? value_length_swa_ : at(value_lengths_, layer);
  if (dim <= 0 && q) dim = int(std::min(max_number, q->rows() / (double(heads) * gate)));
  if (dim <= 0) dim = model_.hidden_size / heads;
  if (kv <= 0) kv = k ? int(std::min(max_number, k->rows() / std::max(dim, 1))) : heads;
  if (v_dim <= 0 && !fused && v) v_dim = int(std::min(max_number, v->rows() / std::max(kv, 1)));
  if (v_dim <= 0) v_dim = dim;
  if (dim <= 0 || kv <= 0 || heads % kv != 0)
    return refuse("import-gguf-value", key("attention.head_count_kv"), digits(kv), {}, heads);

  const double q_rows = double(heads) * dim * gate, k_rows = double(kv) * dim, v_rows = double(kv) * v_dim;
  if (fused && !expect_rows(fused, q_rows + k_rows + v_rows, "attention.head_count_kv", q_rows + k_rows + v_rows)) return false;
  if (q && !expect_rows(q, q_rows, "attention.head_count", q_rows)) return false;
  if (!expect_rows(k, k_rows, "attention.head_count_kv", k_rows) || !expect_rows(v, v_rows, "attention.value_length", v_rows))
    return false;
  if (!expect_cols(out, double(heads) * v_dim, "attention.head_count", double(heads) * v_dim)) return false;

  x.kind = window ? architecture_.window_kind : MixerKind::full;
  x.window = window ? window_ : 0;
  x.num_heads = heads;
  x.num_kv_heads = kv;
  x.head_dim = dim;
  x.v_head_dim = v_dim;
  x.shares_kv = layer >= first_shared_ && layer < num_layers_;
  if (!fused && !k && !x.shares_kv) return refuse("import-gguf-missing-tensor", "blk." + digits(layer) + ".attn_k.weight");
  x.k_equals_v = !fused && k && !v;
  if (x.k_equals_v) x.v_head_dim = dim;
  x.qk_norm = qk_norm_of(l.weight(R::attn_q_norm), dim);
  const GgufTensor* separate_gate = l.weight(R::attn_gate);
  x.output_gate = gate == 2 || (separate_gate && separate_gate->rows() == double(heads) * v_dim);
  const bool q_bias = l.bias(R::attn_qkv) || l.bias(R::attn_q), k_bias = l.bias(R::attn_qkv) || l.bias(R::attn_k);
  const bool v_bias = l.bias(R::attn_qkv) || l.bias(R::attn_v);
  x.q_bias = x.v_bias = q_bias && v_bias;  // the shape knows both without the key's, and all three
  x.k_bias = x.q_bias && k_bias;
  x.o_bias = l.bias(R::attn_output) != nullptr;
  x.sinks = l.has(R::attn_sinks);
  return indexer(l, x);
}

bool GgufModel::indexer(const GgufLayer& l, Mixer& x) {
  const GgufTensor* q = l.weight(R::index_q);
  if (!q) return true;
  if (!required_number("attention.indexer.head_count", x.index_num_heads) ||
      !required_number("attention.indexer.key_length", x.index_head_dim))
    return false;
  const double width = double(x.index_num_heads) * x.index_head_dim;
  return expect_rows(q, width, "attention.indexer.head_count", width) &&
         expect_rows(l.weight(R::index_k), x.index_head_dim, "attention.indexer.key_length", x.index_head_dim);
}

bool GgufModel::latent(int layer, const GgufLayer& l, Mixer& x) {
  const GgufTensor *down = l.weight(R::attn_kv_a), *out = l.weight(R::attn_output);
  const GgufTensor* q = l.has(R::attn_q_b) ? l.weight(R::attn_q_b) : l.weight(R::attn_q);
  if (!q || !out)
    return refuse("import-gguf-missing-tensor", "blk." + digits(layer) + (q ? ".attn_output.weight" : ".attn_q.weight"));
  if (kv_rank_ <= 0) return refuse("import-gguf-missing-key", key("attention.kv_lora_rank"));
  // A matrix that is not split serves no compressed cache: llama.cpp then keeps every head's keys and values.
  if (l.has(R::attn_kv_b) && !l.has(R::attn_k_b)) return refuse("import-gguf-legacy-latent", l.weight(R::attn_kv_b)->name);
  const int heads = at(heads_, layer);
  if (heads <= 0) return refuse("import-gguf-missing-key", key("attention.head_count"));
  const double rope = down->rows() - kv_rank_;
  if (rope < 0 || rope > max_number) return contradiction(*down, down->rows(), key("attention.kv_lora_rank"), kv_rank_);
  x.kind = MixerKind::latent;
  x.num_heads = heads;
  x.kv_lora_rank = kv_rank_;
  x.qk_rope_head_dim = int(rope);
  x.head_dim = latent_key_ > 0 ? latent_key_ : int(std::min(max_number, q->rows() / heads));
  x.v_head_dim = latent_value_ > 0 ? latent_value_ : int(std::min(max_number, out->cols() / heads));
  if (const GgufTensor* qa = l.weight(R::attn_q_a)) {
    x.q_lora_rank = int(std::min(max_number, qa->rows()));
    int rank = 0;
    if (!optional_number("attention.q_lora_rank", rank)) return false;
    if (rank > 0 && !expect_rows(qa, rank, "attention.q_lora_rank", rank)) return false;
  }
  if (!expect_rows(q, double(heads) * x.head_dim, "attention.key_length_mla", double(heads) * x.head_dim) ||
      !expect_cols(out, double(heads) * x.v_head_dim, "attention.value_length_mla", double(heads) * x.v_head_dim))
    return false;
  const double up = double(heads) * (x.head_dim - x.qk_rope_head_dim) * kv_rank_;
  if (const GgufTensor* kb = l.weight(R::attn_k_b); kb && kb->elements() != up)
    return contradiction(*kb, kb->elements(), key("attention.key_length_mla"), up);
  if (const GgufTensor* vb = l.weight(R::attn_v_b); vb && vb->elements() != double(heads) * x.v_head_dim * kv_rank_)
    return contradiction(*vb, vb->elements(), key("attention.value_length_mla"), double(heads) * x.v_head_dim * kv_rank_);
  x.output_gate = l.has(R::attn_gate);
  return indexer(l, x);
}

bool GgufModel::compressed(int layer, const GgufLayer& l, Mixer& x) {
  const GgufTensor *q = l.weight(R::attn_q_b), *down = l.weight(R::attn_q_a), *kv = l.weight(R::attn_kv),
                   *out = l.weight(R::attn_output_b);
  if (!q || !down || !kv || !out) return refuse("import-gguf-missing-tensor", "blk." + digits(layer) + ".attn_kv.weight");
  const int heads = at(heads_, layer);
  if (heads <= 0) return refuse("import-gguf-missing-key", key("attention.head_count"));
  const int ratio = at(compress_ratios_, layer);
  if (ratio < 0) return refuse("import-gguf-missing-key", key("attention.compress_ratios"));
  if (window_ <= 0) return refuse("import-gguf-missing-key", key("attention.sliding_window"));
  if (rope_ < 0) return refuse("import-gguf-missing-key", key("rope.dimension_count"));
  x.kind = MixerKind::compressed;
  x.num_heads = heads;
  x.head_dim = x.v_head_dim = int(std::min(max_number, kv->rows()));
  x.q_lora_rank = int(std::min(max_number, down->rows()));
  x.qk_rope_head_dim = rope_;
  x.window = window_;
  x.compress_ratio = ratio;
  if (!required_number("attention.output_group_count", x.o_groups) ||
      !required_number("attention.output_lora_rank", x.o_lora_rank))
    return false;
  if (!expect_rows(q, double(heads) * x.head_dim, "attention.head_count", double(heads) * x.head_dim) ||
      !expect_cols(out, double(x.o_groups) * x.o_lora_rank, "attention.output_lora_rank", double(x.o_groups) * x.o_lora_rank))
    return false;
  if ((ratio > 0) != l.has(R::compressor_matrix))
    return refuse("import-gguf-contradiction", kv->name, digits(ratio), key("attention.compress_ratios"), ratio);
  return indexer(l, x);
}

bool GgufModel::gated_delta_net(const GgufLayer& l, Mixer& x) {
  int inner = 0;
  if (!required_number("ssm.time_step_rank", x.num_heads) || !required_number("ssm.group_count", x.num_key_heads) ||
      !required_number("ssm.state_size", x.head_dim) || !required_number("ssm.inner_size", inner) ||
      !required_number("ssm.conv_kernel", x.conv_kernel))
    return false;
  if (inner % x.num_heads != 0) return refuse("import-gguf-value", key("ssm.inner_size"), digits(inner), {}, x.num_heads);
  x.kind = MixerKind::gated_delta_net;
  x.v_head_dim = inner / x.num_heads;
  x.state_fp32 = architecture_.state_fp32;
  const double keys = double(x.num_key_heads) * x.head_dim;
  return expect_cols(l.weight(R::ssm_conv), x.conv_kernel, "ssm.conv_kernel", x.conv_kernel) &&
         expect_rows(l.weight(R::ssm_conv), 2 * keys + inner, "ssm.inner_size", 2 * keys + inner) &&
         expect_rows(l.weight(R::attn_qkv), 2 * keys + inner, "ssm.inner_size", 2 * keys + inner) &&
         expect_rows(l.weight(R::ssm_in), 2 * keys + 2.0 * inner, "ssm.inner_size", 2 * keys + 2.0 * inner) &&
         expect_cols(l.weight(R::ssm_out), inner, "ssm.inner_size", inner);
}

bool GgufModel::kimi_delta(int layer, const GgufLayer& l, Mixer& x) {
  const int heads = at(heads_, layer);
  if (heads <= 0) return refuse("import-gguf-missing-key", key("attention.head_count"));
  if (!required_number("kda.head_dim", x.head_dim) || !required_number("ssm.conv_kernel", x.conv_kernel)) return false;
  x.kind = MixerKind::kimi_delta;
  x.num_heads = x.num_key_heads = heads;
  x.v_head_dim = x.head_dim;
  x.full_rank_gate = l.has(R::attn_gate) && !l.has(R::ssm_g_a);
  x.state_fp32 = architecture_.state_fp32;
  const double width = double(heads) * x.head_dim;
  return expect_rows(l.weight(R::attn_q), width, "kda.head_dim", width) &&
         expect_rows(l.weight(R::attn_k), width, "kda.head_dim", width) &&
         expect_rows(l.weight(R::attn_v), width, "kda.head_dim", width) &&
         expect_cols(l.weight(R::attn_output), width, "kda.head_dim", width) &&
         expect_cols(l.weight(R::ssm_conv_q), x.conv_kernel, "ssm.conv_kernel", x.conv_kernel);
}

bool GgufModel::mamba1(const GgufLayer& l, Mixer& x) {
  if (!required_number("ssm.inner_size", x.inner_size) || !required_number("ssm.state_size", x.state_size) ||
      !required_number("ssm.conv_kernel", x.conv_kernel) || !required_number("ssm.time_step_rank", x.dt_rank))
    return false;
  x.kind = MixerKind::mamba1;
  x.extra_norm_width = int(std::min(l.inner_norms, max_number));
  return expect_rows(l.weight(R::ssm_in), 2.0 * x.inner_size, "ssm.inner_size", 2.0 * x.inner_size) &&
         expect_cols(l.weight(R::ssm_conv), x.conv_kernel, "ssm.conv_kernel", x.conv_kernel) &&
         expect_rows(l.weight(R::ssm_x), x.dt_rank + 2.0 * x.state_size, "ssm.time_step_rank", x.dt_rank + 2.0 * x.state_size) &&
         expect_cols(l.weight(R::ssm_a), x.state_size, "ssm.state_size", x.state_size) &&
         expect_cols(l.weight(R::ssm_out), x.inner_size, "ssm.inner_size", x.inner_size);
}

bool GgufModel::mamba2(const GgufLayer& l, Mixer& x) {
  if (!required_number("ssm.inner_size", x.inner_size) || !required_number("ssm.state_size", x.state_size) ||
      !required_number("ssm.conv_kernel", x.conv_kernel) || !required_number("ssm.time_step_rank", x.num_heads) ||
      !required_number("ssm.group_count", x.num_groups))
    return false;
  x.kind = MixerKind::mamba2;
  x.state_fp32 = architecture_.state_fp32;
  const double conv = x.inner_size + 2.0 * x.num_groups * x.state_size;
  return expect_rows(l.weight(R::ssm_in), x.inner_size + conv + x.num_heads, "ssm.inner_size",
                     x.inner_size + conv + x.num_heads) &&
         expect_cols(l.weight(R::ssm_conv), x.conv_kernel, "ssm.conv_kernel", x.conv_kernel) &&
         expect_rows(l.weight(R::ssm_conv), conv, "ssm.state_size", conv) &&
         expect_cols(l.weight(R::ssm_out), x.inner_size, "ssm.inner_size", x.inner_size);
}

bool GgufModel::short_conv(const GgufLayer& l, Mixer& x) {
  const GgufTensor *in = l.weight(R::shortconv_in), *out = l.weight(R::shortconv_out);
  if (!in || !out) return refuse("import-gguf-missing-tensor", l.weight(R::shortconv_conv)->name);
  if (!required_number("shortconv.l_cache", x.conv_kernel)) return false;
  x.kind = MixerKind::short_conv;
  x.inner_size = int(std::min(max_number, out->cols()));
  return expect_cols(l.weight(R::shortconv_conv), x.conv_kernel, "shortconv.l_cache", x.conv_kernel) &&
         (in->rows() == 3.0 * x.inner_size || contradiction(*in, in->rows(), std::string(out->name), 3.0 * x.inner_size));
}

bool GgufModel::layer_feed_forward(int layer, const GgufLayer& l, FeedForward& f) {
  const GgufTensor *up = l.weight(R::ffn_up), *gate = l.weight(R::ffn_gate), *down = l.weight(R::ffn_down);
  const GgufTensor *up_exps = l.weight(R::ffn_up_exps), *gate_exps = l.weight(R::ffn_gate_exps),
                   *down_exps = l.weight(R::ffn_down_exps);
  const GgufTensor* fused_exps = l.weight(R::ffn_gate_up_exps);
  const bool dense = up || down, mixture = up_exps || fused_exps || down_exps;
  const std::string layer_name = "blk." + digits(layer);
  f.kind = dense && mixture ? FeedForwardKind::dense_and_mixture
           : mixture        ? FeedForwardKind::mixture
           : dense          ? FeedForwardKind::dense
                            : FeedForwardKind::none;
  if (dense) {
    if (!up || !down) return refuse("import-gguf-missing-tensor", layer_name + (up ? ".ffn_down.weight" : ".ffn_up.weight"));
    if (down->cols() > max_number) return refuse("import-gguf-tensor-shape", down->name);
    f.intermediate_size = int(down->cols());
    const bool fused = !gate && up->rows() == 2.0 * f.intermediate_size;
    f.gated = gate || fused;
    f.joined_gate_up = fused;
    if (up->rows() != (fused ? 2.0 : 1.0) * f.intermediate_size)
      return contradiction(*up, up->rows(), std::string(down->name), f.intermediate_size);
    if (gate && gate->rows() != f.intermediate_size)
      return contradiction(*gate, gate->rows(), std::string(down->name), f.intermediate_size);
    f.bias = l.bias(R::ffn_up) && l.bias(R::ffn_down) && (!gate || l.bias(R::ffn_gate));
    const int stated = at(feed_forward_lengths_, layer) / (architecture_.half_feed_forward ? 2 : 1);
    if (!mixture && stated > 0 && stated != f.intermediate_size)
      return contradiction(*down, f.intermediate_size, key("feed_forward_length"), stated);
  }
  if (!mixture) return true;

  if (!down_exps || !(up_exps || fused_exps))
    return refuse("import-gguf-missing-tensor", layer_name + (down_exps ? ".ffn_up_exps.weight" : ".ffn_down_exps.weight"));
  if (!l.has(R::ffn_gate_inp)) return refuse("import-gguf-missing-tensor", layer_name + ".ffn_gate_inp.weight");
  const double experts = l.experts > 0 ? l.experts : down_exps->stack();
  if (experts > max_number || down_exps->cols() > max_number) return refuse("import-gguf-tensor-shape", down_exps->name);
  f.num_experts = int(experts);
  f.moe_intermediate_size = int(down_exps->cols());
  const bool gated = gate_exps || fused_exps;
  if (dense && gated != f.gated) return refuse("import-gguf-layer-kind", down_exps->name);
  f.gated = gated;
  const GgufTensor* in = fused_exps ? fused_exps : up_exps;
  if (in->rows() != (fused_exps ? 2.0 : 1.0) * f.moe_intermediate_size || (l.experts == 0 && in->stack() != experts))
    return contradiction(*in, in->rows(), std::string(down_exps->name), f.moe_intermediate_size);
  int stated = 0;
  if (!optional_number("expert_count", stated)) return false;
  if (stated > 0 && stated != f.num_experts) return contradiction(*down_exps, f.num_experts, key("expert_count"), stated);
  if (const int length = at(expert_lengths_, layer); length > 0 && length != f.moe_intermediate_size)
    return contradiction(*down_exps, f.moe_intermediate_size, key("expert_feed_forward_length"), length);
  if (const GgufTensor* router = l.weight(R::ffn_gate_inp); router->rows() != f.num_experts)
    return contradiction(*router, router->rows(), key("expert_count"), f.num_experts);
  f.experts_per_token = at(experts_used_, layer);
  if (f.experts_per_token <= 0 || f.experts_per_token > f.num_experts)
    return refuse(f.experts_per_token <= 0 ? "import-gguf-missing-key" : "import-gguf-value", key("expert_used_count"),
                  digits(std::max(f.experts_per_token, 0)), {}, f.num_experts);

  if (const GgufTensor* t = l.weight(R::latent_down)) {
    f.latent_size = int(std::min(max_number, t->rows()));
    const GgufTensor* norm = l.weight(R::latent_norm);
    f.latent_norm = norm && norm->elements() == f.latent_size;
  }
  if (const GgufTensor* t = l.weight(R::ffn_up_shexp)) f.shared_intermediate_size = int(std::min(max_number, t->rows()));
  f.shared_gate = f.shared_intermediate_size > 0 && l.has(R::ffn_gate_inp_shexp);
  f.router_bias = l.has(R::exp_probs_b) || l.bias(R::ffn_gate_inp);
  f.expert_bias = l.bias(R::ffn_down_exps) && (l.bias(R::ffn_up_exps) || l.bias(R::ffn_gate_up_exps));
  f.experts_fp4 = ggml_type(down_exps->type).format == Format::ggml_mxfp4;
  return true;
}

int GgufModel::mixer_index(const Mixer& x) {
  for (int i = 0; i < model_.num_mixers; ++i)
    if (model_.mixers[i] == x) return i;
  if (model_.num_mixers == Model::max_kinds) return -1;
  model_.mixers[model_.num_mixers] = x;
  return model_.num_mixers++;
}

int GgufModel::feed_forward_index(const FeedForward& f) {
  for (int i = 0; i < model_.num_feed_forwards; ++i)
    if (model_.feed_forwards[i] == f) return i;
  if (model_.num_feed_forwards == Model::max_kinds) return -1;
  model_.feed_forwards[model_.num_feed_forwards] = f;
  return model_.num_feed_forwards++;
}

bool GgufModel::add_layer(const Mixer& x, const FeedForward& f) {
  const int m = mixer_index(x), n = feed_forward_index(f);
  if (m < 0 || n < 0) return refuse("import-gguf-too-many-kinds", key("block_count"), {}, {}, Model::max_kinds);
  if (model_.num_runs > 0) {
    LayerRun& last = model_.runs[model_.num_runs - 1];
    if (last.mixer == m && last.feed_forward == n) return ++last.count, true;
  }
  if (model_.num_runs == Model::max_runs) return refuse("import-gguf-too-many-runs", key("block_count"), {}, {}, Model::max_runs);
  model_.runs[model_.num_runs++] = {std::uint8_t(m), std::uint8_t(n), 1};
  return true;
}

bool GgufModel::build_layers() {
  for (int i = 0; i < num_layers_; ++i) {
    const GgufLayer& l = layers_[i];
    Mixer x;
    FeedForward f;
    if (!layer_mixer(i, l, x) || !layer_feed_forward(i, l, f)) return false;
    if (architecture_.two_mixers && is_recurrent(x.kind)) {
      if (!add_layer(x, FeedForward{})) return false;
      x = Mixer{};
      if (!attention(i, l, x)) return false;
    }
    if (!add_layer(x, f)) return false;
  }
  if (architecture_.two_mixers) infer("import-gguf-rule-two-mixers", key("block_count"));
  return true;
}

// Each is a layer of its own, but for models whose layers hold one half: there an attention and the feed-forward behind it are
// one.
bool GgufModel::build_prediction_layers() {
  int count = 0;
  Mixer first_mixer;
  FeedForward first_feed_forward;
  for (int i = num_layers_; i < int(layers_.size()); ++i) {
    const GgufLayer& l = layers_[i];
    if (!l.any) continue;
    Mixer x;
    FeedForward f;
    if (!layer_mixer(i, l, x) || !layer_feed_forward(i, l, f)) return false;
    model_.mtp_own_embedding = model_.mtp_own_embedding || l.has(R::nextn_embed);
    if (count == 0) first_mixer = x, first_feed_forward = f;
    else if (first_feed_forward.kind == FeedForwardKind::none && x.kind == MixerKind::none) {
      first_feed_forward = f;
      continue;
    }
    ++count;
  }
  if (count == 0) return true;
  if (count > 9) return refuse("import-gguf-value", key("nextn_predict_layers"), digits(count), {}, 9);
  model_.num_mtp_layers = count;
  model_.mtp_mixer = mixer_index(first_mixer);
  model_.mtp_feed_forward = feed_forward_index(first_feed_forward);
  return (model_.mtp_mixer >= 0 && model_.mtp_feed_forward >= 0) ||
         refuse("import-gguf-too-many-kinds", key("nextn_predict_layers"), {}, {}, Model::max_kinds);
}

// One norm before each half is what the shape assumes; it can say another number, the same for all layers.
void GgufModel::count_norms() {
  if (architecture_.two_mixers || num_layers_ == 0) return;
  bool assumed = true, uniform = true;
  int layer = 0;
  for (int r = 0; r < model_.num_runs; ++r) {
    const LayerRun& run = model_.runs[r];
    const double halves = (model_.mixers[run.mixer].kind != MixerKind::none) +
                          (model_.feed_forwards[run.feed_forward].kind != FeedForwardKind::none);
    for (int i = 0; i < run.count; ++i, ++layer) {
      assumed = assumed && layers_[layer].wide_norms == halves;
      uniform = uniform && layers_[layer].wide_norms == layers_[0].wide_norms;
    }
  }
  if (!assumed && uniform && layers_[0].wide_norms > 0) model_.norms_per_layer = int(layers_[0].wide_norms);
}

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
      const int kv = at(kv_heads_, layer) > 0 ? at(kv_heads_, layer) : at(heads_, layer);
      const int heads = std::max(1, at(heads_, layer));
      const double v_rows = out->cols() / heads * kv;
      const int dim = at(key_lengths_, layer) > 0 ? at(key_lengths_, layer) : model_.hidden_size / heads;
      const double k_rows = double(kv) * dim;
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
