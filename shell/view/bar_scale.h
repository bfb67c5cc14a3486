// The straight scale under the bars: bytes to places, and round figures to mark on it.
#pragma once

#include <vector>

namespace vramfit::shell {

struct BarScale {
  double full_bytes = 1;  // at `end`
  float begin = 0, end = 1;

  float at(double bytes) const { return begin + static_cast<float>(bytes / full_bytes) * (end - begin); }
};

// Bytes at round figures of `unit_bytes` (1e9, 2^30), 0 included, at most `most` of them.
std::vector<double> linear_ticks(double full_bytes, double unit_bytes, int most);

}  // namespace vramfit::shell
