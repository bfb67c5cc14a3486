// Bytes of the weights on one rank of a tensor, pipeline and expert parallel layout.
#pragma once

#include "needs.h"

namespace vramfit {

// vLLM's division: equal stages, the remainder to those before the last (source id vllm-splits).
Stage pipeline_stage(int num_layers, int stages, int stage);

struct RankWeights {
  double quantized_bytes = 0;  // in the recipe's format
  double kept_bytes = 0;       // in a wider one
  double tower_bytes = 0;
  double tile_bytes = 0;  // of the quantized ones: what fills up the kernels' tiles
  double total() const { return quantized_bytes + kept_bytes + tower_bytes; }
};

RankWeights rank_weights(const EngineContext& c, const Stage& stage, bool with_mtp);

}  // namespace vramfit
