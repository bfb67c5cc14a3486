// What does not depend on the card and is asked for again for each: kept while one request is held against many.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "layer_placement.h"
#include "rank_weights.h"

namespace vramfit {

struct EngineMemo {
  struct Weights {
    int tensor_parallel, expert_parallel, first, last;
    bool with_mtp;
    RankWeights of_rank;
  };
  std::vector<Weights> weights;
  std::vector<PlacedWeights> placed[max_gpu_count + 1];  // by the count of cards that Transformers deals whole layers out to
  // llama.cpp's: weights by layer, and what devices, layers on them and cells come to.
  std::shared_ptr<const struct LlamaTensors> llama_tensors;
  std::vector<std::pair<std::array<double, 3>, std::shared_ptr<const struct LlamaLayout>>> llama_layouts;
};

// Keeps a memo for a request as long as it lives.
class MemoScope {
 public:
  explicit MemoScope(const Request& request) : request_(request), before_(request.memo) { request.memo = &memo_; }
  ~MemoScope() { request_.memo = before_; }
  MemoScope(const MemoScope&) = delete;
  MemoScope& operator=(const MemoScope&) = delete;

 private:
  const Request& request_;
  EngineMemo* before_;
  EngineMemo memo_;
};

}  // namespace vramfit
