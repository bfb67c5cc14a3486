// Classes whose layers are attention and one dense feed-forward, and encoders of the same make.
#include "import/config_build.h"

namespace vramfit::importer {
namespace {

// Rotary or no positions: a learned table is a row per position.
void learned_positions(Build& b, int extra) {
  build_decoder(b);
  b.model.position_rows = b.text.need(positions_names) + extra;
  b.class_part("import-rule-positions", std::to_string(b.model.position_rows));
}

void gpt2(Build& b) { learned_positions(b, 0); }

void gpt_bigcode(Build& b) {
  learned_positions(b, 0);
  if (!b.text.flag("multi_query", true)) {
    for (Layer& layer : b.layers) layer.mixer.num_kv_heads = layer.mixer.num_heads;
  }
}

void opt(Build& b) {
  learned_positions(b, 2);  // two rows before the first position
  if (b.text.has("word_embed_proj_dim") && b.text.need("word_embed_proj_dim") != b.model.hidden_size)
    b.text.contradiction("word_embed_proj_dim", "hidden_size");
}

void gpt_neo(Build& b) {
  learned_positions(b, 0);
  const int window = b.text.or_default("window_size", 256);
  b.class_part("import-rule-layer-pattern", "1 / 2");
  for (std::size_t i = 1; i < b.layers.size(); i += 2)
    b.layers[i].mixer.kind = MixerKind::sliding, b.layers[i].mixer.window = window;
}

void bloom(Build& b) {
  build_decoder(b);
  b.model.embedding_norm = true;
  b.class_part("import-rule-embedding-norm");
}

// Falcon: which norms and key-value heads follows from two switches.
void falcon(Build& b) {
  build_decoder(b);
  const bool new_decoder = b.text.flag("new_decoder_architecture", false);
  const bool parallel = b.text.flag("parallel_attn", true);
  const bool multi_query = b.text.flag("multi_query", true);
  int norms = !new_decoder && parallel ? 1 : 2;
  if (new_decoder && b.text.has("num_ln_in_parallel_attn")) norms = b.text.need("num_ln_in_parallel_attn");
  b.model.norms_per_layer = norms;
  b.class_part("import-rule-norms", std::to_string(norms));
  for (Layer& layer : b.layers) {
    Mixer& x = layer.mixer;
    if (!new_decoder) x.num_kv_heads = multi_query ? 1 : x.num_heads;
  }
  if (!new_decoder) b.class_part("import-rule-kv-heads", multi_query ? "1" : "num_attention_heads");
}

void stablelm(Build& b) {
  build_decoder(b);
  if (b.text.flag("use_parallel_residual", false)) b.model.norms_per_layer = 1;
}

// MPT keeps its attention in a part of its own.
void mpt(Build& b) {
  const Fields attention = b.text.inside("attn_config");
  build_decoder(b);
  if (!b.text.flag("no_bias", true)) b.text.contradiction("no_bias", "true");
  if (!attention.has("kv_n_heads")) return;
  const int kv = attention.need("kv_n_heads");
  for (Layer& layer : b.layers) {
    if (layer.mixer.num_heads % kv != 0) return attention.contradiction("kv_n_heads", "n_heads");
    layer.mixer.num_kv_heads = kv;
  }
}

// Qwen 1: half of intermediate_size is each matrix's width.
void qwen1(Build& b) {
  build_decoder(b);
  for (Layer& layer : b.layers) layer.feed_forward.intermediate_size /= 2;
  b.class_part("import-rule-width", "intermediate_size / 2");
}

void chatglm(Build& b) {
  build_decoder(b);
  const bool multi_query = b.text.flag("multi_query_attention", false);
  for (Layer& layer : b.layers)
    if (!multi_query) layer.mixer.num_kv_heads = layer.mixer.num_heads;
  if (b.text.stated("add_bias_linear"))
    for (Layer& layer : b.layers) layer.mixer.o_bias = layer.feed_forward.bias = true;
}

// starcoder2, gpt_neox: one switch for every bias.
void one_bias_switch(Build& b, std::string_view field, bool class_default, bool feed_forward_too) {
  build_decoder(b);
  const bool bias = b.text.flag(field, class_default);
  for (Layer& layer : b.layers) {
    layer.mixer.q_bias = layer.mixer.k_bias = layer.mixer.v_bias = layer.mixer.o_bias = bias;
    if (feed_forward_too) layer.feed_forward.bias = bias;
  }
}
void starcoder2(Build& b) { one_bias_switch(b, "use_bias", true, true); }
void gpt_neox(Build& b) { one_bias_switch(b, "attention_bias", true, false); }

// Decoders without an output matrix of their own, used as embedders, look like their base class: `architectures` tells.
void encoder(Build& b, int positions, bool types) {
  build_decoder(b);
  Model& m = b.model;
  m.encoder = m.no_head = m.embedding_norm = m.no_final_norm = m.pooler = true;
  m.tied_embeddings = false;
  m.position_rows = positions;
  m.type_rows = types ? b.text.or_default("type_vocab_size", 2) : 0;
  b.class_part("import-rule-encoder");
}
void bert(Build& b) { encoder(b, b.text.need("max_position_embeddings"), true); }
// Positions are counted from behind the padding token's row: two rows carry none.
void roberta(Build& b) {
  encoder(b, b.text.need("max_position_embeddings"), true);
  if (b.out.max_position_embeddings > 2) b.out.max_position_embeddings -= 2;
}

constexpr Switch attention_bias = by("attention_bias", false);
constexpr Switch mlp_bias = by("mlp_bias", false);

constexpr Traits classes[] = {
    {.type = "llama", .qkv_bias = attention_bias, .o_bias = by("attention_bias", false), .mlp_bias = mlp_bias},
    {.type = "mistral", .window = 4096, .windows = Windows::all},
    {.type = "ministral", .window = 4096, .windows = Windows::by_pattern, .period = 1},
    {.type = "ministral3", .head_dim = 128, .windows = Windows::all},
    {.type = "qwen", .build = qwen1, .qkv_bias = always},
    {.type = "qwen2", .qkv_bias = always, .windows = Windows::qwen2},
    {.type = "qwen2_vl_text", .qkv_bias = always, .windows = Windows::qwen2},
    {.type = "qwen2_5_vl_text", .qkv_bias = always, .windows = Windows::qwen2},
    {.type = "qwen3",
     .head_dim = 128,
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .qk_norm = QkNorm::per_head,
     .windows = Windows::qwen2},
    {.type = "qwen3_vl_text", .head_dim = 128, .qkv_bias = attention_bias, .o_bias = attention_bias, .qk_norm = QkNorm::per_head},
    {.type = "gemma", .tied = true, .head_dim = 256, .qkv_bias = attention_bias, .o_bias = attention_bias},
    {.type = "gemma2",
     .tied = true,
     .head_dim = 256,
     .window = 4096,
     .norms = 4,
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .windows = Windows::by_pattern,
     .period = 2},
    {.type = "gemma3_text",
     .tied = true,
     .head_dim = 256,
     .heads = 8,
     .kv_heads = 4,
     .vocab = 262208,
     .window = 4096,
     .max_positions = 131072,
     .norms = 4,
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .qk_norm = QkNorm::per_head,
     .windows = Windows::by_pattern,
     .period = 6,
     .period_field = "sliding_window_pattern|_sliding_window_pattern"},
    {.type = "phi",
     .norm = NormKind::layer_norm,
     .norms = 1,
     .head_bias = always,
     .qkv_bias = always,
     .o_bias = always,
     .gated = false,
     .mlp_bias = always},
    {.type = "phi3", .windows = Windows::all, .joined = true},
    {.type = "stablelm", .build = stablelm, .norm = NormKind::layer_norm, .qkv_bias = by("use_qkv_bias", false)},
    {.type = "stablelm_epoch", .build = stablelm, .norm = NormKind::layer_norm, .qkv_bias = by("use_qkv_bias", false)},
    {.type = "starcoder2",
     .build = starcoder2,
     .tied = true,
     .norm = NormKind::layer_norm,
     .windows = Windows::all,
     .gated = false},
    {.type = "gpt_bigcode",
     .build = gpt_bigcode,
     .tied = true,
     .kv_heads = 1,
     .norm = NormKind::layer_norm,
     .qkv_bias = always,
     .o_bias = always,
     .gated = false,
     .mlp_bias = always,
     .dense_width = "n_inner",
     .width_factor = 4},
    {.type = "gpt_neox", .build = gpt_neox, .norm = NormKind::layer_norm, .gated = false, .mlp_bias = always},
    {.type = "gpt2",
     .build = gpt2,
     .tied = true,
     .norm = NormKind::layer_norm,
     .qkv_bias = always,
     .o_bias = always,
     .gated = false,
     .mlp_bias = always,
     .dense_width = "n_inner",
     .width_factor = 4},
    {.type = "gptj",
     .norm = NormKind::layer_norm,
     .norms = 1,
     .head_bias = always,
     .gated = false,
     .mlp_bias = always,
     .dense_width = "n_inner",
     .width_factor = 4},
    {.type = "gpt_neo",
     .build = gpt_neo,
     .tied = true,
     .norm = NormKind::layer_norm,
     .o_bias = always,
     .gated = false,
     .mlp_bias = always,
     .width_factor = 4},
    {.type = "opt",
     .build = opt,
     .tied = true,
     .norm = NormKind::layer_norm,
     .qkv_bias = by("enable_bias", true),
     .o_bias = by("enable_bias", true),
     .gated = false,
     .mlp_bias = by("enable_bias", true),
     .dense_width = "ffn_dim"},
    {.type = "bloom",
     .build = bloom,
     .tied = true,
     .norm = NormKind::layer_norm,
     .qkv_bias = always,
     .o_bias = always,
     .gated = false,
     .mlp_bias = always,
     .dense_width = "n_inner",
     .width_factor = 4},
    {.type = "mpt",
     .build = mpt,
     .tied = true,
     .norm = NormKind::layer_norm_no_bias,
     .gated = false,
     .dense_width = "ffn_hidden_size",
     .width_factor = 4},
    {.type = "falcon",
     .build = falcon,
     .tied = true,
     .norm = NormKind::layer_norm,
     .qkv_bias = by("bias", false),
     .o_bias = by("bias", false),
     .gated = false,
     .mlp_bias = by("bias", false),
     .dense_width = "ffn_hidden_size",
     .width_factor = 4},
    {.type = "baichuan"},
    {.type = "internlm", .qkv_bias = by("bias", true), .o_bias = by("bias", true)},
    {.type = "internlm2", .qkv_bias = by("bias", false), .o_bias = by("bias", false)},
    {.type = "internlm3", .qkv_bias = by("qkv_bias", false), .o_bias = by("bias", false), .mlp_bias = by("bias", false)},
    {.type = "chatglm",
     .build = chatglm,
     .qkv_bias = by("add_qkv_bias", false),
     .joined = true,
     .dense_width = "ffn_hidden_size"},
    {.type = "glm", .head_dim = 128, .qkv_bias = attention_bias, .joined = true},
    {.type = "glm4", .head_dim = 128, .norms = 4, .qkv_bias = attention_bias, .joined = true},
    {.type = "cohere",
     .tied = true,
     .norm = NormKind::layer_norm_no_bias,
     .norms = 1,
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .qk_norm = QkNorm::per_head_weights,
     .qk_norm_field = "use_qk_norm"},
    {.type = "cohere2",
     .tied = true,
     .window = 4096,
     .norm = NormKind::layer_norm_no_bias,
     .norms = 1,
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .windows = Windows::by_pattern,
     .period = 4,
     .period_field = "sliding_window_pattern|_sliding_window_pattern"},
    {.type = "olmo2", .qkv_bias = attention_bias, .o_bias = attention_bias, .qk_norm = QkNorm::full_width},
    {.type = "olmo3",
     .window = 4096,
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .qk_norm = QkNorm::full_width,
     .windows = Windows::by_pattern,
     .period = 4},
    {.type = "granite", .qkv_bias = attention_bias, .o_bias = attention_bias, .mlp_bias = mlp_bias},
    {.type = "exaone"},
    {.type = "exaone4",
     .window = 4096,
     .qk_norm = QkNorm::per_head,
     .windows = Windows::by_pattern,
     .period = 4,
     .period_field = "sliding_window_pattern"},
    {.type = "apertus",
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .qk_norm = QkNorm::per_head,
     .gated = false,
     .mlp_bias = mlp_bias},
    {.type = "seed_oss",
     .head_dim = 128,
     .qkv_bias = by("attention_bias", true),
     .o_bias = by("attention_out_bias", false),
     .mlp_bias = mlp_bias},
    {.type = "smollm3",
     .tied = true,
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .windows = Windows::qwen2,
     .mlp_bias = mlp_bias},
    {.type = "nemotron",
     .norm = NormKind::layer_norm,
     .qkv_bias = attention_bias,
     .o_bias = attention_bias,
     .gated = false,
     .mlp_bias = mlp_bias},
    {.type = "arcee", .qkv_bias = attention_bias, .o_bias = attention_bias, .gated = false, .mlp_bias = mlp_bias},
    {.type = "minicpm", .tied = true, .qkv_bias = attention_bias, .o_bias = attention_bias},
    {.type = "ernie4_5",
     .tied = true,
     .head_dim = 128,
     .qkv_bias = by("use_bias", false),
     .o_bias = by("use_bias", false),
     .mlp_bias = by("use_bias", false)},
    {.type = "hunyuan_v1_dense", .qkv_bias = attention_bias, .o_bias = attention_bias, .qk_norm = QkNorm::per_head},
    {.type = "mimo", .qkv_bias = by("attention_bias", true), .windows = Windows::qwen2, .mtp = "num_nextn_predict_layers"},
    {.type = "muse_glimmer_text",
     .head_dim = 128,
     .window = 2048,
     .norms = 4,
     .qkv_bias = attention_bias,
     .output_gate = true,
     .windows = Windows::by_pattern,
     .period = 4,
     .from_end = true},
    {.type = "bert",
     .build = bert,
     .norm = NormKind::layer_norm,
     .qkv_bias = always,
     .o_bias = always,
     .gated = false,
     .mlp_bias = always},
    {.type = "roberta",
     .build = roberta,
     .norm = NormKind::layer_norm,
     .qkv_bias = always,
     .o_bias = always,
     .gated = false,
     .mlp_bias = always},
    {.type = "xlm-roberta",
     .build = roberta,
     .norm = NormKind::layer_norm,
     .qkv_bias = always,
     .o_bias = always,
     .gated = false,
     .mlp_bias = always},
};

}  // namespace

std::span<const Traits> dense_classes() { return classes; }

}  // namespace vramfit::importer
