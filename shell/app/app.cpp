#include "app.h"

#include <algorithm>
#include <span>
#include <utility>

namespace vramfit::shell {
namespace {

// ImGui lays some things out in the frame after the one that caused them.
constexpr int frames_to_settle = 3;

constexpr Part tab_order[] = {Part::inputs, Part::breakdown, Part::fit, Part::what_if};
constexpr Id part_ids[num_parts] = {"breakdown", "fit", "what_if", "inputs"};

}  // namespace

App::App(std::string message_table, Language language, Units units)
    : session(std::move(message_table), language, units), context_(ImGui::CreateContext()) {
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigInputTextCursorBlink = false;  // a blinking caret would draw for ever
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.ConfigMacOSXBehaviors = false;  // whoever calls modifiers() knows which key commands
  context_->ConfigNavWindowingKeyNext = context_->ConfigNavWindowingKeyPrev = 0;
  paint(built_in_palette(false));
}

App::~App() { ImGui::DestroyContext(context_); }

void App::resize(float width_px, float height_px, float scale) {
  ImGui::GetIO().DisplaySize = {width_px, height_px};
  if (scale != ui_.scale) {
    ui_.scale = scale;
    fonts_stale_ = true;
  }
  unsettled_frames_ = frames_to_settle;
}

void App::paint(const Palette& palette) {
  palette_ = palette;
  ui_.palette = &palette_;
  ui_.apply_style();
  unsettled_frames_ = frames_to_settle;
}

void App::arrange(bool with_inputs, bool alone) {
  with_inputs_ = with_inputs;
  alone_ = alone;
  unsettled_frames_ = frames_to_settle;
}

void App::pointer_moved(float x, float y, bool touch) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddMouseSourceEvent(touch ? ImGuiMouseSource_TouchScreen : ImGuiMouseSource_Mouse);
  io.AddMousePosEvent(x, y);
  unsettled_frames_ = frames_to_settle;
}
void App::pointer_left() {
  ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
  unsettled_frames_ = frames_to_settle;
}
void App::pointer_button(bool down, bool touch) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddMouseSourceEvent(touch ? ImGuiMouseSource_TouchScreen : ImGuiMouseSource_Mouse);
  io.AddMouseButtonEvent(0, down);
  unsettled_frames_ = frames_to_settle;
}
void App::wheel(float dx, float dy) {
  ImGui::GetIO().AddMouseWheelEvent(dx, dy);
  unsettled_frames_ = frames_to_settle;
}

void App::modifiers(bool shift, bool command) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Shift, shift);
  io.AddKeyEvent(ImGuiMod_Ctrl, command);
  command_ = command;
}

void App::key_event(ImGuiKey key, bool down) {
  if (key == ImGuiKey_C && down && command_ && !wants_text()) copy_ = session.share();
  unsettled_frames_ = frames_to_settle;
  const bool arrow = key >= ImGuiKey_LeftArrow && key <= ImGuiKey_DownArrow;
  // A key that goes up is always passed on: it may have gone down where it was ImGui's.
  if (arrow && down && !wants_text() && !list_open()) {
    constexpr ImGuiDir ways[] = {ImGuiDir_Left, ImGuiDir_Right, ImGuiDir_Up, ImGuiDir_Down};
    const ImGuiDir way = ways[key - ImGuiKey_LeftArrow];
    if (ui_.focus_takes_steps() && key <= ImGuiKey_RightArrow) ui_.steps += way == ImGuiDir_Right ? 1 : -1;
    else ui_.go(way);
    return;
  }
  ImGui::GetIO().AddKeyEvent(key, down);
}

void App::text(const char* utf8) {
  ImGui::GetIO().AddInputCharactersUTF8(utf8);
  unsettled_frames_ = frames_to_settle;
}

void App::character(unsigned code_point) {
  ImGui::GetIO().AddInputCharacter(code_point);
  unsettled_frames_ = frames_to_settle;
}

void App::focus(bool gained, bool by_keyboard) {
  unsettled_frames_ = frames_to_settle;
  ui_.focus_first = gained && by_keyboard;
  if (!gained) {
    leaving_ = true;
    return;
  }
  if (leaving_) leave();
  ImGui::GetIO().AddFocusEvent(true);
}

// What is being typed or dragged counts as finished, and an open list closes.
void App::leave() {
  leaving_ = false;
  ImGui::GetIO().AddFocusEvent(false);
  ImGui::ClearActiveID();
  if (list_open()) ImGui::ClosePopupToLevel(0, true);
  context_->NavDisableHighlight = true;
}

bool App::restless() const {
  return unsettled_frames_ > 0 || context_->InputEventsQueue.Size > 0 || session.revision() != drawn_revision_;
}
bool App::wants_text() const { return context_->IO.WantTextInput; }
bool App::list_open() const { return context_->OpenPopupStack.Size > 0; }

std::string App::take_copy() { return std::exchange(copy_, std::nullopt).value_or(""); }

std::vector<Widget> App::widgets() {
  ui_.recording = true;
  frame(0);
  ui_.recording = false;
  return std::move(ui_.widgets);
}

bool App::prepare() {
  if (!fonts_stale_) return false;
  ui_.load_fonts();
  ui_.apply_style();
  ImGui::GetIO().Fonts->Build();
  fonts_stale_ = false;
  return true;
}

void App::frame(float seconds) {
  if (leaving_ && context_->InputEventsQueue.Size == 0) leave();
  // ImGui takes a key or a click a frame: none is the last before its effects are seen.
  if (context_->InputEventsQueue.Size > 0 || session.revision() != drawn_revision_) unsettled_frames_ = frames_to_settle;
  drawn_revision_ = session.revision();
  if (unsettled_frames_ > 0) --unsettled_frames_;
  ImGuiIO& io = ImGui::GetIO();
  io.DeltaTime = std::clamp(seconds, 0.001f, 0.1f);
  ImGui::NewFrame();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(io.DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::Begin("canvas", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  ui_.begin();
  draw();
  ImGui::End();
  ImGui::Render();
  session.settle();
  ui_.steps = 0;
}

void App::draw_header(const Rect& r, bool measure, float& height) {
  const Answer& answer = session.words().answer;
  const Text& t = session.text();
  struct Button {
    Id id;
    std::string caption;
  };
  const Button all[] = {{"inputs", t.say(inputs_hidden_ ? "canvas.show_inputs" : "canvas.hide_inputs")},
                        {"copy", t.say(copy_caption)},
                        {"reset", t.say("page.reset")}};
  const std::span<const Button> wanted = with_inputs_ ? std::span(all) : std::span(all).subspan(1);
  const auto width_of = [&](const Button& b) { return ui_.width(b.caption, Face::small) + ui_.px(24); };
  float buttons = -ui_.px(8);
  for (const Button& b : wanted) buttons += width_of(b) + ui_.px(8);
  const bool beside = r.w > ui_.px(760);
  // On little room the sentence is no larger than it must be.
  const bool low = ImGui::GetIO().DisplaySize.y < ui_.px(600);
  const float text_width = beside ? r.w - buttons - ui_.px(20) : r.w;
  const Ink ink = answer.state == AnswerState::fits ? Ink::ink : answer.state == AnswerState::tight ? Ink::warn : Ink::bad;
  height = ui_.paragraph(r.x, r.y, text_width, answer.sentence, ink, low ? Face::strong : Face::large, !measure);
  if (!measure) ui_.note("answer", answer.sentence, {r.x, r.y, text_width, height});
  float y = r.y + height + ui_.px(4);
  for (const NoticeLine& notice : session.words().notices) {
    if (notice.severity == Severity::error) continue;  // the sentence says it
    if (low && notice.severity == Severity::info) continue;
    const std::string words = concat({severity_label(notice.severity, session.text()), ": ", notice.text});
    y += ui_.paragraph(r.x, y, text_width, words, Ink::quiet, Face::small, !measure);
  }
  height = y - r.y;
  Rect row = beside ? Rect{r.right() - buttons, r.y + ui_.px(2), buttons, ui_.px(30)}
                    : Rect{r.x, r.y + height + ui_.px(4), std::min(r.w, buttons), ui_.px(30)};
  if (!beside) height += ui_.px(38);
  height += ui_.px(14);
  if (measure) return;
  for (const Button& b : wanted) {
    const bool pressed = ui_.button(b.id, b.caption, row.cut_left(width_of(b)));
    row.cut_left(ui_.px(8));
    if (!pressed) continue;
    if (b.id == "inputs") inputs_hidden_ = !inputs_hidden_;
    if (b.id == "copy") copy_ = session.share();
    if (b.id == "reset") session.reset();
  }
}

void App::draw_tabs(const Layout& layout, const Rect& r) {
  const Text& t = session.text();
  Rect rest = r;
  for (const Part part : tab_order) {
    if (part == Part::inputs && !layout.inputs_tab) continue;
    const std::string caption = t.say(concat({"canvas.tab.", part_ids[static_cast<int>(part)]}));
    const bool chosen = part == layout.current;
    const float width = ui_.width(caption, Face::strong) + ui_.px(4);
    const Rect at = rest.cut_left(width);
    rest.cut_left(ui_.px(18));
    const Touch touch = ui_.area(concat({"tab/", part_ids[static_cast<int>(part)]}), caption, at);
    if (touch.pressed) current_ = part;
    ui_.text(at.x + ui_.px(2), at.y + (at.h - ui_.line_height(Face::body)) / 2, caption,
             chosen          ? Ink::ink
             : touch.hovered ? Ink::accent
                             : Ink::quiet,
             chosen ? Face::strong : Face::body);
    if (chosen) ui_.fill({at.x, at.bottom() - ui_.px(3), at.w, ui_.px(3)}, ui_.color(Ink::accent));
    if (touch.focused) ui_.focus_ring(at.inset(0, ui_.px(4)));
  }
  ui_.line(r.x, r.bottom(), r.right(), r.bottom(), ui_.color(Ink::rule));
}

void App::draw_refusal(Rect r) {
  const std::string& sentence = session.words().answer.sentence;
  ui_.note("refusal", sentence, r);
  if (alone_) return;  // the header says it all
  r.cut_top(ui_.paragraph(r.x, r.y, r.w, sentence, Ink::bad, Face::large) + ui_.px(8));
  for (const NoticeLine& notice : session.words().notices)
    r.cut_top(ui_.paragraph(r.x, r.y, r.w, concat({severity_label(notice.severity, session.text()), ": ", notice.text}),
                            notice.severity == Severity::error ? Ink::ink : Ink::quiet, Face::body));
}

void App::draw() {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ui_.fill({0, 0, size.x, size.y}, ui_.color(Ink::surface));
  const float s = ui_.scale;
  const auto scaled = [&](const Area& a) { return Rect{a.x * s, a.y * s, a.w * s, a.h * s}; };
  float header_height = 0;
  if (alone_) {
    const float edge = outer_edge(size.x / s);
    draw_header({edge * s, 0, size.x - 2 * edge * s, 0}, true, header_height);
  }
  const Layout layout = lay_out(size.x / s, size.y / s, with_inputs_ && !inputs_hidden_, alone_, header_height / s,
                                breakdown_.wanted_height() / s, current_);
  if (layout.header.shown()) draw_header(scaled(layout.header), false, header_height);
  if (layout.tab_bar.shown()) draw_tabs(layout, scaled(layout.tab_bar));
  if (const Area& a = layout.of(Part::inputs); a.shown()) inputs_.draw(ui_, session, scaled(a));
  if (session.result().refused) {
    for (const Part part : {Part::breakdown, Part::fit, Part::what_if})
      if (const Area& a = layout.of(part); a.shown()) return draw_refusal(scaled(a));
    return;
  }
  if (const Area& a = layout.of(Part::breakdown); a.shown()) breakdown_.draw(ui_, session, scaled(a));
  if (const Area& a = layout.of(Part::fit); a.shown()) fit_.draw(ui_, session, scaled(a));
  if (const Area& a = layout.of(Part::what_if); a.shown()) curves_.draw(ui_, session, scaled(a));
}

}  // namespace vramfit::shell
