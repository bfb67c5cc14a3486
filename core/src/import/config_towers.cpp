#include "import/config_towers.h"

#include <algorithm>

namespace vramfit::importer {
namespace {

double square(double x) { return x * x; }
double linear(double in, double out, bool bias = true) { return in * out + (bias ? out : 0); }
double layer_norm(double width) { return 2 * width; }

// Attention with four square projections and a two-matrix feed-forward, all with biases, behind layer norms.
double vit_layer(double h, double f) { return 4 * linear(h, h) + linear(h, f) + linear(f, h) + 2 * layer_norm(h); }

double siglip(const Fields& v, double positions) {
  const double h = v.need("hidden_size"), f = v.need("intermediate_size"), patch = v.need("patch_size");
  return v.need("num_hidden_layers") * vit_layer(h, f) + linear(3 * square(patch), h) + positions * h + layer_norm(h);
}

double grid(const Fields& v) { return square(v.need("image_size") / std::max(1, v.need("patch_size"))); }

}  // namespace

double no_tower(Build&) { return 0; }

double siglip_gemma3(Build& b) {
  const Fields v = b.root.inside("vision_config");
  if (!v.object().is_object()) return 0;
  const double h = v.need("hidden_size");
  return siglip(v, grid(v)) + h * b.model.hidden_size + h;
}

// Counted once from the published checkpoints, whose towers are the same: a named image encoder and an audio encoder of the
// class's own figures, with their projectors.
double gemma3n_towers(Build& b) {
  const Fields v = b.root.inside("vision_config"), a = b.root.inside("audio_config");
  const bool known = v.text("architecture") == "mobilenetv5_300m_enc" && a.object().is_object() &&
                     a.count("hidden_size", 1536) == 1536 && a.count("conf_num_hidden_layers", 12) == 12 &&
                     b.model.hidden_size == 2048;
  if (!known) return 0;
  b.class_part("import-rule-tower-known", "mobilenetv5_300m_enc");
  return 983281504;
}

namespace {

double gemma4_audio(Build& b, const Fields& a) {
  const bool known =
      a.count("hidden_size", 1024) == 1024 && a.count("num_hidden_layers", 12) == 12 && a.count("output_proj_dims", 1536) == 1536;
  if (!known) return b.warn("import-tower-unknown", "audio_config"), 0;
  b.class_part("import-rule-tower-known", "gemma4_audio");
  return 304824160 + 1536.0 * b.model.hidden_size;
}

}  // namespace

double gemma4_towers(Build& b) {
  const Fields v = b.root.inside("vision_config");
  if (!v.object().is_object()) return 0;
  const double h = v.or_default("hidden_size", 768), f = v.or_default("intermediate_size", 3072);
  const double head = v.or_default("head_dim", 64), heads = v.or_default("num_attention_heads", 12),
               patch = v.or_default("patch_size", 16);
  const double positions = v.or_default("position_embedding_size", 10240);
  const double layer = 4 * h * heads * head + 3 * h * f + 4 * h + 2 * head;
  double n = v.or_default("num_hidden_layers", 16) * layer + 3 * square(patch) * h + 2 * positions * h + h * b.model.hidden_size;
  if (v.stated("standardize")) n += 2 * h;
  if (b.root.has("audio_config")) n += gemma4_audio(b, b.root.inside("audio_config"));
  return n;
}

double pixtral(Build& b) {
  const Fields v = b.root.inside("vision_config");
  if (!v.object().is_object()) return 0;
  const double h = v.need("hidden_size"), f = v.need("intermediate_size"), patch = v.need("patch_size"),
               text = b.model.hidden_size;
  const double merge = std::max(1, b.root.count("spatial_merge_size", 1));
  double n = v.need("num_hidden_layers") * (4 * h * h + 3 * h * f + 2 * h) + 3 * square(patch) * h + h;
  if (merge > 1) n += h + square(merge) * h * h;
  const bool bias = b.root.stated("multimodal_projector_bias");
  return n + linear(h, text, bias) + linear(text, text, bias);
}

// What the image processor that comes with the class lets one image become.
static void qwen_images(Build& b) {
  b.model.max_image_tokens = 16384;
  b.class_part("import-rule-image-tokens", "16384");
}

double qwen2_vl(Build& b) {
  qwen_images(b);
  const Fields v = b.root.inside("vision_config");
  if (!v.object().is_object()) return 0;
  const double h = v.or_default("embed_dim", 1280), depth = v.or_default("depth", 32),
               patch = v.or_default("patch_size|spatial_patch_size", 14);
  const double temporal = v.or_default("temporal_patch_size", 2), merge = v.or_default("spatial_merge_size", 2);
  const double f = h * v.ratio("mlp_ratio", 4), wide = h * square(merge);
  return depth * vit_layer(h, f) + 3 * temporal * square(patch) * h + layer_norm(h) + linear(wide, wide) +
         linear(wide, b.model.hidden_size);
}

double qwen2_5_vl(Build& b) {
  qwen_images(b);
  const Fields v = b.root.inside("vision_config");
  if (!v.object().is_object()) return 0;
  const double h = v.or_default("hidden_size", 1280), f = v.or_default("intermediate_size", 3420),
               depth = v.or_default("depth", 32);
  const double patch = v.or_default("patch_size|spatial_patch_size", 14), temporal = v.or_default("temporal_patch_size", 2);
  const double wide = h * square(v.or_default("spatial_merge_size", 2));
  const double layer = 4 * linear(h, h) + 2 * linear(h, f) + linear(f, h) + 2 * h;
  return depth * layer + 3 * temporal * square(patch) * h + h + linear(wide, wide) + linear(wide, b.model.hidden_size);
}

double qwen3_vl(Build& b) {
  qwen_images(b);
  const Fields v = b.root.inside("vision_config");
  if (!v.object().is_object()) return 0;
  const double h = v.or_default("hidden_size", 1152), f = v.or_default("intermediate_size", 4304),
               depth = v.or_default("depth", 27);
  const double patch = v.or_default("patch_size", 16), temporal = v.or_default("temporal_patch_size", 2);
  const double positions = v.or_default("num_position_embeddings", 2304),
               wide = h * square(v.or_default("spatial_merge_size", 2));
  const double out = v.has("out_hidden_size") ? v.need("out_hidden_size") : b.model.hidden_size;
  const double project = linear(wide, wide) + linear(wide, out);
  const double deep = static_cast<double>(v.find("deepstack_visual_indexes").size());
  return depth * vit_layer(h, f) + linear(3 * temporal * square(patch), h) + positions * h + layer_norm(h) + project +
         deep * (layer_norm(wide) + project);
}

double llama4_tower(Build& b) {
  const Fields v = b.root.inside("vision_config");
  if (!v.object().is_object()) return 0;
  const double h = v.need("hidden_size"), f = v.need("intermediate_size"), patch = v.need("patch_size");
  const double adapter = v.need("projector_output_dim|vision_output_dim"), hidden = v.need("projector_input_dim");
  return v.need("num_hidden_layers") * vit_layer(h, f) + 3 * square(patch) * h + h + (grid(v) + 1) * h + 2 * layer_norm(h) +
         f * hidden + hidden * adapter + v.need("vision_output_dim") * double(b.model.hidden_size);
}

double mllama_tower(Build& b) {
  const Fields v = b.root.inside("vision_config");
  if (!v.object().is_object()) return 0;
  const double h = v.or_default("hidden_size", 1280), f = v.or_default("intermediate_size", 5120),
               patch = v.or_default("patch_size", 14);
  const double layers = v.or_default("num_hidden_layers", 32), global = v.or_default("num_global_layers", 8);
  const double tiles = v.or_default("max_num_tiles", 4), ratios = 9;
  const double rows = grid(v) + 1, out = v.or_default("vision_output_dim", 7680);
  const double layer = 4 * h * h + linear(h, f) + linear(f, h) + 2 * layer_norm(h);
  return (layers + global) * layer + 2 * global + 3 * square(patch) * h + h + 1 + rows * h + ratios * tiles * rows * h +
         2 * (ratios * tiles * h + 1) + 2 * layer_norm(h) + linear(out, b.model.hidden_size);
}

double internvit(Build& b) {
  const Fields v = b.root.inside("vision_config");
  if (!v.object().is_object()) return 0;
  const double h = v.need("hidden_size"), f = v.need("intermediate_size"), patch = v.need("patch_size"),
               text = b.model.hidden_size;
  const bool rms = v.text("norm_type") == "rms_norm";
  const double norm = rms ? h : 2 * h, wide = 4 * h;
  const double layer = linear(h, 3 * h, v.stated("qkv_bias")) + linear(h, h) + linear(h, f) + linear(f, h) + 2 * norm + 2 * h +
                       (v.stated("qk_normalization") ? 2 * h : 0);
  return v.need("num_hidden_layers") * layer + linear(3 * square(patch), h) + h + (grid(v) + 1) * h + layer_norm(wide) +
         linear(wide, text) + linear(text, text);
}

double smolvlm(Build& b) {
  const Fields v = b.root.inside("vision_config");
  if (!v.object().is_object()) return 0;
  const double scale = b.root.or_default("scale_factor", 2);
  return siglip(v, grid(v)) + v.need("hidden_size") * square(scale) * b.model.hidden_size;
}

double moonvit(Build& b) {
  const Fields v = b.root.inside("vision_config");
  if (!v.object().is_object()) return 0;
  const double h = v.need("hidden_size|vt_hidden_size"), f = v.need("intermediate_size|vt_intermediate_size");
  const double layers = v.need("num_hidden_layers|vt_num_hidden_layers"), patch = v.need("patch_size");
  const double positions = double(v.need("init_pos_emb_height")) * v.need("init_pos_emb_width"), wide = 4 * h;
  return layers * vit_layer(h, f) + linear(3 * square(patch), h) + positions * h + layer_norm(h) + layer_norm(h) +
         linear(wide, wide) + linear(wide, b.model.hidden_size);
}

double muse_glimmer_tower(Build& b) {
  const Fields v = b.root.inside("vision_config");
  const double h = v.or_default("hidden_size", 1536), f = v.or_default("intermediate_size", 8960),
               layers = v.or_default("num_hidden_layers", 50);
  const double patch = v.or_default("patch_size", 14), temporal = v.or_default("patch_temporal", 2);
  const double rows = double(v.or_default("pos_emb_height", 32)) * v.or_default("pos_emb_width", 32);
  const double out = b.root.or_default("out_hidden_size", 6144), hidden = b.root.or_default("projector_hidden_size", 4096);
  return layers * vit_layer(h, f) + 3 * temporal * square(patch) * h + rows * h + 2 * layer_norm(h) + out * hidden +
         hidden * hidden + hidden * b.model.hidden_size;
}

double whisper_encoder(const Fields& f) {
  const double h = f.need("d_model"), width = f.need("encoder_ffn_dim"), mel = f.or_default("num_mel_bins", 80);
  const double layer = vit_layer(h, width) - h;  // keys have no bias
  return f.need("encoder_layers") * layer + linear(3 * mel, h) + linear(3 * h, h) + f.need("max_source_positions") * h +
         layer_norm(h);
}

}  // namespace vramfit::importer
