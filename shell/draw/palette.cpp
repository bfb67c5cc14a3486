#include "palette.h"

namespace vramfit::shell {

const std::string_view ink_names[num_inks] = {
    "surface",         "raised",        "ink",         "quiet",       "rule",       "edge",
    "accent",          "on-accent",     "warn",        "bad",         "c-weights",  "c-kv_cache",
    "c-state",         "c-activations", "c-gradients", "c-optimizer", "c-adapters", "c-reserve",
    "c-communication", "c-graphs",      "c-encoder",   "c-draft",     "c-margin",   "c-headroom",
};

namespace {
// light and dark, in Ink's order, from web/page/style.css
constexpr Palette palettes[2] = {
#include "palette.inc"
};
}  // namespace

const Palette& built_in_palette(bool dark) { return palettes[dark ? 1 : 0]; }

Ink compartment_ink(Id compartment) {
  for (int i = static_cast<int>(Ink::weights); i < num_inks; ++i)
    if (ink_names[i].substr(2) == compartment) return static_cast<Ink>(i);
  return Ink::quiet;
}

}  // namespace vramfit::shell
