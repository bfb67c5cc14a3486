// One run of llama.cpp or a relative: settings, what they come to on each device, and the ranges of what is not known to the
// byte.
#pragma once

#include <memory>

#include "llama_cpp.h"

namespace vramfit {

// What does not depend on the GPU: laid out once for a question that is asked of every GPU.
struct LlamaLayout {
  LlamaPlacement placement;
  std::vector<double> compute;  // by device, the host last; the drafting layers' own buffers included
  std::vector<std::array<double, Model::max_kinds>> cached;  // layers of each mixer whose cache is on each device, the host last
  std::vector<double> draft_bytes;                           // of a draft model beside this one, by device
};

// Cache of one device.
struct LlamaCache {
  double kv = 0, latent_values = 0, state = 0;
};

struct LlamaRun {
  const EngineContext& c;
  LlamaSettings s;
  std::shared_ptr<const LlamaLayout> layout;

  // `context` and `gpu_layers` in place of the user's when not negative.
  explicit LlamaRun(const EngineContext& context, double length = -1, int gpu_layers = -1);

  const LlamaPlacement& placement() const { return layout->placement; }

  // What `sizes` asks for on `device`; with terms kind by kind.
  LlamaCache cache(const LlamaSettings& sizes, int device, std::vector<Term>* kv_terms = nullptr,
                   std::vector<Term>* state_terms = nullptr) const;
  Range cache_range(const LlamaCache& cache) const;
  LlamaSettings alone() const;  // the same settings for one request

  // What a log printed of one card, while nothing else is tried than what it ran; 0: nothing.
  double measured_bytes(FieldId field) const;
  bool as_asked = true;

  Range weights(int device) const;
  Range compute_range(int device) const;
  Range context_bytes() const;
  double unpacked_bytes() const;
  double product_copies() const;
  double pool_bytes() const;  // grows while a prompt is read
  Range overhead() const;
  double tower_bytes() const;
  Range encoder() const;
  double host_bytes() const;
  Range device_needs(int device) const;  // all of it
};

}  // namespace vramfit
