// Start-up checks of the engines. Source ids vllm-splits (heads, widths, vocabulary, pipeline), vllm-quant-kernels (blocks and
// groups per rank), llama-cpp-layers.
#include "checks.h"

#include <algorithm>

namespace vramfit {
namespace {

bool divides(int whole, int by) { return by > 0 && whole % by == 0; }

// Widths that a rank of `tensor_parallel` holds must be whole blocks of block-scaled FP8, whole groups of 4-bit formats.
SplitCheck quantized_blocks(const EngineContext& c) {
  const Recipe& recipe = *c.r.recipe;
  const int tp = c.tensor_parallel;
  if (tp == 1) return {};
  const bool fp8_block = recipe.format == Format::fp8_block || recipe.kind == RecipeKind::experts_and_fp8;
  const bool grouped =
      recipe.format == Format::int4_awq || recipe.format == Format::int4_gptq || recipe.format == Format::int4_group;
  if (!fp8_block && !grouped) return {};
  const int group = recipe.format == Format::int4_group ? 32 : c.r.group_size;
  const int unit = fp8_block ? 128 : std::max(64, group);
  const bool cut_experts = c.expert_parallel == 1;
  for (int f = 0; f < c.r.model.num_feed_forwards; ++f) {
    const FeedForward& ff = c.r.model.feed_forwards[f];
    const bool moe = ff.num_experts > 0;
    if (ff.intermediate_size > 0 && recipe.kind != RecipeKind::experts_only && !divides(ff.intermediate_size, tp * unit))
      return {"quant-blocks", double(ff.intermediate_size)};
    if (moe && cut_experts && !divides(ff.moe_intermediate_size, tp * unit))
      return {"quant-blocks", double(ff.moe_intermediate_size)};
  }
  return {};
}

}  // namespace

SplitCheck check_engine(const EngineContext& c) {
  const Model& model = c.r.model;
  if (c.r.in.llama_cpp_family() || c.engine == "transformers")
    return c.count > model.num_layers() ? SplitCheck{"layers", double(model.num_layers())} : SplitCheck{};
  const int pp = c.pipeline_parallel;
  const int dp = c.data_parallel;
  if (c.count % (pp * dp) != 0) return {"layout-size", double(pp * dp)};
  if (pp > model.num_layers()) return {"layers", double(model.num_layers())};
  if (const SplitCheck heads = check_split(c.r, c.tensor_parallel); !heads.reason.empty()) return heads;
  if (c.engine == "vllm") {
    const int dcp = static_cast<int>(c.r.in.number(FieldId::decode_context_parallel));
    const Mixer* attention = first_attention(model);
    if (dcp > 1 && attention) {
      const bool latent = attention->kind == MixerKind::latent;
      const int kv = latent ? 1 : std::max(1, attention->num_kv_heads);
      if (!divides(c.tensor_parallel, dcp) || dcp * kv > c.tensor_parallel) return {"context-parallel", double(dcp)};
    }
  }
  return quantized_blocks(c);
}

}  // namespace vramfit
