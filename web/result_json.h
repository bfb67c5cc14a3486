// The result as JSON text: the one form in which it leaves the core, for page, terminal and scripts alike. Documented in
// web/RESULT.md; keys are only ever added.
#pragma once

#include <string>
#include <string_view>

namespace vramfit {

// Parses, estimates and writes. Whole bytes throughout; other figures with at most six decimals. `prices`: see read_price_list().
std::string estimate_json(std::string_view share_string, std::string_view prices = {});

// The same question at other context lengths and numbers of sequences.
std::string what_if_json(std::string_view share_string, std::string_view prices = {});

// What the inputs can be: the field table, models, GPUs, formats and price books.
std::string catalog_json();

}  // namespace vramfit
