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
double rank(const FitTable& table, int i, SortBy by, bool reversed) {
  constexpr double last = 1e30;
  const GpuRow& row = table.rows[i];
  double value = i;
  if (by == SortBy::memory) value = -gpus()[row.gpu].marketed.value;
  else if (!row.smallest) return last;
  else if (by == SortBy::headroom) value = -row.smallest->free_bytes / row.capacity_bytes;
  else if (by == SortBy::cost) value = row.smallest->usd_per_hour;
  if (value == no_price) return last / 2;
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

// Completes what occurs in the table to what is offered.
template <class T>
void offer(std::vector<T>& found, T FitFilter::*part, const FitTable& table, const FitFilter& filter) {
  const T in_force = filter.*part;
  if (in_force != FitFilter().*part) add_new(found, in_force);
  insertion_sort(found, [](const T& choice) { return choice; });
  std::erase_if(found, [&](const T& choice) {
    FitFilter alone;
    alone.*part = choice;
    return choice != in_force &&
           std::all_of(table.rows.begin(), table.rows.end(), [&](const GpuRow& row) { return passes(row, alone); });
  });
}

}  // namespace

std::vector<int> shown_rows(const FitTable& table, SortBy by, bool reversed, const FitFilter& filter) {
  std::vector<int> out;
  for (int i = 0; i < static_cast<int>(table.rows.size()); ++i)
    if (passes(table.rows[i], filter)) out.push_back(i);
  insertion_sort(out, [&](int i) { return rank(table, i, by, reversed); });
  return out;
}

FilterChoices filter_choices(const FitTable& table, const FitFilter& filter) {
  FilterChoices out;
  for (const GpuRow& row : table.rows) {
    const GpuEntry& gpu = gpus()[row.gpu];
    add_new(out.vendors, gpu.vendor);
    add_new(out.forms, form_id(gpu.form));
    add_new(out.sizes_gb, gpu.marketed.value);
    if (row.smallest) add_new(out.holds, row.smallest->verdict == Verdict::fits ? Holds::fits : Holds::fits_or_tight);
  }
  offer(out.vendors, &FitFilter::vendor, table, filter);
  offer(out.forms, &FitFilter::form, table, filter);
  offer(out.sizes_gb, &FitFilter::at_least_gb, table, filter);
  offer(out.holds, &FitFilter::holds, table, filter);
  return out;
}

}  // namespace vramfit::shell
