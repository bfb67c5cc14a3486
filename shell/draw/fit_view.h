// The GPU fit table: sorted, filtered, a page of rows at a time, with a chip per count. Pages instead of scrolling, so that wheel
// and finger stay the article's.
#pragma once

#include <string>
#include <vector>

#include "../app/session.h"
#include "../view/fit_order.h"
#include "ui.h"

namespace vramfit::shell {

class FitView {
 public:
  void draw(Ui& ui, Session& session, Rect r);

 private:
  struct Columns {
    bool stacked;  // two lines a row, where the width is a phone's
    Rect name, memory, counts, room, cost;
  };
  Columns columns(const Ui& ui, const Rect& row) const;
  void draw_filters(Ui& ui, const Session& session, Rect& r);
  void draw_head(Ui& ui, const Session& session, const Rect& r);
  void draw_row(Ui& ui, Session& session, const GpuRow& row, const Rect& r, std::string& remark);
  void draw_chip(Ui& ui, Session& session, const GpuRow& row, int count, const Rect& r, std::string& remark);
  void draw_foot(Ui& ui, const Session& session, Rect r, int shown, int rows_a_page, const std::string& remark);

  SortBy sort_ = SortBy::fit;
  bool reversed_ = false;
  FitFilter filter_;
  // Made of these and the table, when either has changed.
  unsigned revision_ = 0;
  bool stale_ = true;
  std::vector<std::string> choices_[num_filters];
  std::vector<int> order_;
  int first_row_ = 0;
  float wheel_ = 0;      // rows that it has turned by, less than one
  int chosen_gpu_ = -1;  // as of the last frame: a new choice is brought into sight
};

}  // namespace vramfit::shell
