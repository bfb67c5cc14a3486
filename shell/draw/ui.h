// The drawing primitives of the canvas: text in four faces, areas that can be pointed at and reached by keyboard, and the
// controls made of them. Lengths are CSS pixels, times `scale` device pixels; ImGui works in device pixels, so that everything is
// crisp at any ratio and zoom.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "imgui.h"
#include "imgui_internal.h"
#include "palette.h"
#include "vramfit/share_string.h"

namespace vramfit::shell {

enum class Face : std::uint8_t { small, body, strong, large };
inline constexpr int num_faces = 4;

struct Rect {
  float x = 0, y = 0, w = 0, h = 0;  // device pixels

  float right() const { return x + w; }
  float bottom() const { return y + h; }
  Rect inset(float dx, float dy) const { return {x + dx, y + dy, w - 2 * dx, h - 2 * dy}; }
  // Cuts a piece off and keeps the rest.
  Rect cut_top(float height);
  Rect cut_bottom(float height);
  Rect cut_left(float width);
  Rect cut_right(float width);
};

// What became of an area in this frame.
struct Touch {
  bool pressed = false;  // clicked, tapped, or activated by key
  bool hovered = false;
  bool held = false;
  bool focused = false;  // reached by keyboard
};

// What was drawn where, and what it is called or says: for tests that click and read by name.
struct Widget {
  std::string id, label;
  Rect rect;
};

class Ui {
 public:
  // --- fonts, colours and size; set before the frame ---
  float scale = 1;
  const Palette* palette = nullptr;

  void load_fonts();  // for `scale`, into ImGui's atlas
  void apply_style();

  // --- one frame ---
  void begin();            // after ImGui's window has begun
  bool recording = false;  // fill `widgets`
  std::vector<Widget> widgets;
  std::string focused_label;  // of the area that the keyboard has reached; empty when none
  std::string cursor;         // CSS name of the pointer's shape; empty for the usual one
  bool focus_first = false;   // the next area or field takes the keyboard
  int steps = 0;              // arrow presses left or right, for the focused area that takes them

  // --- measures and colours ---
  float px(float css) const { return static_cast<float>(static_cast<int>(css * scale + 0.5f)); }
  ImU32 color(Ink ink, float alpha = 1) const;
  float line_height(Face face) const;
  float width(std::string_view text, Face face = Face::body) const;
  bool pressed_key(ImGuiKey key) const { return ImGui::IsKeyPressed(key, false); }

  // --- text; `at` is the top left corner ---
  float text(float x, float y, std::string_view text, Ink ink = Ink::ink, Face face = Face::body) const;  // width
  void text_right(float right, float y, std::string_view text, Ink ink = Ink::ink, Face face = Face::body) const;
  void text_center(const Rect& in, std::string_view text, Ink ink = Ink::ink, Face face = Face::body) const;
  // In one line, cut with an ellipsis where it does not fit; returns the width used.
  float text_fitted(float x, float y, float max_width, std::string_view text, Ink ink = Ink::ink, Face face = Face::body) const;
  // Wrapped; returns the height. `draw` false only measures.
  float paragraph(float x, float y, float wrap_width, std::string_view text, Ink ink = Ink::ink, Face face = Face::body,
                  bool draw = true) const;

  // --- shapes ---
  void fill(const Rect& r, ImU32 color, float rounding = 0) const;
  void frame(const Rect& r, ImU32 color, float rounding = 0, float thickness = 1) const;
  void line(float x0, float y0, float x1, float y1, ImU32 color, float thickness = 1) const;
  void hatch(const Rect& r, ImU32 color) const;  // oblique lines
  void caret(float cx, float cy, bool up, ImU32 color) const;

  // --- areas ---
  // `takes_steps`: while it has the keyboard, left and right are counted in `steps` instead of moving on.
  Touch area(std::string_view id, std::string_view label, const Rect& r, bool takes_steps = false);
  void focus_ring(const Rect& r) const;
  bool focus_takes_steps() const { return focus_takes_steps_; }  // as of the last frame
  // Moves the keyboard to the nearest area or field that lies that way. ImGui's own navigation sees only what lies within 45
  // degrees, so that it stops at every gap between the parts.
  void go(ImGuiDir way);

  // Something drawn to be read, for `widgets`; of what is scrolled out of sight nothing.
  void note(std::string_view id, std::string_view label, const Rect& r);

  // A part that scrolls where it is higher than its place. What it holds is drawn from the top of what begin_scroll() gives,
  // which leaves room for a bar when there is one; end_scroll() is told where it ended.
  Rect begin_scroll(const char* id, const Rect& r);
  void end_scroll(float x, float bottom);

  // --- controls ---
  // `label` is what it is called where the caption does not say it.
  bool button(std::string_view id, std::string_view caption, const Rect& r, std::string_view label = {});

  struct Option {
    std::string id, text, note, group;
  };
  // A field that opens a list; with many options the list has a search. `label` is what it is called besides what it shows; may
  // be empty. `fill_options` is called when it opens. Returns the index chosen, else -1.
  template <class F>
  int combo(std::string_view id, std::string_view label, std::string_view shown, const Rect& r, F&& fill_options) {
    if (combo_field(id, label, shown, r)) {
      combo_options_.clear();
      fill_options(combo_options_);
    }
    return combo_list(id, shown, r);
  }
  std::string_view combo_option(int index) const { return combo_options_[index].id; }

  // A line of typed text; true when it was finished (Enter, or the keyboard moved on) and differs. While it is edited it shows
  // what is typed, whatever becomes of `text`.
  bool text_field(std::string_view id, std::string_view label, std::string& text, const Rect& r, std::string_view hint = {});

 private:
  bool combo_field(std::string_view id, std::string_view label, std::string_view shown, const Rect& r);
  int combo_list(std::string_view id, std::string_view shown, const Rect& r);
  const ImFont* font(Face face) const { return fonts_[static_cast<int>(face)]; }

  ImFont* fonts_[num_faces] = {};
  void stop(const Rect& r);
  struct Stop {
    ImGuiID id;
    Rect rect;
  };
  std::vector<Stop> stops_;  // of the last frame: what the keyboard can reach
  ImGuiID next_stop_ = 0;    // where it goes in the next one
  ImGuiID coming_stop_ = 0;  // in this one
  bool focus_takes_steps_ = false;
  std::vector<Option> combo_options_;
  char search_[64] = "";
  bool combo_opened_ = false;
  std::string edited_id_;
  bool edited_drawn_ = false;  // in the last frame
  char edited_[max_share_length + 1] = "";
};

}  // namespace vramfit::shell
