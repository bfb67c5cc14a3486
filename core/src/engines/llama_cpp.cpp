// llama.cpp and the programs that run it.
#include "needs.h"

namespace vramfit {

RankNeeds llama_cpp_needs(const EngineContext& c, int rank, bool) {
  RankNeeds out;
  out.add("weights", Range::exact(c.r.weight_bytes.total * rank_share(c.r, c.count, rank)));
  return out;
}

void llama_cpp_report(const EngineContext&, EngineReport&) {}
void llama_cpp_notices(const EngineContext&, std::vector<Notice>&) {}

}  // namespace vramfit
