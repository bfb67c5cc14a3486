// The controls of Ui that open or take text.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "../text/numbers.h"
#include "ui.h"

namespace vramfit::shell {
namespace {

constexpr std::size_t searchable = 10;  // a longer list has a search

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool contains(std::string_view hay, std::string_view needle) {
  return std::search(hay.begin(), hay.end(), needle.begin(), needle.end(), [](char a, char b) { return lower(a) == lower(b); }) !=
         hay.end();
}

// Every word typed must occur, in whatever of the option.
bool matches(const Ui::Option& o, std::string_view typed) {
  while (!typed.empty()) {
    const std::size_t end = std::min(typed.find(' '), typed.size());
    const std::string_view word = typed.substr(0, end);
    typed.remove_prefix(std::min(end + 1, typed.size()));
    if (!contains(o.text, word) && !contains(o.id, word) && !contains(o.group, word)) return false;
  }
  return true;
}

std::string popup_id(std::string_view id) { return concat({"list/", id}); }

}  // namespace

bool Ui::combo_field(std::string_view id, std::string_view label, std::string_view shown, const Rect& r) {
  const Touch touch = area(id, concat({label, label.empty() ? "" : ": ", shown}), r);
  frame(r, color(touch.hovered ? Ink::accent : Ink::edge), px(3));
  const float pad = px(8);
  text_fitted(r.x + pad, r.y + (r.h - line_height(Face::body)) / 2, r.w - pad - px(22), shown);
  caret(r.right() - px(12), r.y + r.h / 2, false, color(touch.hovered ? Ink::accent : Ink::quiet));
  if (touch.focused) focus_ring(r);
  if (!touch.pressed) return false;
  ImGui::OpenPopup(popup_id(id).c_str());
  search_[0] = 0;
  combo_opened_ = true;
  return true;
}

int Ui::combo_list(std::string_view id, std::string_view shown, const Rect& r) {
  const std::string popup = popup_id(id);
  if (!ImGui::IsPopupOpen(popup.c_str())) return -1;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float row = std::max(px(28), line_height(Face::body) + px(6));
  const bool with_search = combo_options_.size() > searchable;
  const float head = with_search ? px(36) : 0;
  const float wanted = std::min(row * (static_cast<float>(combo_options_.size()) + 4) + head + px(14), px(340));
  const float width_px = std::min(std::max(r.w, px(260)), screen.x - px(8));
  const bool below = screen.y - r.bottom() > wanted || screen.y - r.bottom() > r.y;
  const float height = std::min(wanted, (below ? screen.y - r.bottom() : r.y) - px(6));
  ImGui::SetNextWindowPos(
      {std::clamp(r.x, px(4), std::max(px(4), screen.x - width_px - px(4))), below ? r.bottom() + px(2) : r.y - height - px(2)});
  ImGui::SetNextWindowSize({width_px, height});
  int chosen = -1;
  if (ImGui::BeginPopup(popup.c_str(), ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize)) {
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float inner = ImGui::GetContentRegionAvail().x;
    if (with_search) {
      const Rect box{origin.x, origin.y, inner, px(30)};
      frame(box, color(Ink::edge), px(3));
      note("search", "", box);
      ImGui::SetNextItemWidth(box.w);
      ImGui::SetCursorScreenPos({box.x, box.y});
      ImGui::PushFont(fonts_[static_cast<int>(Face::body)]);
      if (combo_opened_) ImGui::SetKeyboardFocusHere();
      ImGui::InputText("##search", search_, sizeof search_);
      ImGui::PopFont();
      ImGui::SetCursorScreenPos({origin.x, origin.y + head});
    }
    ImGui::BeginChild("rows", {inner, ImGui::GetContentRegionAvail().y}, 0, ImGuiWindowFlags_NavFlattened);
    std::string_view group;
    bool first = true;
    float y = ImGui::GetCursorScreenPos().y;
    const float x = ImGui::GetCursorScreenPos().x;
    const ImRect seen = ImGui::GetCurrentWindow()->InnerClipRect;
    const bool entered = with_search && pressed_key(ImGuiKey_Enter) && search_[0];
    for (int i = 0; i < static_cast<int>(combo_options_.size()); ++i) {
      const Option& o = combo_options_[i];
      if (with_search && !matches(o, search_)) continue;
      if (o.group != group) {
        group = o.group;
        if (!group.empty()) {
          if (y + row > seen.Min.y && y < seen.Max.y)
            text_fitted(x + px(6), y + (row - line_height(Face::small)) / 2, inner, group, Ink::quiet, Face::small);
          y += row;
        }
      }
      const Rect at{x, y, inner - px(12), row};
      y += row;
      if (first && entered) chosen = i;
      if (first && combo_opened_ && !with_search) focus_first = true;
      first = false;
      // Rows out of sight are still areas, so that the keyboard can walk to them.
      const Touch touch = area(concat({"option/", o.id}), o.text, at);
      if (touch.pressed) chosen = i;
      if (at.bottom() < seen.Min.y || at.y > seen.Max.y) continue;
      const bool lit = touch.hovered || touch.focused;
      if (lit) fill(at, color(Ink::accent), px(2));
      const float note_width = o.note.empty() ? 0 : width(o.note, Face::small) + px(10);
      // What is chosen stands out; a label may stand before it.
      text_fitted(at.x + px(8), at.y + (row - line_height(Face::body)) / 2, at.w - px(16) - note_width, o.text,
                  lit ? Ink::on_accent : Ink::ink,
                  shown == o.text || shown.ends_with(concat({": ", o.text})) ? Face::strong : Face::body);
      if (!o.note.empty())
        text_right(at.right() - px(6), at.y + (row - line_height(Face::small)) / 2, o.note, lit ? Ink::on_accent : Ink::quiet,
                   Face::small);
    }
    ImGui::SetCursorScreenPos({x, y});
    ImGui::Dummy({1, px(4)});
    ImGui::EndChild();
    combo_opened_ = false;
    // ImGui's own Escape only leaves the rows, or the search.
    if (chosen >= 0 || pressed_key(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  return chosen;
}

bool Ui::text_field(std::string_view id, std::string_view label, std::string& text, const Rect& r, std::string_view hint) {
  note(id, concat({label, ": ", text}), r);
  frame(r, color(Ink::edge), px(3));
  ImGui::SetCursorScreenPos({r.x, r.y});
  ImGui::SetNextItemWidth(r.w);
  const bool mine = edited_id_ == id;
  char shown[sizeof edited_];
  char* buffer = mine ? edited_ : shown;
  if (!mine) {
    const std::size_t length = std::min(text.size(), sizeof shown - 1);
    std::memcpy(shown, text.data(), length);
    shown[length] = 0;
  }
  ImGui::PushFont(fonts_[static_cast<int>(Face::body)]);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      {px(8), std::floor((r.h - fonts_[static_cast<int>(Face::body)]->FontSize) / 2)});
  const std::string name = concat({"##", id});
  const std::string ghost(hint);
  ImGui::InputTextWithHint(name.c_str(), ghost.c_str(), buffer, sizeof edited_, ImGuiInputTextFlags_AutoSelectAll);
  ImGui::PopStyleVar();
  ImGui::PopFont();
  stop(r);
  if (ImGui::IsItemHovered()) cursor = "text";
  if (ImGui::IsItemActive()) {
    edited_drawn_ = true;
    if (!mine) {
      edited_id_ = id;
      std::memcpy(edited_, buffer, sizeof edited_);
    }
    frame(r, color(Ink::accent), px(3), 2);
    focused_label = label;
    return false;
  }
  if (ImGui::IsItemFocused() && !ImGui::GetCurrentContext()->NavDisableHighlight) {
    focused_label = concat({label, ": ", text});
    focus_ring(r);
  }
  if (!mine) return false;
  edited_id_.clear();
  const bool changed = text != edited_;
  text = edited_;
  return changed;
}

}  // namespace vramfit::shell
