// Weights beside the model's own: attention copied on every rank, a draft model, LoRA adapters.
#pragma once

#include "rank_weights.h"

namespace vramfit {

// What a rank holds beyond its tensor-parallel share when attention runs data-parallel: attention and the token table whole.
double attention_copy_bytes(const EngineContext& c, const Stage& stage);

struct Draft {
  double layers = 0;  // that keep a cache beside the model's own
  Range bytes;        // weights on one rank
};

// Of speculative decoding as chosen; nothing when there is none. The model's own prediction layers are counted by rank_weights.
Draft draft_of(const EngineContext& c, const Stage& stage);

// Room for the adapters that are loaded at once: two low-rank factors beside every attention and dense feed-forward matrix.
Range adapter_bytes(const EngineContext& c, const Stage& stage);

}  // namespace vramfit
