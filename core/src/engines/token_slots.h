// A cache of single-token slots, as SGLang and TensorRT-LLM keep it: bytes of one token and of one sequence's state on a rank.
#pragma once

#include "rank_weights.h"
#include "vramfit/kv_cache.h"

namespace vramfit {

struct SlotOptions {
  bool whole_heads = false;     // attention is copied on every rank, not cut (attention data parallelism)
  bool round_heads_up = false;  // heads that the ranks do not divide: the next whole number of heads, not the one below
  StateDtype state = StateDtype::checkpoint;
};

struct TokenSlots {
  double full_bytes = 0;      // of one token in all layers that keep every token
  double windowed_bytes = 0;  // of one token in all layers that keep a window
  double window = 0;          // the widest one
  double full_layers = 0;
  double state_bytes = 0;  // of one sequence
  double fixed_bytes = 0;  // likewise, of encoder tokens and the like
  bool compressed = false;
};

TokenSlots token_slots(const EngineContext& c, const Stage& stage, const SlotOptions& options);

// Layers of each mixer among layers [first, last).
void count_mixers(const Model& model, int first, int last, double* layers_of);

}  // namespace vramfit
