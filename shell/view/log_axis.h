// A logarithmic axis: values to places and back, its ticks, and the steps that a drag snaps to.
#pragma once

#include <string>
#include <vector>

namespace vramfit::shell {

struct LogAxis {
  double from = 1, to = 2;   // values; 0 < from < to
  float begin = 0, end = 1;  // places of `from` and `to`; end may be smaller, as on an upright axis

  float at(double value) const;
  double value(float place) const;  // clamped to the axis
};

struct Tick {
  double value;
  std::string text;
};

// Powers of two, thinned out to at most `most`, as tokens are written: 512, 4k, 1m.
std::vector<Tick> token_ticks(const LogAxis& axis, int most);
// Powers of two in plain digits.
std::vector<Tick> count_ticks(const LogAxis& axis, int most);
// One to nine times powers of ten; where two of these are less than `apart` from each other, once, twice and five times; else
// powers of ten. No text.
std::vector<double> decimal_ticks(const LogAxis& axis, float apart);

// The nearest of sixteen steps an octave, whole: round numbers of tokens.
double snapped(double value);
// The next step up or down; stays within the bounds.
double stepped(double value, int steps, double minimum, double maximum);

}  // namespace vramfit::shell
