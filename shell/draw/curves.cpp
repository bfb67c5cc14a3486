#include "curves.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "../text/limits.h"

namespace vramfit::shell {
namespace {

std::string card_text(const Session& session, const WhatIfCard& card) {
  return concat({session.names().counted(card.count, card.gpu), ", ",
                 session.text().numbers.bytes(card.capacity_bytes, session.unit()).text()});
}

// "4,096 tokens: 84 GB"
std::string value_text(const Session& session, FieldId id, double value, double bytes) {
  return concat({amount_text(id, value, session.text()), ": ", session.text().numbers.bytes(bytes, session.unit()).text()});
}

// A cache format's id as it is written in capitals: BF16, Q8_0. Its whole name would not fit beside a line.
std::string short_format(Id kv) {
  std::string out(kv);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

struct Labels {
  const Ui& ui;
  Rect bounds;
  std::vector<Rect> taken;

  bool free(const Rect& r) const {
    if (r.x < bounds.x || r.right() > bounds.right() || r.y < bounds.y || r.bottom() > bounds.bottom()) return false;
    return std::none_of(taken.begin(), taken.end(), [&](const Rect& t) {
      return r.x < t.right() && t.x < r.right() && r.y < t.bottom() && t.y < r.bottom();
    });
  }
  // Beside the point where there is room: above left, above right, below right, below left; then further off, with a line to it.
  bool place(float x, float y, std::string_view words, Ink ink, Face face) {
    const float w = ui.width(words, face) + ui.px(6), h = ui.line_height(face), off = ui.px(6);
    for (int away = 0; away < 5; ++away) {
      const float above = y - h - off / 2 - h * static_cast<float>(away), below = y + off / 2 + h * static_cast<float>(away);
      for (const Point& corner : {Point{x - w - off, above}, {x + off, above}, {x + off, below}, {x - w - off, below}}) {
        const Rect r{corner.x, corner.y, w, h};
        if (!free(r)) continue;
        if (away > 0) ui.line(x, y, corner.x < x ? r.right() : r.x, r.y + h / 2, ui.color(Ink::edge));
        put(r, words, ink, face);
        return true;
      }
    }
    return false;
  }
  void put(const Rect& r, std::string_view words, Ink ink, Face face) {
    taken.push_back(r);
    ui.fill(r, ui.color(Ink::surface, 0.85f), ui.px(2));
    ui.text(r.x + ui.px(3), r.y, words, ink, face);
  }
};

// Whole, or with `dash` in dashes of that length, which go on across the corners.
void polyline(const Ui& ui, std::span<const Point> points, ImU32 c, float thickness, float dash) {
  if (dash == 0) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const Point& at : points) list.PathLineTo({at.x, at.y});
    return list.PathStroke(c, 0, thickness * ui.scale);
  }
  const float step = ui.px(dash);
  float left = step;
  bool drawn = true;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Point &a = points[i - 1], &b = points[i];
    const float dx = b.x - a.x, dy = b.y - a.y;
    const float length = std::sqrt(dx * dx + dy * dy);
    for (float at = 0; at < length;) {
      const float to = std::min(at + left, length);
      if (drawn)
        ui.line(a.x + dx * at / length, a.y + dy * at / length, a.x + dx * to / length, a.y + dy * to / length, c, thickness);
      left -= to - at;
      at = to;
      if (left > 0.01f) continue;  // less would be lost in rounding, for ever
      left = step;
      drawn = !drawn;
    }
  }
}

}  // namespace

void CurvesView::draw_plot(Ui& ui, Session& session, const WhatIfAxis& axis, const Rect& r) {
  const Text& t = session.text();
  const WhatIf& what_if = session.what_if();
  const float small = ui.line_height(Face::small);
  const double unit = session.shown_unit_bytes();

  Rect plot = r;
  const Rect below = plot.cut_bottom(small + ui.px(4));
  plot.cut_left(ui.px(40));
  plot.cut_right(ui.px(6));
  const int frame = ImGui::GetFrameCount();
  const bool dragged = drag_ && drag_->field == axis.field && drag_->frame == frame - 1;
  const LogAxis across = dragged ? drag_->across : across_of(axis, plot.x, plot.right());
  const CurvePicture p = picture_of(what_if, axis, across, plot.y, plot.bottom());
  if (p.lines.empty()) return;

  // Grid and scales.
  const LogAxis in_units{p.up.from / unit, p.up.to / unit, p.up.begin, p.up.end};
  for (const double tick : decimal_ticks(in_units, ui.px(15))) {
    const float y = std::floor(in_units.at(tick));
    ui.line(plot.x, y, plot.right(), y, ui.color(Ink::rule));
    ui.text_right(plot.x - ui.px(6), y - small / 2, t.numbers.number(tick, 1), Ink::quiet, Face::small);
  }
  const bool tokens = axis.field == FieldId::context;
  const auto ticks = tokens ? token_ticks(p.across, static_cast<int>(plot.w / ui.px(44)))
                            : count_ticks(p.across, static_cast<int>(plot.w / ui.px(44)));
  for (const Tick& tick : ticks) {
    const float x = std::floor(p.across.at(tick.value));
    ui.line(x, plot.y, x, plot.bottom(), ui.color(Ink::rule, 0.6f));
    const float w = ui.width(tick.text, Face::small);
    ui.text(std::clamp(x - w / 2, plot.x, plot.right() - w), below.y + ui.px(3), tick.text, Ink::quiet, Face::small);
  }
  ui.line(plot.x, plot.bottom(), plot.right(), plot.bottom(), ui.color(Ink::edge));

  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect({plot.x, plot.y}, {plot.right(), plot.bottom()}, true);
  for (std::size_t k = 1; k < p.low.size(); ++k) {
    const ImVec2 quad[] = {{p.low[k - 1].x, p.low[k - 1].y},
                           {p.high[k - 1].x, p.high[k - 1].y},
                           {p.high[k].x, p.high[k].y},
                           {p.low[k].x, p.low[k].y}};
    list.AddConvexPolyFilled(quad, 4, ui.color(Ink::accent, 0.14f));
  }
  for (std::size_t c = 0; c < p.capacity_y.size(); ++c) {
    const Point ends[] = {{plot.x, p.capacity_y[c]}, {plot.right(), p.capacity_y[c]}};
    polyline(ui, ends, ui.color(c == 0 ? Ink::bad : Ink::edge), c == 0 ? 1.5f : 1, 5);
  }
  for (int i = 0; i < static_cast<int>(p.lines.size()); ++i)
    if (i != p.chosen_line) polyline(ui, p.lines[i], ui.color(Ink::quiet), 1.3f, 5);
  polyline(ui, p.lines[p.chosen_line], ui.color(Ink::accent), 2.4f, 0);
  list.PopClipRect();
  ui.line(p.current.x, plot.y, p.current.x, plot.bottom(), ui.color(Ink::accent, 0.5f));

  Labels labels{ui, plot, {}};
  // Handle, crossings and chosen line keep clear of labels.
  labels.taken.push_back({p.current.x - ui.px(9), p.current.y - ui.px(9), ui.px(18), ui.px(18)});
  const auto radius_of = [&](const Crossing& c) { return ui.px(c.line == p.chosen_line ? 4 : 3); };
  const float rim = ui.px(1.5f);
  for (const Crossing& c : p.crossings) {
    const float radius = radius_of(c) + rim;
    labels.taken.push_back({c.at.x - radius, c.at.y - radius, 2 * radius, 2 * radius});
  }
  const std::size_t without_line = labels.taken.size();
  const std::vector<Point>& chosen_line = p.lines[p.chosen_line];
  for (std::size_t i = 1; i < chosen_line.size(); ++i) {
    const Point &a = chosen_line[i - 1], &b = chosen_line[i];
    labels.taken.push_back({a.x, std::min(a.y, b.y) - 1, b.x - a.x, std::fabs(b.y - a.y) + 2});
  }
  for (const Crossing& c : p.crossings)
    if (c.line == p.chosen_line) labels.place(c.at.x, c.at.y, limit_text(axis.field, c.value, c.tight, t), Ink::ink, Face::small);
  for (std::size_t c = 0; c < p.capacity_y.size(); ++c) {
    const std::string words = card_text(session, what_if.cards[c]);
    const float w = ui.width(words, Face::small) + ui.px(6);
    const float above = p.capacity_y[c] - small - ui.px(1), below_it = p.capacity_y[c] + ui.px(2);
    const float left = plot.x + ui.px(4), right = plot.right() - w - ui.px(4);
    for (const Point& corner : {Point{left, above}, {left, below_it}, {right, above}, {right, below_it}}) {
      const Rect at{corner.x, corner.y, w, small};
      if (!labels.free(at)) continue;
      labels.put(at, words, c == 0 ? Ink::bad : Ink::quiet, Face::small);
      break;
    }
  }
  for (const Crossing& c : p.crossings) {
    list.AddCircleFilled({c.at.x, c.at.y}, radius_of(c) + rim, ui.color(Ink::surface));
    list.AddCircleFilled({c.at.x, c.at.y}, radius_of(c), ui.color(c.line == p.chosen_line ? Ink::ink : Ink::quiet));
  }
  // Its own label may lie on a line's end.
  labels.taken.erase(labels.taken.begin() + without_line, labels.taken.begin() + without_line + chosen_line.size() - 1);
  if (p.lines.size() > 1)
    for (int i = 0; i < static_cast<int>(p.lines.size()); ++i) {
      const std::string words = short_format(axis.lines[i].kv);
      const Point& end = p.lines[i].back();
      labels.place(end.x, std::clamp(end.y, plot.y + small, plot.bottom() - ui.px(2)), words,
                   i == p.chosen_line ? Ink::accent : Ink::quiet, Face::small);
    }

  // The input, and what drags it.
  const std::string label = concat({field_label(field(axis.field), t), ": ", amount_text(axis.field, axis.value, t)});
  const std::string id = concat({"curve/", field(axis.field).key});
  const Touch touch = ui.area(id, label, plot, true);
  if (touch.hovered) ui.cursor = "ew-resize";
  const float mouse_x = ImGui::GetIO().MousePos.x;
  if (touch.held && ImGui::IsMouseDown(0)) {
    session.enter(axis.field, value_meant(p, mouse_x, ui.px(6)), false);
    drag_ = Drag{axis.field, frame, across};
  } else if (dragged) {
    session.enter(axis.field, axis.value, true);
    drag_.reset();
  }
  if (touch.focused && ui.steps != 0) {
    const Field& f = field(axis.field);
    session.enter(axis.field, stepped(axis.value, ui.steps, f.minimum, f.maximum), true);
    ui.steps = 0;
  }
  list.AddCircleFilled({p.current.x, p.current.y}, ui.px(7), ui.color(Ink::surface));
  list.AddCircleFilled({p.current.x, p.current.y}, ui.px(5.5f), ui.color(Ink::accent));
  if (touch.hovered && !touch.held && mouse_x >= plot.x) {
    const double value = value_meant(p, mouse_x, ui.px(6));
    const float x = p.across.at(value);
    const double bytes = need_at(axis, axis.lines[p.chosen_line], value);
    ui.line(x, plot.y, x, plot.bottom(), ui.color(Ink::ink, 0.4f));
    labels.place(x, p.up.at(bytes), value_text(session, axis.field, value, bytes), Ink::ink, Face::small);
  }
  if (touch.focused) ui.focus_ring(plot);
}

void CurvesView::draw_axis(Ui& ui, Session& session, const WhatIfAxis& axis, Rect r) {
  const Text& t = session.text();
  const Rect head = r.cut_top(std::max(ui.px(28), ui.line_height(Face::strong)));
  const float y = head.y + (head.h - ui.line_height(Face::strong)) / 2;
  const auto chosen = std::find_if(axis.lines.begin(), axis.lines.end(), [](const WhatIfLine& line) { return line.chosen; });
  const double bytes = need_at(axis, chosen == axis.lines.end() ? axis.lines.front() : *chosen, axis.value);
  Rect buttons = head;
  const Field& f = field(axis.field);
  const std::string name = field_label(f, t);
  const Rect more = buttons.cut_right(ui.px(28));
  buttons.cut_right(ui.px(4));
  const Rect less = buttons.cut_right(ui.px(28));
  const auto step = [&](int by) { session.enter(axis.field, stepped(axis.value, by, f.minimum, f.maximum), true); };
  if (ui.button(concat({f.key, "/less"}), "−", less, t.say("canvas.less", {{"field", name}}))) step(-1);
  if (ui.button(concat({f.key, "/more"}), "+", more, t.say("canvas.more", {{"field", name}}))) step(1);
  buttons.cut_right(ui.px(10));
  const std::string now = value_text(session, axis.field, axis.value, bytes);
  const float now_width = ui.width(now);
  const bool both = now_width + ui.px(16) + ui.width(name, Face::strong) < buttons.w;
  if (both) ui.text(head.x, y, name, Ink::ink, Face::strong);
  if (both) ui.text_right(buttons.right(), y, now, Ink::accent);
  else ui.text_fitted(head.x, y, buttons.w, now, Ink::accent);
  r.cut_top(ui.px(6));
  draw_plot(ui, session, axis, r);
}

void CurvesView::draw(Ui& ui, Session& session, Rect r) {
  const WhatIf& what_if = session.what_if();
  if (what_if.axes.empty() || what_if.cards.empty()) return;
  if (!what_if.missing.empty() && !session.words().breakdown.incomplete.empty()) {
    const float height = ui.paragraph(r.x, r.y, r.w, session.words().breakdown.incomplete, Ink::quiet, Face::small);
    r.cut_top(height + ui.px(6));
  }
  const float each = (r.h - ui.px(14) * static_cast<float>(what_if.axes.size() - 1)) / static_cast<float>(what_if.axes.size());
  for (const WhatIfAxis& axis : what_if.axes) {
    if (axis.lines.empty()) continue;
    draw_axis(ui, session, axis, r.cut_top(each));
    r.cut_top(ui.px(14));
  }
}

}  // namespace vramfit::shell
