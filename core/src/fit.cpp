#include "fit.h"

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

std::vector<FitRow> fit_table(const Request& request, const MethodResult& method) {
  std::vector<FitRow> rows(request.candidates.size());
  const bool nominal = method.id == "rule";
  const bool incomplete = !method.missing.empty();
  const GpuEntry* const all = gpus().data();
  FitRow* row = rows.data();
  for (const CandidateGpu& candidate : request.candidates) {
    const GpuEntry& gpu = all[candidate.gpu];
    row->gpu = candidate.gpu;
    row->capacity_bytes = nominal ? gpu.marketed.bytes() : gpu.usable.bytes();
    row->price = candidate.price;
    row->max_per_node = gpu.max_per_node;
    for (int n = 1; n <= max_gpu_count; ++n)
      row->verdicts[n - 1] =
          n > gpu.max_per_node ? Verdict::unusable : judge(method.layouts[n - 1], row->capacity_bytes, incomplete);
    ++row;
  }
  return rows;
}

namespace {

struct Offer {
  const FitRow* row;
  int count;
  double capacity() const { return count * row->capacity_bytes; }
  double usd() const { return row->price ? count * row->price->usd_per_hour : 1e18; }
};

bool better(const Offer& a, const Offer& b, bool cheapest) {
  if (cheapest && a.usd() != b.usd()) return a.usd() < b.usd();
  if (a.count != b.count) return a.count < b.count;
  if (a.capacity() != b.capacity()) return a.capacity() < b.capacity();
  return a.usd() < b.usd();
}

}  // namespace

Pick pick(const std::vector<FitRow>& rows, Verdict verdict, bool cheapest, int only_gpu, int only_count) {
  Offer best{nullptr, 0};
  for (int n = only_count > 0 ? only_count : 1; n <= (only_count > 0 ? only_count : max_gpu_count); ++n) {
    if (best.row && !cheapest) break;  // fewer GPUs come first
    for (const FitRow& row : rows) {
      if (row.verdicts[n - 1] != verdict || (only_gpu >= 0 && row.gpu != only_gpu) || (cheapest && !row.price)) continue;
      const Offer offer{&row, n};
      if (!best.row || better(offer, best, cheapest)) best = offer;
    }
  }
  Pick out;
  if (!best.row) return out;
  out.gpu = best.row->gpu;
  out.count = best.count;
  out.verdict = verdict;
  if (best.row->price) out.usd_per_hour = best.usd();
  return out;
}

}  // namespace vramfit
