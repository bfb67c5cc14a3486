// Classes with layers that keep a state instead of a cache, alone or between layers of attention.
#include <algorithm>
#include <cmath>

#include "import/config_build.h"

namespace vramfit::importer {
namespace {

bool is_fp32(const Build& b, std::string_view names) {
  const std::string_view dtype = b.text.text(names);
  return dtype == "float32" || dtype == "torch.float32";
}

// A product of two counts that the shape string can still write.
int product(const Build& b, std::string_view name, double a, double c) {
  if (a * c <= Fields::max_number) return static_cast<int>(a * c);
  b.text.error("import-out-of-range", name, b.text.find(name), {}, Fields::max_number);
  return 1;
}

Mixer gated_delta_net(const Build& b) {
  Mixer x;
  x.kind = MixerKind::gated_delta_net;
  x.num_heads = b.text.need("linear_num_value_heads");
  x.num_key_heads = b.text.need("linear_num_key_heads");
  x.head_dim = b.text.need("linear_key_head_dim");
  x.v_head_dim = b.text.need("linear_value_head_dim");
  x.conv_kernel = b.text.need("linear_conv_kernel_dim");
  x.state_fp32 = is_fp32(b, "mamba_ssm_dtype");
  return x;
}

void replace(Build& b, LayerType type, const Mixer& mixer) {
  for (std::size_t i = 0; i < b.layers.size(); ++i)
    if (b.types[i] == type) b.layers[i].mixer = mixer;
}

void qwen_next(Build& b) {
  build_decoder(b);
  const bool gate = b.text.flag("attn_output_gate", true);
  for (Layer& layer : b.layers) layer.mixer.output_gate = gate;
  b.mtp.mixer.output_gate = gate;
  replace(b, LayerType::linear, gated_delta_net(b));
}

Mixer lightning(const Build& b) {
  Mixer x;
  x.kind = MixerKind::lightning;
  x.num_heads = x.num_key_heads = b.text.need(heads_names);
  x.head_dim = x.v_head_dim = b.text.need("head_dim");
  return x;
}

void minimax(Build& b) {
  build_decoder(b);
  const int layers = static_cast<int>(b.layers.size());
  if (layers == 0) return;
  if (b.text.has("attn_type_list")) {
    const std::vector<int> full = b.text.numbers("attn_type_list", layers);
    for (std::size_t i = 0; i < full.size(); ++i) b.types[i] = full[i] != 0 ? LayerType::full : LayerType::linear;
  } else if (!b.text.has("layer_types")) {
    return b.text.missing("attn_type_list", "layer_types");
  }
  replace(b, LayerType::linear, lightning(b));
}

// Kimi's delta attention: lists of layers, counted from 1.
void kimi_linear(Build& b) {
  build_decoder(b);
  const int layers = static_cast<int>(b.layers.size());
  if (layers == 0) return;
  const Fields linear = b.text.inside("linear_attn_config");
  if (!linear.object().is_object()) return b.text.missing("linear_attn_config");
  Mixer x;
  x.kind = MixerKind::kimi_delta;
  x.num_heads = x.num_key_heads = linear.need("num_heads");
  x.head_dim = x.v_head_dim = linear.need("head_dim");
  x.conv_kernel = linear.need("short_conv_kernel_size");
  x.full_rank_gate = linear.stated("use_full_rank_gate");
  x.state_fp32 = true;
  b.class_part("import-rule-state-fp32");
  int seen = 0;
  const auto each = [&](std::string_view list, bool is_linear) {
    const JsonValue value = linear.find(list);
    if (!value.is_array()) return linear.missing(list);
    value.elements([&](JsonValue v) {
      const double at = v.number();
      if (!v.is_number() || !(at >= 1 && at <= layers) || at != std::floor(at))
        return linear.error("import-out-of-range", list, v, {}, layers);
      ++seen;
      if (is_linear) b.layers[static_cast<int>(at) - 1].mixer = x;
    });
  };
  each("kda_layers", true);
  each("full_attn_layers", false);
  if (seen != layers && !b.failed())
    linear.error("import-list-length", "kda_layers", linear.find("kda_layers"), std::to_string(seen), layers);
  const bool gate = b.text.stated("mla_use_output_gate");
  const int latent_width = b.text.count("routed_expert_hidden_size");
  if (latent_width > 0) b.class_part("import-rule-latent-norm");
  for (Layer& layer : b.layers) {
    if (layer.mixer.kind == MixerKind::latent) layer.mixer.output_gate = gate;
    if (layer.feed_forward.num_experts == 0 || latent_width == 0) continue;
    layer.feed_forward.latent_size = latent_width;
    layer.feed_forward.latent_norm = true;
  }
}

// Mamba 2's fields go by several names.
Mixer mamba2(const Build& b) {
  Mixer x;
  x.kind = MixerKind::mamba2;
  x.num_heads = b.text.need("mamba_n_heads|mamba_num_heads|n_mamba_heads");
  const int head_dim = b.text.has("mamba_d_head|mamba_head_dim|mamba_headdim") &&
                               b.text.find("mamba_d_head|mamba_head_dim|mamba_headdim").is_number()
                           ? b.text.need("mamba_d_head|mamba_head_dim|mamba_headdim")
                           : 0;
  if (b.text.has("mamba_d_ssm")) {
    x.inner_size = b.text.need("mamba_d_ssm");
  } else if (head_dim > 0) {
    x.inner_size = product(b, "mamba_d_head", x.num_heads, head_dim);
  } else {  // "auto": the widened hidden size, over the heads
    const int expand = b.text.or_default("mamba_expand|expand", 2);
    x.inner_size = product(b, "mamba_expand", expand, b.model.hidden_size);
    b.text.rule("import-rule-mamba-inner", std::to_string(expand) + " x " + std::to_string(b.model.hidden_size));
  }
  x.state_size = b.text.need("mamba_d_state|ssm_state_size|state_size");
  x.num_groups = b.text.need("mamba_n_groups|n_groups|mamba_ngroups");
  x.conv_kernel = b.text.need("mamba_d_conv|conv_kernel");
  x.state_fp32 = is_fp32(b, "mamba_ssm_cache_dtype|mamba_ssm_dtype");
  return x;
}

int mamba_rank(const Build& b, std::string_view names) {
  const JsonValue value = b.text.find(names);
  if (!value.is_string() && !value.is_null()) return b.text.need(names);
  if (value.is_string() && value.string() != "auto") b.text.error("import-not-integer", names.substr(0, names.find('|')), value);
  const int rank = (b.model.hidden_size + 15) / 16;
  b.text.rule("import-rule-mamba-rank", "hidden_size / 16 = " + std::to_string(rank));
  return rank;
}

Mixer mamba1(const Build& b, bool norms) {
  Mixer x;
  x.kind = MixerKind::mamba1;
  if (norms || b.text.has("expand") || !b.text.has("intermediate_size"))  // Jamba's intermediate_size is its feed-forward's
    x.inner_size = product(b, "mamba_expand", b.text.or_default("mamba_expand|expand", 2), b.model.hidden_size);
  else x.inner_size = b.text.need("intermediate_size");
  x.state_size = b.text.or_default("mamba_d_state|state_size", 16);
  x.conv_kernel = b.text.or_default("mamba_d_conv|conv_kernel", 4);
  x.dt_rank = mamba_rank(b, "mamba_dt_rank|time_step_rank");
  if (norms) {
    x.extra_norm_width = x.dt_rank + 2 * x.state_size;
    b.class_part("import-rule-mamba-norms");
  }
  return x;
}

void mamba_alone(Build& b, const Mixer& mixer) {
  const int layers = num_layers(b);
  if (b.failed()) return;
  b.layers.assign(layers, {mixer, {}});
}
void mamba(Build& b) {
  read_outside(b);
  mamba_alone(b, mamba1(b, false));
}
void pure_mamba2(Build& b) {
  read_outside(b);
  Mixer x;
  x.kind = MixerKind::mamba2;
  x.num_heads = b.text.need("num_heads");
  x.inner_size = product(b, "num_heads", x.num_heads, b.text.need("head_dim"));
  x.state_size = b.text.need("state_size");
  x.num_groups = b.text.need("n_groups");
  x.conv_kernel = b.text.need("conv_kernel");
  mamba_alone(b, x);
}

void jamba(Build& b) {
  build_decoder(b);
  const int period = b.text.or_default("attn_layer_period", 8);
  const int offset =
      b.text.has("attn_layer_offset") ? b.text.count("attn_layer_offset") : b.text.or_default("attn_layer_offset", 4);
  const Mixer x = mamba1(b, true);
  for (std::size_t i = 0; i < b.layers.size(); ++i)
    if (static_cast<int>(i) % period != offset) b.layers[i].mixer = x;
}

void granite_hybrid(Build& b) {
  if (!b.text.has("layer_types")) return b.text.missing("layer_types");
  build_decoder(b);
  bool any = false;
  for (const LayerType type : b.types) any = any || type == LayerType::mamba;
  if (any) replace(b, LayerType::mamba, mamba2(b));
  for (Layer& layer : b.layers)  // without experts, the shared width is the dense one
    if (layer.feed_forward.kind == FeedForwardKind::dense)
      layer.feed_forward.intermediate_size = b.text.need("shared_intermediate_size");
}

void bamba(Build& b) {
  build_decoder(b);
  const int layers = static_cast<int>(b.layers.size());
  if (layers == 0) return;
  std::vector<bool> attends(layers, false);
  if (!b.text.has("attn_layer_indices")) {
    if (!b.text.has("layer_types")) return b.text.missing("attn_layer_indices");
    for (int i = 0; i < layers; ++i) attends[i] = b.types[i] == LayerType::full;
  }
  b.text.find("attn_layer_indices").elements([&](JsonValue v) {
    if (v.is_number() && v.number() >= 0 && v.number() < layers) attends[static_cast<int>(v.number())] = true;
    else b.text.error("import-out-of-range", "attn_layer_indices", v, {}, layers - 1);
  });
  const Mixer x = mamba2(b);
  for (int i = 0; i < layers; ++i)
    if (!attends[i]) b.layers[i].mixer = x;
}

// Attention and Mamba side by side: written as two layers, the first without a feed-forward.
void falcon_h1(Build& b) {
  build_decoder(b);
  const Mixer x = mamba2(b);
  std::vector<Layer> both;
  for (const Layer& layer : b.layers) {
    both.push_back({layer.mixer, {}});
    both.push_back({x, layer.feed_forward});
  }
  b.layers = std::move(both);
  b.class_part("import-rule-parallel-mixers");
}

// Each layer is one of: a mixer, or a feed-forward.
void nemotron_h(Build& b) {
  read_outside(b);
  std::string pattern;
  const auto add = [](std::string& out, std::string_view word) {
    out += word == "mamba" || word == "linear_attention"     ? 'M'
           : word == "attention" || word == "full_attention" ? '*'
           : word == "moe"                                   ? 'E'
           : word == "mlp"                                   ? '-'
                                                             : '?';
  };
  std::string_view field = "hybrid_override_pattern";
  if (b.text.has(field)) {
    pattern = b.text.text(field);
  } else {
    field = b.text.has("layers_block_type") ? "layers_block_type" : "layer_types";
    for (const std::string_view word : b.text.texts(field)) add(pattern, word);
  }
  pattern.erase(std::remove(pattern.begin(), pattern.end(), '|'), pattern.end());  // marks pipeline stages
  if (b.failed()) return;
  if (pattern.empty()) return b.text.missing("hybrid_override_pattern");
  if (b.text.has("num_hidden_layers") && static_cast<int>(pattern.size()) != num_layers(b))
    return b.text.error("import-list-length", field, b.text.find(field), std::to_string(pattern.size()), num_layers(b));
  if (pattern.size() > 4096) return b.text.error("import-out-of-range", field, b.text.find(field), {}, 4096);
  const auto has = [&](char c) { return pattern.find(c) != std::string::npos; };
  const Mixer state = has('M') ? mamba2(b) : Mixer();
  const Mixer attends = has('*') ? attention(b) : Mixer();
  const FeedForward plain = has('-') ? dense(b) : FeedForward();
  FeedForward experts;
  if (has('E')) {
    experts = mixture(b);
    experts.latent_size = b.text.count("moe_latent_size");
  }
  if (b.failed()) return;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    switch (pattern[i]) {
      case 'M': b.layers.push_back({state, {}}); break;
      case '*': b.layers.push_back({attends, {}}); break;
      case '-': b.layers.push_back({{}, plain}); break;
      case 'E': b.layers.push_back({{}, experts}); break;
      default:
        return add_error(b.out, "import-unknown-layer-type", b.text.file(), b.text.path(field) + "[" + std::to_string(i) + "]",
                         std::string(1, pattern[i]), "M * - E");
    }
  }
  read_mtp(b);
  if (b.num_mtp_layers > 0) b.mtp = {attends, experts};
}

int lfm2_width(const Build& b) {
  double width = b.text.need("block_ff_dim|intermediate_size");
  if (!b.text.flag("block_auto_adjust_ff_dim", true)) return static_cast<int>(width);
  width = std::floor(2 * width / 3);
  width = std::floor(b.text.ratio("block_ffn_dim_multiplier", 1) * width);
  const int multiple = b.text.or_default("block_multiple_of", 256);
  width = multiple * std::ceil(width / multiple);
  b.text.rule("import-rule-width", std::to_string(static_cast<long long>(std::min(width, Fields::max_number))));
  return width >= 1 && width <= Fields::max_number ? static_cast<int>(width) : 1;
}

void short_convolutions(Build& b, bool adjusted) {
  build_decoder(b);
  const int layers = static_cast<int>(b.layers.size());
  if (layers == 0) return;
  if (!b.text.has("layer_types")) {
    if (!b.text.has("full_attn_idxs")) return b.text.missing("layer_types", "full_attn_idxs");
    b.types.assign(layers, LayerType::conv);
    b.text.find("full_attn_idxs").elements([&](JsonValue v) {
      if (v.is_number() && v.number() >= 0 && v.number() < layers) b.types[static_cast<int>(v.number())] = LayerType::full;
      else b.text.error("import-out-of-range", "full_attn_idxs", v, {}, layers - 1);
    });
  }
  Mixer x;
  x.kind = MixerKind::short_conv;
  x.inner_size = b.text.has("conv_dim") ? b.text.need("conv_dim") : b.model.hidden_size;
  x.conv_kernel = b.text.or_default("conv_L_cache", 3);
  replace(b, LayerType::conv, x);
  if (!adjusted) return;
  const int width = lfm2_width(b);
  for (Layer& layer : b.layers) layer.feed_forward.intermediate_size = width;
}
void lfm2(Build& b) { short_convolutions(b, true); }
void lfm2_moe(Build& b) { short_convolutions(b, false); }

// What the shape cannot say: layers that use one set of weights again, or a recurrence of another kind.
void unsupported(Build& b) {
  add_error(b.out, "import-unsupported-class", b.text.file(), b.text.path("model_type"), std::string(b.traits.type), {});
}

constexpr Switch attention_bias = by("attention_bias", false);
constexpr Experts qwen_experts = {.count = "num_experts", .shared_width = "shared_expert_intermediate_size", .shared_gate = true};

constexpr Traits classes[] = {
    {.type = "qwen3_next",
     .build = qwen_next,
     .head_dim = 256,
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .qk_norm = QkNorm::per_head,
     .windows = Windows::by_pattern,
     .other = LayerType::linear,
     .period = 4,
     .period_field = "full_attention_interval",
     .experts = qwen_experts,
     .mtp = "mtp_num_hidden_layers|num_nextn_predict_layers",
     .mtp_full = true},
    {.type = "qwen3_5_text",
     .build = qwen_next,
     .head_dim = 256,
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .qk_norm = QkNorm::per_head,
     .windows = Windows::by_pattern,
     .other = LayerType::linear,
     .period = 4,
     .period_field = "full_attention_interval",
     .mtp = "mtp_num_hidden_layers|num_nextn_predict_layers",
     .mtp_full = true},
    {.type = "qwen3_5_moe_text",
     .build = qwen_next,
     .head_dim = 256,
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .qk_norm = QkNorm::per_head,
     .windows = Windows::by_pattern,
     .other = LayerType::linear,
     .period = 4,
     .period_field = "full_attention_interval",
     .experts = qwen_experts,
     .mtp = "mtp_num_hidden_layers|num_nextn_predict_layers",
     .mtp_full = true},
    {.type = "minimax_m1",
     .build = minimax,
     .windows = Windows::by_pattern,
     .other = LayerType::linear,
     .period = 1,
     .experts = {.count = "num_local_experts", .width = "intermediate_size"}},
    {.type = "minimax_text_01",
     .build = minimax,
     .windows = Windows::by_pattern,
     .other = LayerType::linear,
     .period = 1,
     .experts = {.count = "num_local_experts", .width = "intermediate_size"}},
    {.type = "minimax",
     .build = minimax,
     .windows = Windows::by_pattern,
     .other = LayerType::linear,
     .period = 2,
     .experts = {.count = "num_local_experts", .width = "intermediate_size"}},
    {.type = "kimi_linear",
     .build = kimi_linear,
     .latent = true,
     .windows = Windows::by_pattern,
     .other = LayerType::linear,
     .period = 1,
     .experts = {.count = "num_experts",
                 .per_token = "num_experts_per_token|num_experts_per_tok",
                 .shared_count = "num_shared_experts",
                 .router_bias = always}},
    {.type = "mamba", .build = mamba, .tied = true},
    {.type = "falcon_mamba", .build = mamba, .tied = true},
    {.type = "mamba2", .build = pure_mamba2},
    {.type = "jamba",
     .build = jamba,
     .kv_heads = 8,
     .windows = Windows::by_pattern,
     .other = LayerType::mamba,
     .period = 1,
     .experts = {.count = "num_experts", .width = "intermediate_size"}},
    {.type = "granitemoehybrid",
     .build = granite_hybrid,
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .windows = Windows::by_pattern,
     .other = LayerType::mamba,
     .period = 1,
     .dense_width = "shared_intermediate_size",
     .experts = {.count = "num_local_experts", .width = "intermediate_size", .shared_width = "shared_intermediate_size"}},
    {.type = "bamba",
     .build = bamba,
     .windows = Windows::by_pattern,
     .other = LayerType::mamba,
     .period = 1,
     .mlp_bias = by("mlp_bias", false)},
    {.type = "falcon_h1",
     .build = falcon_h1,
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .mlp_bias = by("mlp_bias", false)},
    {.type = "nemotron_h",
     .build = nemotron_h,
     .head_dim = 128,
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .gated = false,
     .mlp_bias = by("mlp_bias", false),
     .experts = {.count = "n_routed_experts",
                 .shared_count = "n_shared_experts",
                 .shared_width = "moe_shared_expert_intermediate_size",
                 .router_bias = always},
     .mtp = "num_nextn_predict_layers"},
    {.type = "lfm2",
     .build = lfm2,
     .tied = true,
     .qk_norm = QkNorm::per_head,
     .windows = Windows::by_pattern,
     .other = LayerType::conv,
     .period = 1,
     .dense_width = "block_ff_dim|intermediate_size"},
    {.type = "lfm2_moe",
     .build = lfm2_moe,
     .tied = true,
     .qk_norm = QkNorm::per_head,
     .windows = Windows::by_pattern,
     .other = LayerType::conv,
     .period = 1,
     .experts = {.count = "num_experts", .router_bias = by("use_expert_bias", true)}},
    {.type = "zamba", .build = unsupported},
    {.type = "zamba2", .build = unsupported},
    {.type = "recurrent_gemma", .build = unsupported},
    {.type = "rwkv", .build = unsupported},
};

}  // namespace

std::span<const Traits> hybrid_classes() { return classes; }

}  // namespace vramfit::importer
