// Needs against a card: the pool that is left, the smallest card that would do, the verdict and its cause.
#include <algorithm>

#include "needs.h"

namespace vramfit {
namespace {

// The smallest card for cache `cache`, at one end of the ranges.
double card_for(const RankNeeds& n, double budget, double outside, double before, double cache, double other) {
  switch (n.rule) {
    case PoolRule::exact: return budget + outside + before + other + cache;
    case PoolRule::share_of_rest: return budget + outside + before + other + cache / n.share;
    case PoolRule::share_of_total:
    case PoolRule::share_of_free: break;
  }
  const bool total = n.rule == PoolRule::share_of_total;
  const double inside = (budget + cache) / n.share;
  // A share of one leaves nothing: a card that large does not exist.
  const double rest = outside + (total ? before + other : 0);
  const double beside = rest <= 0 ? 0 : n.share >= 1 ? 1e18 : rest / (1 - n.share);
  return std::max(inside, beside) + (total ? 0 : before + other);
}

double pool_of(const RankNeeds& n, double usable, double other, double budget, double outside, double before) {
  if (n.fixed_pool_bytes > 0) return n.fixed_pool_bytes;
  switch (n.rule) {
    case PoolRule::exact: return 0;
    case PoolRule::share_of_total: return n.share * usable - budget;
    case PoolRule::share_of_free: return n.share * (usable - before - other) - budget;
    case PoolRule::share_of_rest: return n.share * (usable - other - budget - outside - before);
  }
  return 0;
}

Range at_ends(const auto& of, const Range& a, const Range& b, const Range& c, const Range& d) {
  return {of(a.low, b.low, c.low, d.low), of(a.likely, b.likely, c.likely, d.likely), of(a.high, b.high, c.high, d.high)};
}

}  // namespace

Range RankNeeds::sum(Where where) const {
  Range total;
  for (const Part& p : parts)
    if (p.where == where) total += p.bytes;
  return total;
}

void RankNeeds::add(Id id, Range bytes, Where where, std::vector<Term> terms) {
  parts.push_back({id, bytes, where, std::move(terms)});
}

Held hold(const RankNeeds& n, double usable, double other) {
  Held out;
  const Range budget = n.sum(Where::budget);
  const Range outside = n.sum(Where::outside);
  const Range before = n.sum(Where::before);
  const auto card = [&](double b, double o, double s, double cache) { return card_for(n, b, o, s, cache, other); };
  // A pool of the user's own size is taken whole, whatever of it is used.
  const Range fixed = Range::exact(n.fixed_pool_bytes);
  const Range one = n.fixed_pool_bytes > 0 ? fixed : n.one_request;
  const Range all = n.fixed_pool_bytes > 0 ? fixed : n.all_requests;
  out.layout.floor = at_ends(card, budget, outside, before, one);
  out.layout.need = at_ends(card, budget, outside, before, all);
  out.budget_bytes = n.rule == PoolRule::share_of_total  ? n.share * usable
                     : n.rule == PoolRule::share_of_free ? n.share * (usable - before.likely - other)
                                                         : 0;
  const auto pool = [&](double b, double o, double s) { return std::max(0.0, pool_of(n, usable, other, b, o, s)); };
  out.pool = {pool(budget.high, outside.high, before.high), pool(budget.likely, outside.likely, before.likely),
              pool(budget.low, outside.low, before.low)};

  const bool pooled = n.rule != PoolRule::exact;
  const bool one_fits = n.fixed_pool_bytes <= 0 || n.one_request.likely <= n.fixed_pool_bytes;
  const bool all_fit = n.fixed_pool_bytes <= 0 || n.all_requests.likely <= n.fixed_pool_bytes;
  if (out.layout.floor.likely <= usable && one_fits) {
    const bool certain = out.layout.floor.high <= usable;
    const bool holds_all = out.layout.need.likely <= usable && all_fit;
    out.verdict = certain && holds_all ? Verdict::fits : Verdict::tight;
    if (!holds_all) out.cause = "many-requests";
    else if (!certain) out.cause = "uncertain";
    return out;
  }
  const auto weights = [&] {
    double sum = 0;
    for (const Part& p : n.parts)
      if (p.id == "weights" || p.id == "draft" || p.id == "adapters") sum += p.bytes.likely;
    return sum;
  };
  if (weights() > (pooled && n.rule != PoolRule::share_of_rest ? n.share : 1) * (usable - other)) out.cause = "weights";
  else if (card(budget.likely, outside.likely, before.likely, 0) > usable)
    out.cause = card(budget.likely, 0, 0, 0) > usable - other ? Id("no-room-for-cache") : Id("beside-budget");
  else out.cause = pooled ? n.one_request_cause : Id("cache");
  return out;
}

}  // namespace vramfit
