#include "paged_cache.h"

#include <algorithm>
#include <cmath>

#include "vramfit/kv_cache.h"

namespace vramfit {
namespace {

struct Kind {
  MixerKind kind = MixerKind::full;
  double layers = 0;
  double bytes_per_token = 0;  // of one layer
  double state_bytes = 0;      // of one layer and sequence
  double window = 0;
  double page_tokens = 0;
};

double ceil_to(double value, double unit) { return std::ceil(value / unit) * unit; }

// Layers of each mixer within the stage.
void count_layers(const Model& model, const Stage& stage, double* layers_of) {
  int first = 0;
  for (int r = 0; r < model.num_runs; ++r) {
    const LayerRun& run = model.runs[r];
    layers_of[run.mixer] += std::max(0, std::min(stage.last, first + run.count) - std::max(stage.first, first));
    first += run.count;
  }
}

// DeepSeek V4: entries of 256 tokens share block ids with windows of 64 and with the pooling states of the last tokens, 4 or 8 a
// block. A request holds, beside its entries, what one prefill step adds to each. Source id vllm-compressed-pages.
void page_compressed(const EngineContext& c, const CacheBreakdown& cache, const double* layers_of, double length, double chunk,
                     PagedCache& out) {
  constexpr double entry_block = 256, window_block = 64;
  // The packed format of 8 bits is aligned to rows of 576 bytes.
  const double align = c.r.kv->bits == 8 ? 576 : 1;
  const auto in_flight = [&](double window, double block) { return std::ceil(std::min(window - 1 + chunk, length) / block) + 1; };
  double entries = 0, window_layers = 0, window_page = 0, window = 0, most_layers = 1, states = 0, widest_state = 0;
  out.groups = 1;
  for (int k = 0; k < cache.num_kinds; ++k) {
    const LayerCache& l = cache.kinds[k];
    const Mixer& x = c.r.model.mixers[l.mixer];
    const double layers = layers_of[l.mixer];
    if (layers == 0 || x.kind != MixerKind::compressed) continue;
    window_layers += layers;
    window_page = ceil_to(window_block * l.bytes_per_token, align);
    window = std::max<double>(window, x.window);
    if (x.compress_ratio == 0) continue;
    const bool indexed = x.index_num_heads > 0;
    const double kept = entry_block / x.compress_ratio, kept_in_all = std::floor(length / x.compress_ratio);
    const double key = indexed && kept_in_all > 0 ? l.index_bytes / l.num_layers / kept_in_all : 0;
    entries += layers * (ceil_to(kept * l.bytes_per_token, align) + ceil_to(kept * key, align));
    most_layers = std::max(most_layers, layers);
    // Keys and scores in 32 bits; short entries overlap the ones before.
    const double block = indexed ? 4 : 8, overlap = indexed ? 2 : 1;
    const auto page = [&](double width) { return ceil_to(block * 2 * overlap * width * 4, align); };
    widest_state = std::max(widest_state, layers * (page(x.head_dim) + (indexed ? page(x.index_head_dim) : 0)));
    states += in_flight(overlap * x.compress_ratio, block);
    ++out.groups;
  }
  const double window_groups = std::max(1.0, std::round(window_layers / most_layers));
  out.groups += window_groups;
  out.hybrid = true;
  out.block_tokens = entry_block;
  out.block_bytes = std::max({entries, std::ceil(window_layers / window_groups) * window_page, widest_state});
  out.request_blocks = std::ceil(length / entry_block) + window_groups * in_flight(window, window_block) + states;
}

}  // namespace

PagedCache paged_cache(const EngineContext& c, const Stage& stage, double context, const PagingOptions& o) {
  PagedCache out;
  const Model& model = c.r.model;
  const int tp = c.tensor_parallel;
  double layers_of[Model::max_kinds] = {};
  count_layers(model, stage, layers_of);
  const double length = std::ceil(context / o.context_parallel);

  Kind kinds[Model::max_kinds];
  int n = 0;
  bool recurrent = false, windows = false, compressed = false, attends = false;
  const CacheBreakdown cache = sequence_cache(model, *c.r.kv, length, tp, o.state);
  for (int k = 0; k < cache.num_kinds; ++k) {
    const LayerCache& l = cache.kinds[k];
    const Mixer& x = model.mixers[l.mixer];
    if (layers_of[l.mixer] == 0 || x.kind == MixerKind::cross) continue;
    Kind& kind = kinds[n++];
    kind.kind = x.kind;
    kind.layers = layers_of[l.mixer];
    kind.window = x.window;
    kind.bytes_per_token = l.bytes_per_token;
    kind.state_bytes = l.state_bytes + l.conv_bytes;
    if (x.kind == MixerKind::latent) {
      kind.bytes_per_token = ceil_to(l.bytes_per_token, o.latent_pad_bytes);
      if (o.full_heads)
        kind.bytes_per_token = std::ceil(double(x.num_heads) / tp) * (x.head_dim + x.v_head_dim) * c.r.kv->bits / 8;
    }
    if (l.index_bytes > 0 && length > 0) kind.bytes_per_token += l.index_bytes / l.num_layers / length;
    if (is_recurrent(x.kind)) recurrent = true;
    else attends = true;
    if (!is_recurrent(x.kind) && o.draft_layers > 0 && (x.kind == MixerKind::full || x.kind == MixerKind::latent))
      kind.layers += o.draft_layers;
    windows = windows || x.kind == MixerKind::sliding || x.kind == MixerKind::chunked;
    compressed = compressed || x.kind == MixerKind::compressed;
  }
  if (n == 0) return out;

  out.block_tokens = o.block_tokens;
  if (compressed) {
    page_compressed(c, cache, layers_of, length, o.chunk_tokens, out);
    return out;
  }

  const bool grouped = recurrent || (windows && o.group_kinds && n > 1);
  if (!grouped) {
    double per_token = 0;
    for (int k = 0; k < n; ++k) per_token += kinds[k].layers * kinds[k].bytes_per_token;
    out.block_bytes = (per_token + o.draft_bytes_per_token) * out.block_tokens;
    out.request_blocks = std::ceil(length / out.block_tokens);
    return out;
  }

  // One page size for all kinds: the largest token page, or the state, rounded up to whole 16-token steps of the attention.
  out.hybrid = true;
  double widest = 0, state = 0;
  for (int k = 0; k < n; ++k) {
    widest = std::max(widest, kinds[k].bytes_per_token);
    state = std::max(state, kinds[k].state_bytes);
  }
  out.state_page_bytes = state;
  if (attends && state > 0) out.block_tokens = std::max(out.block_tokens, 16 * std::ceil(state / (16 * widest)));
  const double page = attends ? out.block_tokens * widest : state;

  // Groups of equal length; short ones are padded.
  double fewest = 1e9, most = 0;
  for (int k = 0; k < n; ++k) {
    fewest = std::min(fewest, kinds[k].layers);
    most = std::max(most, kinds[k].layers);
  }
  const double length_of_group = most < 1.5 * fewest ? most : fewest;
  out.groups = 0;
  double tokens_blocks = 0, state_blocks = 0;
  for (int k = 0; k < n; ++k) {
    const Kind& kind = kinds[k];
    const double groups = std::ceil(kind.layers / length_of_group);
    out.groups += groups;
    if (is_recurrent(kind.kind)) {
      state_blocks += groups * o.states_per_request;
      continue;
    }
    const double page_tokens = std::floor(page / kind.bytes_per_token);
    double kept = length;
    if (kind.kind == MixerKind::sliding) kept = std::min(kind.window - 1 + o.chunk_tokens, length);
    if (kind.kind == MixerKind::chunked) kept = std::min(kind.window + o.chunk_tokens, length);
    tokens_blocks += groups * (std::ceil(kept / page_tokens) + (kind.kind == MixerKind::sliding ? 1 : 0));
  }
  out.block_bytes = page * length_of_group;
  // A draft's layers join the groups of the attention kind: their share of a request's blocks.
  if (o.draft_bytes_per_token > 0) tokens_blocks += std::ceil(length * o.draft_bytes_per_token / out.block_bytes);
  out.request_blocks = tokens_blocks + state_blocks;
  out.kv_share = tokens_blocks / out.request_blocks;
  return out;
}

}  // namespace vramfit
