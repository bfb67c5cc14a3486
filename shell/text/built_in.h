// The tables of all languages inside the program, for builds that have no page to get them from. A library of its own
// (vramfit_shell_tables), so that the canvas on a page does not carry them.
#pragma once

#include <string_view>

#include "language.h"

namespace vramfit::shell {

std::string_view built_in_table(Language language);

}  // namespace vramfit::shell
