// What does not depend on the card and is asked for again for each: kept while one request is held against many.
#pragma once

#include <array>
#include <deque>
#include <utility>
#include <vector>

#include "rank_weights.h"

namespace vramfit {

struct EngineMemo {
  struct Weights {
    int tensor_parallel, expert_parallel, first, last;
    bool with_mtp;
    RankWeights of_rank;
  };
  std::vector<Weights> weights;
  // llama.cpp's compute buffers by devices, layers on them and cells. A deque: references to what is kept stay.
  std::deque<std::pair<std::array<double, 3>, std::vector<double>>> graphs;
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
