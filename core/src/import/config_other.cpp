// Classes of a make of their own, and files of several parts.
#include <algorithm>
#include <cmath>

#include "import/config_build.h"
#include "import/config_towers.h"

namespace vramfit::importer {
namespace {

constexpr Switch attention_bias = by("attention_bias", false);

// Layers at the end that read the cache of the last layer of their kind before them.
void share_kv(Build& b, const char* field) {
  const int layers = static_cast<int>(b.layers.size());
  const int shared = b.text.count(field);
  if (shared >= layers && shared > 0) return b.text.contradiction(field, "num_hidden_layers");
  for (int i = layers - shared; i < layers; ++i) b.layers[i].mixer.shares_kv = true;
  if (shared > 0) b.class_part("import-rule-shared-kv", layer_range(layers - shared, layers - 1));
}

void gemma3n(Build& b) {
  read_outside(b);
  const int layers = num_layers(b);
  const Mixer full = attention(b);
  read_types(b, layers);
  const std::vector<int> widths = b.text.numbers("intermediate_size", layers, true);
  if (widths.empty() && !b.failed()) b.text.missing("intermediate_size");
  Model& m = b.model;
  m.altup_inputs = b.text.or_default("altup_num_inputs", 4);
  m.laurel_rank = b.text.or_default("laurel_rank", 64);
  m.per_layer_embedding_dim = b.text.or_default("hidden_size_per_layer_input", 256);
  m.per_layer_vocab_size = b.text.or_default("vocab_size_per_layer_input", 262144);
  const int window = window_of(b);
  if (b.failed()) return;
  for (int i = 0; i < layers; ++i) {
    Layer layer{full, {}};
    if (b.types[i] == LayerType::sliding) layer.mixer.kind = MixerKind::sliding, layer.mixer.window = window;
    layer.feed_forward.kind = FeedForwardKind::dense;
    layer.feed_forward.intermediate_size = std::max(1, widths[i]);
    b.layers.push_back(layer);
  }
  share_kv(b, "num_kv_shared_layers");
}

void gemma4(Build& b) {
  build_decoder(b);
  const int layers = static_cast<int>(b.layers.size());
  if (layers == 0) return;
  Model& m = b.model;
  m.scalars_per_layer = 1;
  const int per_layer = b.text.object().find("hidden_size_per_layer_input").present()
                            ? b.text.count("hidden_size_per_layer_input")
                            : b.text.or_default("hidden_size_per_layer_input", 256);
  m.per_layer_embedding_dim = per_layer;
  if (per_layer > 0) m.per_layer_vocab_size = b.text.or_default("vocab_size_per_layer_input", 262144);
  const bool k_equals_v = b.text.flag("attention_k_eq_v", false);
  const int global_dim = b.text.or_default("global_head_dim", 512);
  const int global_heads = k_equals_v ? b.text.count("num_global_key_value_heads") : 0;
  const bool experts = b.text.flag("enable_moe_block", false);
  FeedForward both;
  if (experts) {
    both.kind = FeedForwardKind::dense_and_mixture;
    both.intermediate_size = b.text.need("intermediate_size");
    both.num_experts = b.text.need("num_experts");
    both.experts_per_token = b.text.need("top_k_experts");
    both.moe_intermediate_size = b.text.need("moe_intermediate_size");
    if (both.experts_per_token > both.num_experts) b.text.contradiction("top_k_experts", "num_experts");
  }
  if (b.layers.back().mixer.kind != MixerKind::full) {
    b.layers.back().mixer.kind = MixerKind::full;  // as the class has it, whatever the pattern says
    b.layers.back().mixer.window = 0;
    b.class_part("import-rule-last-full");
  }
  const int shared = b.text.count("num_kv_shared_layers");
  const bool wide = b.text.flag("use_double_wide_mlp", false);
  for (int i = 0; i < layers; ++i) {
    Layer& layer = b.layers[i];
    if (experts) layer.feed_forward = both;
    if (wide && i >= layers - shared && layer.feed_forward.intermediate_size <= Fields::max_number / 2)
      layer.feed_forward.intermediate_size *= 2;
    if (layer.mixer.kind != MixerKind::full) continue;
    layer.mixer.head_dim = layer.mixer.v_head_dim = global_dim;
    if (global_heads > 0) layer.mixer.num_kv_heads = global_heads;
    layer.mixer.k_equals_v = k_equals_v;
    if (global_heads > 0 && layer.mixer.num_heads % global_heads != 0)
      return b.text.contradiction("num_global_key_value_heads", "num_attention_heads");
  }
  share_kv(b, "num_kv_shared_layers");
}

// Entries of compressed tokens beside a window; the ratio is a layer's own.
void deepseek_v4(Build& b) {
  read_outside(b);
  const int layers = num_layers(b);
  Mixer x;
  x.kind = MixerKind::compressed;
  x.num_heads = b.text.need(heads_names);
  x.head_dim = x.v_head_dim = b.text.need("head_dim");
  x.q_lora_rank = b.text.need("q_lora_rank");
  x.qk_rope_head_dim = b.text.or_default("qk_rope_head_dim", 64);
  x.window = b.text.need("sliding_window|window_size");
  x.o_groups = b.text.need("o_groups");
  x.o_lora_rank = b.text.need("o_lora_rank");
  const int index_heads = b.text.need("index_n_heads");
  const int index_dim = b.text.need("index_head_dim");
  b.model.hyper_connections = b.text.or_default("hc_mult", 4);
  const FeedForward experts = mixture(b);
  int hash_layers = b.text.has("num_hash_layers") ? b.text.count("num_hash_layers") : b.text.or_default("num_hash_layers", 3);
  std::vector<int> ratios;
  if (b.text.has("compress_ratios")) {
    const int length = static_cast<int>(std::min<std::size_t>(b.text.find("compress_ratios").size(), 8192));
    ratios = b.text.numbers("compress_ratios", length);
    if (length < layers)
      b.text.error("import-list-length", "compress_ratios", b.text.find("compress_ratios"), std::to_string(length), layers);
  } else if (b.text.has("layer_types")) {
    for (const std::string_view type : b.text.texts("layer_types"))
      ratios.push_back(type == "compressed_sparse_attention" ? 4 : type == "heavily_compressed_attention" ? 128 : 0);
    if (static_cast<int>(ratios.size()) < layers)
      b.text.error("import-list-length", "layer_types", b.text.find("layer_types"), std::to_string(ratios.size()), layers);
  } else {
    for (int i = 0; i < layers; ++i) ratios.push_back(i < 2 || i % 2 != 0 ? 128 : 4);
    b.class_part("import-rule-layer-pattern", "128, 128, 4, 128 ...");
  }
  if (b.failed()) return;
  const auto mixer_of = [&](int ratio) {
    Mixer mixer = x;
    mixer.compress_ratio = ratio;
    if (ratio == 4) mixer.index_num_heads = index_heads, mixer.index_head_dim = index_dim;
    return mixer;
  };
  for (int i = 0; i < layers; ++i) {
    if (ratios[i] != 0 && ratios[i] != 4 && ratios[i] != 128)
      return b.text.error("import-unknown-layer-type", "compress_ratios", b.text.find("compress_ratios"), "0 4 128");
    FeedForward f = experts;
    f.router_bias = i >= hash_layers;  // the first layers choose by token, without one
    b.layers.push_back({mixer_of(ratios[i]), f});
  }
  read_mtp(b);
  if (b.num_mtp_layers > 0) b.mtp.mixer = mixer_of(0);
}

// Vision layers between the text's: their keys and values come from the image.
void mllama(Build& b) {
  build_decoder(b);
  const int layers = static_cast<int>(b.layers.size());
  if (layers == 0) return;
  if (!b.text.find("cross_attention_layers").is_array()) return b.text.missing("cross_attention_layers");
  const Fields vision = b.root.inside("vision_config");
  const int side = std::max(1, vision.or_default("image_size", 448) / vision.or_default("patch_size", 14));
  const int tiles = vision.or_default("max_num_tiles", 4);
  const double tokens = (double(side) * side + 1) * tiles;
  if (tokens > Fields::max_number) return vision.contradiction("image_size", "patch_size");
  b.text.find("cross_attention_layers").elements([&](JsonValue v) {
    if (!v.is_number() || !(v.number() >= 0 && v.number() < layers))
      return b.text.error("import-out-of-range", "cross_attention_layers", v, {}, layers - 1);
    Mixer& x = b.layers[static_cast<int>(v.number())].mixer;
    x.kind = MixerKind::cross;
    x.window = static_cast<int>(tokens);
    x.qk_norm = QkNorm::per_head;
    x.cross_gates = true;
  });
  b.model.extra_embedding_params = static_cast<int>(std::min(8.0 * b.model.hidden_size, Fields::max_number));
  b.class_part("import-rule-extra-rows", "8");
}

// Neural architecture search: every layer states what it has.
void nemotron_nas(Build& b) {
  read_outside(b);
  const int layers = num_layers(b);
  const int heads = b.text.need(heads_names);
  const int hidden = b.model.hidden_size;
  if (hidden % heads != 0) b.text.contradiction("num_attention_heads", "hidden_size");
  const JsonValue blocks = b.text.find("block_configs");
  if (!blocks.is_array()) return b.text.missing("block_configs");
  if (static_cast<int>(blocks.size()) != layers)
    return b.text.error("import-list-length", "block_configs", blocks, std::to_string(blocks.size()), layers);
  int at = 0;
  blocks.elements([&](JsonValue block) {
    const std::string path = b.text.path("block_configs[") + std::to_string(at++) + "].";
    const Fields part(b.out, b.text.file(), block, path);
    const Fields a = part.inside("attention"), f = part.inside("ffn");
    Layer layer;
    if (a.stated("replace_with_linear"))
      a.error("import-unsupported-field", "replace_with_linear", a.find("replace_with_linear"));
    if (f.stated("replace_with_linear"))
      f.error("import-unsupported-field", "replace_with_linear", f.find("replace_with_linear"));
    if (!a.stated("no_op")) {
      const int group = a.need("n_heads_in_group");
      if (heads % group != 0) a.contradiction("n_heads_in_group", "num_attention_heads = " + std::to_string(heads));
      Mixer& x = layer.mixer;
      x.kind = MixerKind::full;
      x.num_heads = heads;
      x.num_kv_heads = std::max(1, heads / group);
      x.head_dim = x.v_head_dim = std::max(1, hidden / heads);
    }
    if (!f.stated("no_op")) {
      layer.feed_forward.kind = FeedForwardKind::dense;
      if (f.has("intermediate_size")) {
        layer.feed_forward.intermediate_size = f.need("intermediate_size");
      } else {
        if (!f.has("ffn_mult")) return f.missing("ffn_mult");
        const double width = std::ceil(std::floor(2 * f.ratio("ffn_mult", 1) * hidden / 3) / 256) * 256;
        if (!(width >= 1 && width <= Fields::max_number)) return f.contradiction("ffn_mult", "hidden_size");
        layer.feed_forward.intermediate_size = static_cast<int>(width);
      }
    }
    b.layers.push_back(layer);
  });
  b.class_part("import-rule-width", "2/3 x ffn_mult x hidden_size");
}

// The decoder of a speech model: attention to itself, then to the encoder's output. Written as two layers.
void whisper(Build& b) {
  const Fields& f = b.text;
  Model& m = b.model;
  m.hidden_size = f.need("d_model");
  m.vocab_size = f.need("vocab_size");
  m.tied_embeddings = true;
  m.norm = NormKind::layer_norm;
  m.position_rows = f.need("max_target_positions");
  b.out.max_position_embeddings = m.position_rows;
  const int layers = f.need("decoder_layers");
  Mixer x;
  x.kind = MixerKind::full;
  x.num_heads = x.num_kv_heads = f.need("decoder_attention_heads");
  if (m.hidden_size % x.num_heads != 0) f.contradiction("decoder_attention_heads", "d_model");
  x.head_dim = x.v_head_dim = std::max(1, m.hidden_size / x.num_heads);
  x.q_bias = x.v_bias = x.o_bias = true;
  Mixer cross = x;
  cross.kind = MixerKind::cross;
  cross.window = f.need("max_source_positions");
  FeedForward d;
  d.kind = FeedForwardKind::dense;
  d.intermediate_size = f.need("decoder_ffn_dim");
  d.gated = false;
  d.bias = true;
  if (layers > 2048) f.error("import-out-of-range", "decoder_layers", f.find("decoder_layers"), {}, 2048);
  if (b.failed()) return;
  for (int i = 0; i < layers; ++i) {
    b.layers.push_back({x, {}});
    b.layers.push_back({cross, d});
  }
  b.class_part("import-rule-encoder-decoder");
  m.tower_params = whisper_encoder(f);
}

constexpr Traits classes[] = {
    {.type = "gemma3n_text",
     .build = gemma3n,
     .tied = true,
     .head_dim = 256,
     .heads = 8,
     .kv_heads = 2,
     .vocab = 262400,
     .window = 512,
     .max_positions = 32768,
     .norms = 4,
     .qk_norm = QkNorm::per_head,
     .windows = Windows::by_pattern,
     .period = 5},
    {.type = "gemma4_text",
     .build = gemma4,
     .tied = true,
     .head_dim = 256,
     .vocab = 262144,
     .window = 512,
     .max_positions = 131072,
     .norms = 4,
     .qkv_bias = attention_bias,
     .qk_norm = QkNorm::per_head,
     .windows = Windows::by_pattern,
     .period = 6},
    {.type = "deepseek_v4",
     .build = deepseek_v4,
     .experts = {.count = "n_routed_experts", .shared_count = "n_shared_experts", .router_bias = always},
     .mtp = "num_nextn_predict_layers"},
    {.type = "mllama_text_model", .build = mllama},
    {.type = "nemotron-nas", .build = nemotron_nas},
    {.type = "whisper", .build = whisper, .tied = true},
};

constexpr Wrapper parts[] = {
    {"gemma3", "text_config", "gemma3_text", siglip_gemma3},
    {"gemma3n", "text_config", "gemma3n_text", gemma3n_towers},
    {"gemma4", "text_config", "gemma4_text", gemma4_towers},
    {"gemma4_unified", "text_config", "gemma4_text", gemma4_towers},
    {"mistral3", "text_config", "mistral", pixtral},
    {"pixtral", "text_config", "mistral", pixtral},
    {"llava", "text_config", "llama", no_tower},
    {"llava_next", "text_config", "llama", no_tower},
    {"llava_onevision", "text_config", "qwen2", no_tower},
    {"paligemma", "text_config", "gemma", no_tower},
    {"aya_vision", "text_config", "cohere2", no_tower},
    {"cohere2_vision", "text_config", "cohere2", no_tower},
    {"qwen2_vl", "text_config", "qwen2_vl_text", qwen2_vl},
    {"qwen2_5_vl", "text_config", "qwen2_5_vl_text", qwen2_5_vl},
    {"qwen3_vl", "text_config", "qwen3_vl_text", qwen3_vl},
    {"qwen3_vl_moe", "text_config", "qwen3_vl_moe_text", qwen3_vl},
    {"qwen3_5", "text_config", "qwen3_5_text", qwen3_vl},
    {"qwen3_5_moe", "text_config", "qwen3_5_moe_text", qwen3_vl},
    {"qwen2_5_omni", "thinker_config.text_config", "qwen2", no_tower},
    {"qwen3_omni_moe", "thinker_config.text_config", "qwen3_moe", no_tower},
    {"llama4", "text_config", "llama4_text", llama4_tower},
    {"mllama", "text_config", "mllama_text_model", mllama_tower},
    {"internvl_chat", "llm_config", "qwen2", internvit},
    {"internvl", "text_config", "qwen2", no_tower},
    {"smolvlm", "text_config", "llama", smolvlm},
    {"idefics3", "text_config", "llama", smolvlm},
    {"kimi_vl", "text_config", "deepseek_v3", moonvit},
    {"kimi_k25", "text_config", "kimi_k2", moonvit},
    {"kimi_k3", "text_config", "kimi_linear", no_tower},
    {"deepseek_vl_v2", "language_config", "deepseek_v2", no_tower},
    {"glm4v", "text_config", "glm4", no_tower},
    {"glm4v_moe", "text_config", "glm4_moe", no_tower},
    {"glm4v_text", "", "glm4", nullptr},
    {"glm4v_moe_text", "", "glm4_moe", nullptr},
    {"ernie4_5_vl_moe", "text_config", "ernie4_5_moe", no_tower},
    {"minimax_m3", "text_config", "minimax_m3_vl_text", no_tower, true},
    {"minimax_m3_vl", "text_config", "minimax_m3_vl_text", no_tower, true},
    {"muse_glimmer", "text_config", "muse_glimmer_text", muse_glimmer_tower},
    {"step3p7", "text_config", "step3p5", no_tower},
    {"lfm2_vl", "text_config", "lfm2", no_tower},
    {"voxtral", "text_config", "llama", no_tower},
    {"granite_speech", "text_config", "granite", no_tower},
};

}  // namespace

std::span<const Traits> other_classes() { return classes; }
std::span<const Wrapper> wrappers() { return parts; }

const Wrapper* find_wrapper(std::string_view type) {
  for (const Wrapper& w : parts)
    if (w.type == type) return &w;
  return nullptr;
}

const Traits* find_traits(std::string_view type) {
  for (const std::span<const Traits> group : {dense_classes(), mixture_classes(), hybrid_classes(), other_classes()})
    for (const Traits& t : group)
      if (t.type == type) return &t;
  return nullptr;
}

std::vector<std::string_view> known_types() {
  std::vector<std::string_view> out;
  for (const std::span<const Traits> group : {dense_classes(), mixture_classes(), hybrid_classes(), other_classes()})
    for (const Traits& t : group) out.push_back(t.type);
  for (const Wrapper& w : parts) out.push_back(w.type);
  return out;
}

}  // namespace vramfit::importer
