// Keys and shapes: what llama.cpp asks of each architecture's files (source id llama-cpp-architectures).
#include "import/gguf_model.h"

#include <algorithm>
#include <cmath>

#include "vramfit/shape.h"

namespace vramfit::importer {
namespace {

using R = GgufRole;

constexpr int max_layers = 4096;

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

}  // namespace vramfit::importer
