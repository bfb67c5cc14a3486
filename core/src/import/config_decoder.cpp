// The usual decoder: attention and a feed-forward in each layer, by the traits of its class.
#include <algorithm>

#include "import/config_build.h"

namespace vramfit::importer {

bool on(const Build& b, const Switch& property, std::string_view rule) {
  if (!property.field.empty()) return b.text.flag(property.field, property.value);
  if (property.value && !rule.empty()) b.class_part(rule);
  return property.value;
}

std::string layer_range(int first, int last) {
  return first == last ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last);
}

int num_layers(const Build& b) {
  constexpr int most_layers = 4096;
  const int layers = b.text.need(layers_names);
  if (layers <= most_layers) return layers;
  std::string name;
  const JsonValue value = b.text.find(layers_names, &name);
  b.text.error("import-out-of-range", name, value, {}, most_layers);
  return 1;
}

void read_outside(Build& b) {
  const Traits& t = b.traits;
  Model& m = b.model;
  m.hidden_size = b.text.need(hidden_names);
  m.vocab_size = t.vocab > 0 ? b.text.or_default(vocab_names, t.vocab) : b.text.need(vocab_names);
  // A file of several parts may say it outside of the language model's part.
  if (!b.text.has("tie_word_embeddings|tied_embeddings|tie_embedding") && b.root.has("tie_word_embeddings"))
    m.tied_embeddings = b.root.stated("tie_word_embeddings");
  else m.tied_embeddings = b.text.flag("tie_word_embeddings|tied_embeddings|tie_embedding", t.tied);
  m.norm = t.norm;
  if (t.norm != NormKind::rms) b.class_part("import-rule-layer-norm");
  m.norms_per_layer = t.norms;
  if (t.norms > 0) b.class_part("import-rule-norms", std::to_string(t.norms));
  m.head_bias = on(b, t.head_bias, "import-rule-head-bias");
  double positions = b.text.count(positions_names, 0);
  if (positions == 0 && !b.text.has(positions_names) && t.max_positions > 0)
    positions = b.text.or_default(positions_names, t.max_positions);
  b.out.max_position_embeddings = positions;
  // Rotary tables are made for the stretched length when the scaling is linear.
  const Fields scaling = b.text.inside("rope_scaling");
  const std::string_view kind = scaling.text("rope_type|type");
  if (kind == "linear") {
    const int factor = static_cast<int>(scaling.ratio("factor", 1));
    m.rope_table_factor = factor > 1 ? factor : 0;
  }
}

namespace {

bool type_of(std::string_view name, LayerType other, LayerType& type) {
  struct Name {
    std::string_view name;
    LayerType type;
  };
  static constexpr Name names[] = {
      {"full_attention", LayerType::full},
      {"attention", LayerType::full},
      {"global_attention", LayerType::full},
      {"deepseek_sparse_attention", LayerType::full},
      {"minimax_m3_sparse", LayerType::full},
      {"sliding_attention", LayerType::sliding},
      {"local_attention", LayerType::sliding},
      {"chunked_attention", LayerType::chunked},
      {"linear_attention", LayerType::linear},
      {"mamba", LayerType::mamba},
      {"mamba2", LayerType::mamba},
      {"conv", LayerType::conv},
  };
  for (const Name& n : names) {
    if (n.name != name) continue;
    type = n.type;
    if (type == LayerType::linear && other != LayerType::sliding) type = other;  // one word for every recurrent kind
    if (type == LayerType::sliding && other == LayerType::chunked) type = other;
    return true;
  }
  return false;
}

int period_of(const Build& b) {
  const Traits& t = b.traits;
  if (t.period_field.empty()) return b.class_part("import-rule-layer-pattern", "1 / " + std::to_string(t.period)), t.period;
  std::string name;
  const JsonValue value = b.text.find(t.period_field, &name);
  // Such as "LLLG": as many as it has letters.
  if (value.is_string() && !value.string().empty() && value.string().size() <= 64) return static_cast<int>(value.string().size());
  const int period = b.text.or_default(t.period_field, t.period);
  if (value.is_null()) b.class_part("import-rule-layer-pattern", "1 / " + std::to_string(period));
  return period;
}

}  // namespace

void read_types(Build& b, int layers) {
  const Traits& t = b.traits;
  b.types.assign(layers, LayerType::full);
  const bool one_kind = t.windows == Windows::none && t.period == 0;
  if (one_kind && !b.text.has("layer_types")) return;
  if (b.text.has("layer_types") && t.windows != Windows::all) {
    const std::vector<std::string_view> names = b.text.texts("layer_types");
    if (b.failed() && names.empty()) return;
    // Multi-token-prediction layers may be listed behind the model's own.
    const int extra = t.mtp.empty() ? 0 : b.text.count(t.mtp);
    const int length = static_cast<int>(names.size());
    if (length != layers && length != layers + extra) {
      b.text.error("import-list-length", "layer_types", b.text.find("layer_types"), std::to_string(length), layers);
      return;
    }
    for (int i = 0; i < layers; ++i) {
      if (type_of(names[i], t.other, b.types[i]) && (!one_kind || b.types[i] == LayerType::full)) continue;
      add_error(b.out, "import-unknown-layer-type", b.text.file(), b.text.path("layer_types[") + std::to_string(i) + "]",
                std::string(names[i].substr(0, 80)), {});
      return;
    }
    return;
  }
  if (t.windows == Windows::qwen2) {
    if (!b.text.flag("use_sliding_window", false)) return;
    const int from = b.text.count("max_window_layers", layers);
    for (int i = from; i < layers; ++i) b.types[i] = LayerType::sliding;
    return;
  }
  if (t.windows == Windows::all) {
    if (!b.text.has("sliding_window")) {
      // Null is an answer: no window. A file without the field takes the class's.
      if (t.window > 0 && !b.text.object().find("sliding_window").present())
        b.text.rule("import-rule-class-default", b.text.path("sliding_window") + " = " + std::to_string(t.window));
      else return;
    }
    const int window = window_of(b);
    if (b.out.max_position_embeddings > 0 && window >= b.out.max_position_embeddings) {
      b.text.rule("import-rule-window-covers", b.text.path("sliding_window"), classes_source);
      return;
    }
    b.types.assign(layers, LayerType::sliding);
    return;
  }
  const int period = period_of(b);
  for (int i = 0; i < layers; ++i) {
    const bool full = t.from_end ? (layers - 1 - i) % period == 0 : (i + 1) % period == 0;
    if (!full) b.types[i] = t.other;
  }
}

int window_of(const Build& b) {
  if (b.text.has("sliding_window|sliding_window_size|attention_chunk_size|window_size"))
    return b.text.need("sliding_window|sliding_window_size|attention_chunk_size|window_size");
  return b.traits.window > 0 ? b.text.or_default("sliding_window", b.traits.window) : b.text.need("sliding_window");
}

namespace {

Mixer latent(const Build& b) {
  Mixer x;
  x.kind = MixerKind::latent;
  x.num_heads = b.text.need(heads_names);
  x.q_lora_rank = b.text.count("q_lora_rank");
  x.kv_lora_rank = b.text.need("kv_lora_rank");
  x.qk_rope_head_dim = b.text.need("qk_rope_head_dim");
  x.head_dim = b.text.need("qk_nope_head_dim") + x.qk_rope_head_dim;
  x.v_head_dim = b.text.need("v_head_dim");
  if (b.text.has("index_n_heads")) {
    x.index_num_heads = b.text.need("index_n_heads");
    x.index_head_dim = b.text.need("index_head_dim");
  }
  return x;
}

}  // namespace

Mixer attention(const Build& b) {
  const Traits& t = b.traits;
  if (t.latent && !(b.text.find("use_mla").is_boolean() && !b.text.stated("use_mla"))) return latent(b);
  Mixer x;
  x.kind = MixerKind::full;
  x.num_heads = t.heads > 0 ? b.text.or_default(heads_names, t.heads) : b.text.need(heads_names);
  if (b.text.has(kv_heads_names)) x.num_kv_heads = b.text.need(kv_heads_names);
  else x.num_kv_heads = b.text.or_default(kv_heads_names, t.kv_heads > 0 ? t.kv_heads : x.num_heads);
  if (x.num_heads % x.num_kv_heads != 0) {
    std::string name;
    b.text.find(kv_heads_names, &name);
    b.text.contradiction(name, "num_attention_heads = " + std::to_string(x.num_heads));
  }
  if (b.text.has(head_dim_names)) {
    x.head_dim = b.text.need(head_dim_names);
  } else if (t.head_dim > 0) {
    x.head_dim = b.text.or_default(head_dim_names, t.head_dim);
  } else {
    const int hidden = b.text.need(hidden_names);
    if (hidden % x.num_heads != 0) {
      std::string name;
      b.text.find(heads_names, &name);
      b.text.contradiction(name, "head_dim");
    }
    x.head_dim = std::max(1, hidden / x.num_heads);
    b.text.rule("import-rule-head-dim", std::to_string(hidden) + " / " + std::to_string(x.num_heads));
  }
  x.v_head_dim = x.head_dim;
  x.q_bias = x.k_bias = x.v_bias = on(b, t.qkv_bias, "import-rule-qkv-bias");
  x.o_bias = on(b, t.o_bias, "import-rule-o-bias");
  if (t.qk_norm != QkNorm::none) {
    const bool has = t.qk_norm_field.empty() || b.text.flag(t.qk_norm_field, t.qk_norm_default);
    if (has) x.qk_norm = t.qk_norm;
    if (t.qk_norm_field.empty()) b.class_part("import-rule-qk-norm");
  }
  x.output_gate = t.output_gate;
  if (t.output_gate) b.class_part("import-rule-output-gate");
  x.sinks = t.sinks;
  if (t.sinks) b.class_part("import-rule-sinks");
  return x;
}

FeedForward dense(const Build& b) {
  const Traits& t = b.traits;
  FeedForward f;
  f.kind = FeedForwardKind::dense;
  if (!b.text.has(t.dense_width) && t.width_factor > 0) {
    const double width = double(b.model.hidden_size) * t.width_factor;
    f.intermediate_size = width <= Fields::max_number ? static_cast<int>(width) : 1;
    b.text.rule("import-rule-width", std::to_string(t.width_factor) + " x " + std::to_string(b.model.hidden_size));
  } else {
    f.intermediate_size = b.text.need(t.dense_width);
  }
  f.gated = t.gated;
  f.joined_gate_up = t.joined;
  if (!t.gated) b.class_part("import-rule-two-matrices");
  f.bias = on(b, t.mlp_bias, "import-rule-mlp-bias");
  return f;
}

FeedForward mixture(const Build& b) {
  const Experts& e = b.traits.experts;
  FeedForward f;
  if (e.count.empty()) return f;
  // None, where a class may go without them.
  if (b.text.find(e.count).is_number() && b.text.find(e.count).number() == 0) return f;
  f.kind = FeedForwardKind::mixture;
  f.num_experts = b.text.need(e.count);
  f.experts_per_token = b.text.need(e.per_token);
  if (f.experts_per_token > f.num_experts) {
    std::string name;
    b.text.find(e.per_token, &name);
    b.text.contradiction(name, std::string(e.count.substr(0, e.count.find('|'))) + " = " + std::to_string(f.num_experts));
    f.experts_per_token = f.num_experts;
  }
  f.moe_intermediate_size = b.text.need(e.width);
  f.gated = b.traits.gated;
  if (!b.traits.gated) b.class_part("import-rule-two-matrices");
  double shared = 0;
  if (!e.shared_count.empty()) {
    const int count = b.text.count(e.shared_count);
    const int width = count == 0                                              ? 0
                      : !e.shared_width.empty() && b.text.has(e.shared_width) ? b.text.need(e.shared_width)
                                                                              : f.moe_intermediate_size;
    shared = double(count) * width;
    if (count > 0) b.text.rule("import-rule-shared-experts", std::to_string(count) + " x " + std::to_string(width));
  } else if (!e.shared_width.empty()) {
    shared = b.text.count(e.shared_width);
  }
  if (shared > Fields::max_number) {
    std::string name;
    const JsonValue value = b.text.find(e.shared_count, &name);
    b.text.error("import-out-of-range", name, value, {}, Fields::max_number);
    shared = 0;
  }
  f.shared_intermediate_size = static_cast<int>(shared);
  f.shared_gate = e.shared_gate && shared > 0;
  if (f.shared_gate) b.class_part("import-rule-shared-gate");
  f.router_bias = on(b, e.router_bias, "import-rule-router-bias");
  f.expert_bias = e.bias;
  if (e.bias) b.class_part("import-rule-expert-bias");
  return f;
}

// Every field that says which layers have experts; a class has one of them.
std::vector<bool> sparse_layers(Build& b, int layers) {
  std::vector<bool> sparse(layers, true);
  const Fields& f = b.text;
  if (f.has("mlp_layer_types")) {
    const std::vector<std::string_view> names = f.texts("mlp_layer_types");
    if (static_cast<int>(names.size()) != layers) {
      f.error("import-list-length", "mlp_layer_types", f.find("mlp_layer_types"), std::to_string(names.size()), layers);
      return sparse;
    }
    for (int i = 0; i < layers; ++i) {
      sparse[i] = names[i] != "dense";
      if (names[i] != "dense" && names[i] != "sparse" && names[i] != "moe" && names[i] != "hash_moe")
        add_error(b.out, "import-unknown-layer-type", f.file(), f.path("mlp_layer_types[") + std::to_string(i) + "]",
                  std::string(names[i].substr(0, 80)), {});
    }
    return sparse;
  }
  if (f.find("moe_layer_freq").is_array()) {
    const std::vector<int> flags = f.numbers("moe_layer_freq", layers);
    for (std::size_t i = 0; i < flags.size(); ++i) sparse[i] = flags[i] != 0;
    return sparse;
  }
  if (f.has("moe_layers_enum")) {  // "3,4,5"
    sparse.assign(layers, false);
    int number = -1;
    const std::string_view text = f.text("moe_layers_enum");
    for (std::size_t i = 0; i <= text.size(); ++i) {
      const char c = i < text.size() ? text[i] : ',';
      if (c >= '0' && c <= '9' && number < 100000) number = std::max(number, 0) * 10 + (c - '0');
      else if (c == ',' && number >= 0 && number < layers) sparse[number] = true, number = -1;
      else if (c == ',' && number >= layers) number = -1;  // a multi-token-prediction layer
      else if (c != ' ') return f.error("import-contradiction", "moe_layers_enum", f.find("moe_layers_enum")), sparse;
    }
    return sparse;
  }
  if (f.find("moe_layers").is_array()) {
    sparse.assign(layers, false);
    f.find("moe_layers").elements([&](JsonValue v) {
      if (v.is_number() && v.number() >= 0 && v.number() < layers) sparse[static_cast<int>(v.number())] = true;
      else f.error("import-out-of-range", "moe_layers", v, {}, layers - 1);
    });
    return sparse;
  }
  if (f.has("interleave_moe_layer_step")) {
    const int step = f.need("interleave_moe_layer_step");
    for (int i = 0; i < layers; ++i) sparse[i] = (i + 1) % step == 0;
    return sparse;
  }
  if (f.has("decoder_sparse_step") || f.has("mlp_only_layers")) {
    const int step = f.count("decoder_sparse_step", 1);
    for (int i = 0; i < layers; ++i) sparse[i] = step > 0 && (i + 1) % step == 0;
    f.find("mlp_only_layers").elements([&](JsonValue v) {
      if (v.is_number() && v.number() >= 0 && v.number() < layers) sparse[static_cast<int>(v.number())] = false;
      else f.error("import-out-of-range", "mlp_only_layers", v, {}, layers - 1);
    });
    return sparse;
  }
  if (f.has("expert_layer_period")) {
    const int period = f.need("expert_layer_period");
    const int offset = f.count("expert_layer_offset");
    for (int i = 0; i < layers; ++i) sparse[i] = i % period == offset;
    return sparse;
  }
  if (f.has("moe_layer_start_index")) {
    const int start = f.count("moe_layer_start_index");
    const int interval = std::max(1, f.count("moe_layer_interval", 1));
    const JsonValue end_value = f.find("moe_layer_end_index");
    const int end =
        end_value.is_number() && end_value.number() >= 0 ? f.count("moe_layer_end_index") : layers - 1;  // -1: to the last
    for (int i = 0; i < layers; ++i) sparse[i] = i >= start && i <= end && (i + 1) % interval == 0;
    return sparse;
  }
  constexpr std::string_view dense_first_names = "first_k_dense_replace|num_dense_layers|moe.first_k_dense_replace";
  int first = b.traits.experts.dense_first;
  if (f.has(dense_first_names)) first = f.count(dense_first_names);
  else if (first > 0) f.rule("import-rule-class-default", f.path("first_k_dense_replace") + " = " + std::to_string(first));
  const int frequency = std::max(1, f.count("moe_layer_freq|moe.route_every_n", 1));
  for (int i = 0; i < layers; ++i) sparse[i] = i >= first && i % frequency == 0;
  return sparse;
}

std::vector<FeedForward> feed_forwards(Build& b, int layers) {
  std::vector<FeedForward> out;
  const FeedForward experts = mixture(b);
  if (experts.kind == FeedForwardKind::none) {
    out.assign(layers, dense(b));
    return out;
  }
  const std::vector<bool> sparse = sparse_layers(b, layers);
  FeedForward plain;
  for (int i = 0; i < layers; ++i) {
    if (!sparse[i] && plain.kind == FeedForwardKind::none) plain = dense(b);
    out.push_back(sparse[i] ? experts : plain);
  }
  return out;
}

void read_mtp(Build& b) {
  const Traits& t = b.traits;
  if (t.mtp.empty() || b.layers.empty()) return;
  const int count = b.text.count(t.mtp);
  if (count > 9) {
    std::string name;
    const JsonValue value = b.text.find(t.mtp, &name);
    b.text.error("import-out-of-range", name, value, {}, 9);
    return;
  }
  b.num_mtp_layers = count;
  if (count == 0) return;
  b.mtp = b.layers.back();
  b.model.mtp_own_embedding = t.mtp_own;
  for (int i = static_cast<int>(b.layers.size()) - 1; i >= 0 && t.mtp_full; --i) {
    if (b.layers[i].mixer.kind != MixerKind::full) continue;
    b.mtp.mixer = b.layers[i].mixer;
    break;
  }
  if (t.mtp_dense)
    for (const Layer& layer : b.layers)
      if (layer.feed_forward.kind == FeedForwardKind::dense) b.mtp.feed_forward = layer.feed_forward;
  b.class_part("import-rule-mtp", std::to_string(count));
}

void build_decoder(Build& b) {
  read_outside(b);
  const int layers = num_layers(b);
  const Mixer full = attention(b);
  read_types(b, layers);
  const std::vector<FeedForward> widths = feed_forwards(b, layers);
  if (b.failed()) return;
  int window = 0;
  for (int i = 0; i < layers; ++i) {
    Layer layer{full, widths[i]};
    if (b.types[i] == LayerType::sliding || b.types[i] == LayerType::chunked) {
      if (window == 0) window = window_of(b);
      layer.mixer.kind = b.types[i] == LayerType::sliding ? MixerKind::sliding : MixerKind::chunked;
      layer.mixer.window = window;
    }
    if (b.traits.tune) b.traits.tune(b, i, layer);
    b.layers.push_back(layer);
  }
  read_mtp(b);
}

}  // namespace vramfit::importer
