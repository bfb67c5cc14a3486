// The article's rule of thumb: parameters x bytes x 1.2 in decimal gigabytes, against the card's nominal gigabytes. The 20 %
// covers short prompts; a cache larger than that goes on top of the bare weights instead, so that the total never falls as
// context grows.
#include <algorithm>
#include <cmath>

#include "methods.h"

namespace vramfit {
namespace {

constexpr double margin_percent = 20;
constexpr double qlora_gb_per_billion = 0.75;  // 65B on one 48 GB GPU = 0.74, rounded up
constexpr double lora_bytes_per_param = 2;
constexpr double full_low_bytes_per_param = 16;  // the two counts that the article quotes
constexpr double full_high_bytes_per_param = 18;

void serving(const Request& r, int itemised_count, MethodResult& out) {
  const double params = r.stated_params();
  const double weights = params * r.recipe->nominal_bits / 8;
  const double margin = weights * margin_percent / 100;
  const auto cache_of = [&](int count) {
    const RankCache c = rank_cache(r, count);
    return c.kv_bytes + c.state_bytes;
  };
  const auto per_gpu = [&](int count) {
    const double share = largest_share(r, count);
    return weights * share + std::max(margin * share, cache_of(count));
  };
  out.total = Range::exact(weights + std::max(margin, cache_of(1)));
  for (Layout& l : out.layouts) l.need = l.floor = Range::exact(per_gpu(l.count));

  const auto add = [&](Id id, std::vector<Term> terms, RankBytes bytes) {
    out.compartments.push_back(itemise(r, id, itemised_count, std::move(terms), bytes));
  };
  add("weights",
      {make_term("rule-weights", "rental-guide", Range::exact(weights),
                 {{"params", params}, {"bytes_per_param", r.recipe->nominal_bits / 8}})},
      [&](int n, int rank) { return Range::exact(weights * rank_share(r, n, rank)); });
  if (cache_of(itemised_count) > margin * largest_share(r, itemised_count)) {
    std::vector<Term> kv_terms, state_terms;
    explain_cache(r, kv_terms, state_terms);
    const RankCache fullest = rank_cache(r, itemised_count);
    if (fullest.kv_bytes > 0)
      add("kv_cache", std::move(kv_terms), [&](int n, int rank) { return Range::exact(rank_cache(r, n, rank).kv_bytes); });
    if (fullest.state_bytes > 0)
      add("state", std::move(state_terms), [&](int n, int rank) { return Range::exact(rank_cache(r, n, rank).state_bytes); });
  } else {
    add("margin",
        {make_term("rule-margin", "rental-guide", Range::exact(margin), {{"percent", margin_percent}, {"bytes", weights}})},
        [&](int n, int rank) { return Range::exact(margin * rank_share(r, n, rank)); });
  }
}

void fine_tuning(const Request& r, int itemised_count, MethodResult& out) {
  const double params = r.stated_params();
  auto add = [&](Id id, Range bytes, Term term) {
    out.total += bytes;
    out.compartments.push_back(itemise(r, id, itemised_count, {std::move(term)}, [&](int n, int) { return bytes * (1.0 / n); }));
  };
  if (r.in.is(FieldId::task, "lora")) {
    const double base = params * lora_bytes_per_param;
    add("weights", Range::exact(base),
        make_term("rule-weights", "rental-guide", Range::exact(base),
                  {{"params", params}, {"bytes_per_param", lora_bytes_per_param}}));
    const double margin = base * margin_percent / 100;
    add("margin", Range::exact(margin),
        make_term("rule-margin", "rental-guide", Range::exact(margin), {{"percent", margin_percent}, {"bytes", base}}));
  } else if (r.in.is(FieldId::task, "qlora")) {
    const double bytes = params * qlora_gb_per_billion;
    add("weights", Range::exact(bytes),
        make_term("rule-qlora", "rental-guide", Range::exact(bytes),
                  {{"params", params}, {"gb_per_billion", qlora_gb_per_billion}}));
  } else {
    const StateBytes& states = state_bytes_for(r.in.text(FieldId::states));
    const double per_param = states.total();
    const Range bytes{params * std::min(per_param, full_low_bytes_per_param), params * per_param,
                      params * std::max(per_param, full_high_bytes_per_param)};
    // Fewer bytes than the article's counts are not the article's.
    const Id source = per_param < full_low_bytes_per_param ? states.source : Id("rental-guide");
    add("weights", bytes, make_term("rule-full", source, bytes, {{"params", params}, {"bytes_per_param", per_param}}));
  }
  for (Layout& l : out.layouts) l.need = l.floor = out.total * (1.0 / l.count);
}

}  // namespace

MethodResult rule_method(const Request& request, int itemised_count) {
  MethodResult out = start_method(request, "rule");
  if (request.in.training()) fine_tuning(request, itemised_count, out);
  else serving(request, itemised_count, out);
  return out;
}

}  // namespace vramfit
