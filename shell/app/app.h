// The canvas: one session and the views on it. Knows no platform; platform/web.cpp and platform/desktop.cpp feed it events and
// draw what it leaves in ImGui's draw data.
#pragma once

#include <optional>
#include <string>

#include "../draw/breakdown.h"
#include "../draw/curves.h"
#include "../draw/fit_view.h"
#include "../draw/input_panel.h"
#include "../view/layout.h"
#include "session.h"

namespace vramfit::shell {

class App {
 public:
  App(std::string message_table, Language language, Units units);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  Session session;
  Id copy_caption = "page.link";  // message of the button that copies

  // --- surroundings ---
  void resize(float width_px, float height_px, float scale);  // device pixels, and how many of them make a CSS pixel
  void paint(const Palette& palette);                         // from now on
  void arrange(bool with_inputs, bool alone);                 // `alone`: no page around it

  // --- events; positions in device pixels ---
  void pointer_moved(float x, float y, bool touch);
  void pointer_left();
  void pointer_button(bool down, bool touch);
  void wheel(float dx, float dy);
  void modifiers(bool shift, bool command);
  void key_event(ImGuiKey key, bool down);
  void text(const char* utf8);
  void character(unsigned code_point);
  void focus(bool gained, bool by_keyboard);

  // Before each frame; true when the fonts were made anew, so that their texture must be too.
  bool prepare();
  // Builds one frame; `seconds` since the last. Afterwards ImGui::GetDrawData() holds it.
  void frame(float seconds);
  // Whether another frame would differ: queued events, something new in the session, or ImGui still settling.
  bool restless() const;

  // --- after a frame ---
  const std::string& cursor() const { return ui_.cursor; }
  const std::string& focused_label() const { return ui_.focused_label; }
  bool wants_text() const;                               // a text field is being edited
  bool list_open() const;                                // a list is open: the wheel is ours
  std::vector<Widget> widgets();                         // what was drawn, by name: builds a frame of its own
  bool wants_copy() const { return copy_.has_value(); }  // the default configuration's string is empty
  std::string take_copy();                               // the share string, when its button was pressed
  std::string spoken() const;                            // all that is drawn, in lines of text

 private:
  void draw();
  void leave();
  void draw_header(const Rect& r, bool measure, float& height);
  void draw_tabs(const Layout& layout, const Rect& r);
  void draw_refusal(Rect r);

  ImGuiContext* context_;
  Ui ui_;
  Palette palette_;
  BreakdownView breakdown_;
  FitView fit_;
  CurvesView curves_;
  InputPanel inputs_;
  Part current_ = Part::breakdown;
  bool with_inputs_ = false;
  bool inputs_hidden_ = false;  // by the reader
  bool alone_ = false;
  bool fonts_stale_ = true;
  bool command_ = false;  // the key that makes C mean copy is held
  int unsettled_frames_ = 0;
  unsigned drawn_revision_ = 0;
  bool leaving_ = false;  // the focus is lost as soon as what was typed before has arrived
  std::optional<std::string> copy_;
};

}  // namespace vramfit::shell
