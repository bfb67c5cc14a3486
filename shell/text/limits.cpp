#include "limits.h"

namespace vramfit::shell {

std::string amount_text(FieldId id, double value, const Text& text) {
  const std::string number = text.numbers.number(value);
  return text.say(id == FieldId::context ? "canvas.tokens" : "canvas.sequences", {{"number", number}, {"count", number, value}});
}

std::string limit_text(FieldId id, double value, bool tight, const Text& text) {
  if (value >= field(id).maximum) return text.say("canvas.no_limit");
  return text.say(tight ? "canvas.tight_to" : "canvas.fits_to", {{"value", amount_text(id, value, text)}});
}

}  // namespace vramfit::shell
