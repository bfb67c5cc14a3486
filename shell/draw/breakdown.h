// The stacked bars, one per GPU, against the card's memory; and the arithmetic of the compartment pointed at or selected.
#pragma once

#include <string>

#include "../app/session.h"
#include "ui.h"

namespace vramfit::shell {

class BreakdownView {
 public:
  void draw(Ui& ui, const Session& session, Rect r);
  // Where the arithmetic stands beside the list, and is no longer than usual.
  float wanted_height(const Ui& ui, const Session& session) const;

 private:
  void draw_bars(Ui& ui, const Session& session, Rect& r, Id& pointed);
  void draw_list(Ui& ui, const Session& session, Rect r, Id& pointed);
  void draw_terms(Ui& ui, const Session& session, Rect r, Id which) const;

  std::string selected_;  // compartment id
};

}  // namespace vramfit::shell
