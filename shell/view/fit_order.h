// Which rows of the fit table are shown, in which order.
#pragma once

#include <vector>

#include "../text/fit_table.h"

namespace vramfit::shell {

enum class SortBy : std::uint8_t {
  fit,       // as describe_fit() orders them: the smallest that fits first
  headroom,  // share of the card that stays free at the smallest count that fits, most first
  cost,      // per hour of the smallest count that fits, cheapest first; those without a price last
  memory,    // of one GPU, largest first
};

enum class Holds : std::uint8_t { any, fits_or_tight, fits };

struct FitFilter {
  Id vendor;               // empty: any
  Id form;                 // empty: any
  double at_least_gb = 0;  // marketed size
  Holds holds = Holds::any;

  bool any() const { return vendor.empty() && form.empty() && at_least_gb == 0 && holds == Holds::any; }
};

// Indices into table.rows. Rows that compare alike stay in the table's own order; `reversed` turns the order round, but a row
// that holds the model at no count stays behind those that do.
std::vector<int> shown_rows(const FitTable& table, SortBy by, bool reversed, const FitFilter& filter);

// What there is to filter by, in the table's order.
struct FilterChoices {
  std::vector<Id> vendors, forms;
  std::vector<double> sizes_gb;  // rising
};
FilterChoices filter_choices(const FitTable& table);

}  // namespace vramfit::shell
