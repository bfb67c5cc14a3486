// The typeface, in the sizes it is drawn in. Each size is rasterised for the current scale: a scaled bitmap would blur.
#include "ui.h"

namespace vramfit::shell {
namespace {

constexpr unsigned char regular[] = {
#include "font_regular.inc"
};
constexpr unsigned char semibold[] = {
#include "font_semibold.inc"
};

struct Cut {
  const unsigned char* data;
  int size_bytes;
  float css_px;
};
constexpr Cut cuts[num_faces] = {
    {regular, sizeof regular, 13},
    {regular, sizeof regular, 15},
    {semibold, sizeof semibold, 15},
    {semibold, sizeof semibold, 22},
};

// What shell/font/subset.mjs keeps.
constexpr ImWchar glyphs[] = {0x20, 0x7e, 0xa0, 0xff, 0x2010, 0x2026, 0x202f, 0x202f, 0x20ac, 0x20ac, 0x2212, 0x2212, 0};

}  // namespace

void Ui::load_fonts() {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  atlas.Flags |= ImFontAtlasFlags_NoMouseCursors | ImFontAtlasFlags_NoBakedLines;
  for (int i = 0; i < num_faces; ++i) {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.OversampleH = 2;
    config.OversampleV = 1;
    config.RasterizerMultiply = 1.1f;  // small text on a bright surface
    config.GlyphRanges = glyphs;
    fonts_[i] =
        atlas.AddFontFromMemoryTTF(const_cast<unsigned char*>(cuts[i].data), cuts[i].size_bytes, px(cuts[i].css_px), &config);
  }
  ImGui::GetIO().FontDefault = fonts_[static_cast<int>(Face::body)];
}

}  // namespace vramfit::shell
