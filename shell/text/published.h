// Figures as the result object carries them (web/result_json.cpp): bytes rounded up to whole ones, all else to six decimals.
// Texts are made from these, since a figure rounded twice may differ from one rounded once.
#pragma once

#include <cmath>
#include <cstdint>

#include "vramfit/units.h"

namespace vramfit::shell {

inline double published(double value) {
  const double magnitude = std::fabs(value);
  const double whole = std::floor(magnitude);
  if (magnitude == whole || magnitude >= 9e9) return value;  // further up six decimals are more than a double has
  const double rounded = (whole * 1e6 + std::floor((magnitude - whole) * 1e6 + 0.5)) / 1e6;
  return value < 0 ? -rounded : rounded;
}

inline double published_bytes(double bytes) { return std::ceil(bytes); }

inline Range published(const Range& bytes) {
  return {bytes.low < 0 ? 0 : std::ceil(bytes.low), std::ceil(bytes.likely), std::ceil(bytes.high)};
}

}  // namespace vramfit::shell
