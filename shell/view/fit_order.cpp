#include "fit_order.h"

#include <algorithm>

#include "vramfit/catalog.h"

namespace vramfit::shell {
namespace {

bool passes(const GpuRow& row, const FitFilter& f) {
  const GpuEntry& gpu = gpus()[row.gpu];
  if (!f.vendor.empty() && gpu.vendor != f.vendor) return false;
  if (!f.form.empty() && form_id(gpu.form) != f.form) return false;
  if (gpu.marketed.value < f.at_least_gb) return false;
  if (f.holds == Holds::any) return true;
  return row.smallest && (f.holds == Holds::fits_or_tight || row.smallest->verdict == Verdict::fits);
}

// Smaller comes first.
double rank(const GpuRow& row, SortBy by) {
  switch (by) {
    case SortBy::fit: return 0;
    case SortBy::headroom: return row.smallest ? -row.smallest->free_bytes / row.capacity_bytes : 0;
    case SortBy::cost: return row.smallest ? row.smallest->usd_per_hour : 0;
    case SortBy::memory: return -row.capacity_bytes;
  }
  return 0;
}

template <class T>
void add_new(std::vector<T>& list, const T& value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

}  // namespace

std::vector<int> shown_rows(const FitTable& table, SortBy by, bool reversed, const FitFilter& filter) {
  std::vector<int> out;
  for (int i = 0; i < static_cast<int>(table.rows.size()); ++i)
    if (passes(table.rows[i], filter)) out.push_back(i);
  const auto holds = [&](int i) { return table.rows[i].smallest.has_value(); };
  if (by == SortBy::fit) {
    if (reversed) std::reverse(out.begin(), out.end());
    return out;
  }
  std::stable_sort(out.begin(), out.end(), [&](int a, int b) {
    if (by != SortBy::memory && holds(a) != holds(b)) return holds(a);
    const double x = rank(table.rows[a], by), y = rank(table.rows[b], by);
    // What has no price stays last in either order.
    const bool unpriced_a = x == no_price, unpriced_b = y == no_price;
    if (unpriced_a != unpriced_b) return unpriced_b;
    return reversed ? y < x : x < y;
  });
  return out;
}

FilterChoices filter_choices(const FitTable& table) {
  FilterChoices out;
  for (const GpuRow& row : table.rows) {
    const GpuEntry& gpu = gpus()[row.gpu];
    add_new(out.vendors, gpu.vendor);
    add_new(out.forms, form_id(gpu.form));
    add_new(out.sizes_gb, gpu.marketed.value);
  }
  std::sort(out.sizes_gb.begin(), out.sizes_gb.end());
  return out;
}

}  // namespace vramfit::shell
