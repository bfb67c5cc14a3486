// One what-if axis as a picture: places for its lines, its cards' capacities and the points where they cross.
#pragma once

#include <vector>

#include "log_axis.h"
#include "vramfit/what_if.h"

namespace vramfit::shell {

struct Point {
  float x = 0, y = 0;
};

// Where a line meets a card: as far as it fits, or where it never fits comfortably, as far as it runs.
struct Crossing {
  int line = 0, card = 0;
  double value = 0;
  bool tight = false;  // `value` is how far it runs, not how far it fits
  Point at;
};

struct CurvePicture {
  LogAxis across, up;
  std::vector<std::vector<Point>> lines;  // likely need, as WhatIfAxis::lines
  int chosen_line = 0;
  std::vector<Point> low, high;     // of the chosen line; empty where all are one
  std::vector<float> capacity_y;    // as WhatIf::cards
  std::vector<Crossing> crossings;  // inside the picture; those of the chosen line first
  Point current;                    // the input on the chosen line
};

// All values of the axis.
LogAxis across_of(const WhatIfAxis& axis, float left, float right);

CurvePicture picture_of(const WhatIf& what_if, const WhatIfAxis& axis, const LogAxis& across, float top, float bottom);

// Bytes of a line at `value`, between its samples.
double need_at(const WhatIfAxis& axis, const WhatIfLine& line, double value);

// The value meant by a place on the axis: round, but exactly a crossing's where the place is within `reach` of one.
double value_meant(const CurvePicture& picture, float x, float reach);

}  // namespace vramfit::shell
