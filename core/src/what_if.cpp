#include "vramfit/what_if.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine.h"
#include "fit.h"
#include "methods.h"

namespace vramfit {
namespace {

constexpr double default_context = 131072;  // tokens to show where the model does not say what it was made for

// One request whose inputs are moved from value to value.
struct Sweep {
  Inputs& in;
  Request& request;    // looks at `in`
  const KvFormat* kv;  // the input's own
  int count = 1;
  bool incomplete = false;
  bool cached = false;  // something is kept in the KV cache's format

  // On a GPU of kind `gpu`: by the engine method a GPU's generation and size change what the engine sets aside.
  Layout at(FieldId field, double value, int gpu) {
    in.set(field, value);
    return by_engine(request) ? engine_layout(request, gpu, count) : chosen_method(request, count).layouts[count - 1];
  }

  // Verdict on a card; engines leave the headroom to the parts that they reserve.
  Verdict judge_layout(const Layout& layout, const WhatIfCard& card) const {
    if (!by_engine(request)) return judge_on(gpus()[card.gpu], layout, card.capacity_bytes, incomplete);
    const bool named = card.gpu == request.chosen_gpu && layout.count == in.number(FieldId::count);
    if ((layout.count > gpus()[card.gpu].max_per_node && !named) || !layout.reason.empty()) return Verdict::unusable;
    return judge_engine_layout(layout, card.capacity_bytes);
  }
  double comfortable(double capacity_bytes) const {
    return by_engine(request) ? capacity_bytes : capacity_bytes * comfortable_share;
  }
};

// --- cards ---

// The first listed of the next capacity in that direction. Cards of one size on the box are the same here, whatever their drivers
// leave of it: a line beside the chosen one's would say nothing.
const FitRow* neighbour(const std::vector<FitRow>& rows, const FitRow& of, int count, bool larger) {
  const auto further = [larger](double a, double b) { return larger ? a > b : a < b; };
  const FitRow* next = nullptr;
  for (const FitRow& row : rows)
    if (count <= row.max_per_node && further(row.capacity_bytes, of.capacity_bytes) &&
        gpus()[row.gpu].marketed.value != gpus()[of.gpu].marketed.value &&
        (!next || further(next->capacity_bytes, row.capacity_bytes)))
      next = &row;
  return next;
}

std::vector<WhatIfCard> cards(const std::vector<FitRow>& rows, const Pick& chosen, int count) {
  const FitRow* first = &rows[0];
  const auto rank = [&](const FitRow& row) { return std::pair(count <= row.max_per_node, row.capacity_bytes); };
  for (const FitRow& row : rows)
    if (chosen.gpu >= 0 ? row.gpu == chosen.gpu : rank(row) > rank(*first)) first = &row;
  const FitRow* const shown[] = {first, neighbour(rows, *first, count, false), neighbour(rows, *first, count, true)};
  std::vector<WhatIfCard> out(1 + (shown[1] != nullptr) + (shown[2] != nullptr));
  WhatIfCard* card = out.data();
  for (const FitRow* row : shown)
    if (row) *card++ = {row->gpu, count, row->capacity_bytes};
  return out;
}

// --- lines ---

// Of the precisions to compare, the one with the most bits below `bits`; null when there is none. Their bits all differ.
const KvFormat* next_precision(const Sweep& sweep, double bits) {
  const KvLadder own = sweep.request.ggml() ? KvLadder::llama_cpp : KvLadder::serving_engines;
  const KvFormat* next = nullptr;
  for (const KvFormat& kv : kv_formats()) {
    const bool step = sweep.cached && (kv.ladder == own || kv.ladder == KvLadder::both) && kv.bits != sweep.kv->bits;
    if ((step || &kv == sweep.kv) && kv.bits < bits && (!next || kv.bits > next->bits)) next = &kv;
  }
  return next;
}

// Four to the octave from `first` until `last` is reached.
std::vector<double> samples(double first, double last, double maximum) {
  constexpr double quarter[] = {1, 1.189207115002721, 1.4142135623730951, 1.681792830507429};
  last = std::min(last, maximum);
  std::vector<double> out;
  for (double octave = first;; octave *= 2) {
    for (const double step : quarter) {
      const double value = std::min(std::floor(octave * step + 0.5), maximum);
      if (!out.empty() && value == out.back()) continue;
      out.push_back(value);
      if (value >= last) return out;
    }
  }
}

struct Point {
  double value;
  Layout layout;
};

// The largest value whose verdict on `card` is `worst` or better, 0 when there is none; verdicts never improve with the value.
double last_value(Sweep& sweep, const WhatIfCard& card, Verdict worst, FieldId id) {
  const auto measure = [&](double value) { return Point{value, sweep.at(id, value, card.gpu)}; };
  const auto holds = [&](const Point& p) { return sweep.judge_layout(p.layout, card) <= worst; };
  Point low = measure(1);
  if (!holds(low)) return 0;
  Point high = measure(field(id).maximum);
  if (holds(high)) return high.value;
  // What judge() compares. It is linear in pieces, so that a straight line soon meets the limit; where it rises in steps, the
  // distance kept from both ends doubles until this is bisection.
  const auto free_bytes = [&](const Point& p) {
    return worst == Verdict::fits ? sweep.comfortable(card.capacity_bytes) - p.layout.need.likely
                                  : card.capacity_bytes - (by_engine(sweep.request) ? p.layout.floor.low : p.layout.floor.likely);
  };
  double margin = 1;
  for (int i = 0; high.value - low.value > 1; ++i) {
    const double width = high.value - low.value;
    const double least = std::min(margin, std::floor(width / 2));
    const double line = std::floor(width * free_bytes(low) / (free_bytes(low) - free_bytes(high)));
    const Point middle = measure(low.value + std::min(std::max(line, least), width - least));
    (holds(middle) ? low : high) = middle;
    if (i > 3) margin *= 2;
  }
  return low.value;
}

void fill(WhatIfLine& line, const WhatIfAxis& axis, const std::vector<WhatIfCard>& cards, Sweep& sweep) {
  line.chosen = sweep.request.kv == sweep.kv;
  if (sweep.cached) line.kv = sweep.request.kv->id;
  line.need = std::vector<Range>(axis.values.size());
  for (std::size_t i = 0; i < axis.values.size(); ++i) line.need[i] = sweep.at(axis.field, axis.values[i], cards[0].gpu).need;
  line.limits = std::vector<WhatIfLimit>(cards.size());
  for (std::size_t i = 0; i < cards.size(); ++i)
    line.limits[i] = {last_value(sweep, cards[i], Verdict::fits, axis.field),
                      last_value(sweep, cards[i], Verdict::tight, axis.field)};
}

void fill(WhatIfAxis& axis, FieldId id, double first, double last, const std::vector<WhatIfCard>& cards, Sweep& sweep) {
  constexpr double any = 1e9;
  axis.field = id;
  axis.value = sweep.in.number(id);
  axis.values = samples(first, std::max(last, 2 * axis.value), field(id).maximum);
  int lines = 0;
  for (const KvFormat* kv = next_precision(sweep, any); kv; kv = next_precision(sweep, kv->bits)) ++lines;
  axis.lines = std::vector<WhatIfLine>(lines);
  double bits = any;
  for (WhatIfLine& line : axis.lines) {
    sweep.request.kv = next_precision(sweep, bits);
    bits = sweep.request.kv->bits;
    fill(line, axis, cards, sweep);
  }
  sweep.request.kv = sweep.kv;
  sweep.in.set(id, axis.value);
}

}  // namespace

WhatIf what_if(Inputs inputs, std::vector<Notice> notices, const PriceList* list) {
  WhatIf out;
  Request r = resolve(inputs, notices, list);
  if (asks_engine(r) && !has_error(notices)) engine_errors(r, notices);
  out.refused = has_error(notices);
  out.notices = std::move(notices);
  if (out.refused) return out;
  const bool engine = by_engine(r);
  MethodResult now;
  if (!engine) now = chosen_method(r, 1);
  const std::vector<FitRow> rows = engine ? engine_fit(r) : fit_table(r, now);
  const Pick chosen = choose(r, rows);
  out.count = itemised_count(r, chosen);
  const bool cached =
      !r.in.training() && r.has_cache_shape && sequence_cache(r.model, *r.kv, 1, 1, StateDtype::checkpoint).kv_bytes > 0;
  Sweep sweep{inputs, r, r.kv, out.count, !now.missing.empty(), cached};
  out.missing = now.missing;
  // The rule has its margin for the cache, which no context outgrows without a shape.
  if (out.missing.empty() && !r.in.training() && !r.has_cache_shape) out.missing.push_back("kv_cache");
  out.cards = cards(rows, chosen, out.count);

  const double made_for = r.summary.max_position_embeddings > 0 ? r.summary.max_position_embeddings : default_context;
  out.axes = std::vector<WhatIfAxis>(2);
  fill(out.axes[0], FieldId::context, std::min(1024.0, r.context()), made_for, out.cards, sweep);
  fill(out.axes[1], r.in.training() ? FieldId::micro_batch : FieldId::sequences, 1, 256, out.cards, sweep);
  return out;
}

}  // namespace vramfit
