#include "layout.h"

#include <algorithm>

namespace vramfit::shell {
namespace {

constexpr float gap = 28;
constexpr float tab_bar_height = 40;
constexpr float panel_width = 272;
constexpr float wide = 860;  // of what remains beside the panel: room for table and curves side by side

}  // namespace

float outer_edge(float width) { return width < 480 ? 12.0f : 20.0f; }

Layout lay_out(float width, float height, bool panel, bool alone, float header_height, float breakdown_height, Part current) {
  Layout out;
  Area rest{0, 0, width, height};
  if (alone) {
    const float edge = outer_edge(width);
    rest = {edge, edge * 0.6f, width - 2 * edge, height - edge * 1.2f};
    out.header = {rest.x, rest.y, rest.w, header_height};
    rest.y += header_height;
    rest.h -= header_height;
  }
  const bool panel_beside = panel && rest.w - panel_width - gap >= 560;
  if (panel_beside) {
    out.parts[static_cast<int>(Part::inputs)] = {rest.x, rest.y, panel_width, rest.h};
    rest.x += panel_width + gap;
    rest.w -= panel_width + gap;
  }
  if (rest.w >= wide && rest.h >= 560) {
    const float upper = std::clamp(breakdown_height, 150.0f, rest.h * 0.45f);
    out.parts[static_cast<int>(Part::breakdown)] = {rest.x, rest.y, rest.w, upper};
    const float table = std::max(520.0f, (rest.w - gap) * 0.58f);
    const float lower = rest.h - upper - gap / 2;
    out.parts[static_cast<int>(Part::fit)] = {rest.x, rest.y + upper + gap / 2, table, lower};
    out.parts[static_cast<int>(Part::what_if)] = {rest.x + table + gap, rest.y + upper + gap / 2, rest.w - table - gap, lower};
    return out;
  }
  out.tabs = true;
  out.tab_bar = {rest.x, rest.y, rest.w, tab_bar_height};
  out.inputs_tab = panel && !panel_beside;
  out.current = current == Part::inputs && !out.inputs_tab ? Part::breakdown : current;
  out.parts[static_cast<int>(out.current)] = {rest.x, rest.y + tab_bar_height + 10, rest.w, rest.h - tab_bar_height - 10};
  return out;
}

}  // namespace vramfit::shell
