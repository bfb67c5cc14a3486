// What the program has to say about its input, as ids and figures; the sentences are in the locale files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vramfit/model.h"

namespace vramfit {

enum class Severity : std::uint8_t {
  info,     // worth knowing
  warning,  // something typed was not used as typed
  error,    // no answer is given until this is settled
};

struct Notice {
  Severity severity = Severity::warning;
  Id id;
  std::string field;  // share key or unknown key it is about; empty when none
  std::string value;  // text as typed
  double used = 0;    // the figure used instead, or a limit
};

inline void note(std::vector<Notice>& notices, Severity severity, Id id, Id field, Id value = {}, double used = 0) {
  notices.push_back({severity, id, std::string(field), std::string(value), used});
}

inline bool has_error(const std::vector<Notice>& notices) {
  for (const Notice& n : notices)
    if (n.severity == Severity::error) return true;
  return false;
}

}  // namespace vramfit
