#include "limits.h"

#include "vramfit/result.h"

namespace vramfit::shell {

std::string amount_text(FieldId id, double value, const Text& text) {
  const std::string number = text.numbers.number(value);
  return text.say(id == FieldId::context ? "canvas.tokens" : "canvas.sequences", {{"number", number}, {"count", number, value}});
}

std::string limit_text(FieldId id, double value, bool tight, const Text& text) {
  const std::string verdict = text.word("verdict.", verdict_id(tight ? Verdict::tight : Verdict::fits));
  if (value >= field(id).maximum) return text.say("page.what_if.any", {{"verdict", verdict}});
  return text.say("page.what_if.to", {{"verdict", verdict}, {"value", amount_text(id, value, text)}});
}

}  // namespace vramfit::shell
