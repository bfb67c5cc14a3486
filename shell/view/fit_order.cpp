#include "fit_order.h"

#include <algorithm>

#include "vramfit/catalog.h"
#include "vramfit/share_string.h"

namespace vramfit::shell {
namespace {

double number(std::string_view text) {
  double out = 0;
  parse_number(FieldKind::number, text, out);
  return out;
}

// What a filter looks at; empty where a row has no such thing.
std::string value_of(const GpuRow& row, FilterBy by) {
  const GpuEntry& gpu = gpus()[row.gpu];
  if (by == FilterBy::memory) return format_number(FieldKind::number, gpu.marketed.value);
  return std::string(by == FilterBy::vendor ? gpu.vendor
                     : by == FilterBy::form ? form_id(gpu.form)
                     : row.smallest         ? verdict_id(row.smallest->verdict)
                                            : Id());
}

bool passes(const GpuRow& row, FilterBy by, std::string_view wanted) {
  if (wanted.empty()) return true;
  if (by == FilterBy::memory) return gpus()[row.gpu].marketed.value >= number(wanted);
  const std::string value = value_of(row, by);
  return value == wanted || (wanted == "tight" && !value.empty());
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
template <class T, class Before>
void insertion_sort(std::vector<T>& list, const Before& before) {
  for (std::size_t i = 1; i < list.size(); ++i)
    for (std::size_t k = i; k > 0 && before(list[k], list[k - 1]); --k) std::swap(list[k], list[k - 1]);
}

}  // namespace

std::vector<int> shown_rows(const FitTable& table, SortBy by, bool reversed, const FitFilter& filter) {
  std::vector<int> out;
  for (int i = 0; i < static_cast<int>(table.rows.size()); ++i) {
    bool shown = true;
    for (int f = 0; f < num_filters; ++f) shown = shown && passes(table.rows[i], static_cast<FilterBy>(f), filter.of[f]);
    if (shown) out.push_back(i);
  }
  insertion_sort(out, [&](int a, int b) { return rank(table, a, by, reversed) < rank(table, b, by, reversed); });
  return out;
}

std::vector<std::string> filter_choices(const FitTable& table, FilterBy by, std::string_view in_force) {
  std::vector<std::string> out;
  const auto offer = [&](std::string value, bool anyway) {
    if (value.empty() || std::find(out.begin(), out.end(), value) != out.end()) return;
    for (const GpuRow& row : table.rows) anyway = anyway || !passes(row, by, value);
    if (anyway) out.push_back(std::move(value));
  };
  offer(std::string(in_force), true);
  for (const GpuRow& row : table.rows) offer(value_of(row, by), false);
  insertion_sort(
      out, [&](const std::string& a, const std::string& b) { return by == FilterBy::memory ? number(a) < number(b) : a < b; });
  return out;
}

}  // namespace vramfit::shell
