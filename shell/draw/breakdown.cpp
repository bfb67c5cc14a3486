#include "breakdown.h"

#include <algorithm>

#include "../view/bar_scale.h"

namespace vramfit::shell {
namespace {

constexpr float row_css = 24;  // of the list

// Heights of bars by how many there are, so that eight take little more room than two.
float bar_height(int count) { return count == 1 ? 34.0f : count == 2 ? 24.0f : count <= 4 ? 16.0f : 10.0f; }

float bar_gap(int count) { return count <= 2 ? 10.0f : 5.0f; }

const MethodResult& method_of(const Session& s) { return s.result().method(s.inputs().text(FieldId::method)); }

}  // namespace

void BreakdownView::draw_bars(Ui& ui, const Session& session, Rect& r, Id& pointed) {
  const Breakdown& b = session.words().breakdown;
  const auto& compartments = method_of(session).compartments;
  Range sum;
  for (const Compartment& c : compartments) sum += c.per_gpu;
  const float label_width =
      b.count > 1 ? ui.width(session.text().say("canvas.gpu", {{"number", b.count}}), Face::small) + ui.px(10) : 0;
  const BarScale scale{std::max(b.capacity_bytes, sum.high) * 1.005, r.x + label_width, r.right()};
  const float height = ui.px(bar_height(b.count));
  const float between = ui.px(bar_gap(b.count));

  for (int rank = 0; rank < b.count; ++rank) {
    const Rect row = r.cut_top(height);
    if (b.count > 1)
      ui.text(r.x, row.y + (height - ui.line_height(Face::small)) / 2, session.text().say("canvas.gpu", {{"number", rank + 1}}),
              Ink::quiet, Face::small);
    const float capacity_x = b.capacity_bytes > 0 ? scale.at(b.capacity_bytes) : scale.end;
    const Rect track{scale.begin, row.y, capacity_x - scale.begin, height};
    ui.fill(track, ui.color(Ink::raised), ui.px(2));
    double at = 0;
    Range here;
    for (std::size_t i = 0; i < compartments.size(); ++i) {
      const Compartment& c = compartments[i];
      const double bytes = c.ranks[rank].likely;
      here += c.ranks[rank];
      const float x0 = scale.at(at), x1 = scale.at(at + bytes);
      at += bytes;
      const Rect piece{x0, row.y, std::max(1.0f, x1 - x0 - 1), height};
      const CompartmentRow& words = b.rows[i];
      const std::string id = concat({"bar/", plain_digits(rank + 1), "/", c.id});
      // By keyboard the list below is walked, not every bar.
      ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true);
      const Touch touch =
          ui.area(id, concat({words.label, ": ", words.per_gpu.number, words.per_gpu.gap, words.per_gpu.unit}), piece);
      ImGui::PopItemFlag();
      if (touch.hovered) pointed = c.id;
      if (touch.pressed) selected_ = c.id;
      const Ink ink = compartment_ink(c.id);
      if (c.id == "headroom") {
        ui.fill(piece, ui.color(ink, 0.18f));
        ui.hatch(piece, ui.color(ink));
      } else {
        ui.fill(piece, ui.color(ink));
      }
    }
    ui.frame(track, ui.color(Ink::edge), ui.px(2));
    if (at > b.capacity_bytes && b.capacity_bytes > 0)
      ui.fill({capacity_x - ui.px(1), row.y - ui.px(2), ui.px(3), height + ui.px(4)}, ui.color(Ink::bad));
    // How far the total may lie to either side.
    const float x0 = scale.at(here.low), x1 = scale.at(here.high);
    if (x1 - x0 > ui.px(7)) {
      const float y = row.y + height / 2, cap = std::min(height / 2 - ui.px(1), ui.px(6));
      for (const bool halo : {true, false}) {
        const ImU32 c = ui.color(halo ? Ink::surface : Ink::ink);
        const float t = halo ? 4 : 1.5f;
        ui.line(x0, y, x1, y, c, t);
        ui.line(x0, y - cap, x0, y + cap, c, t);
        ui.line(x1, y - cap, x1, y + cap, c, t);
      }
    }
    r.cut_top(between);
  }

  // The scale, with the card's own size in it.
  const Rect axis = r.cut_top(ui.line_height(Face::small) + ui.px(2));
  const Figure capacity = session.text().numbers.bytes(b.capacity_bytes, session.unit());
  const float capacity_x = scale.at(b.capacity_bytes);
  const float capacity_width = b.capacity_bytes > 0 ? ui.width(capacity.text(), Face::small) : 0;
  const float capacity_left = std::min(capacity_x - capacity_width / 2, scale.end - capacity_width);
  for (const double bytes :
       linear_ticks(scale.full_bytes, session.shown_unit_bytes(), static_cast<int>(axis.w / ui.px(110)) + 2)) {
    const float x = scale.at(bytes);
    const std::string words = bytes == 0 ? "0" : session.text().numbers.bytes(bytes, session.unit()).text();
    const float w = ui.width(words, Face::small);
    const float left = std::clamp(x - w / 2, scale.begin, scale.end - w);
    if (b.capacity_bytes > 0 && left + w + ui.px(8) > capacity_left && left < capacity_left + capacity_width + ui.px(8)) continue;
    ui.line(x, axis.y - ui.px(2), x, axis.y + ui.px(2), ui.color(Ink::edge));
    ui.text(left, axis.y + ui.px(2), words, Ink::quiet, Face::small);
  }
  if (b.capacity_bytes > 0) {
    ui.line(capacity_x, axis.y - ui.px(4), capacity_x, axis.y + ui.px(2), ui.color(Ink::ink));
    ui.text(capacity_left, axis.y + ui.px(2), capacity.text(), Ink::ink, Face::small);
  }
}

float BreakdownView::draw_list(Ui& ui, const Session& session, Rect r, Id& pointed) {
  const float row_height = std::max(ui.px(row_css), ui.line_height(Face::body));
  const float top = r.y;
  for (const CompartmentRow& row : session.words().breakdown.rows) {
    const Rect at = r.cut_top(row_height);
    const Touch touch = ui.area(concat({"compartment/", row.id}),
                                concat({row.label, ": ", row.per_gpu.number, row.per_gpu.gap, row.per_gpu.unit}), at);
    if (touch.hovered || touch.focused) pointed = row.id;
    if (touch.pressed) selected_ = row.id;
    if (selected_ == row.id) ui.fill(at, ui.color(Ink::raised), ui.px(3));
    const float y = at.y + (row_height - ui.line_height(Face::body)) / 2;
    const float mark = ui.px(11);
    const Rect swatch{at.x + ui.px(4), at.y + (row_height - mark) / 2, mark, mark};
    const Ink ink = compartment_ink(row.id);
    ui.fill(swatch, ui.color(ink, row.id == "headroom" ? 0.18f : 1));
    if (row.id == "headroom") ui.hatch(swatch, ui.color(ink));
    const float share_right = at.right() - ui.px(6);
    const float figure_right = share_right - ui.px(46);
    const float small_y = at.y + (row_height - ui.line_height(Face::small)) / 2;
    ui.text_right(share_right, small_y, row.share, Ink::quiet, Face::small);
    ui.text_right(figure_right, y, row.per_gpu.text(), Ink::ink, Face::strong);
    const float label_x = swatch.right() + ui.px(8);
    const float figure_left = figure_right - ui.width(row.per_gpu.text(), Face::strong) - ui.px(10);
    const float used = ui.text_fitted(label_x, y, figure_left - label_x, row.label);
    // The range where there is room for it.
    if (!row.range.empty() && label_x + used + ui.px(10) + ui.width(row.range, Face::small) < figure_left)
      ui.text_right(figure_left, small_y, row.range, Ink::quiet, Face::small);
    if (touch.focused) ui.focus_ring(at);
  }
  return r.y - top;
}

float BreakdownView::draw_terms(Ui& ui, const CompartmentRow& row, const Rect& r, bool draw) const {
  float y = r.y;
  if (draw) ui.text(r.x, y, row.label, Ink::ink, Face::strong);
  if (draw) ui.text_right(r.right(), y, row.per_gpu.text(), Ink::ink, Face::strong);
  y += ui.line_height(Face::strong);
  if (!row.range.empty()) y += ui.paragraph(r.x, y, r.w, row.range, Ink::quiet, Face::small, draw);
  std::string said;
  for (const TermLine& term : row.terms) {
    y += ui.px(4);
    const std::string arithmetic = concat({term.text, " = ", term.bytes.number, term.bytes.gap, term.bytes.unit});
    if (ui.recording) said += concat({arithmetic, "; "});
    y += ui.paragraph(r.x, y, r.w, arithmetic, Ink::ink, Face::small, draw);
    y += ui.paragraph(r.x, y, r.w, term.source, Ink::quiet, Face::small, draw);
  }
  if (draw) ui.note(concat({"terms/", row.id}), said, {r.x, r.y, r.w, y - r.y});
  return y - r.y;
}

void BreakdownView::draw(Ui& ui, const Session& session, Rect r) {
  const Breakdown& b = session.words().breakdown;
  if (b.rows.empty()) return;
  r = ui.begin_scroll("breakdown", r);
  const float top = r.y;
  const Rect title = r.cut_top(ui.line_height(Face::strong));
  const std::string free =
      b.free ? concat({session.text().say("page.free"), " ", b.free->figure.text(), " (", b.free->share, ")"}) : "";
  const float free_width = free.empty() ? 0 : ui.width(free) + ui.px(16);
  const bool free_beside = ui.width(b.title, Face::strong) + free_width < title.w;
  ui.text_fitted(title.x, title.y, title.w - (free_beside ? free_width : 0), b.title, Ink::ink, Face::strong);
  if (free_beside) ui.text_right(title.right(), title.y, free, Ink::quiet);
  else if (!free.empty()) ui.text(title.x, r.cut_top(ui.line_height(Face::body)).y, free, Ink::quiet);
  r.cut_top(ui.px(8));

  Id pointed;
  draw_bars(ui, session, r, pointed);
  for (const std::string& remark : {b.incomplete, b.split})
    if (!remark.empty()) r.cut_top(ui.paragraph(r.x, r.y, r.w, remark, Ink::quiet, Face::small));
  r.cut_top(ui.px(10));

  const bool known = std::any_of(b.rows.begin(), b.rows.end(), [&](const CompartmentRow& row) { return row.id == selected_; });
  if (!known) selected_ = b.rows.front().id;
  Rect list = r;
  Rect terms = r;
  const bool beside = r.w > ui.px(620);
  if (beside) {
    list = terms.cut_left(r.w * 0.5f);
    terms.cut_left(ui.px(28));
  }
  float height = draw_list(ui, session, list, pointed);
  if (!beside) terms.cut_top(height + ui.px(12));
  // The room is that of the longest arithmetic, so that nothing moves when another is pointed at.
  float longest = 0;
  for (const CompartmentRow& row : b.rows) {
    const bool draw = row.id == (pointed.empty() ? Id(selected_) : pointed);
    longest = std::max(longest, draw_terms(ui, row, terms, draw));
  }
  height = beside ? std::max(height, longest) : height + ui.px(12) + longest;
  wanted_height_ = r.y + height + ui.px(4) - top;
  ui.end_scroll(r.x, top + wanted_height_);
}

}  // namespace vramfit::shell
