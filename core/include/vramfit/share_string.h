// The share string: a readable query that holds inputs and nothing else.
//
//   model=llama-3.1-70b&weights=fp8&context=131072&gpu=h200
//
// Keys are the field table's. Defaults are left out, order is fixed, so that one configuration has one string. Notices:
//   unknown-key (kept), duplicate-key (first wins), bad-encoding (kept as typed), not-a-number (error), out-of-range and
//   not-whole (clamped, rounded down), unknown-view (a key of the page's with a value it does not know), too-long (what fits is
//   used), unsupported-version (error; kept).
// A model of the reader's own comes as `shape` (shape.h), with a `name` and, where its files are known, their `formats`
// (format_table.h): texts that are kept as typed, capitals too. `model` and `params` then play no part.
// Ids are checked later, where they are used; the string keeps them as typed, in small letters.
//
// Versions. This is version 1, and `v=1` is not written. A new key, a new id or another way to write a value needs no new
// version: old links mean what they meant. Version 2 would begin when a key, a default or an id has to mean something else; its
// strings would say `v=2`, older programs refuse them by name, and strings without `v` would still be read by this table and then
// translated. tests/web/fixtures/links-v1.json pins what today's links mean.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vramfit/fields.h"
#include "vramfit/notice.h"

namespace vramfit {

// What the texts of a string (ids, lists, unknown keys and their values) may hold together, decoded. Canonical strings hold no
// more of it than what they were made from, so that they are never cut themselves.
inline constexpr std::size_t max_share_length = 8192;

struct ShareResult {
  Inputs inputs;
  std::vector<Notice> notices;
  std::vector<std::pair<std::string, std::string>> unknown;  // decoded, in order of appearance
  std::vector<std::pair<std::string, std::string>> view;     // lang, theme, units, embed, view: not inputs; each once
};

// Accepts a leading '?' or '#'.
ShareResult parse_share(std::string_view text);

// parse_share(format_share(x)) gives x back; format_share of a parse is canonical. Unknown pairs go last.
std::string format_share(const Inputs& inputs, const std::vector<std::pair<std::string, std::string>>& unknown = {});

// "131072", "32k" and "70b" as `kind` reads them. False when it is not a number.
bool parse_number(FieldKind kind, std::string_view text, double& out);
std::string format_number(FieldKind kind, double value);

inline constexpr std::size_t max_decimal_length = 28;
// Writes `value`, from 0 to 1e18, with at most six decimals; returns how many characters.
std::size_t write_decimal(char* out, double value);

}  // namespace vramfit
