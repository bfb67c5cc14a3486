// Quantized layers are cut in whole blocks or groups. Source id vllm-quant-kernels (vLLM's and SGLang's quantization methods):
// blocks of 128 x 128 for FP8, the group for AWQ and GPTQ, 64 outputs for Marlin; fused experts may halve their groups down
// to 32.
#include <algorithm>
#include <cmath>

#include "checks.h"

namespace vramfit {
namespace {

struct Unit {
  int dense = 1;    // of the layers that every rank has a part of
  int experts = 1;  // of routed experts that are cut
};

Unit unit_of(const EngineContext& c) {
  const Recipe& recipe = *c.r.recipe;
  if (recipe.kind == RecipeKind::experts_and_fp8) return {128, 1};
  switch (recipe.format) {
    case Format::fp8_block: return {128, 128};
    case Format::int4_awq:
    case Format::int4_gptq:
    case Format::int8_gptq: return {std::max(64, c.r.group_size), 32};
    case Format::int4_group: return {64, 32};
    default: return {};
  }
}

}  // namespace

SplitCheck check_blocks(const EngineContext& c) {
  const int tp = c.tensor_parallel;
  if (tp == 1 || !(c.is("vllm") || c.is("sglang"))) return {};
  const Unit unit = unit_of(c);
  const auto whole = [&](double width, int of) { return std::fmod(width, tp * of) == 0; };
  const Model& model = c.r.model;
  const bool dense_too = c.r.recipe->kind != RecipeKind::experts_only;
  for (int f = 0; f < model.num_feed_forwards; ++f) {
    const FeedForward& ff = model.feed_forwards[f];
    for (const int width : {ff.intermediate_size, ff.shared_intermediate_size})
      if (width > 0 && (dense_too || ff.num_experts == 0) && !whole(width, unit.dense)) return {"quant-blocks", double(width)};
    if (ff.num_experts > 0 && c.expert_parallel == 1 && !whole(ff.moe_intermediate_size, unit.experts))
      return {"quant-blocks", double(ff.moe_intermediate_size)};
  }
  // Attention's output takes a rank's heads as input. Attention that is replicated is not cut.
  if (unit.dense == 1 || !dense_too || c.r.in.is(FieldId::attention_dp, "yes")) return {};
  for (int m = 0; m < model.num_mixers; ++m) {
    const Mixer& x = model.mixers[m];
    if (x.kind == MixerKind::none || x.kind == MixerKind::compressed || is_recurrent(x.kind)) continue;
    const double width = double(x.num_heads) * (x.v_head_dim > 0 ? x.v_head_dim : x.head_dim);
    if (!whole(width, unit.dense)) return {"quant-blocks", width};
  }
  return {};
}

}  // namespace vramfit
