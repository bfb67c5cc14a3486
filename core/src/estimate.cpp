#include "vramfit/estimate.h"

#include <algorithm>

#include "fit.h"
#include "methods.h"

namespace vramfit {
namespace {

bool has_error(const std::vector<Notice>& notices) {
  return std::any_of(notices.begin(), notices.end(), [](const Notice& n) { return n.severity == Severity::error; });
}

Pick first_of(const std::vector<FitRow>& rows, std::initializer_list<Verdict> order, int gpu, int count) {
  for (const Verdict v : order) {
    const Pick p = pick(rows, v, false, gpu, count);
    if (p.gpu >= 0) return p;
  }
  return {};
}

// What the itemised figures are for: the user's GPU and count, else the best fit, else the best that might.
Pick choose(const Request& r, const std::vector<FitRow>& rows) {
  const int count = static_cast<int>(r.in.number(FieldId::count));
  if (r.chosen_gpu < 0) return first_of(rows, {Verdict::fits, Verdict::tight}, -1, count);
  Pick p = first_of(rows, {Verdict::fits, Verdict::tight}, r.chosen_gpu, count);
  if (p.gpu < 0 && count > 0) p = first_of(rows, {Verdict::does_not_fit, Verdict::unusable}, r.chosen_gpu, count);
  if (p.gpu >= 0) return p;
  for (int n = max_gpu_count; n >= 1 && p.gpu < 0; --n) p = pick(rows, Verdict::does_not_fit, false, r.chosen_gpu, n);
  return p;
}

std::vector<PrecisionStep> precision_ladder(const Request& r) {
  std::vector<PrecisionStep> steps;
  if (r.in.training()) return steps;
  for (const Id id : {Id("bf16"), Id("fp8"), Id("int4")}) {
    Request step = r;
    step.recipe = find_recipe(id);
    step.split = Split::tensor;
    const MethodResult rule = rule_method(step, 1);
    steps.push_back({id, rule.total.likely, smallest_offer(step, rule)});
  }
  return steps;
}

double bytes_per_next_token(const Request& r) {
  if (!r.has_cache_shape) return 0;
  // Over a length of whole pooling windows below every attention window; what encoder tokens hold is there from the start.
  constexpr double tokens = 128;
  const auto bytes_at = [&](double context) {
    return sequence_cache(r.model, *r.kv, context, 1, StateDtype::checkpoint).kv_bytes;
  };
  return (bytes_at(tokens) - bytes_at(0)) / tokens;
}

}  // namespace

Result estimate(const Inputs& inputs, std::vector<Notice> notices) {
  Result out;
  Request request = resolve(inputs, notices);
  request.summary.kv_bytes_per_token = bytes_per_next_token(request);
  out.model = request.summary;
  out.weights = request.recipe->id;
  out.refused = has_error(notices);
  if (!out.refused) {
    const bool by_rule = !inputs.is(FieldId::method, "worksheet");
    auto primary = by_rule ? rule_method : worksheet_method;
    out.fit = fit_table(request, primary(request, 1));
    out.best = pick(out.fit, Verdict::fits, false, -1, 0);
    out.cheapest = pick(out.fit, Verdict::fits, true, -1, 0);
    out.chosen = choose(request, out.fit);
    // Where nothing can be chosen, the count asked for is still what gets itemised.
    const int count = std::max({1, out.chosen.count, out.chosen.gpu < 0 ? static_cast<int>(inputs.number(FieldId::count)) : 0});
    out.rule = rule_method(request, count);
    out.worksheet = worksheet_method(request, count);
    out.precision = precision_ladder(request);
    if (out.chosen.gpu >= 0 && gpus()[out.chosen.gpu].basis == UsableBasis::assumed)
      notices.push_back(
          {Severity::info, "usable-assumed", "gpu", std::string(gpus()[out.chosen.gpu].id), gpus()[out.chosen.gpu].usable.value});
  }
  out.notices = std::move(notices);
  return out;
}

}  // namespace vramfit
