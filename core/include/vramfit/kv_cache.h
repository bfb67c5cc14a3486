// What a sequence keeps resident between tokens, layer kind by layer kind.
#pragma once

#include "vramfit/formats.h"
#include "vramfit/model.h"

namespace vramfit {

// One kind of layer's cache on one rank, in bytes for one sequence. Sources: kv-guides (the two-times-heads formula),
// vllm-kv-interface (latent, sparse latent, windows, replication), deepseek-v4-cache, vllm-mamba-state.
struct LayerCache {
  int mixer = 0;  // index into Model::mixers
  double num_layers = 0;
  double resident_tokens = 0;  // entries kept for this sequence; 0 for recurrent state
  double bytes_per_token = 0;  // of one layer and entry
  double state_bytes = 0;      // of one layer, independent of length
  double conv_bytes = 0;       // likewise: the short convolution's window
  double index_bytes = 0;      // of all layers: the sparse indexer's keys
  double total() const { return num_layers * (resident_tokens * bytes_per_token + state_bytes + conv_bytes) + index_bytes; }
  double token_bytes() const { return num_layers * resident_tokens * bytes_per_token + index_bytes; }
};

struct CacheBreakdown {
  static constexpr int max_kinds = Model::max_kinds;
  LayerCache kinds[max_kinds] = {};
  int num_kinds = 0;
  double kv_bytes = 0;     // grows with context, up to each layer's window
  double state_bytes = 0;  // fixed per sequence
};

// What recurrent layers keep their state in.
enum class StateDtype : std::uint8_t {
  checkpoint,  // the model's own choice: float32 where its configuration says so, else 16 bits
  fp32,        // the state in float32, the convolution's window in 16 bits
  all_fp32,    // both, as llama.cpp does
};

// Cache of one sequence of `context` tokens on one of `tensor_parallel` ranks. KV heads divide until each rank holds one, then
// they are copied; the latent has one head and is copied at once.
CacheBreakdown sequence_cache(const Model& model, const KvFormat& kv, double context, int tensor_parallel, StateDtype state);

}  // namespace vramfit
