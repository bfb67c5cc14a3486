// Whole layers dealt out to cards as Accelerate does for device_map="auto" (source id accelerate-placement).
#pragma once

#include <vector>

#include "needs.h"

namespace vramfit {

struct PlacedWeights {
  int first = 0, last = 0;  // layers [first, last)
  bool has_embedding = false, has_head = false;
  double quantized_bytes = 0;  // in the recipe's format
  double kept_bytes = 0;       // in a wider one
};

// What card `rank` of `c.count` holds.
PlacedWeights placed_on(const EngineContext& c, int rank);

// FP8 checkpoints of tied models have a head of their own.
bool has_own_head(const Request& r);

}  // namespace vramfit
