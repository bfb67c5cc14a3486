// Which GPUs, how many, at what price.
#pragma once

#include "request.h"
#include "vramfit/result.h"

namespace vramfit {

// A total within this share of the card is tight (both guides): 5 % must stay free.
inline constexpr double comfortable_share = 0.95;

Verdict judge(const Layout& layout, double capacity_bytes, bool incomplete);

// The same on a host of `gpu`, which may not take as many.
inline Verdict judge_on(const GpuEntry& gpu, const Layout& layout, double capacity_bytes, bool incomplete) {
  return layout.count > gpu.max_per_node ? Verdict::unusable : judge(layout, capacity_bytes, incomplete);
}

// By the engine method: certain to start and room for all sequences at once; or neither is certain; or it cannot start even at
// the low end of its ranges.
inline Verdict judge_engine_layout(const Layout& layout, double capacity_bytes) {
  if (layout.floor.low > capacity_bytes) return Verdict::does_not_fit;
  return layout.floor.high > capacity_bytes || layout.need.likely > capacity_bytes ? Verdict::tight : Verdict::fits;
}

// One row per candidate. The rule compares with the marketed gigabytes, the other methods with what the driver reports.
std::vector<FitRow> fit_table(const Request& request, const MethodResult& method);

// Best by fewest GPUs, then least memory, then price; `cheapest` by hourly price alone. Only rows of `verdict` count; `only_gpu`
// and `only_count` narrow it (-1 and 0: no).
Pick pick(const std::vector<FitRow>& rows, Verdict verdict, bool cheapest, int only_gpu, int only_count);

// What the itemised figures are for: the user's GPU and count, else the best that fits, else the best that is tight.
Pick choose(const Request& request, const std::vector<FitRow>& rows);

// How many GPUs get itemised: as many as chosen; where nothing can be chosen, the count asked for, or one.
int itemised_count(const Request& request, const Pick& chosen);

// What pick() would take of the whole table, fitting before tight, without making the table.
Pick smallest_offer(const Request& request, const MethodResult& method);

}  // namespace vramfit
