// What llama.cpp's architectures imply and their files do not say: where windows stand, which layers share a cache.
#pragma once

#include <string_view>

#include "vramfit/model.h"

namespace vramfit::importer {

enum class GgufSupport : std::uint8_t {
  modelled,
  not_modelled,  // known, and of a kind that the model cannot describe
  unknown,
};

struct GgufArchitecture {
  std::string_view name;
  GgufSupport support = GgufSupport::modelled;

  // Of every `window_period` layers one attends to everything: the last, or the first. 0: every layer has a window. -1: no
  // window, whatever the file says.
  int window_period = -1;
  bool window_full_first = false;
  int default_window = 0;  // where the file gives none; 0: then there is no window
  MixerKind window_kind = MixerKind::sliding;
  int window_layers = 0;         // only models of this many layers have windows; 0: all
  bool window_required = false;  // the file lists the layers with a window, and must say how long it is

  bool embedder = false;           // nothing maps back to the vocabulary
  bool gated_query = false;        // the query matrix holds the output gate too
  bool state_fp32 = false;         // the published configuration asks for a float32 state
  bool half_feed_forward = false;  // feed_forward_length counts both of the gated halves
  bool two_mixers = false;         // attention and state side by side in every layer
  bool may_skip_layers = false;    // layers of which nothing is left
  int layers_with_cache = 0;       // the first of them; all later ones read an earlier cache
};

GgufArchitecture gguf_architecture(std::string_view name);

}  // namespace vramfit::importer
