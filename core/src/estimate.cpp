#include "vramfit/estimate.h"

#include "engine.h"
#include "fit.h"
#include "methods.h"

namespace vramfit {
namespace {

std::vector<PrecisionStep> precision_ladder(const Request& r) {
  std::vector<PrecisionStep> steps;
  if (r.in.training()) return steps;
  for (const Id id : {Id("bf16"), Id("fp8"), Id("int4")}) {
    Request step = r;  // for the rule, which does not look at weight_bytes
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

Result estimate(const Inputs& inputs, std::vector<Notice> notices, const PriceList* list) {
  Result out;
  Request request = resolve(inputs, notices, list);
  request.summary.kv_bytes_per_token = bytes_per_next_token(request);
  out.model = request.summary;
  out.weights = request.recipe->id;
  const bool engine = by_engine(request);
  if (asks_engine(request) && !has_error(notices)) engine_errors(request, notices);
  out.refused = has_error(notices);
  if (!out.refused) {
    out.fit = engine ? engine_fit(request) : fit_table(request, chosen_method(request, 1));
    out.best = pick(out.fit, Verdict::fits, false, -1, 0);
    out.cheapest = pick(out.fit, Verdict::fits, true, -1, 0);
    out.chosen = choose(request, out.fit);
    const int count = itemised_count(request, out.chosen);
    out.rule = rule_method(request, count);
    out.worksheet = worksheet_method(request, count);
    out.engine = engine_method(request, out.chosen.gpu, count, out.engine_report);
    if (engine) {
      Id cause;
      for (const FitRow& row : out.fit)
        if (row.gpu == out.chosen.gpu && out.chosen.count > 0) cause = row.causes[out.chosen.count - 1];
      engine_notices(request, out.chosen.gpu, count, cause, out.engine_report, notices);
    }
    out.precision = precision_ladder(request);
    if (out.chosen.gpu >= 0 && gpus()[out.chosen.gpu].basis == UsableBasis::assumed)
      note(notices, Severity::info, "usable-assumed", "gpu", gpus()[out.chosen.gpu].id, gpus()[out.chosen.gpu].usable.value);
  }
  out.notices = std::move(notices);
  return out;
}

}  // namespace vramfit
