#include "log_axis.h"

#include <algorithm>
#include <cmath>

#include "vramfit/share_string.h"

namespace vramfit::shell {
namespace {

std::vector<double> powers_of_two(const LogAxis& axis, int most) {
  int first = static_cast<int>(std::ceil(std::log2(axis.from) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log2(axis.to) + 1e-9));
  int stride = 1;
  while ((last - first) / stride + 1 > std::max(2, most)) ++stride;
  std::vector<double> out;
  // Counted from 1, so that a longer axis keeps the ticks of a shorter one.
  first = static_cast<int>(std::ceil(double(first) / stride)) * stride;
  for (int power = first; power <= last; power += stride) out.push_back(std::exp2(power));
  return out;
}

// Octaves are cut into sixteen; below sixteen every whole number is a step.
double step_size(double value) { return std::max(1.0, std::exp2(std::floor(std::log2(std::max(1.0, value))) - 4)); }

}  // namespace

float LogAxis::at(double value) const {
  const double share = (std::log2(std::max(value, 1e-300)) - std::log2(from)) / (std::log2(to) - std::log2(from));
  return begin + static_cast<float>(share) * (end - begin);
}

double LogAxis::value(float place) const {
  const double share = std::clamp(double(place - begin) / double(end - begin), 0.0, 1.0);
  return std::exp2(std::log2(from) + share * (std::log2(to) - std::log2(from)));
}

std::vector<Tick> token_ticks(const LogAxis& axis, int most) {
  std::vector<Tick> out;
  for (const double value : powers_of_two(axis, most)) {
    double shown = value;
    const char* suffix = "";
    for (const char* larger : {"k", "m"})
      if (shown >= 1024) shown /= 1024, suffix = larger;
    out.push_back({value, format_number(FieldKind::number, shown) + suffix});
  }
  return out;
}

std::vector<Tick> count_ticks(const LogAxis& axis, int most) {
  std::vector<Tick> out;
  for (const double value : powers_of_two(axis, most)) out.push_back({value, format_number(FieldKind::number, value)});
  return out;
}

std::vector<double> decimal_ticks(const LogAxis& axis, float apart) {
  double first_power = 1;
  while (first_power > axis.from) first_power /= 10;
  while (first_power * 10 <= axis.from) first_power *= 10;
  std::vector<double> out;
  for (const unsigned digits : {0x1ffu, 0x013u, 0x001u}) {  // 1 to 9; 1, 2, 5; 1
    out.clear();
    for (double power = first_power; power <= axis.to; power *= 10)
      for (int digit = 1; digit <= 9; ++digit)
        if (digits >> (digit - 1) & 1 && digit * power >= axis.from && digit * power <= axis.to) out.push_back(digit * power);
    bool room = true;
    for (std::size_t i = 1; i < out.size(); ++i) room = room && std::fabs(axis.at(out[i]) - axis.at(out[i - 1])) >= apart;
    if (room) break;
  }
  return out;
}

double snapped(double value) {
  const double step = step_size(value);
  return std::max(1.0, std::round(value / step) * step);
}

double stepped(double value, int steps, double minimum, double maximum) {
  for (; steps > 0; --steps) value = (std::floor(value / step_size(value)) + 1) * step_size(value);
  for (; steps < 0; ++steps) {
    // Just below a power of two the steps are half as wide.
    const double step = step_size(value - 0.5);
    value = (std::ceil(value / step) - 1) * step;
  }
  return std::clamp(value, minimum, maximum);
}

}  // namespace vramfit::shell
