// Figures as the result object carries them (web/result_json.cpp): bytes rounded up to whole ones, all else to six decimals, and
// what is beyond 1e18 down to whole billions.
// Texts are made from these, since a figure rounded twice may differ from one rounded once.
#pragma once

#include <cmath>

#include "vramfit/units.h"

namespace vramfit::shell {

inline double published(double value) {
  const double magnitude = std::fabs(value);
  if (magnitude >= 1e18) return std::floor(value / 1e9) * 1e9;
  const double whole = std::floor(magnitude);
  if (magnitude == whole || magnitude >= 9e9) return value;  // further up six decimals are more than a double has
  const double rounded = (whole * 1e6 + std::floor((magnitude - whole) * 1e6 + 0.5)) / 1e6;
  return value < 0 ? -rounded : rounded;
}

inline Range published(const Range& bytes) {
  return {bytes.low < 0 ? 0 : published(std::ceil(bytes.low)), published(std::ceil(bytes.likely)),
          published(std::ceil(bytes.high))};
}

}  // namespace vramfit::shell
