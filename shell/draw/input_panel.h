// The inputs, made from the field table: a new field appears here by being in the table and in the locale files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../app/session.h"
#include "../view/log_axis.h"
#include "ui.h"

namespace vramfit::shell {

class InputPanel {
 public:
  void draw(Ui& ui, Session& session, Rect r);

 private:
  void draw_field(Ui& ui, Session& session, FieldId id, float x, float width, float& y);
  void draw_choice(Ui& ui, Session& session, FieldId id, const Rect& r);
  void draw_number(Ui& ui, Session& session, FieldId id, const Rect& r);
  void draw_gpu_list(Ui& ui, Session& session, FieldId id, float x, float width, float& y);

  unsigned open_groups_ = 0;  // bit per FieldGroup
  struct Mistake {
    FieldId field;
    std::string typed, message;
  };
  const Mistake* mistake_in(FieldId field) const;  // null when there is none
  std::vector<Mistake> mistakes_;                  // text that never reached the calculator: it stays, and what is wrong is said
  unsigned revision_ = 0;                          // that they belong to
  struct Drag {
    FieldId field;
    int frame;     // in which it was last drawn
    LogAxis axis;  // as it was when the drag began: a scale that follows the value would run away from the pointer
  };
  std::optional<Drag> drag_;
  bool own_list_ = false;  // asked for, while the inputs still name the set `own_list_of_`
  std::string own_list_of_;
  std::string typed_list_;
};

}  // namespace vramfit::shell
