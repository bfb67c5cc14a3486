// Everything the canvas says about one result, as web/text/explain.mjs says it on the page. Made anew when the share string, the
// language or the units change, and kept in between.
#pragma once

#include <string>
#include <vector>

#include "answer.h"
#include "compartments.h"
#include "fit_table.h"
#include "notices.h"

namespace vramfit::shell {

struct NoticeLine {
  Severity severity = Severity::info;
  std::string field;  // share key it is about; empty when none
  std::string text;
};

struct Description {
  Answer answer;
  std::vector<NoticeLine> notices;
  // Empty when the answer is refused.
  Breakdown breakdown;
  FitTable fit;
};

Description describe(const Inputs& inputs, const Result& result, const Text& text);

}  // namespace vramfit::shell
