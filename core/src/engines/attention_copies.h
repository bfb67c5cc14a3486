// Attention that is copied on every rank, not cut: what attention data parallelism costs.
#pragma once

#include "rank_weights.h"

namespace vramfit {

// What a rank holds beyond its tensor-parallel share: attention and the token table whole.
double attention_copy_bytes(const EngineContext& c, const Stage& stage);

}  // namespace vramfit
