// Where the parts of the canvas go at a size. Pure arithmetic in CSS pixels; the drawing code scales it.
#pragma once

#include <cstdint>

namespace vramfit::shell {

enum class Part : std::uint8_t { breakdown, fit, what_if, inputs };
inline constexpr int num_parts = 4;

struct Area {
  float x = 0, y = 0, w = 0, h = 0;
  bool shown() const { return w > 0 && h > 0; }
};

struct Layout {
  bool tabs = false;               // one part at a time, chosen by tabs
  bool inputs_tab = false;         // one of which is the inputs'
  Part current = Part::breakdown;  // the one chosen
  Area header;                     // the answer; only where the canvas stands alone
  Area tab_bar;
  Area parts[num_parts];
  const Area& of(Part part) const { return parts[static_cast<int>(part)]; }
};

// What a canvas that stands alone keeps clear at its sides.
float outer_edge(float width);

// `panel`: with the inputs; `alone`: no page around it, so the answer is shown too; `current`: the part that the tabs have
// chosen. `header_height` and `breakdown_height` are what answer and bars take at that width.
Layout lay_out(float width, float height, bool panel, bool alone, float header_height, float breakdown_height, Part current);

}  // namespace vramfit::shell
