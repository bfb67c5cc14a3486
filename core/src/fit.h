// Which GPUs, how many, at what price.
#pragma once

#include "request.h"
#include "vramfit/result.h"

namespace vramfit {

// A total within this share of the card is tight (both guides): 5 % must stay free.
inline constexpr double comfortable_share = 0.95;

Verdict judge(const Layout& layout, double capacity_bytes, bool incomplete);

// One row per candidate. The rule compares with the marketed gigabytes, the other methods with what the driver reports.
std::vector<FitRow> fit_table(const Request& request, const MethodResult& method);

// Best by fewest GPUs, then least memory, then price; `cheapest` by hourly price alone. Only rows of `verdict` count; `only_gpu`
// and `only_count` narrow it (-1 and 0: no).
Pick pick(const std::vector<FitRow>& rows, Verdict verdict, bool cheapest, int only_gpu, int only_count);

// What pick() would take of the whole table, fitting before tight, without making the table.
Pick smallest_offer(const Request& request, const MethodResult& method);

}  // namespace vramfit
