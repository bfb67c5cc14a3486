// Classes whose layers are attention and a mixture of experts, with dense layers among them.
#include <algorithm>

#include "import/config_build.h"

namespace vramfit::importer {
namespace {

// Every layer without rotary positions attends to all tokens; the others to chunks of them.
void llama4(Build& b) {
  build_decoder(b);
  if (b.text.has("layer_types")) return;
  const int layers = static_cast<int>(b.layers.size());
  const std::vector<int> rotary = b.text.find("no_rope_layers").is_array() && b.text.find("no_rope_layers").size() > 0
                                      ? b.text.numbers("no_rope_layers", layers)
                                      : std::vector<int>();
  if (rotary.empty()) return;
  const int window = window_of(b);
  for (int i = 0; i < layers; ++i) {
    b.layers[i].mixer.kind = rotary[i] != 0 ? MixerKind::chunked : MixerKind::full;
    b.layers[i].mixer.window = rotary[i] != 0 ? window : 0;
  }
}

void laguna(Build& b) {
  build_decoder(b);
  const std::vector<int> heads = b.text.numbers("num_attention_heads_per_layer", static_cast<int>(b.layers.size()));
  for (std::size_t i = 0; i < heads.size(); ++i) {
    Mixer& x = b.layers[i].mixer;
    if (heads[i] == 0 || heads[i] % x.num_kv_heads != 0)
      return b.text.contradiction("num_attention_heads_per_layer", "num_key_value_heads");
    x.num_heads = heads[i];
  }
}

// Sliding layers have heads of their own.
void step(Build& b) {
  build_decoder(b);
  const int layers = static_cast<int>(b.layers.size());
  const Fields other = b.text.inside("attention_other_setting");
  if (!other.object().is_object()) return;
  Mixer sliding;
  for (Layer& layer : b.layers) {
    if (layer.mixer.kind != MixerKind::sliding) continue;
    layer.mixer.num_heads = other.need(heads_names);
    if (other.has(kv_heads_names)) layer.mixer.num_kv_heads = other.need(kv_heads_names);
    if (other.has(head_dim_names)) layer.mixer.head_dim = layer.mixer.v_head_dim = other.need(head_dim_names);
    sliding = layer.mixer;
  }
  if (b.num_mtp_layers == 0 || sliding.num_heads == 0) return;
  // The extra layers' types are listed behind the model's own.
  const std::vector<std::string_view> types = b.text.texts("layer_types");
  if (static_cast<int>(types.size()) > layers && types[layers] == "sliding_attention") b.mtp.mixer = sliding;
}

// Full and sliding layers by a list of flags, each with heads of its own.
void mimo_v2(Build& b) {
  build_decoder(b);
  const int layers = static_cast<int>(b.layers.size());
  if (layers == 0) return;
  const std::vector<int> slides = b.text.numbers("hybrid_layer_pattern", layers);
  if (slides.empty()) return b.failed() ? void() : b.text.missing("hybrid_layer_pattern");
  Mixer full = b.layers[0].mixer;
  if (b.text.has("v_head_dim")) full.v_head_dim = b.text.need("v_head_dim");
  Mixer sliding = full;
  sliding.kind = MixerKind::sliding;
  sliding.window = b.text.need("sliding_window|sliding_window_size");
  if (b.text.has("swa_num_attention_heads")) sliding.num_heads = b.text.need("swa_num_attention_heads");
  if (b.text.has("swa_num_key_value_heads")) sliding.num_kv_heads = b.text.need("swa_num_key_value_heads");
  if (b.text.has("swa_head_dim")) sliding.head_dim = b.text.need("swa_head_dim");
  if (b.text.has("swa_v_head_dim")) sliding.v_head_dim = b.text.need("swa_v_head_dim");
  sliding.sinks = b.text.stated("add_swa_attention_sink_bias");
  full.sinks = b.text.stated("add_full_attention_sink_bias");
  for (int i = 0; i < layers; ++i) b.layers[i].mixer = slides[i] != 0 ? sliding : full;
}

// Experts and widths may be written once or as a list of equal numbers, one a layer.
int same_for_all(const Build& b, std::string_view name, int layers) {
  if (!b.text.has(name)) return 0;
  const std::vector<int> numbers = b.text.numbers(name, layers, true);
  for (const int n : numbers)
    if (n != numbers[0]) return b.text.contradiction(name, "one number"), 0;
  return numbers.empty() ? 0 : numbers[0];
}

void hunyuan_moe(Build& b) {
  read_outside(b);
  const int layers = num_layers(b);
  const Mixer mixer = attention(b);
  FeedForward f;
  f.kind = FeedForwardKind::mixture;
  f.num_experts = b.text.need("num_experts");
  f.experts_per_token = same_for_all(b, "moe_topk", layers);
  if (f.experts_per_token == 0 && !b.failed()) b.text.missing("moe_topk");
  if (f.experts_per_token > f.num_experts) b.text.contradiction("moe_topk", "num_experts = " + std::to_string(f.num_experts));
  f.moe_intermediate_size = same_for_all(b, "moe_intermediate_size", layers);
  if (f.moe_intermediate_size == 0) f.moe_intermediate_size = b.text.need("intermediate_size");
  const double shared = double(same_for_all(b, "num_shared_expert", layers)) * f.moe_intermediate_size;
  if (shared > Fields::max_number) b.text.contradiction("num_shared_expert", "moe_intermediate_size");
  else f.shared_intermediate_size = static_cast<int>(shared);
  if (b.failed()) return;
  b.layers.assign(layers, {mixer, f});
}

void dbrx(Build& b) {
  read_outside(b);
  const int layers = num_layers(b);
  const Fields a = b.text.inside("attn_config");
  const Fields e = b.text.inside("ffn_config");
  Mixer x;
  x.kind = MixerKind::full;
  x.num_heads = b.text.need("n_heads|num_attention_heads");
  x.num_kv_heads = a.need("kv_n_heads");
  if (b.model.hidden_size % x.num_heads != 0) b.text.contradiction("n_heads", "d_model");
  if (x.num_heads % x.num_kv_heads != 0) a.contradiction("kv_n_heads", "n_heads");
  x.head_dim = x.v_head_dim = std::max(1, b.model.hidden_size / x.num_heads);
  FeedForward f;
  f.kind = FeedForwardKind::mixture;
  f.num_experts = e.need("moe_num_experts");
  f.experts_per_token = e.need("moe_top_k");
  f.moe_intermediate_size = e.need("ffn_hidden_size");
  if (f.experts_per_token > f.num_experts) e.contradiction("moe_top_k", "moe_num_experts");
  if (b.failed()) return;
  b.layers.assign(layers, {x, f});
}

// Indexers run on some layers only; the others take over the last one's choice.
void glm_dsa(Build& b) {
  build_decoder(b);
  const int layers = static_cast<int>(b.layers.size());
  if (layers == 0) return;
  const bool listed = b.text.has("indexer_types");
  const std::vector<std::string_view> types = b.text.texts("indexer_types");
  if (listed && static_cast<int>(types.size()) != layers) {
    b.text.error("import-list-length", "indexer_types", b.text.find("indexer_types"), std::to_string(types.size()), layers);
    return;
  }
  const std::string_view pattern = listed ? std::string_view() : b.text.text("index_topk_pattern");
  if (!pattern.empty() && static_cast<int>(pattern.size()) != layers) {
    b.text.error("import-list-length", "index_topk_pattern", b.text.find("index_topk_pattern"), std::to_string(pattern.size()),
                 layers);
    return;
  }
  const int frequency = std::max(1, b.text.count("index_topk_freq", 1));
  const int offset = b.text.count("index_skip_topk_offset", 2);
  for (int i = 0; i < layers; ++i) {
    const bool full = listed             ? types[i] == "full"
                      : !pattern.empty() ? pattern[i] == 'F'
                                         : std::max(i - offset + 1, 0) % frequency == 0;
    if (!full) b.layers[i].mixer.index_num_heads = b.layers[i].mixer.index_head_dim = 0;
  }
  if (!listed && pattern.empty() && frequency > 1) b.class_part("import-rule-layer-pattern", "1 / " + std::to_string(frequency));
  if (b.num_mtp_layers > 0) b.mtp.mixer = b.layers[0].mixer;
}

void minimax_m3(Build& b) {
  build_decoder(b);
  const Fields sparse = b.text.inside("sparse_attention_config");
  if (!sparse.object().is_object() || b.layers.empty()) return;
  const std::vector<int> flags = sparse.numbers("sparse_attention_freq", static_cast<int>(b.layers.size()));
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] == 0) continue;
    b.layers[i].mixer.index_num_heads = sparse.need("sparse_num_index_heads|num_index_heads|index_n_heads");
    b.layers[i].mixer.index_head_dim = sparse.need("sparse_index_dim|index_head_dim|sparse_index_head_dim");
  }
}

// One shared expert as wide as stated, or as the routed ones.
constexpr Experts deepseek_experts(Switch router_bias, int dense_first) {
  return {
      .count = "n_routed_experts", .shared_count = "n_shared_experts", .router_bias = router_bias, .dense_first = dense_first};
}

constexpr Switch attention_bias = by("attention_bias", false);

constexpr Traits classes[] = {
    {.type = "mixtral", .windows = Windows::all, .experts = {.count = "num_local_experts", .width = "intermediate_size"}},
    {.type = "phimoe",
     .norm = NormKind::layer_norm,
     .head_bias = by("lm_head_bias", false),
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .windows = Windows::all,
     .experts = {.count = "num_local_experts", .width = "intermediate_size"}},
    {.type = "qwen2_moe",
     .qkv_bias = by("qkv_bias", true),
     .windows = Windows::qwen2,
     .experts = {.count = "num_experts", .shared_width = "shared_expert_intermediate_size", .shared_gate = true}},
    {.type = "qwen3_moe",
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .qk_norm = QkNorm::per_head,
     .windows = Windows::qwen2,
     .experts = {.count = "num_experts|num_local_experts"}},
    {.type = "qwen3_vl_moe_text",
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .qk_norm = QkNorm::per_head,
     .experts = {.count = "num_experts|num_local_experts"}},
    {.type = "olmoe",
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .qk_norm = QkNorm::full_width,
     .experts = {.count = "num_experts", .width = "intermediate_size"}},
    {.type = "granitemoe",
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .experts = {.count = "num_local_experts", .width = "intermediate_size"}},
    {.type = "granitemoeshared",
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .experts = {.count = "num_local_experts", .width = "intermediate_size", .shared_width = "shared_intermediate_size"}},
    {.type = "dbrx", .build = dbrx, .norm = NormKind::layer_norm_no_bias},
    {.type = "grok-1",
     .tied = true,
     .norms = 4,
     .experts = {.count = "num_experts|num_local_experts", .width = "intermediate_size"}},
    {.type = "deepseek", .qkv_bias = attention_bias, .o_bias = attention_bias, .experts = deepseek_experts(never, 0)},
    {.type = "deepseek_v2", .latent = true, .experts = deepseek_experts(never, 0)},
    {.type = "deepseek_v3",
     .latent = true,
     .experts = deepseek_experts(always, 3),
     .mtp = "num_nextn_predict_layers",
     .mtp_own = true},
    {.type = "deepseek_v32",
     .latent = true,
     .experts = deepseek_experts(always, 3),
     .mtp = "num_nextn_predict_layers",
     .mtp_own = true},
    {.type = "kimi_k2",
     .latent = true,
     .experts = deepseek_experts(always, 1),
     .mtp = "num_nextn_predict_layers",
     .mtp_own = true},
    {.type = "glm4_moe_lite",
     .latent = true,
     .experts = deepseek_experts(always, 1),
     .mtp = "num_nextn_predict_layers",
     .mtp_own = true},
    {.type = "glm_moe_dsa",
     .build = glm_dsa,
     .latent = true,
     .experts = deepseek_experts(always, 3),
     .mtp = "num_nextn_predict_layers"},
    {.type = "mistral4", .latent = true, .experts = deepseek_experts(never, 0)},
    {.type = "mistral_large_3", .latent = true, .experts = deepseek_experts(never, 3)},
    {.type = "glm4_moe",
     .qkv_bias = attention_bias,
     .qk_norm = QkNorm::per_head,
     .qk_norm_field = "use_qk_norm",
     .experts = deepseek_experts(always, 1),
     .mtp = "num_nextn_predict_layers",
     .mtp_own = true},
    {.type = "dots1",
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .qk_norm = QkNorm::per_head,
     .windows = Windows::none,
     .experts = deepseek_experts(always, 0)},
    {.type = "bailing_moe",
     .qkv_bias = by("use_qkv_bias", false),
     .o_bias = by("use_bias", false),
     .qk_norm = QkNorm::per_head,
     .qk_norm_field = "use_qk_norm",
     .experts = {.count = "num_experts",
                 .shared_count = "num_shared_experts",
                 .shared_width = "moe_shared_expert_intermediate_size",
                 .router_bias = by("moe_router_enable_expert_bias", false)}},
    {.type = "bailing_moe_v2",
     .qkv_bias = by("use_qkv_bias", false),
     .o_bias = by("use_bias", false),
     .qk_norm = QkNorm::per_head,
     .qk_norm_field = "use_qk_norm",
     .qk_norm_default = true,
     .experts = {.count = "num_experts",
                 .shared_count = "num_shared_experts",
                 .shared_width = "moe_shared_expert_intermediate_size",
                 .router_bias = by("moe_router_enable_expert_bias", true)}},
    {.type = "minimax_m2",
     .qk_norm = QkNorm::full_width,
     .qk_norm_field = "use_qk_norm",
     .qk_norm_default = true,
     .experts = {.count = "num_local_experts", .width = "intermediate_size", .router_bias = by("use_routing_bias", true)}},
    {.type = "minimax_m3_vl_text",
     .build = minimax_m3,
     .head_dim = 128,
     .qk_norm = QkNorm::per_head,
     .dense_width = "dense_intermediate_size",
     .experts = {.count = "num_local_experts|num_experts",
                 .width = "intermediate_size",
                 .shared_count = "n_shared_experts",
                 .shared_width = "shared_intermediate_size",
                 .router_bias = by("use_routing_bias", true)}},
    {.type = "afmoe",
     .head_dim = 128,
     .window = 1024,
     .norms = 4,
     .qk_norm = QkNorm::per_head,
     .output_gate = true,
     .windows = Windows::by_pattern,
     .period = 4,
     .period_field = "global_attn_every_n_layers",
     .experts = {.count = "num_experts", .shared_count = "num_shared_experts", .router_bias = always, .dense_first = 1}},
    {.type = "laguna",
     .build = laguna,
     .head_dim = 128,
     .qkv_bias = attention_bias,
     .qk_norm = QkNorm::per_head,
     .windows = Windows::by_pattern,
     .period = 4,
     .experts = {.count = "num_experts", .shared_width = "shared_expert_intermediate_size", .router_bias = always}},
    {.type = "hy_v3",
     .head_dim = 128,
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .qk_norm = QkNorm::per_head,
     .experts = {.count = "num_experts", .shared_count = "num_shared_experts", .router_bias = always, .dense_first = 1},
     .mtp = "num_nextn_predict_layers"},
    {.type = "step3p5",
     .build = step,
     .qk_norm = QkNorm::per_head,
     .windows = Windows::by_pattern,
     .period = 4,
     .experts = {.count = "moe_num_experts|num_experts",
                 .per_token = "moe_top_k|num_experts_per_tok",
                 .shared_width = "share_expert_dim",
                 .router_bias = always},
     .mtp = "num_nextn_predict_layers",
     .mtp_dense = true},
    {.type = "mimo_v2_flash",
     .build = mimo_v2,
     .qkv_bias = attention_bias,
     .experts = {.count = "n_routed_experts", .shared_count = "n_shared_experts", .router_bias = always}},
    {.type = "ernie4_5_moe",
     .tied = true,
     .qkv_bias = by("use_bias", false),
     .o_bias = by("use_bias", false),
     .mlp_bias = by("use_bias", false),
     .experts = {.count = "moe_num_experts",
                 .per_token = "moe_k",
                 .shared_count = "moe_num_shared_experts",
                 .router_bias = always,
                 .dense_first = 1},
     .mtp = "num_nextn_predict_layers",
     .mtp_dense = true},
    {.type = "hunyuan_v1_moe",
     .build = hunyuan_moe,
     .tied = true,
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .qk_norm = QkNorm::per_head,
     .qk_norm_field = "use_qk_norm",
     .qk_norm_default = true},
    {.type = "gpt_oss",
     .head_dim = 64,
     .window = 128,
     .qkv_bias = by("attention_bias", true),
     .o_bias = by("attention_bias", true),
     .sinks = true,
     .windows = Windows::by_pattern,
     .period = 2,
     .experts = {.count = "num_local_experts|num_experts",
                 .per_token = "num_experts_per_tok|experts_per_token",
                 .width = "intermediate_size",
                 .router_bias = always,
                 .bias = true}},
    {.type = "llama4_text",
     .build = llama4,
     .head_dim = 128,
     .window = 8192,
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .windows = Windows::by_pattern,
     .other = LayerType::chunked,
     .period = 4,
     .period_field = "no_rope_layer_interval",
     .dense_width = "intermediate_size_mlp",
     .experts = {.count = "num_local_experts", .width = "intermediate_size", .shared_width = "intermediate_size"}},
};

}  // namespace

std::span<const Traits> mixture_classes() { return classes; }

}  // namespace vramfit::importer
