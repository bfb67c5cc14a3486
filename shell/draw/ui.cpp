#include "ui.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vramfit::shell {
namespace {

ImDrawList& canvas() { return *ImGui::GetWindowDrawList(); }
const char* begin_of(std::string_view s) { return s.data(); }
const char* end_of(std::string_view s) { return s.data() + s.size(); }

}  // namespace

Rect Rect::cut_top(float height) {
  const Rect piece{x, y, w, height};
  y += height;
  h -= height;
  return piece;
}
Rect Rect::cut_bottom(float height) {
  h -= height;
  return {x, y + h, w, height};
}
Rect Rect::cut_left(float width) {
  const Rect piece{x, y, width, h};
  x += width;
  w -= width;
  return piece;
}
Rect Rect::cut_right(float width) {
  w -= width;
  return {x + w, y, width, h};
}

void Ui::apply_style() {
  ImGuiStyle& s = ImGui::GetStyle();
  s = ImGuiStyle();
  s.WindowPadding = {px(6), px(6)};
  s.WindowRounding = 0;
  s.WindowBorderSize = 0;
  s.PopupRounding = px(3);
  s.PopupBorderSize = std::max(1.0f, px(1));
  s.FrameRounding = px(3);
  s.FramePadding = {px(8), px(5)};
  s.ItemSpacing = {0, 0};
  s.ScrollbarSize = px(10);
  s.ScrollbarRounding = px(5);
  const auto set = [&](ImGuiCol which, Ink ink, float alpha = 1) {
    s.Colors[which] = ImGui::ColorConvertU32ToFloat4(color(ink, alpha));
  };
  for (ImVec4& c : s.Colors) c = {0, 0, 0, 0};
  set(ImGuiCol_Text, Ink::ink);
  set(ImGuiCol_TextDisabled, Ink::quiet);
  set(ImGuiCol_WindowBg, Ink::surface);
  set(ImGuiCol_PopupBg, Ink::surface);
  set(ImGuiCol_Border, Ink::edge);
  set(ImGuiCol_ScrollbarGrab, Ink::rule);
  set(ImGuiCol_ScrollbarGrabHovered, Ink::edge);
  set(ImGuiCol_ScrollbarGrabActive, Ink::edge);
  set(ImGuiCol_TextSelectedBg, Ink::accent, 0.3f);
}

ImU32 Ui::color(Ink ink, float alpha) const {
  const std::uint32_t opaque = palette->abgr[static_cast<int>(ink)];
  return (opaque & 0x00ffffffu) | static_cast<std::uint32_t>(alpha * 255 + 0.5f) << 24;
}

float Ui::line_height(Face face) const { return std::ceil(font(face)->FontSize * 1.36f); }

float Ui::width(std::string_view text, Face face) const {
  const ImFont* f = font(face);
  return f->CalcTextSizeA(f->FontSize, FLT_MAX, 0, begin_of(text), end_of(text)).x;
}

float Ui::text(float x, float y, std::string_view text, Ink ink, Face face) const {
  const ImFont* f = font(face);
  // Text sits in the middle of its line.
  const float top = std::floor(y + (line_height(face) - f->FontSize) / 2);
  canvas().AddText(f, f->FontSize, {std::floor(x), top}, color(ink), begin_of(text), end_of(text));
  return width(text, face);
}

void Ui::text_right(float right, float y, std::string_view t, Ink ink, Face face) const {
  text(right - width(t, face), y, t, ink, face);
}

void Ui::text_center(const Rect& in, std::string_view t, Ink ink, Face face) const {
  text(in.x + (in.w - width(t, face)) / 2, in.y + (in.h - line_height(face)) / 2, t, ink, face);
}

float Ui::text_fitted(float x, float y, float max_width, std::string_view t, Ink ink, Face face) const {
  if (width(t, face) <= max_width) return text(x, y, t, ink, face);
  static constexpr std::string_view ellipsis = "…";
  const ImFont* f = font(face);
  const char* rest = nullptr;
  f->CalcTextSizeA(f->FontSize, std::max(0.0f, max_width - width(ellipsis, face)), 0, begin_of(t), end_of(t), &rest);
  std::string_view kept = t.substr(0, static_cast<std::size_t>(rest - begin_of(t)));
  while (!kept.empty() && kept.back() == ' ') kept.remove_suffix(1);
  const float used = text(x, y, kept, ink, face);
  return used + text(x + used, y, ellipsis, ink, face);
}

float Ui::paragraph(float x, float y, float wrap_width, std::string_view t, Ink ink, Face face, bool draw) const {
  const ImFont* f = font(face);
  const char* at = begin_of(t);
  float height = 0;
  while (at < end_of(t)) {
    const char* stop = f->CalcWordWrapPositionA(1.0f, at, end_of(t), wrap_width);
    if (stop == at)  // not even one character fits
      do ++stop;
      while (stop < end_of(t) && (*stop & 0xc0) == 0x80);
    if (draw) text(x, y + height, {at, static_cast<std::size_t>(stop - at)}, ink, face);
    height += line_height(face);
    at = stop;
    while (at < end_of(t) && *at == ' ') ++at;
  }
  return height;
}

void Ui::fill(const Rect& r, ImU32 c, float rounding) const {
  if (r.w > 0 && r.h > 0) canvas().AddRectFilled({r.x, r.y}, {r.right(), r.bottom()}, c, rounding);
}

void Ui::frame(const Rect& r, ImU32 c, float rounding, float thickness) const {
  canvas().AddRect({r.x + 0.5f, r.y + 0.5f}, {r.right() - 0.5f, r.bottom() - 0.5f}, c, rounding, 0,
                   std::max(1.0f, px(thickness)));
}

void Ui::line(float x0, float y0, float x1, float y1, ImU32 c, float thickness) const {
  const float width_px = std::max(1.0f, px(thickness));
  // Straight lines lie on whole pixels.
  if (x0 == x1) return fill({std::floor(x0 - width_px / 2), std::min(y0, y1), width_px, std::fabs(y1 - y0)}, c);
  if (y0 == y1) return fill({std::min(x0, x1), std::floor(y0 - width_px / 2), std::fabs(x1 - x0), width_px}, c);
  canvas().AddLine({x0, y0}, {x1, y1}, c, width_px);
}

void Ui::hatch(const Rect& r, ImU32 c) const {
  if (r.w <= 0 || r.h <= 0) return;
  canvas().PushClipRect({r.x, r.y}, {r.right(), r.bottom()}, true);
  const float step = px(5);
  // From a grid of the whole window, so that the lines do not crawl when the area moves.
  for (float x = std::floor((r.x - r.h) / step) * step; x < r.right(); x += step)
    canvas().AddLine({x, r.bottom()}, {x + r.h, r.y}, c, std::max(1.0f, px(1)));
  canvas().PopClipRect();
}

void Ui::caret(float cx, float cy, bool up, ImU32 c) const {
  const float half = px(4);
  const float rise = px(up ? -2.5f : 2.5f);
  canvas().AddTriangleFilled({cx - half, cy - rise}, {cx + half, cy - rise}, {cx, cy + rise}, c);
}

void Ui::begin() {
  widgets.clear();
  focused_label.clear();
  cursor.clear();
  focus_takes_steps_ = false;
  stops_.clear();
  coming_stop_ = std::exchange(next_stop_, 0);
  // A field that has gone keeps nothing.
  if (!edited_drawn_) edited_id_.clear();
  edited_drawn_ = false;
}

void Ui::note(std::string_view id, std::string_view label, const Rect& r) {
  if (!recording) return;
  ImRect seen{r.x, r.y, r.right(), r.bottom()};
  seen.ClipWithFull(ImGui::GetCurrentWindow()->ClipRect);
  if (seen.GetWidth() >= 1 && seen.GetHeight() >= 1)
    widgets.push_back({std::string(id), std::string(label), {seen.Min.x, seen.Min.y, seen.GetWidth(), seen.GetHeight()}});
}

Touch Ui::area(std::string_view id, std::string_view label, const Rect& r, bool takes_steps) {
  if (r.w < 1 || r.h < 1) return {};
  note(id, label, r);
  Touch touch;
  ImGui::SetCursorScreenPos({r.x, r.y});
  const ImGuiID number = ImHashStr(id.data(), id.size(), ImGui::GetCurrentWindow()->IDStack.back());
  ImGui::PushOverrideID(number);
  touch.pressed = ImGui::InvisibleButton("", {r.w, r.h});
  touch.hovered = ImGui::IsItemHovered();
  touch.held = ImGui::IsItemActive();
  stop(r);
  touch.focused = ImGui::IsItemFocused() && !ImGui::GetCurrentContext()->NavDisableHighlight;
  ImGui::PopID();
  if (touch.hovered) cursor = "pointer";
  if (touch.focused) {
    focused_label = label;
    focus_takes_steps_ = takes_steps;
  }
  return touch;
}

void Ui::stop(const Rect& r) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  if (g.CurrentItemFlags & ImGuiItemFlags_NoNav) return;
  const ImGuiID id = g.LastItemData.ID;
  stops_.push_back({id, r});
  if (!focus_first && coming_stop_ != id) return;
  focus_first = false;
  // Not FocusItem(): its request is dropped when what had the focus comes later in the frame, in another window.
  ImGui::SetFocusID(id, g.CurrentWindow);
  g.NavDisableHighlight = false;
  ImGui::ScrollToRect(g.CurrentWindow, {r.x, r.y, r.right(), r.bottom()}, ImGuiScrollFlags_KeepVisibleEdgeY);
}

void Ui::go(ImGuiDir way) {
  const ImGuiID from_id = next_stop_ ? next_stop_ : ImGui::GetCurrentContext()->NavId;
  const auto from = std::find_if(stops_.begin(), stops_.end(), [&](const Stop& s) { return s.id == from_id; });
  if (from == stops_.end()) {
    focus_first = true;
    return;
  }
  // Turned so that every way is to the right, from edge to edge.
  const auto turned = [&](Rect r) {
    if (way == ImGuiDir_Up || way == ImGuiDir_Down) r = {r.y, r.x, r.h, r.w};
    if (way == ImGuiDir_Up || way == ImGuiDir_Left) r.x = -r.right();
    return r;
  };
  const Rect a = turned(from->rect);
  float least = FLT_MAX;
  for (const Stop& s : stops_) {
    const Rect b = turned(s.rect);
    const float ahead = b.x - a.right();
    if (ahead < -1) continue;
    // What is straight ahead comes before what is beside it; of several at one distance, the one that begins at the same edge.
    const float gap = std::max(b.y - a.bottom(), a.y - b.bottom());
    const float aside = gap < -1 ? 0 : gap + px(20);
    const float cost = ahead + 4 * aside + 0.05f * std::fabs(b.y - a.y);
    if (cost >= least) continue;
    least = cost;
    next_stop_ = s.id;
  }
}

Rect Ui::begin_scroll(const char* id, const Rect& r) {
  ImGui::SetCursorScreenPos({r.x, r.y});
  ImGui::BeginChild(id, {r.w, r.h}, 0, ImGuiWindowFlags_NavFlattened);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float bar = ImGui::GetCurrentWindow()->ScrollbarY ? ImGui::GetStyle().ScrollbarSize + px(6) : 0;
  return {at.x, at.y, r.w - bar, r.h};
}

void Ui::end_scroll(float x, float bottom) {
  ImGui::SetCursorScreenPos({x, bottom - 1});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
}

void Ui::focus_ring(const Rect& r) const {
  const float out = px(2);
  frame({r.x - out, r.y - out, r.w + 2 * out, r.h + 2 * out}, color(Ink::accent), px(4), 2);
}

bool Ui::button(std::string_view id, std::string_view caption, const Rect& r, std::string_view label) {
  const Touch touch = area(id, label.empty() ? caption : label, r);
  frame(r, color(touch.hovered || touch.held ? Ink::accent : Ink::rule), px(3));
  text_center(r, caption, touch.hovered ? Ink::accent : Ink::ink, Face::small);
  if (touch.focused) focus_ring(r);
  return touch.pressed;
}

}  // namespace vramfit::shell
