// Which rows of the fit table are shown, in which order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "../text/fit_table.h"

namespace vramfit::shell {

enum class SortBy : std::uint8_t {
  fit,       // as describe_fit() orders them: the smallest that fits first
  headroom,  // share of the card that stays free at the smallest count that fits, most first
  cost,      // per hour of the smallest count that fits, cheapest first; those without a price last
  memory,    // of one GPU as marketed, largest first
};

enum class FilterBy : std::uint8_t { vendor, form, memory, verdict };
inline constexpr int num_filters = 4;

// What each filter asks for; empty: anything. A vendor's id, a form's, at least so many GB as marketed, or of verdict_id(): fits,
// or tight, which takes what fits too.
struct FitFilter {
  std::string of[num_filters];
};

// Indices into table.rows, as arrange() of web/page/fit_view.mjs orders them. Rows that compare alike stay in the table's own
// order. `reversed` turns the order round, but what a row lacks (any count that holds the model, a price) leaves it last.
std::vector<int> shown_rows(const FitTable& table, SortBy by, bool reversed, const FitFilter& filter);

// What a filter has to offer, rising: what occurs in the table, unless it would keep every row. The choice in force is always
// there, so that no filter acts unseen.
std::vector<std::string> filter_choices(const FitTable& table, FilterBy by, std::string_view in_force);

}  // namespace vramfit::shell
