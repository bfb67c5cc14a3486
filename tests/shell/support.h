#pragma once

#include <doctest/doctest.h>

#include <string>

#include "text/built_in.h"
#include "text/text.h"

namespace vramfit::shell::test {

// A language's own table, its figures as a region has them.
inline Text text_in(Language language, Units units = Units::own, std::string_view region = {}) {
  return Text(built_in_table(language, region), language, units);
}

// Spaces that do not break, made visible.
inline std::string shown(std::string text) {
  for (std::size_t at; (at = text.find("\u00A0")) != std::string::npos;) text.replace(at, 2, "~");
  return text;
}

}  // namespace vramfit::shell::test
