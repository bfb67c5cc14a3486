// Cells and state of one layer. Source ids llama-cpp-cache (cells, windows, shared and latent caches), llama-cpp-state.
#include <algorithm>
#include <cmath>

#include "llama_cpp.h"

namespace vramfit {
namespace {

double ceil_to(double value, double unit) { return std::ceil(value / unit) * unit; }

// A window's cache holds the window of every sequence that shares it and the micro-batch that is being read.
double window_cells(const LlamaSettings& s, double window) {
  if (s.full_windows) return s.cells;
  return std::min(s.cells, ceil_to(window * (s.unified ? s.slots : 1) + s.micro_batch, s.pad));
}

}  // namespace

LlamaLayerCache llama_layer_cache(const EngineContext& c, const LlamaSettings& s, const Mixer& x) {
  LlamaLayerCache out;
  if (c.r.model.encoder || x.kind == MixerKind::none || x.shares_kv) return out;
  const double element = c.r.kv->bits / 8;
  const double conv_steps = x.conv_kernel > 0 ? x.conv_kernel - 1 : 0;
  switch (x.kind) {
    case MixerKind::none: break;
    case MixerKind::full:
    case MixerKind::sliding:
    case MixerKind::chunked:
      out.cells = x.kind == MixerKind::full ? s.cells : window_cells(s, x.window);
      out.key_bytes = double(x.num_kv_heads) * x.head_dim * element;
      out.value_bytes = double(x.num_kv_heads) * x.v_head_dim * element;
      break;
    case MixerKind::cross:
      out.cells = ceil_to(x.window, s.pad);
      out.key_bytes = double(x.num_kv_heads) * x.head_dim * element;
      out.value_bytes = double(x.num_kv_heads) * x.v_head_dim * element;
      break;
    case MixerKind::latent:
      out.cells = s.cells;
      if (s.latent_keys) {
        out.key_bytes = double(x.kv_lora_rank + x.qk_rope_head_dim) * element;
      } else {
        out.key_bytes = double(x.num_heads) * x.head_dim * element;
        out.value_bytes = double(x.num_heads) * x.v_head_dim * element;
      }
      if (x.index_num_heads > 0 && s.era == LlamaEra::few_outputs) out.index_bytes = x.index_head_dim * element;
      break;
    case MixerKind::compressed:
      out.cells = window_cells(s, x.window) + (x.compress_ratio > 0 ? std::ceil(s.cells / x.compress_ratio) : 0);
      out.key_bytes = x.head_dim * element;
      break;
    // State is always in 32 bits.
    case MixerKind::mamba1:
      out.state_bytes = 4.0 * x.inner_size * x.state_size;
      out.conv_bytes = 4.0 * conv_steps * x.inner_size;
      break;
    case MixerKind::mamba2:
      out.state_bytes = 4.0 * x.inner_size * x.state_size;
      out.conv_bytes = 4.0 * conv_steps * (x.inner_size + 2.0 * x.num_groups * x.state_size);
      break;
    case MixerKind::short_conv: out.conv_bytes = 4.0 * conv_steps * x.inner_size; break;
    case MixerKind::gated_delta_net:
    case MixerKind::kimi_delta:
    case MixerKind::lightning: {
      const double key = double(x.num_key_heads) * x.head_dim;
      const double value = double(x.num_heads) * x.v_head_dim;
      out.state_bytes = 4.0 * value * x.head_dim;
      out.conv_bytes = 4.0 * conv_steps * (x.kind == MixerKind::gated_delta_net ? 2 * key + value : 3 * value);
      break;
    }
  }
  return out;
}

}  // namespace vramfit
