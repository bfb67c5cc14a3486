#include "vramfit/formats.h"

#include <algorithm>
#include <cmath>

#include "vramfit/format_table.h"

namespace vramfit {
namespace {

constexpr FormatInfo formats[] = {
    {"fp32", 32, 1, 4, "dtype"},
    {"bf16", 16, 1, 2, "dtype"},
    {"fp16", 16, 1, 2, "dtype"},
    {"fp8", 8, 0, 0, "fp8-checkpoints"},
    {"fp8-block", 8, 0, 0, "fp8-block-checkpoints"},
    {"int8", 8, 0, 0, "w8a8-checkpoints"},
    {"int8-bnb", 8, 0, 0, "bitsandbytes"},
    {"int8-gptq", 8, 0, 0, "gptq"},
    {"int4", 4, 0, 0, "worksheet-guide"},
    {"int4-awq", 4, 0, 0, "awq"},
    {"int4-gptq", 4, 0, 0, "gptq"},
    {"int4-group", 4, 0, 0, "compressed-tensors"},
    {"nf4", 4, 0, 0, "bitsandbytes"},
    {"nf4-dq", 4, 0, 0, "bitsandbytes"},
    {"mxfp4", 4, 32, 17, "ocp-mx"},
    {"nvfp4", 4, 0, 0, "nvfp4"},
    {"q8_0", 8, 32, 34, "ggml-types"},
    {"q6_k", 6, 256, 210, "ggml-types"},
    {"q5_k", 5, 256, 176, "ggml-types"},
    {"q5_1", 5, 32, 24, "ggml-types"},
    {"q5_0", 5, 32, 22, "ggml-types"},
    {"q4_k", 4, 256, 144, "ggml-types"},
    {"q4_1", 4, 32, 20, "ggml-types"},
    {"q4_0", 4, 32, 18, "ggml-types"},
    {"q3_k", 3, 256, 110, "ggml-types"},
    {"q2_k", 2, 256, 84, "ggml-types"},
    {"iq4_nl", 4, 32, 18, "ggml-types"},
    {"iq4_xs", 4, 256, 136, "ggml-types"},
    {"iq3_s", 3, 256, 110, "ggml-types"},
    {"iq3_xxs", 3, 256, 98, "ggml-types"},
    {"iq2_s", 2, 256, 82, "ggml-types"},
    {"iq2_xs", 2, 256, 74, "ggml-types"},
    {"iq2_xxs", 2, 256, 66, "ggml-types"},
    {"iq1_m", 1, 256, 56, "ggml-types"},
    {"iq1_s", 1, 256, 50, "ggml-types"},
    {"ggml-mxfp4", 4, 32, 17, "ggml-types"},
    {"tq2_0", 2, 256, 66, "ggml-types"},
    {"tq1_0", 1, 256, 54, "ggml-types"},
    {"ggml-nvfp4", 4, 64, 36, "ggml-types"},
    {"q2_0", 2, 64, 18, "ggml-types"},
    {"q1_0", 1, 128, 18, "ggml-types"},
    {"q8_1", 8, 32, 36, "ggml-types"},
    {"q8_k", 8, 256, 292, "ggml-types"},
    {"fp64", 64, 1, 8, "dtype"},
    {"i8", 8, 1, 1, "dtype"},
    {"i16", 16, 1, 2, "dtype"},
    {"i32", 32, 1, 4, "dtype"},
    {"i64", 64, 1, 8, "dtype"},
};

constexpr double ceil_div(double a, double b) { return std::ceil(a / b); }

bool has_stored_formats(const Model& model) { return reads_imported_models() && model.stored.num_sections > 0; }

}  // namespace

const FormatInfo& info(Format format) { return formats[static_cast<int>(format)]; }
std::span<const FormatInfo> format_infos() { return formats; }

double tensor_bytes(Format format, double rows, double cols, int group_size) {
  const double elements = rows * cols;
  const double groups = rows * (group_size > 0 ? ceil_div(cols, group_size) : 1);
  switch (format) {
    case Format::fp8: return elements + 4;
    case Format::fp8_block: return elements + 4 * ceil_div(rows, 128) * ceil_div(cols, 128);
    case Format::int8:
    case Format::int8_bnb: return elements + 4 * rows;
    case Format::int8_gptq: return elements + groups * (2 + 1) + 4 * cols;
    case Format::int4_flat: return elements / 2;
    case Format::int4_awq: return elements / 2 + groups * (2 + 0.5);
    case Format::int4_gptq: return elements / 2 + groups * (2 + 0.5) + 4 * cols;
    case Format::int4_group: return elements / 2 + groups * 2;
    case Format::nf4: return elements / 2 + 4 * ceil_div(elements, 64);
    case Format::nf4_dq: return elements / 2 + ceil_div(elements, 64) + 4 * ceil_div(elements, 64 * 256);
    case Format::nvfp4: return elements / 2 + ceil_div(elements, 16) + 4;
    default: {
      const FormatInfo& f = info(format);
      return rows * ceil_div(cols, f.block_elements) * f.block_bytes;
    }
  }
}

namespace {

constexpr Recipe all_recipes[] = {
    {"native", RecipeKind::native, Format::bf16, 16, false, "checkpoint"},
    {"fp32", RecipeKind::uniform, Format::fp32, 32, false, "dtype"},
    {"bf16", RecipeKind::uniform, Format::bf16, 16, false, "dtype"},
    {"fp16", RecipeKind::uniform, Format::fp16, 16, false, "dtype"},
    {"fp8", RecipeKind::linears, Format::fp8, 8, false, "fp8-checkpoints"},
    {"fp8-block", RecipeKind::linears, Format::fp8_block, 8, false, "fp8-block-checkpoints"},
    {"int8", RecipeKind::linears, Format::int8, 8, false, "w8a8-checkpoints"},
    {"int8-bnb", RecipeKind::linears, Format::int8_bnb, 8, false, "bitsandbytes"},
    {"int8-gptq", RecipeKind::linears, Format::int8_gptq, 8, true, "gptq"},
    {"int4", RecipeKind::linears, Format::int4_flat, 4, false, "worksheet-guide"},
    {"int4-awq", RecipeKind::linears, Format::int4_awq, 4, true, "awq"},
    {"int4-gptq", RecipeKind::linears, Format::int4_gptq, 4, true, "gptq"},
    {"int4-w4a16", RecipeKind::linears, Format::int4_group, 4, true, "compressed-tensors"},
    {"fp8-ffn", RecipeKind::feed_forwards, Format::int8, 8, false, "fbgemm-checkpoints"},
    {"int4-experts", RecipeKind::experts_only, Format::int4_group, 4, false, "compressed-tensors"},
    {"nf4", RecipeKind::linears, Format::nf4, 4, false, "bitsandbytes"},
    {"nf4-dq", RecipeKind::linears, Format::nf4_dq, 4, false, "bitsandbytes"},
    {"mxfp4", RecipeKind::experts_only, Format::mxfp4, 4, false, "ocp-mx"},
    {"nvfp4", RecipeKind::linears, Format::nvfp4, 4, false, "nvfp4"},
    {"fp4-experts-fp8", RecipeKind::experts_and_fp8, Format::mxfp4, 4, false, "checkpoint"},
    {"f16", RecipeKind::ggml_mix, Format::fp16, 16, false, "ggml-mixes"},
    {"q8_0", RecipeKind::ggml_mix, Format::q8_0, 8, false, "ggml-mixes"},
    {"q6_k", RecipeKind::ggml_mix, Format::q6_k, 6, false, "ggml-mixes"},
    {"q5_k_m", RecipeKind::ggml_mix, Format::q5_k, 5, false, "ggml-mixes"},
    {"q5_k_s", RecipeKind::ggml_mix, Format::q5_k, 5, false, "ggml-mixes"},
    {"q5_1", RecipeKind::ggml_mix, Format::q5_1, 5, false, "ggml-mixes"},
    {"q5_0", RecipeKind::ggml_mix, Format::q5_0, 5, false, "ggml-mixes"},
    {"q4_k_m", RecipeKind::ggml_mix, Format::q4_k, 4, false, "ggml-mixes"},
    {"q4_k_s", RecipeKind::ggml_mix, Format::q4_k, 4, false, "ggml-mixes"},
    {"q4_1", RecipeKind::ggml_mix, Format::q4_1, 4, false, "ggml-mixes"},
    {"q4_0", RecipeKind::ggml_mix, Format::q4_0, 4, false, "ggml-mixes"},
    {"iq4_nl", RecipeKind::ggml_mix, Format::iq4_nl, 4, false, "ggml-mixes"},
    {"iq4_xs", RecipeKind::ggml_mix, Format::iq4_xs, 4, false, "ggml-mixes"},
    {"mxfp4_moe", RecipeKind::ggml_mix, Format::ggml_mxfp4, 4, false, "ggml-mixes"},
    {"q3_k_l", RecipeKind::ggml_mix, Format::q3_k, 3, false, "ggml-mixes"},
    {"q3_k_m", RecipeKind::ggml_mix, Format::q3_k, 3, false, "ggml-mixes"},
    {"q3_k_s", RecipeKind::ggml_mix, Format::q3_k, 3, false, "ggml-mixes"},
    {"iq3_m", RecipeKind::ggml_mix, Format::iq3_s, 3, false, "ggml-mixes"},
    {"iq3_s", RecipeKind::ggml_mix, Format::iq3_s, 3, false, "ggml-mixes"},
    {"iq3_xxs", RecipeKind::ggml_mix, Format::iq3_xxs, 3, false, "ggml-mixes"},
    {"q2_k", RecipeKind::ggml_mix, Format::q2_k, 2, false, "ggml-mixes"},
    {"q2_k_s", RecipeKind::ggml_mix, Format::q2_k, 2, false, "ggml-mixes"},
    {"iq2_m", RecipeKind::ggml_mix, Format::iq2_s, 2, false, "ggml-mixes"},
    {"iq2_s", RecipeKind::ggml_mix, Format::iq2_xs, 2, false, "ggml-mixes"},
    {"iq2_xs", RecipeKind::ggml_mix, Format::iq2_xs, 2, false, "ggml-mixes"},
    {"iq2_xxs", RecipeKind::ggml_mix, Format::iq2_xxs, 2, false, "ggml-mixes"},
    {"iq1_m", RecipeKind::ggml_mix, Format::iq1_m, 1, false, "ggml-mixes"},
    {"iq1_s", RecipeKind::ggml_mix, Format::iq1_s, 1, false, "ggml-mixes"},
};

bool has_experts(const Model& model) {
  for (int f = 0; f < model.num_feed_forwards; ++f)
    if (model.feed_forwards[f].num_experts > 0) return true;
  return false;
}

const FeedForward* first_mixture(const Model& model) {
  for (int f = 0; f < model.num_feed_forwards; ++f)
    if (model.feed_forwards[f].num_experts > 0) return &model.feed_forwards[f];
  return nullptr;
}

// Query heads per KV head of the first attention layer; 1 when there is none.
int gqa_ratio(const Model& model) {
  const Mixer* attention = first_attention(model);
  return attention && attention->num_kv_heads > 0 ? attention->num_heads / attention->num_kv_heads : 1;
}

// The cheaper a mix, the more it spends on the few tensors that matter most. Rules of llama.cpp's quantizer (source id
// ggml-mixes), without an importance matrix.
struct GgmlMix {
  const Recipe& recipe;
  const Model& model;
  int num_layers;

  bool is(Id id) const { return recipe.id == id; }
  bool very_small() const {
    return is("iq1_s") || is("iq1_m") || is("iq2_xxs") || is("iq2_xs") || is("iq2_s") || is("iq2_m") || is("iq3_xxs");
  }

  // Layers in which the "_M" mixes spend more: the first and last eighth and every third in between.
  bool more_bits(int layer) const {
    return layer < num_layers / 8 || layer >= 7 * num_layers / 8 || (layer - num_layers / 8) % 3 == 2;
  }

  Format head() const {
    if (is("f16")) return Format::fp16;
    if (is("q8_0") || is("mxfp4_moe")) return Format::q8_0;
    return very_small() ? Format::q5_k : Format::q6_k;
  }

  Format embedding() const {
    if (is("iq1_s") || is("iq1_m") || is("iq2_xxs") || is("iq2_xs")) return Format::q2_k;
    if (is("iq2_s") || is("iq2_m") || is("iq3_xxs")) return Format::iq3_s;
    return is("mxfp4_moe") ? Format::q8_0 : recipe.format;
  }

  Format value(int layer) const {
    const int gqa = gqa_ratio(model);
    const bool gqa4 = gqa >= 4;
    Format f = recipe.format;
    if (is("q2_k")) f = gqa4 ? Format::q4_k : Format::q3_k;
    else if (is("q2_k_s") && gqa4) f = Format::q4_k;
    else if (is("q3_k_m")) f = layer < 2 ? Format::q5_k : Format::q4_k;
    else if (is("q3_k_l")) f = Format::q5_k;
    else if (is("q4_k_m") || is("q5_k_m")) f = more_bits(layer) ? Format::q6_k : f;
    else if (is("q4_k_s")) f = layer < 4 ? Format::q5_k : f;
    else if ((is("iq4_xs") || is("iq4_nl")) && gqa4) f = Format::q5_k;
    else if (is("iq3_m")) f = Format::q4_k;
    else if (is("iq3_xxs") || is("iq3_s")) f = gqa4 ? Format::q4_k : Format::iq3_s;
    else if (is("iq2_s") || is("iq2_m")) f = gqa4 ? Format::q4_k : Format::iq3_s;
    else if (very_small()) f = gqa4 ? Format::q4_k : Format::q2_k;
    // 70B-class models share each value head among eight queries, so it is small and dear.
    if (num_layers == 80 && gqa == 8 && (f == Format::q3_k || f == Format::q4_k)) f = Format::q5_k;
    return f;
  }

  Format output() const {
    if (is("q2_k")) return Format::q3_k;
    if (is("q3_k_m") || is("iq3_m")) return Format::q4_k;
    if (is("q3_k_l")) return Format::q5_k;
    if (is("iq3_xxs")) return Format::iq3_s;
    if (is("iq2_s") || is("iq2_m")) return Format::iq3_s;
    if (is("iq1_s") || is("iq1_m")) return Format::iq2_xxs;
    return recipe.format;
  }

  Format down(int layer) const {
    const bool first_eighth = layer < num_layers / 8;
    if (is("q2_k")) return Format::q3_k;
    if (is("q2_k_s")) return first_eighth ? Format::q4_k : recipe.format;
    if (is("q3_k_m")) return layer < num_layers / 16 ? Format::q5_k : Format::q4_k;
    if (is("q3_k_l")) return Format::q5_k;
    if (is("q4_k_m") || is("q5_k_m")) return more_bits(layer) ? Format::q6_k : recipe.format;
    if (is("q4_k_s")) return first_eighth ? Format::q5_k : recipe.format;
    if (is("iq4_xs") || is("iq4_nl")) return first_eighth ? Format::q5_k : recipe.format;
    if (is("iq3_m")) return first_eighth ? Format::q4_k : recipe.format;
    if (is("iq3_xxs")) return first_eighth ? Format::q4_k : Format::q3_k;
    if (is("iq2_s") || is("iq2_m")) return first_eighth ? Format::iq3_s : recipe.format;
    if (very_small()) return first_eighth ? Format::q2_k : recipe.format;
    return recipe.format;
  }

  static bool divides(const FormatInfo& i, double cols) { return static_cast<std::int64_t>(cols) % i.block_elements == 0; }

  // A row that 256 does not divide cannot hold the K types.
  static Format fallback(Format f, double cols) {
    const FormatInfo& i = info(f);
    if (divides(i, cols)) return f;
    Format g = Format::fp16;
    switch (f) {
      case Format::q4_k: g = Format::q5_0; break;
      case Format::q5_k: g = Format::q5_1; break;
      case Format::q6_k: g = Format::q8_0; break;
      default:
        if (i.block_elements == 256) g = Format::iq4_nl;
    }
    return divides(info(g), cols) ? g : Format::fp16;
  }

  Format operator()(const Tensor& t, int layer) const {
    const FeedForward* mixture = first_mixture(model);
    const bool eight_experts = mixture && mixture->num_experts == 8;
    if (is_expert(t.cls) && mixture->experts_fp4) return Format::ggml_mxfp4;
    Format f = recipe.format;
    switch (t.cls) {
      case TensorClass::small:
      case TensorClass::expert_bias:
      case TensorClass::router: return Format::fp32;
      case TensorClass::tower: return Format::fp16;
      case TensorClass::token_embedding: f = model.tied_embeddings ? head() : embedding(); break;
      case TensorClass::output_head: f = head(); break;
      case TensorClass::attention_value: f = eight_experts && !is("f16") ? Format::q8_0 : value(layer); break;
      case TensorClass::attention_query:
        if (is("iq3_xxs")) f = Format::iq2_s;
        break;
      case TensorClass::attention_key:
        if (eight_experts && !is("f16")) f = Format::q8_0;
        else if (is("iq3_xxs")) f = Format::iq2_s;
        break;
      case TensorClass::attention_output:
        f = eight_experts && !is("f16") && !is("q8_0") && !is("q6_k") ? Format::q5_k : output();
        break;
      case TensorClass::ffn_down:
      case TensorClass::shared_down:
      case TensorClass::expert_down: f = down(layer); break;
      default: break;
    }
    if (is("mxfp4_moe") && !is_expert(t.cls)) f = Format::q8_0;
    return fallback(f, t.cols);
  }
};

}  // namespace

std::span<const Recipe> recipes() { return all_recipes; }

const Recipe* find_recipe(Id id) {
  for (const Recipe& r : all_recipes)
    if (r.id == id) return &r;
  return nullptr;
}

Format format_of(const Recipe& recipe, const Model& model, const Tensor& t, int layer) {
  if (has_stored_formats(model)) return section_of(model.stored, t.cls, layer).format;
  switch (recipe.kind) {
    case RecipeKind::uniform:
    case RecipeKind::native: return recipe.format;
    case RecipeKind::linears:
      // Published NVFP4 checkpoints leave the input projections of recurrent mixers alone, some of them the output's too.
      if (recipe.format == Format::nvfp4 && t.cls == TensorClass::recurrent && t.cols == model.hidden_size) return Format::bf16;
      return is_linear(t.cls) ? recipe.format : Format::bf16;
    case RecipeKind::feed_forwards: {
      // Meta's first and last layer stay as they are.
      const bool ffn = t.cls == TensorClass::ffn_gate || t.cls == TensorClass::ffn_up || t.cls == TensorClass::ffn_down;
      return ffn && layer > 0 && layer < model.num_layers() - 1 ? recipe.format : Format::bf16;
    }
    case RecipeKind::experts_only:
      return (has_experts(model) ? is_expert(t.cls) : is_linear(t.cls)) ? recipe.format : Format::bf16;
    case RecipeKind::experts_and_fp8:
      return is_expert(t.cls) ? recipe.format : is_linear(t.cls) ? Format::fp8_block : Format::bf16;
    case RecipeKind::ggml_mix: return GgmlMix{recipe, model, model.num_layers()}(t, layer);
  }
  return Format::bf16;
}

Storage storage_of(const Recipe& recipe, int group_size, const Model& model, const Tensor& t, int layer) {
  if (has_stored_formats(model)) {
    const StoredFormats::Section& s = section_of(model.stored, t.cls, layer);
    return {s.format, s.group};
  }
  return {format_of(recipe, model, t, layer), recipe.takes_group_size || recipe.format != Format::int4_group ? group_size : 32};
}

const Recipe& closest_recipe(const Model& model) {
  Model plain = model;
  plain.stored.num_sections = 0;
  const Recipe* closest = all_recipes;
  double most = -1;
  for (const Recipe& recipe : all_recipes) {
    if (recipe.kind == RecipeKind::native || (recipe.kind == RecipeKind::ggml_mix) != model.stored.gguf) continue;
    double same = 0;
    for_each_tensor(model, false, [&](const Tensor& t) {
      for (int layer = t.first_layer; layer < t.first_layer + t.num_layers; ++layer)
        if (format_of(recipe, plain, t, layer) == section_of(model.stored, t.cls, layer).format)
          same += t.rows * t.cols * t.count;
    });
    if (same > most) most = same, closest = &recipe;
  }
  return *closest;
}

WeightBytes weight_bytes(const Model& model, const Recipe& recipe, int group_size) {
  WeightBytes sum;
  const bool stored = has_stored_formats(model);
  const bool by_layer = recipe.kind == RecipeKind::ggml_mix || recipe.kind == RecipeKind::feed_forwards;
  for_each_tensor(model, false, [&](const Tensor& t) {
    if (recipe.kind == RecipeKind::ggml_mix && t.cls == TensorClass::tower)
      return;  // GGUF keeps towers in a file of their own (mmproj)
    auto add = [&](int layer, double copies) {
      const auto [format, group] = storage_of(recipe, group_size, model, t, layer);
      const double bytes = tensor_bytes(format, t.rows, t.cols, group) * t.count * copies;
      const double elements = t.rows * t.cols * t.count * copies;
      sum.total += bytes;
      const bool wider = info(format).nominal_bits > info(recipe.format).nominal_bits;
      (wider ? sum.kept_elements : sum.quantized_elements) += elements;
      (wider ? sum.kept_bytes : sum.quantized_bytes) += bytes;
      if (t.cls == TensorClass::token_embedding) sum.embedding_bytes += bytes;
      if (t.cls == TensorClass::output_head) sum.head_bytes += bytes;
      if (is_replicated(t.cls)) sum.replicated_bytes += bytes;
    };
    if (stored || (by_layer && is_linear(t.cls))) {
      for (int i = 0; i < t.num_layers; ++i) add(t.first_layer + i, 1);
    } else {
      add(t.first_layer, t.num_layers);
    }
  });
  if (stored) {
    sum.total += model.stored.rest_bytes;
    sum.replicated_bytes += model.stored.rest_bytes;
    (sum.kept_elements > 0 ? sum.kept_bytes : sum.quantized_bytes) += model.stored.rest_bytes;
  }
  return sum;
}

namespace {
// ggml cache types: bits per element from their blocks; int8 and int4: one float32 scale per token and head.
constexpr KvFormat all_kv_formats[] = {
    {"bf16", 16, 0, "dtype", KvLadder::both},
    {"fp16", 16, 0, "dtype", KvLadder::none},
    {"fp8", 8, 0, "vllm-kv-dtypes", KvLadder::serving_engines},
    {"int8", 8, 4, "vllm-kv-dtypes", KvLadder::none},
    {"int4", 4, 4, "vllm-kv-dtypes", KvLadder::serving_engines},
    {"nvfp4", 4.5, 0, "nvfp4", KvLadder::none},
    {"q8_0", 34 * 8 / 32.0, 0, "ggml-types", KvLadder::llama_cpp},
    {"q5_1", 24 * 8 / 32.0, 0, "ggml-types", KvLadder::none},
    {"q5_0", 22 * 8 / 32.0, 0, "ggml-types", KvLadder::none},
    {"q4_1", 20 * 8 / 32.0, 0, "ggml-types", KvLadder::none},
    {"q4_0", 18 * 8 / 32.0, 0, "ggml-types", KvLadder::llama_cpp},
};
}  // namespace

std::span<const KvFormat> kv_formats() { return all_kv_formats; }

const KvFormat* find_kv_format(Id id) {
  for (const KvFormat& f : all_kv_formats)
    if (f.id == id) return &f;
  return nullptr;
}

}  // namespace vramfit
