// SGLang: a share of the memory that is free at start for weights and pools; activations and graphs live in the rest.
#include "paged_cache.h"

namespace vramfit {

RankNeeds sglang_needs(const EngineContext& c, int rank, bool) {
  RankNeeds out;
  out.rule = PoolRule::share_of_free;
  out.share = 0.88;
  out.add("weights",
          Range::exact(rank_weights(c, pipeline_stage(c.r.model.num_layers(), c.pipeline_parallel, rank), false).total()));
  return out;
}

void sglang_report(const EngineContext&, const Held&, EngineReport&) {}

}  // namespace vramfit
