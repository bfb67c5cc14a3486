// Whether the model divides over the ranks. Source ids vllm-splits (heads, widths, vocabulary, pipeline stages, decode-context
// parallelism; SGLang and TensorRT-LLM ask the same of heads), llama-cpp-layers.
#include <algorithm>

#include "checks.h"

namespace vramfit {
namespace {

bool divides(int whole, int by) { return by > 0 && whole % by == 0; }

bool has_kind(const Model& model, MixerKind kind) {
  for (int m = 0; m < model.num_mixers; ++m)
    if (model.mixers[m].kind == kind) return true;
  return false;
}

// Each context-parallel rank needs a copy of the KV heads to itself: ranks that outnumber them, in whole groups of query heads.
SplitCheck check_context_parallel(const EngineContext& c) {
  const int ranks = static_cast<int>(c.r.in.number(FieldId::decode_context_parallel));
  const Mixer* attention = first_attention(c.r.model);
  if (!c.is("vllm") || ranks <= 1 || !attention) return {};
  const int kv = attention->kind == MixerKind::latent ? 1 : std::max(1, attention->num_kv_heads);
  const bool room = c.tensor_parallel > kv || attention->kind == MixerKind::latent;
  if (!room || ranks * kv > c.tensor_parallel || !divides(c.tensor_parallel, ranks) || !divides(attention->num_heads / kv, ranks))
    return {"context-parallel", double(ranks)};
  return {};
}

}  // namespace

SplitCheck check_parallel(const EngineContext& c) {
  const Model& model = c.r.model;
  // Whole layers are dealt out; nothing has to divide.
  if (c.r.in.llama_cpp_family() || c.is("transformers"))
    return c.count > model.num_layers() ? SplitCheck{"layers", double(model.num_layers())} : SplitCheck{};
  const int pp = c.pipeline_parallel;
  const int replicas = c.data_parallel;
  if (c.count % (pp * replicas) != 0) return {"layout-size", double(pp * replicas)};
  if (pp > model.num_layers()) return {"layers", double(model.num_layers())};
  // DeepSeek's classes took part in pipelines only from the releases that had latent-attention kernels.
  const bool latent = has_kind(model, MixerKind::latent);
  if (pp > 1 && c.is("vllm") && c.r.in.is(FieldId::vllm_version, "0.6") && latent) return {"pipeline-support", double(pp)};
  if (pp > 1 && model.encoder) return {"pipeline-support", double(pp)};
  SplitCheck split = check_split(c.r, c.tensor_parallel);
  // Experts that are dealt out whole need not divide.
  if (split.reason == "ffn-width" && c.expert_parallel > 1)
    for (int f = 0; f < model.num_feed_forwards; ++f)
      if (split.number == model.feed_forwards[f].moe_intermediate_size) split = {};
  if (!split.reason.empty()) return split;
  return check_context_parallel(c);
}

}  // namespace vramfit
