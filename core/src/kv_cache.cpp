#include "vramfit/kv_cache.h"

#include <algorithm>
#include <cmath>

namespace vramfit {
namespace {

constexpr double index_key_scale_bytes = 4;  // one float32 per 128 one-byte values (vllm-kv-interface)

double heads_per_rank(double heads, int ranks) { return std::max(1.0, std::floor(heads / ranks)); }

// Bytes that one token's K and V of `width` elements each take, over `heads` heads.
double grouped_bytes(const KvFormat& kv, double heads, double head_dim, double v_head_dim) {
  return heads * ((head_dim + v_head_dim) * kv.bits / 8 + 2 * kv.scale_bytes_per_head);
}

double latent_bytes(const Mixer& x, const KvFormat& kv, bool sparse) {
  // The sparse kernel's fp8 layout keeps the rotary part in 16 bits beside four scales.
  if (sparse && kv.bits == 8) return x.kv_lora_rank + 4.0 * x.kv_lora_rank / 128 + 2.0 * x.qk_rope_head_dim;
  return (x.kv_lora_rank + x.qk_rope_head_dim) * kv.bits / 8 + kv.scale_bytes_per_head;
}

double compressed_entry_bytes(const Mixer& x, const KvFormat& kv) {
  // fp8 keeps the rotary part in 16 bits and eight bytes of scales.
  if (kv.bits == 8) return (x.head_dim - x.qk_rope_head_dim) + 2.0 * x.qk_rope_head_dim + 8;
  return x.head_dim * kv.bits / 8 + kv.scale_bytes_per_head;
}

double index_key_bytes(const Mixer& x, const KvFormat& kv) {
  if (x.kind == MixerKind::full || (x.kind == MixerKind::compressed && kv.bits > 8)) return 2.0 * x.index_head_dim;
  return x.index_head_dim + index_key_scale_bytes * x.index_head_dim / 128;
}

void recurrent_state(const Mixer& x, int ranks, StateDtype dtype, LayerCache& out) {
  const double state_element = dtype != StateDtype::checkpoint || x.state_fp32 ? 4 : 2;
  const double conv_element = dtype == StateDtype::all_fp32 ? 4 : 2;
  const double conv_steps = x.conv_kernel > 0 ? x.conv_kernel - 1 : 0;
  switch (x.kind) {
    case MixerKind::mamba1:
      out.state_bytes = double(x.inner_size) / ranks * x.state_size * state_element;
      out.conv_bytes = double(x.inner_size) / ranks * conv_steps * conv_element;
      return;
    case MixerKind::short_conv: out.conv_bytes = double(x.inner_size) / ranks * conv_steps * conv_element; return;
    case MixerKind::mamba2: {
      // Groups that the ranks do not divide are copied so that each rank has one of its own.
      const double groups = x.num_groups % ranks == 0 ? x.num_groups : ranks * std::ceil(double(x.num_groups) / ranks);
      out.state_bytes = double(x.inner_size) / ranks * x.state_size * state_element;
      out.conv_bytes = (x.inner_size + 2 * groups * x.state_size) / ranks * conv_steps * conv_element;
      return;
    }
    default: {
      const double key = double(x.num_key_heads) * x.head_dim;
      const double value = double(x.num_heads) * x.v_head_dim;
      const double conv_width = x.kind == MixerKind::gated_delta_net ? 2 * key + value : 3 * value;
      out.state_bytes = value * x.head_dim / ranks * state_element;
      out.conv_bytes = conv_width / ranks * conv_steps * conv_element;
    }
  }
}

}  // namespace

CacheBreakdown sequence_cache(const Model& model, const KvFormat& kv, double context, int tensor_parallel, StateDtype state) {
  CacheBreakdown sum;
  if (model.encoder) return sum;

  bool sparse = false;  // one indexed layer puts the whole latent cache into the sparse kernel's layout
  for (int m = 0; m < model.num_mixers; ++m)
    sparse = sparse || (model.mixers[m].kind == MixerKind::latent && model.mixers[m].index_num_heads > 0);

  double layers_of[Model::max_kinds] = {};
  for (int r = 0; r < model.num_runs; ++r) layers_of[model.runs[r].mixer] += model.runs[r].count;

  for (int m = 0; m < model.num_mixers; ++m) {
    const Mixer& x = model.mixers[m];
    if (layers_of[m] == 0 || x.kind == MixerKind::none || x.shares_kv) continue;
    LayerCache& out = sum.kinds[sum.num_kinds++];
    out.mixer = m;
    out.num_layers = layers_of[m];
    const double heads = heads_per_rank(x.num_kv_heads, tensor_parallel);
    switch (x.kind) {
      case MixerKind::none: break;
      case MixerKind::full:
      case MixerKind::sliding:
      case MixerKind::chunked:
        out.resident_tokens = x.kind == MixerKind::full ? context : std::min<double>(x.window, context);
        out.bytes_per_token = grouped_bytes(kv, heads, x.head_dim, x.v_head_dim);
        if (x.index_num_heads > 0) out.index_bytes = out.num_layers * context * index_key_bytes(x, kv);
        break;
      case MixerKind::cross:
        out.resident_tokens = x.window;
        out.bytes_per_token = grouped_bytes(kv, heads, x.head_dim, x.v_head_dim);
        break;
      case MixerKind::latent:
        out.resident_tokens = context;
        out.bytes_per_token = latent_bytes(x, kv, sparse);
        if (x.index_num_heads > 0) out.index_bytes = out.num_layers * context * index_key_bytes(x, kv);
        break;
      case MixerKind::compressed: {
        const double entries = x.compress_ratio > 0 ? std::floor(context / x.compress_ratio) : 0;
        out.resident_tokens = entries + std::min<double>(x.window, context);
        out.bytes_per_token = compressed_entry_bytes(x, kv);
        if (x.index_num_heads > 0) out.index_bytes = out.num_layers * entries * index_key_bytes(x, kv);
        break;
      }
      default: recurrent_state(x, tensor_parallel, state, out);
    }
    sum.kv_bytes += out.token_bytes();
    sum.state_bytes += out.total() - out.token_bytes();
  }
  return sum;
}

}  // namespace vramfit
