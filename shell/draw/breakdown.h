// The stacked bars, one per GPU, against the card's memory; and the arithmetic of the compartment pointed at or selected.
#pragma once

#include <string>

#include "../app/session.h"
#include "ui.h"

namespace vramfit::shell {

class BreakdownView {
 public:
  void draw(Ui& ui, const Session& session, Rect r);
  // What it took in the last frame, with the longest arithmetic.
  float wanted_height() const { return wanted_height_; }

 private:
  void draw_bars(Ui& ui, const Session& session, Rect& r, Id& pointed);
  float draw_list(Ui& ui, const Session& session, Rect r, Id& pointed);  // height
  float draw_terms(Ui& ui, const CompartmentRow& row, const Rect& r, bool draw) const;

  std::string selected_;  // compartment id
  float wanted_height_ = 0;
};

}  // namespace vramfit::shell
