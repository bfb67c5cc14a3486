// What the program has to remark on its input, in words.
#pragma once

#include <string>

#include "text.h"
#include "vramfit/notice.h"

namespace vramfit::shell {

std::string notice_text(const Notice& notice, const Text& text);

// The word before it: Error, Warning, Note.
std::string severity_label(Severity severity, const Text& text);

}  // namespace vramfit::shell
