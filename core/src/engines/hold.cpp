// Needs against a card: the pool that is left, the smallest card that would do, the verdict and its cause.
#include <algorithm>

#include "needs.h"

namespace vramfit {
namespace {

// The smallest card for cache `cache`, at one end of the ranges.
double card_for(const RankNeeds& n, double budget, double outside, double before, double cache, double other) {
  if (n.fixed_pool_bytes > 0) return budget + outside + before + other + cache;
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

namespace {

constexpr double large_activations = 0.15;  // of the card, when they are to blame rather than the sum

enum End : int { low, likely, high };

double at(const Range& r, End end) { return end == low ? r.low : end == likely ? r.likely : r.high; }

// A rank at one end of its ranges.
struct Rank {
  const RankNeeds& n;
  double usable, other;
  End end;
  Id others_cause;

  double part(Id id) const {
    double sum = 0;
    for (const Part& p : n.parts)
      if (p.id == id) sum += at(p.bytes, end);
    return sum;
  }
  double sum(Where where, Id without = {}) const {
    double sum = 0;
    for (const Part& p : n.parts)
      if (p.where == where && p.id != without) sum += at(p.bytes, end);
    return sum;
  }
  // Whether the card would do without what is taken off.
  bool holds(double cache, Id without = {}, bool others = true) const {
    return card_for(n, sum(Where::budget, without), sum(Where::outside, without), sum(Where::before, without), cache,
                    others ? other : 0) <= usable;
  }
  double cache() const { return n.fixed_pool_bytes > 0 ? n.fixed_pool_bytes : at(n.one_request, end); }
  double share() const { return n.rule == PoolRule::share_of_rest || n.rule == PoolRule::exact ? 1 : n.share; }

  // Why even an empty pool has no room: what an engine can do without, or one part that is out of proportion, or the sum.
  template <class Holds>
  Id no_room(Holds&& holds_without) const {
    for (const Id id : {Id("draft"), Id("graphs"), Id("encoder")})
      if (part(id) > 0 && holds_without(id))
        return id == "draft" ? Id("draft-model") : id == "graphs" ? id : Id("encoder-profile");
    if (part("weights") + part("draft") + part("adapters") > share() * (usable - other)) return "weights";
    if (part("activations") > large_activations * usable && holds_without("activations")) return "activations";
    return "no-room-for-cache";
  }

  // vLLM: what is free at the start, then the budget's sum, then one request, then what is allocated beside the budget.
  Id cause_by_total() const {
    const double inside = n.share * usable, beside = usable - inside;
    const double before = sum(Where::before) + sum(Where::outside, "graphs");
    if (before + other > beside) return before <= beside && other > 0 ? others_cause : Id("beside-budget");
    const auto room = [&](Id without) { return sum(Where::budget, without) <= inside; };
    if (!room({})) return no_room(room);
    const double pool = inside - sum(Where::budget);
    if (at(n.one_request, end) > pool)
      return part("draft") > 0 && at(n.one_request, end) <= pool + part("draft") ? Id("draft-model") : n.one_request_cause;
    if (other > 0 && holds(cache(), {}, false)) return others_cause;
    return holds(cache(), "graphs") ? Id("graphs") : Id("beside-budget");
  }

  // What the engine runs out of first, as its start-up goes; empty when it starts and holds one request.
  Id cause() const {
    const bool short_pool = n.fixed_pool_bytes > 0 && at(n.one_request, end) > n.fixed_pool_bytes;
    if (holds(cache()) && !short_pool) return {};
    if (short_pool) return n.one_request_cause;
    if (n.fixed_pool_bytes > 0 && holds(at(n.one_request, end))) return "pool-size";
    if (part("weights") > share() * usable) return "weights";
    if (n.rule == PoolRule::share_of_total) return cause_by_total();
    if (!holds(0)) {
      if (other > 0 && holds(0, {}, false)) return others_cause;
      const Id why = no_room([&](Id without) { return holds(0, without); });
      const bool inside = n.rule == PoolRule::share_of_free && sum(Where::budget) < n.share * usable;
      return why == "no-room-for-cache" && inside ? Id("beside-budget") : why;
    }
    if (other > 0 && holds(cache(), {}, false)) return others_cause;
    if (part("draft") > 0 && holds(cache(), "draft")) return "draft-model";
    return n.rule == PoolRule::exact ? Id("cache") : n.one_request_cause;
  }
};

}  // namespace

Held hold(const RankNeeds& n, double usable, const Others& others) {
  Held out;
  const Range budget = n.sum(Where::budget);
  const Range outside = n.sum(Where::outside);
  const Range before = n.sum(Where::before);
  // A pool of the user's own size is taken whole, whatever of it is used.
  const Range fixed = Range::exact(n.fixed_pool_bytes);
  const Range one = n.fixed_pool_bytes > 0 ? fixed : n.one_request;
  const Range all = n.fixed_pool_bytes > 0 ? fixed : n.all_requests;
  const auto card = [&](const Range& cache, End e) {
    return card_for(n, at(budget, e), at(outside, e), at(before, e), at(cache, e), at(others.bytes, e));
  };
  out.layout.floor = {card(one, low), card(one, likely), card(one, high)};
  out.layout.need = {card(all, low), card(all, likely), card(all, high)};
  out.budget_bytes = n.rule == PoolRule::share_of_total  ? n.share * usable
                     : n.rule == PoolRule::share_of_free ? n.share * (usable - before.likely - others.bytes.likely)
                                                         : 0;
  const auto pool = [&](End e) {
    return std::max(0.0, pool_of(n, usable, at(others.bytes, e), at(budget, e), at(outside, e), at(before, e)));
  };
  out.pool = {pool(high), pool(likely), pool(low)};

  const auto cause = [&](End e) { return Rank{n, usable, at(others.bytes, e), e, others.cause}.cause(); };
  // What is certain to fail, else what is likely to, else what may.
  const Id certain = cause(low), probable = cause(likely);
  out.cause = !certain.empty() ? certain : !probable.empty() ? probable : cause(high);
  if (out.cause.empty() &&
      (out.layout.need.likely > usable || (n.fixed_pool_bytes > 0 && n.all_requests.likely > n.fixed_pool_bytes)))
    out.cause = "many-requests";
  out.verdict = out.cause.empty() ? Verdict::fits : certain.empty() ? Verdict::tight : Verdict::does_not_fit;
  return out;
}

}  // namespace vramfit
