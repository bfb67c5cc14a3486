#include "input_panel.h"

#include <algorithm>
#include <cmath>

#include "vramfit/catalog.h"

namespace vramfit::shell {
namespace {

using Options = std::vector<Ui::Option>;

void model_options(FieldId id, const Text& t, Options& out) {
  for (const ModelEntry& m : models()) {
    const std::string size = t.numbers.params(m.stated_params);
    // A size beside a name that does not already say it.
    out.push_back({std::string(m.id), std::string(m.name), m.name.find(size) == Id::npos ? size : "", std::string(m.family)});
  }
  out.push_back({"", searched_text(id, {}, t), "", ""});
}

// The set a GPU is listed under.
Id set_of(const GpuEntry& gpu) {
  if (gpu.vendor == "apple") return "apple";
  for (std::size_t i = 0; i < gpu_set_names().size(); ++i)
    if (gpu.sets >> i & 1 && gpu_set_names()[i] != "article") return gpu_set_names()[i];
  return "all";
}

void gpu_options(const Text& t, Options& out) {
  out.push_back({"", t.say("page.none_chosen"), "", ""});
  std::vector<Id> sets;
  for (const GpuEntry& gpu : gpus())
    if (std::find(sets.begin(), sets.end(), set_of(gpu)) == sets.end()) sets.push_back(set_of(gpu));
  for (const Id set : sets)
    for (const GpuEntry& gpu : gpus())
      if (set_of(gpu) == set)
        out.push_back({std::string(gpu.id), std::string(gpu.name), t.numbers.bytes(gpu.marketed.bytes(), ByteUnit::gb).text(),
                       t.say(concat({"choice.gpus.", set}))});
}

void fixed_options(FieldId id, const Text& t, Options& out) {
  const Field& f = field(id);
  if (id != FieldId::weights) {
    for (const Id choice : choices_of(f)) out.push_back({std::string(choice), choice_label(f, choice, t), "", ""});
    if (id == FieldId::gpus) out.push_back({"", t.say("page.own_list"), "", ""});
    return;
  }
  // Groups stand together, in the order of their first.
  std::vector<Id> groups;
  const std::vector<Id> choices = choices_of(f);
  for (const Id choice : choices)
    if (std::find(groups.begin(), groups.end(), weights_group(choice)) == groups.end()) groups.push_back(weights_group(choice));
  for (const Id group : groups)
    for (const Id choice : choices)
      if (weights_group(choice) == group)
        out.push_back({std::string(choice), choice_label(f, choice, t), "", t.word("weights_group.", group)});
}

// The span a slider covers: the whole range would leave the useful part on a few pixels.
LogAxis slider_axis(const Field& f, double value) {
  double to = f.maximum;
  if (f.kind == FieldKind::tokens) to = 1 << 20;
  else if (f.kind == FieldKind::params) to = 2e12;
  else if (f.unit == "sequences") to = 1024;
  const double from = f.kind == FieldKind::params ? 1e8 : f.unit == "percent" ? 1 : std::max(f.minimum, 1.0);
  return {std::min(from, std::max(value, f.minimum)), std::max({to, value, from + 1}), 0, 1};
}

// Inputs whose worth is a count of something countless enough to slide over.
bool slides(const Field& f) {
  return f.kind == FieldKind::tokens || f.kind == FieldKind::params || f.unit == "sequences" || f.unit == "percent" ||
         f.unit == "gpus";
}

}  // namespace

void InputPanel::draw_choice(Ui& ui, Session& session, FieldId id, const Rect& r) {
  const Field& f = field(id);
  const Text& t = session.text();
  const Id value = session.inputs().text(id);
  const bool searched = id == FieldId::model || id == FieldId::gpu || id == FieldId::draft_model;
  const bool imported = id == FieldId::model && session.inputs().imported();
  const std::string shown = imported   ? model_name(session.result().model, t)
                            : searched ? searched_text(id, value, t)
                                       : choice_label(f, value, t);
  const int chosen = ui.combo(concat({"input/", f.key}), field_label(f, t), shown, r, [&](Options& out) {
    if (id == FieldId::model || id == FieldId::draft_model) model_options(id, t, out);
    else if (id == FieldId::gpu) gpu_options(t, out);
    else fixed_options(id, t, out);
  });
  if (chosen >= 0) session.choose(id, ui.combo_option(chosen));
}

const InputPanel::Mistake* InputPanel::mistake_in(FieldId id) const {
  for (const Mistake& m : mistakes_)
    if (m.field == id) return &m;
  return nullptr;
}

void InputPanel::draw_number(Ui& ui, Session& session, FieldId id, const Rect& r) {
  const Field& f = field(id);
  const Text& t = session.text();
  const double value = session.inputs().number(id);
  const std::string label = field_label(f, t);
  Rect rest = r;
  const Rect box = slides(f) ? rest.cut_left(std::max(ui.px(96), r.w * 0.42f)) : rest;
  const Mistake* const mistake = mistake_in(id);
  std::string typed = mistake ? mistake->typed : number_text(f, value, t);
  const std::string key_text = concat({"input/", f.key});
  if (ui.text_field(key_text, label, typed, box, f.optional ? t.say("page.by_program") : "")) {
    std::erase_if(mistakes_, [&](const Mistake& m) { return m.field == id; });
    if (const auto number = read_number(f, typed)) session.enter(id, *number);
    else mistakes_.push_back({id, typed, not_a_number(f, t)});
  }
  if (!slides(f)) return;
  rest.cut_left(ui.px(12));
  const Rect track = rest.inset(ui.px(6), 0);
  const int frame = ImGui::GetFrameCount();
  const bool dragged = drag_ && drag_->field == id && drag_->frame == frame - 1;
  LogAxis axis = dragged ? drag_->axis : slider_axis(f, value);
  axis.begin = track.x;
  axis.end = track.right();
  const Touch touch = ui.area(concat({"slider/", f.key}), concat({label, ": ", typed}), rest, true);
  const auto meant = [&] {
    const double at = axis.value(ImGui::GetIO().MousePos.x);
    return f.unit == "gpus" ? std::round(at) : snapped(at);
  };
  if (touch.held && ImGui::IsMouseDown(0)) {
    session.enter(id, meant(), false);
    drag_ = Drag{id, frame, axis};
  } else if (dragged) {
    session.enter(id, value, true);
    drag_.reset();
  }
  if (touch.focused && ui.steps != 0) {
    session.enter(id, stepped(value == 0 ? f.minimum : value, ui.steps, f.minimum, f.maximum), true);
    ui.steps = 0;
  }
  const float y = rest.y + rest.h / 2;
  const float x = value > 0 ? axis.at(value) : track.x;
  ui.line(track.x, y, track.right(), y, ui.color(Ink::rule), 3);
  ui.line(track.x, y, x, y, ui.color(Ink::accent), 3);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddCircleFilled({x, y}, ui.px(touch.held ? 8 : 7), ui.color(Ink::surface));
  list.AddCircleFilled({x, y}, ui.px(touch.hovered || touch.held ? 6.5f : 5.5f), ui.color(value > 0 ? Ink::accent : Ink::edge));
  if (touch.focused) ui.focus_ring(rest);
}

void InputPanel::draw_gpu_list(Ui& ui, Session& session, FieldId id, float x, float width, float& y) {
  const Field& f = field(id);
  const Text& t = session.text();
  const std::string value(session.inputs().text(id));
  own_list_ = own_list_ && value == own_list_of_;
  const bool named = value == "all" || std::find(gpu_set_names().begin(), gpu_set_names().end(), value) != gpu_set_names().end();
  const Rect box{x, y, width, ui.px(32)};
  const int chosen = ui.combo(concat({"input/", f.key}), field_label(f, t),
                              named && !own_list_ ? choice_label(f, value, t) : t.say("page.own_list"), box,
                              [&](Options& out) { fixed_options(id, t, out); });
  y += box.h;
  if (chosen >= 0) {
    own_list_ = ui.combo_option(chosen).empty();
    own_list_of_ = value;
    if (!own_list_) session.choose(id, ui.combo_option(chosen));
    // One's own list starts from the cards at hand.
    typed_list_.clear();
    if (own_list_)
      for (const FitRow& row : session.result().fit)
        typed_list_ += (typed_list_.empty() ? "" : ", ") + std::string(gpus()[row.gpu].id);
  }
  if (named && !own_list_) return;
  if (!named) typed_list_ = value;
  y += ui.px(6);
  if (ui.text_field("input/own", t.say("page.own_list"), typed_list_, {x, y, width, ui.px(32)}, "h200, l40s:0.97"))
    session.choose(id, typed_list_.empty() ? f.default_text : Id(typed_list_));
  y += ui.px(32);
}

void InputPanel::draw_field(Ui& ui, Session& session, FieldId id, float x, float width, float& y) {
  const Field& f = field(id);
  const Text& t = session.text();
  const float used = ui.text_fitted(x, y, width, field_label(f, t), Ink::ink, Face::small);
  const std::string unit = field_unit(f, t);
  if (!unit.empty()) ui.text_fitted(x + used + ui.px(6), y, width - used - ui.px(6), unit, Ink::quiet, Face::small);
  y += ui.line_height(Face::small) + ui.px(3);
  const Rect box{x, y, width, ui.px(32)};
  switch (f.kind) {
    case FieldKind::choice:
      draw_choice(ui, session, id, box);
      y += box.h;
      break;
    case FieldKind::gpu_list: draw_gpu_list(ui, session, id, x, width, y); break;
    default: draw_number(ui, session, id, box); y += box.h;
  }
  const auto say = [&](const std::string& words) {
    const float height = ui.paragraph(x, y + ui.px(2), width, words, Ink::bad, Face::small) + ui.px(2);
    ui.note(concat({"message/", f.key}), words, {x, y, width, height});
    y += height;
  };
  if (const Mistake* const mistake = mistake_in(id)) say(mistake->message);
  else
    for (const NoticeLine& notice : session.words().notices)
      if (notice.severity != Severity::info && notice.field == f.key) say(notice.text);
  y += ui.px(12);
}

void InputPanel::draw(Ui& ui, Session& session, Rect r) {
  const Text& t = session.text();
  if (session.revision() != revision_) mistakes_.clear();
  revision_ = session.revision();
  const Rect inner = ui.begin_scroll("inputs", r);
  const float x = inner.x + ui.px(3);
  const float width = r.w - ui.px(18);
  float y = inner.y + ui.px(3);
  for (int i = 0; i < num_fields; ++i)
    if (fields()[i].common && session.applies(fields()[i])) draw_field(ui, session, static_cast<FieldId>(i), x, width, y);

  for (int g = 0; g <= static_cast<int>(FieldGroup::engine); ++g) {
    const auto group = static_cast<FieldGroup>(g);
    const auto in_it = [&](const Field& f) {
      return f.group == group && !f.common && f.kind != FieldKind::text && session.applies(f);
    };
    if (std::none_of(fields().begin(), fields().end(), in_it)) continue;
    const bool open = open_groups_ >> g & 1;
    const std::string caption = t.say("page.more", {{"group", group_label(group, t)}});
    const Rect head{x, y, width, ui.px(30)};
    const Touch touch = ui.area(concat({"group/", plain_digits(g)}), caption, head);
    if (touch.pressed) open_groups_ ^= 1u << g;
    ui.caret(head.x + ui.px(6), head.y + head.h / 2, open, ui.color(touch.hovered ? Ink::accent : Ink::quiet));
    ui.text_fitted(head.x + ui.px(18), head.y + (head.h - ui.line_height(Face::small)) / 2, head.w - ui.px(18), caption,
                   touch.hovered ? Ink::accent : Ink::quiet, Face::small);
    if (touch.focused) ui.focus_ring(head);
    y += head.h + ui.px(4);
    if (!open) continue;
    for (int i = 0; i < num_fields; ++i)
      if (in_it(fields()[i])) draw_field(ui, session, static_cast<FieldId>(i), x, width, y);
  }
  ui.end_scroll(x, y + ui.px(4));
}

}  // namespace vramfit::shell
