// Which rows of the fit table are shown, in which order.
#pragma once

#include <vector>

#include "../text/fit_table.h"

namespace vramfit::shell {

enum class SortBy : std::uint8_t {
  fit,       // as describe_fit() orders them: the smallest that fits first
  headroom,  // share of the card that stays free at the smallest count that fits, most first
  cost,      // per hour of the smallest count that fits, cheapest first; those without a price last
  memory,    // of one GPU as marketed, largest first
};

enum class Holds : std::uint8_t { any, fits, fits_or_tight };

struct FitFilter {
  Id vendor;               // empty: any
  Id form;                 // empty: any
  double at_least_gb = 0;  // marketed size
  Holds holds = Holds::any;

  bool any() const { return vendor.empty() && form.empty() && at_least_gb == 0 && holds == Holds::any; }
};

// Indices into table.rows, as arrange() of web/page/fit_view.mjs orders them. Rows that compare alike stay in the table's own
// order. `reversed` turns the order round, but what a row lacks (any count that holds the model, a price) leaves it last.
std::vector<int> shown_rows(const FitTable& table, SortBy by, bool reversed, const FitFilter& filter);

// What there is to filter by, rising: what occurs in the table, unless it would keep every row. A choice in force is always
// there, so that no filter acts unseen.
struct FilterChoices {
  std::vector<Id> vendors, forms;
  std::vector<double> sizes_gb;
  std::vector<Holds> holds;
};
FilterChoices filter_choices(const FitTable& table, const FitFilter& filter);

}  // namespace vramfit::shell
