#include "fit_view.h"

#include <algorithm>

namespace vramfit::shell {
namespace {

constexpr Id sort_ids[] = {"fit", "headroom", "cost", "memory"};
constexpr Id filter_ids[] = {"filter/vendor", "filter/form", "filter/memory", "filter/verdict"};
constexpr Id filter_labels[] = {"page.fit.vendor", "page.fit.kind", "page.fit.memory", "page.fit.verdict"};

std::string choice_text(FilterBy by, const std::string& choice, const Text& t) {
  if (choice.empty()) return t.say("page.fit.any");
  switch (by) {
    case FilterBy::vendor: return t.word("vendor.", choice);
    case FilterBy::form: return t.word("form.", choice);
    case FilterBy::verdict: return t.say(choice == "tight" ? "page.fit.or_tight" : "verdict.fits");
    case FilterBy::memory: break;
  }
  double gb = 0;
  parse_number(FieldKind::number, choice, gb);
  return t.say("page.fit.at_least", {{"memory", t.numbers.bytes(gb * bytes_per_gb, ByteUnit::gb)}});
}

void cross(const Ui& ui, float x, float y, float half, ImU32 c) {
  ui.line(x - half, y - half, x + half, y + half, c, 1.2f);
  ui.line(x - half, y + half, x + half, y - half, c, 1.2f);
}

// A tick, two waves or a cross: the verdict without its colour.
void verdict_mark(const Ui& ui, float x, float y, Verdict verdict, ImU32 c) {
  const float h = ui.px(3);
  switch (verdict) {
    case Verdict::fits:
      ui.line(x - h, y, x - h / 3, y + h * 0.8f, c, 1.6f);
      ui.line(x - h / 3, y + h * 0.8f, x + h, y - h, c, 1.6f);
      break;
    case Verdict::tight:
      for (const float dy : {-h * 0.55f, h * 0.55f}) {
        ui.line(x - h, y + dy + h * 0.3f, x - h * 0.3f, y + dy - h * 0.3f, c, 1.3f);
        ui.line(x - h * 0.3f, y + dy - h * 0.3f, x + h * 0.3f, y + dy + h * 0.3f, c, 1.3f);
        ui.line(x + h * 0.3f, y + dy + h * 0.3f, x + h, y + dy - h * 0.3f, c, 1.3f);
      }
      break;
    case Verdict::does_not_fit: cross(ui, x, y, h * 0.8f, c); break;
    case Verdict::unusable: break;
  }
}

}  // namespace

FitView::Columns FitView::columns(const Ui& ui, const Rect& row) const {
  Columns c{};
  c.stacked = row.w < ui.px(510);
  Rect r = row;
  if (c.stacked) {
    Rect upper = r.cut_top(row.h / 2);
    c.cost = upper.cut_right(ui.px(84));
    c.memory = upper.cut_right(ui.px(84));
    c.name = upper;
    c.counts = r.cut_left(std::min(ui.px(8 * 27), r.w * 0.68f));
    r.cut_left(ui.px(8));
    c.room = r;
    return c;
  }
  const bool roomy = row.w >= ui.px(620);
  c.cost = r.cut_right(ui.px(roomy ? 84 : 70));
  c.room = r.cut_right(ui.px(roomy ? 108 : 92));
  c.counts = r.cut_right(ui.px(roomy ? 8 * 27 + 8 : 8 * 25 + 6));
  // Where it is narrow the memory goes below the name.
  if (roomy) c.memory = r.cut_right(ui.px(72));
  c.name = r;
  return c;
}

void FitView::draw_filters(Ui& ui, const Session& session, Rect& r) {
  const Text& t = session.text();
  const float height = ui.px(30), gap = ui.px(8);
  const int columns = std::clamp(static_cast<int>(r.w / ui.px(146)), 1, 5);
  const float width = (r.w - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  int cell = 0;
  Rect line{};
  // The sort order, then the filters that have something to offer.
  for (int f = -1; f < num_filters; ++f) {
    const auto by = static_cast<FilterBy>(f);
    if (f >= 0 && choices_[f].empty()) continue;
    if (cell % columns == 0) {
      if (cell > 0) r.cut_top(gap);
      line = r.cut_top(height);
    }
    const Rect at{line.x + static_cast<float>(cell % columns) * (width + gap), line.y, width, height};
    ++cell;
    const auto text_of = [&](const std::string& choice) {
      return f < 0 ? t.word("page.fit.sort.", choice) : choice_text(by, choice, t);
    };
    const std::string now = f < 0 ? std::string(sort_ids[static_cast<int>(sort_)]) : filter_.of[f];
    const std::string shown = concat({t.say(f < 0 ? "page.fit.sort" : filter_labels[f]), ": ", text_of(now)});
    const int chosen = ui.combo(f < 0 ? "sort" : filter_ids[f], "", shown, at, [&](auto& options) {
      const auto add = [&](const std::string& choice) { options.push_back({choice, text_of(choice), "", ""}); };
      if (f < 0) std::for_each(std::begin(sort_ids), std::end(sort_ids), [&](Id id) { add(std::string(id)); });
      else add(""), std::for_each(choices_[f].begin(), choices_[f].end(), add);
    });
    if (chosen < 0) continue;
    first_row_ = 0;
    stale_ = true;
    if (f >= 0) {
      filter_.of[f] = ui.combo_option(chosen);
    } else {
      sort_ = static_cast<SortBy>(chosen);
      reversed_ = false;
    }
  }
  r.cut_top(ui.px(6));
}

void FitView::draw_head(Ui& ui, const Session& session, const Rect& r) {
  const Text& t = session.text();
  const Columns c = columns(ui, r);
  const auto head = [&](const Rect& at, Id label_key, int sort, bool right) {
    const std::string label = t.say(label_key);
    const float y = at.y + (at.h - ui.line_height(Face::small)) / 2;
    if (sort < 0) {
      ui.text_fitted(at.x, y, at.w, label, Ink::quiet, Face::small);
      return;
    }
    const bool used = sort == static_cast<int>(sort_);
    const Touch touch = ui.area(concat({"sort/", sort_ids[sort]}),
                                concat({t.say("page.fit.sort"), ": ", t.word("page.fit.sort.", sort_ids[sort])}), at);
    if (touch.pressed) {
      reversed_ = used && !reversed_;
      sort_ = static_cast<SortBy>(sort);
      first_row_ = 0;
      stale_ = true;
    }
    const Ink ink = touch.hovered ? Ink::accent : used ? Ink::ink : Ink::quiet;
    const float mark = used ? ui.px(14) : 0;
    if (right) ui.text_right(at.right() - mark, y, label, ink, Face::small);
    else ui.text_fitted(at.x, y, at.w - mark, label, ink, Face::small);
    if (used)
      ui.caret(right ? at.right() - ui.px(5) : at.x + std::min(at.w - mark, ui.width(label, Face::small)) + ui.px(9),
               at.y + at.h / 2, reversed_, ui.color(ink));
    if (touch.focused) ui.focus_ring(at);
  };
  head(c.name, "page.fit.gpu", -1, false);
  if (c.memory.w > 0) head(c.memory, "page.fit.memory", static_cast<int>(SortBy::memory), false);
  head(c.counts, "page.fit.counts", static_cast<int>(SortBy::fit), false);
  head(c.room, "canvas.free", static_cast<int>(SortBy::headroom), true);
  head(c.cost, "canvas.per_hour", static_cast<int>(SortBy::cost), true);
  ui.line(r.x, r.bottom(), r.right(), r.bottom(), ui.color(Ink::rule));
}

void FitView::draw_chip(Ui& ui, Session& session, const GpuRow& row, int count, const Rect& r, std::string& remark) {
  const CountCell& cell = row.counts[count - 1];
  const bool usable = cell.verdict != Verdict::unusable;
  const char digit[2] = {static_cast<char>('0' + count), 0};
  const std::string id = concat({gpus()[row.gpu].id, "/", digit});
  const std::string label = count_label(session.words().fit, row, count, session.text());
  const Touch touch = ui.area(id, label, r);
  if (touch.hovered || touch.focused) remark = label;
  if (touch.pressed && usable) session.pick(row.gpu, count);
  const Ink own = cell.verdict == Verdict::fits ? Ink::accent : cell.verdict == Verdict::tight ? Ink::warn : Ink::quiet;
  const bool filled = cell.chosen;
  if (filled) ui.fill(r, ui.color(own), ui.px(3));
  else if (usable)
    ui.frame(r, ui.color(cell.verdict == Verdict::does_not_fit ? Ink::rule : own, touch.hovered ? 1 : 0.75f), ui.px(3));
  const Ink ink = filled ? (cell.verdict == Verdict::fits ? Ink::on_accent : Ink::surface) : own;
  const float w = ui.width(digit, Face::small);
  const float y = r.y + (r.h - ui.line_height(Face::small)) / 2;
  const float x = usable ? r.x + (r.w - w) / 2 - ui.px(4) : r.x + (r.w - w) / 2;
  ui.text(x, y, digit, ink, Face::small);
  if (usable) verdict_mark(ui, x + w + ui.px(5), r.y + r.h / 2, cell.verdict, ui.color(ink));
  else ui.line(x - ui.px(3), r.y + r.h / 2, x + w + ui.px(3), r.y + r.h / 2, ui.color(ink));
  if (touch.focused) ui.focus_ring(r);
}

void FitView::draw_row(Ui& ui, Session& session, const GpuRow& row, const Rect& r, std::string& remark) {
  const Text& t = session.text();
  const Columns c = columns(ui, r);
  const bool chosen = session.result().chosen.gpu == row.gpu;
  if (chosen) ui.fill({r.x, r.y + 1, r.w, r.h - 1}, ui.color(Ink::raised));
  const Id id = gpus()[row.gpu].id;
  const std::string label =
      concat({row.name, ", ", row.marketed, ", ", row.smallest ? row.smallest->gpus : "", row.smallest ? ": " : "",
              row.smallest ? t.word("verdict.", verdict_id(row.smallest->verdict)) : t.say("page.fit.nothing")});
  const Touch touch = ui.area(concat({"gpu/", id}), label, c.name);
  if (touch.hovered || touch.focused) remark = concat({row.name, ", ", row.marketed, ", ", row.usable});
  if (touch.pressed) session.choose(FieldId::gpu, id);
  const bool holds = row.smallest.has_value();
  const Ink ink = touch.hovered ? Ink::accent : holds ? Ink::ink : Ink::quiet;
  const float body = ui.line_height(Face::strong), small = ui.line_height(Face::small);
  const std::string memory = t.numbers.bytes(gpus()[row.gpu].marketed.bytes(), ByteUnit::gb).text();
  Rect name = c.name.inset(c.stacked ? 0 : ui.px(6), 0);
  if (c.stacked) name.cut_right(ui.px(6));
  const std::string& shown = ui.width(row.name, Face::strong) > name.w ? row.short_name : row.name;
  if (c.stacked) {
    ui.text_fitted(name.x, name.y + (name.h - body) / 2, name.w, shown, ink, Face::strong);
  } else {
    const float top = name.y + (name.h - body - small) / 2;
    ui.text_fitted(name.x, top, name.w, shown, ink, Face::strong);
    ui.text_fitted(name.x, top + body, name.w, c.memory.w > 0 ? row.form : concat({memory, ", ", row.form}), Ink::quiet,
                   Face::small);
  }
  const auto middle = [&](const Rect& at, float height) { return at.y + (at.h - height) / 2; };
  if (c.memory.w > 0) ui.text(c.memory.x, middle(c.memory, small), memory, Ink::quiet, Face::small);

  const float step = c.counts.w / max_gpu_count;
  const float chip = std::min(step - ui.px(2), ui.px(26));
  const float chip_height = std::min(c.counts.h - ui.px(4), ui.px(26));
  for (int n = 1; n <= max_gpu_count; ++n)
    draw_chip(ui, session, row, n,
              {c.counts.x + step * static_cast<float>(n - 1), middle(c.counts, chip_height), chip, chip_height}, remark);

  const std::string room = !holds                                                                  ? t.say("page.fit.nothing")
                           : row.smallest->room.empty() || row.smallest->verdict == Verdict::tight ? t.say("verdict.tight")
                                                                                                   : row.smallest->room.text();
  const std::string of = holds && row.smallest->verdict == Verdict::fits && !row.smallest->room.empty() ? row.smallest->gpus : "";
  const Ink room_ink = !holds ? Ink::quiet : row.smallest->verdict == Verdict::tight ? Ink::warn : Ink::ink;
  const auto right = [&](const Rect& at, float y, std::string_view words, Ink with, Face face) {
    const float left = at.x + ui.px(6);
    if (ui.width(words, face) > at.right() - left) ui.text_fitted(left, y, at.right() - left, words, with, face);
    else ui.text_right(at.right(), y, words, with, face);
  };
  if (c.stacked || of.empty()) {
    right(c.room, middle(c.room, small), room, room_ink, Face::small);
  } else {
    right(c.room, middle(c.room, small + body), room, room_ink, Face::body);
    right(c.room, middle(c.room, small + body) + body, of, Ink::quiet, Face::small);
  }
  const std::string cost = holds ? row.smallest->cost.text() : "";
  ui.text_right(c.cost.right(), middle(c.cost, small), cost, Ink::ink, Face::small);
  ui.line(r.x, r.bottom(), r.right(), r.bottom(), ui.color(Ink::rule));
  if (touch.focused) ui.focus_ring(c.name);
}

void FitView::draw_foot(Ui& ui, const Session& session, Rect r, int shown, int rows_a_page, const std::string& remark) {
  const Text& t = session.text();
  const int pages_end = std::min(first_row_ + rows_a_page, shown);
  if (shown > rows_a_page) {
    Rect pager = r.cut_right(ui.px(64));
    pager = {pager.x, pager.y + ui.px(4), pager.w, ui.px(28)};
    const Rect next = pager.cut_right(ui.px(28));
    pager.cut_right(ui.px(6));
    const Rect previous = pager.cut_right(ui.px(28));
    if (ui.button("page/previous", "", previous, t.say("canvas.previous"))) first_row_ -= rows_a_page;
    if (ui.button("page/next", "", next, t.say("canvas.next"))) first_row_ += rows_a_page;
    ui.caret(previous.x + previous.w / 2, previous.y + previous.h / 2, true, ui.color(first_row_ > 0 ? Ink::ink : Ink::rule));
    ui.caret(next.x + next.w / 2, next.y + next.h / 2, false, ui.color(pages_end < shown ? Ink::ink : Ink::rule));
  }
  const std::string span = shown == 0 ? t.say("page.fit.empty")
                                      : t.say("canvas.rows", {{"from", t.numbers.number(first_row_ + 1)},
                                                              {"to", t.numbers.number(pages_end)},
                                                              {"count", t.numbers.number(shown), double(shown)}});
  const float span_width = ui.width(span, Face::small);
  Rect words = r;
  if (shown > 0) {
    ui.text_right(r.right() - ui.px(8), r.y + ui.px(8), span, Ink::quiet, Face::small);
    words.cut_right(span_width + ui.px(20));
  } else {
    ui.text(r.x, r.y + ui.px(8), span, Ink::quiet, Face::small);
    ui.note("fit/empty", span, r);
    return;
  }
  float y = words.y + ui.px(8);
  if (!remark.empty()) {
    ui.note("fit/remark", remark, words);
    ui.paragraph(words.x, y, words.w, remark, Ink::ink, Face::small);
    return;
  }
  for (const std::string& note : session.words().fit.layout_notes) {
    if (y + ui.line_height(Face::small) > r.bottom()) break;
    y += ui.paragraph(words.x, y, words.w, note, Ink::quiet, Face::small);
  }
}

void FitView::draw(Ui& ui, Session& session, Rect r) {
  const FitTable& table = session.words().fit;
  if (table.rows.empty()) return;
  if (stale_ || session.revision() != revision_) {
    for (int f = 0; f < num_filters; ++f) choices_[f] = filter_choices(table, static_cast<FilterBy>(f), filter_.of[f]);
    order_ = shown_rows(table, sort_, reversed_, filter_);
    revision_ = session.revision();
    stale_ = false;
  }
  draw_filters(ui, session, r);
  const bool stacked = columns(ui, r).stacked;
  if (!stacked) draw_head(ui, session, r.cut_top(ui.px(30)));
  const float row_height = ui.px(stacked ? 58 : 46);
  Rect foot = r.cut_bottom(std::min(r.h, ui.px(48)));
  const int shown = static_cast<int>(order_.size());
  const int rows_a_page = std::max(1, static_cast<int>(r.h / row_height));

  const bool over = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({r.x, r.y}, {r.right(), r.bottom()});
  if (over) wheel_ += ImGui::GetIO().MouseWheel * 2;
  first_row_ -= static_cast<int>(wheel_);
  wheel_ -= static_cast<float>(static_cast<int>(wheel_));
  if (const int chosen = session.result().chosen.gpu; chosen != chosen_gpu_) {
    chosen_gpu_ = chosen;
    for (int i = 0; i < shown; ++i)
      if (table.rows[order_[i]].gpu == chosen && (i < first_row_ || i >= first_row_ + rows_a_page))
        first_row_ = i / rows_a_page * rows_a_page;
  }
  first_row_ = std::clamp(first_row_, 0, std::max(0, shown - rows_a_page));

  std::string remark;
  for (int i = first_row_; i < std::min(first_row_ + rows_a_page, shown); ++i)
    draw_row(ui, session, table.rows[order_[i]], r.cut_top(row_height), remark);
  // Below a short table, not at the foot of its place.
  if (shown <= rows_a_page) foot.y = r.y;
  draw_foot(ui, session, foot, shown, rows_a_page, remark);
}

}  // namespace vramfit::shell
