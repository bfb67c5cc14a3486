// How far an input can go, in words.
#pragma once

#include <string>

#include "text.h"
#include "vramfit/fields.h"

namespace vramfit::shell {

// "71,680 tokens", "12 sequences".
std::string amount_text(FieldId field, double value, const Text& text);

// "fits up to 71,680 tokens", or where it runs but not comfortably "tight up to ..."; at any value, where that is the field's
// maximum.
std::string limit_text(FieldId field, double value, bool tight, const Text& text);

}  // namespace vramfit::shell
