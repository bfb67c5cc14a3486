// The what-if curves: memory of one GPU against context and against concurrent sequences, with the cards' capacities, the points
// where they cross, and a handle at the input that can be dragged along the curve.
#pragma once

#include <optional>

#include "../app/session.h"
#include "../view/curve.h"
#include "ui.h"

namespace vramfit::shell {

class CurvesView {
 public:
  void draw(Ui& ui, Session& session, Rect r);

 private:
  void draw_axis(Ui& ui, Session& session, const WhatIfAxis& axis, Rect r);
  void draw_plot(Ui& ui, Session& session, const WhatIfAxis& axis, const Rect& r);

  struct Drag {
    FieldId field;
    int frame;       // in which it was last drawn
    LogAxis across;  // as it was when the drag began: a scale that follows the value would run away from the pointer
  };
  std::optional<Drag> drag_;
};

}  // namespace vramfit::shell
