#include "token_slots.h"

#include <algorithm>
#include <cmath>

namespace vramfit {
namespace {

// Long enough for entries of many tokens and the keys of sparse indexers to be counted per token.
constexpr double long_context = 1 << 20;

}  // namespace

void count_mixers(const Model& model, int first, int last, double* layers_of) {
  int at = 0;
  for (int r = 0; r < model.num_runs; ++r) {
    const LayerRun& run = model.runs[r];
    layers_of[run.mixer] += std::max(0, std::min(last, at + run.count) - std::max(first, at));
    at += run.count;
  }
}

TokenSlots token_slots(const EngineContext& c, const Stage& stage, const SlotOptions& o) {
  TokenSlots out;
  const Model& model = c.r.model;
  double layers_of[Model::max_kinds] = {};
  count_mixers(model, stage.first, stage.last, layers_of);
  const int ranks = o.whole_heads ? 1 : c.tensor_parallel;
  const CacheBreakdown cache = sequence_cache(model, *c.r.kv, long_context, ranks, o.state);
  const CacheBreakdown whole = sequence_cache(model, *c.r.kv, long_context, 1, o.state);
  for (int k = 0; k < cache.num_kinds; ++k) {
    const LayerCache& l = cache.kinds[k];
    const Mixer& x = model.mixers[l.mixer];
    const double layers = layers_of[l.mixer];
    if (layers == 0) continue;
    if (is_recurrent(x.kind)) {
      out.state_bytes += layers * (l.state_bytes + l.conv_bytes);
      continue;
    }
    double bytes = l.bytes_per_token;
    if (o.round_heads_up && x.num_kv_heads > 0 && x.kind != MixerKind::latent && x.kind != MixerKind::compressed)
      bytes = whole.kinds[k].bytes_per_token / x.num_kv_heads * std::ceil(double(x.num_kv_heads) / ranks);
    const double index = l.index_bytes / l.num_layers / long_context;
    switch (x.kind) {
      case MixerKind::cross: out.fixed_bytes += layers * x.window * bytes; break;
      case MixerKind::sliding:
      case MixerKind::chunked:
        out.windowed_bytes += layers * bytes;
        out.window = std::max<double>(out.window, x.window);
        break;
      case MixerKind::compressed:
        // Entries of several tokens, a window of recent ones, and where entries are short the pooling state of that window.
        out.compressed = true;
        out.full_layers += layers;
        if (x.compress_ratio > 0) out.full_bytes += layers * (bytes / x.compress_ratio + index);
        out.windowed_bytes += layers * bytes;
        if (x.index_num_heads > 0) out.windowed_bytes += layers * 8.0 / x.window * 4 * (x.head_dim + x.index_head_dim) * 4;
        out.window = std::max<double>(out.window, x.window);
        break;
      default: out.full_layers += layers; out.full_bytes += layers * (bytes + index);
    }
  }
  return out;
}

}  // namespace vramfit
