#include "fit.h"

#include <algorithm>

namespace vramfit {

Verdict judge(const Layout& layout, double capacity_bytes, bool incomplete) {
  if (!layout.reason.empty()) return Verdict::unusable;
  if (layout.floor.likely > capacity_bytes) return Verdict::does_not_fit;
  // A lower bound can show that something does not fit, never that it does comfortably.
  if (incomplete || layout.need.likely > capacity_bytes * comfortable_share) return Verdict::tight;
  return Verdict::fits;
}

Id verdict_id(Verdict verdict) {
  static constexpr Id ids[] = {"fits", "tight", "does-not-fit", "unusable"};
  return ids[static_cast<int>(verdict)];
}

namespace {

// The rule compares with the number on the box, the other methods with what the driver reports.
double capacity_bytes(const GpuEntry& gpu, const MethodResult& method) {
  return method.id == "rule" ? gpu.marketed.bytes() : gpu.usable.bytes();
}

struct Offer {
  int gpu = -1;
  int count = 0;
  double capacity_bytes = 0;  // of all GPUs together
  std::optional<double> usd_per_hour;

  bool better_than(const Offer& other, bool cheapest) const {
    const double usd = usd_per_hour.value_or(1e18);
    const double other_usd = other.usd_per_hour.value_or(1e18);
    if (other.gpu < 0) return true;
    if (cheapest && usd != other_usd) return usd < other_usd;
    if (count != other.count) return count < other.count;
    if (capacity_bytes != other.capacity_bytes) return capacity_bytes < other.capacity_bytes;
    return usd < other_usd;
  }
  Pick picked(Verdict verdict) const { return gpu < 0 ? Pick{} : Pick{gpu, count, verdict, usd_per_hour}; }
};

Offer offer_of(int gpu, int count, double capacity_bytes, const std::optional<GpuPrice>& price) {
  return {gpu, count, count * capacity_bytes, price ? std::optional(count * price->usd_per_hour) : std::nullopt};
}

}  // namespace

std::vector<FitRow> fit_table(const Request& request, const MethodResult& method) {
  std::vector<FitRow> rows(request.candidates.size());
  const bool incomplete = !method.missing.empty();
  const GpuEntry* const all = gpus().data();
  FitRow* row = rows.data();
  for (const CandidateGpu& candidate : request.candidates) {
    const GpuEntry& gpu = all[candidate.gpu];
    row->gpu = candidate.gpu;
    row->capacity_bytes = capacity_bytes(gpu, method);
    row->price = candidate.price;
    row->max_per_node = gpu.max_per_node;
    for (int n = 1; n <= max_gpu_count; ++n)
      row->verdicts[n - 1] = judge_on(gpu, method.layouts[n - 1], row->capacity_bytes, incomplete);
    ++row;
  }
  return rows;
}

Pick pick(const std::vector<FitRow>& rows, Verdict verdict, bool cheapest, int only_gpu, int only_count) {
  Offer best;
  for (int n = only_count > 0 ? only_count : 1; n <= (only_count > 0 ? only_count : max_gpu_count); ++n) {
    if (best.gpu >= 0 && !cheapest) break;  // fewer GPUs come first
    for (const FitRow& row : rows) {
      if (row.verdicts[n - 1] != verdict || (only_gpu >= 0 && row.gpu != only_gpu) || (cheapest && !row.price)) continue;
      const Offer offer = offer_of(row.gpu, n, row.capacity_bytes, row.price);
      if (offer.better_than(best, cheapest)) best = offer;
    }
  }
  return best.picked(verdict);
}

namespace {

Pick first_of(const std::vector<FitRow>& rows, std::initializer_list<Verdict> order, int gpu, int count) {
  for (const Verdict v : order) {
    const Pick p = pick(rows, v, false, gpu, count);
    if (p.gpu >= 0) return p;
  }
  return {};
}

}  // namespace

Pick choose(const Request& r, const std::vector<FitRow>& rows) {
  const int count = static_cast<int>(r.in.number(FieldId::count));
  if (r.chosen_gpu < 0) return first_of(rows, {Verdict::fits, Verdict::tight}, -1, count);
  Pick p = first_of(rows, {Verdict::fits, Verdict::tight}, r.chosen_gpu, count);
  if (p.gpu < 0 && count > 0) p = first_of(rows, {Verdict::does_not_fit, Verdict::unusable}, r.chosen_gpu, count);
  if (p.gpu >= 0) return p;
  for (int n = max_gpu_count; n >= 1 && p.gpu < 0; --n) p = pick(rows, Verdict::does_not_fit, false, r.chosen_gpu, n);
  return p;
}

int itemised_count(const Request& r, const Pick& chosen) {
  return std::max({1, chosen.count, chosen.gpu < 0 ? static_cast<int>(r.in.number(FieldId::count)) : 0});
}

Pick smallest_offer(const Request& request, const MethodResult& method) {
  const bool incomplete = !method.missing.empty();
  const GpuEntry* const all = gpus().data();
  for (const Verdict verdict : {Verdict::fits, Verdict::tight}) {
    for (int n = 1; n <= max_gpu_count; ++n) {
      Offer best;
      for (const CandidateGpu& candidate : request.candidates) {
        const GpuEntry& gpu = all[candidate.gpu];
        const double capacity = capacity_bytes(gpu, method);
        if (judge_on(gpu, method.layouts[n - 1], capacity, incomplete) != verdict) continue;
        const Offer offer = offer_of(candidate.gpu, n, capacity, candidate.price);
        if (offer.better_than(best, false)) best = offer;
      }
      if (best.gpu >= 0) return best.picked(verdict);
    }
  }
  return {};
}

}  // namespace vramfit
