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

// Smaller comes first. What holds the model at no count, and then what has no price, stays last in either order.
double rank(const GpuRow& row, SortBy by, bool reversed) {
  constexpr double last = 1e30;
  double value = 0;
  if (by == SortBy::memory) value = -row.capacity_bytes;
  else if (!row.smallest) return last;
  else if (by == SortBy::headroom) value = -row.smallest->free_bytes / row.capacity_bytes;
  else if (row.smallest->usd_per_hour == no_price) return last / 2;
  else value = row.smallest->usd_per_hour;
  return reversed ? -value : value;
}

// A table has a hundred rows or so: the smallest sort will do, and it keeps what is alike in order.
template <class T, class Key>
void insertion_sort(std::vector<T>& list, const Key& key_of) {
  for (std::size_t i = 1; i < list.size(); ++i)
    for (std::size_t k = i; k > 0 && key_of(list[k]) < key_of(list[k - 1]); --k) std::swap(list[k], list[k - 1]);
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
  if (by == SortBy::fit) {
    if (reversed) std::reverse(out.begin(), out.end());
    return out;
  }
  insertion_sort(out, [&](int i) { return rank(table.rows[i], by, reversed); });
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
  insertion_sort(out.sizes_gb, [](double gb) { return gb; });
  return out;
}

}  // namespace vramfit::shell
