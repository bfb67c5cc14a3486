// The tables of all languages inside the program, for builds that have no page to get them from. A library of its own
// (vramfit_shell_tables), so that the canvas on a page does not carry them.
#pragma once

#include <string>
#include <string_view>

#include "language.h"

namespace vramfit::shell {

// Figures as the region of `tag` ("es-MX") writes them, where it is one of the language's and known.
std::string built_in_table(Language language, std::string_view tag = {});

}  // namespace vramfit::shell
