// What the session shows, and who answers it: the calculator in the program (own_answers.cpp: the desktop window, tests), or that
// of the page around the canvas (platform/web.cpp), so that no reader loads two.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "vramfit/fields.h"
#include "vramfit/result.h"
#include "vramfit/share_string.h"
#include "vramfit/what_if.h"

namespace vramfit::shell {

struct Answers {
  // Which the ids point into: the texts that the answers came as, or what was asked of the program's own calculator.
  std::vector<char> estimate_text, what_if_text;
  std::unique_ptr<ShareResult> asked;
  Result result;
  WhatIf what_if;
  std::array<bool, num_fields> applies{};  // whether a field matters, given the others and whether there is a price list
};

// `share` as somebody typed it. `prices`: a price list as read_price_list() takes it, which what is answered may point into; the
// page's calculator knows the page's list itself.
Answers answers_to(const std::string& share, const std::string& prices);

}  // namespace vramfit::shell
