// Inputs in words: labels, choices, and numbers as they are shown and typed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text.h"
#include "vramfit/fields.h"

namespace vramfit::shell {

std::string field_label(const Field& field, const Text& text);
std::string field_help(const Field& field, const Text& text);  // empty when there is none
std::string field_unit(const Field& field, const Text& text);  // beside the label; empty where the label says it already
std::string group_label(FieldGroup group, const Text& text);

// The label of a fixed choice, a weight or cache format, a set of GPUs or a price book; an id without one stands for itself.
std::string choice_label(const Field& field, Id choice, const Text& text);

// What the model and gpu fields show for an id: the name, the words for none, or the id itself when the catalogue does not know
// it.
std::string searched_text(FieldId id, Id value, const Text& text);

// What a number field shows: plain digits that it reads back, with the language's decimal mark; empty for a number left to the
// program.
std::string number_text(const Field& field, double value, const Text& text);

// Reads a number as people write it, in either decimal style, and gives the text the share string takes ("32k", "1.5"); nothing
// when it is none. "1.5" and "1,5" are one and a half; a lone mark before exactly three digits is a thousands mark where only
// whole numbers make sense.
std::optional<std::string> read_typed(const Field& field, std::string_view typed);

// The same as a number, clamped and rounded down as the share string would; 0 for an optional field left empty.
std::optional<double> read_number(const Field& field, std::string_view typed);

// What to say when it is none.
std::string not_a_number(const Field& field, const Text& text);

}  // namespace vramfit::shell
