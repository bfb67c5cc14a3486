// Colours by their role. Their names are the style sheet's custom properties (--surface, --c-weights): on a page the canvas takes
// what the page's CSS gives them; elsewhere it takes the style sheet's own values, built in.
#pragma once

#include <cstdint>
#include <string_view>

#include "vramfit/model.h"

namespace vramfit::shell {

enum class Ink : std::uint8_t {
  surface,
  raised,
  ink,
  quiet,
  rule,
  edge,
  accent,
  on_accent,
  warn,
  bad,
  weights,  // the compartments' from here on
  kv_cache,
  state,
  activations,
  gradients,
  optimizer,
  adapters,
  reserve,
  communication,
  graphs,
  encoder,
  draft,
  margin,
  headroom,
};
inline constexpr int num_inks = 24;

struct Palette {
  std::uint32_t abgr[num_inks] = {};  // opaque, red in the lowest byte
};

extern const std::string_view ink_names[num_inks];  // as in CSS, without the dashes in front

const Palette& built_in_palette(bool dark);

Ink compartment_ink(Id compartment);

}  // namespace vramfit::shell
