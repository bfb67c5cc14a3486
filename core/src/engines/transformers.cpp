// Transformers: no pool, a cache that grows token by token.
#include "rank_weights.h"

namespace vramfit {

RankNeeds transformers_needs(const EngineContext& c, int rank, bool) {
  RankNeeds out;
  out.add("weights", Range::exact(rank_weights(c, pipeline_stage(c.r.model.num_layers(), c.count, rank), false).total()));
  return out;
}

}  // namespace vramfit
