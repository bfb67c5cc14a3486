// TensorRT-LLM: the pool takes a share of what is free once the engine is loaded.
#include "paged_cache.h"

namespace vramfit {

RankNeeds tensorrt_llm_needs(const EngineContext& c, int rank, bool) {
  RankNeeds out;
  out.rule = PoolRule::share_of_rest;
  out.share = c.r.in.number(FieldId::free_gpu_memory_fraction);
  out.add("weights",
          Range::exact(rank_weights(c, pipeline_stage(c.r.model.num_layers(), c.pipeline_parallel, rank), false).total()));
  return out;
}

void tensorrt_llm_report(const EngineContext&, const Held&, EngineReport&) {}

}  // namespace vramfit
