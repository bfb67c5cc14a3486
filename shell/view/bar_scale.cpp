#include "bar_scale.h"

#include <algorithm>

namespace vramfit::shell {

std::vector<double> linear_ticks(double full_bytes, double unit_bytes, int most) {
  const double full = full_bytes / unit_bytes;
  const double rough = full / std::max(1, most - 1);
  double power = 1;
  while (power > rough) power /= 10;
  while (power * 10 <= rough) power *= 10;
  double step = 10 * power;
  for (const double digit : {1.0, 2.0, 5.0})
    if (digit * power >= rough) {
      step = digit * power;
      break;
    }
  std::vector<double> out;
  for (int i = 0; i * step <= full * (1 + 1e-9); ++i) out.push_back(i * step * unit_bytes);
  return out;
}

}  // namespace vramfit::shell
