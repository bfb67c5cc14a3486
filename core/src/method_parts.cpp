// What the methods share: the split over GPUs and the cache with its explanation.
#include <cmath>

#include "methods.h"

namespace vramfit {

MethodResult start_method(const Request& request, Id id) {
  MethodResult out;
  out.id = id;
  switch (request.split) {
    case Split::tensor: out.split = "tensor", out.split_source = "vllm-splits"; break;
    case Split::layer: out.split = "layer", out.split_source = "llama-cpp-layers"; break;
    case Split::shard: out.split = "shard"; break;
  }
  for (int n = 1; n <= max_gpu_count; ++n) {
    const SplitCheck check = check_split(request, n);
    Layout& layout = out.layouts[n - 1];
    layout.count = n;
    layout.reason = check.reason;
    layout.reason_number = check.number;
  }
  return out;
}

double rank_share(const Request& request, int count, int rank) {
  const int layers = request.summary.num_layers;
  if (request.split != Split::layer || layers == 0) return 1.0 / count;
  return double(layers / count + (rank < layers % count)) / layers;
}

Compartment itemise(const Request& request, Id id, int count, std::vector<Term> terms, RankBytes bytes) {
  Compartment c{id, bytes(count, 0), {}, {}, std::move(terms)};
  c.ranks.assign(count, c.per_gpu);
  if (request.split == Split::layer)  // the others are even
    for (int k = 1; k < count; ++k) c.ranks[k] = bytes(count, k);
  // Equal ranks are multiplied: adding up thirds would not give back the whole.
  c.total = c.per_gpu * count;
  if (c.ranks.back().likely != c.per_gpu.likely) {
    c.total = {};
    for (const Range& rank : c.ranks) c.total += rank;
  }
  return c;
}

const StateBytes& state_bytes_for(Id recipe) {
  static constexpr StateBytes all[] = {
      {"18-byte", 6, 4, 8, "train-18-byte"},
      {"16-byte", 2, 2, 12, "train-16-byte"},
      {"8-byte", 2, 2, 4, "train-8-byte"},  // everything in BF16
  };
  for (const StateBytes& s : all)
    if (s.recipe == recipe) return s;
  return all[0];
}

RankCache rank_cache(const Request& request, int count, int rank) {
  RankCache out;
  if (!request.has_cache_shape) return out;
  const bool tensor = request.split == Split::tensor;
  const int ranks = tensor ? count : 1;
  const double sequences = request.sequences();
  const double share = tensor ? 1 : rank_share(request, count, rank);
  const StateDtype high = request.ggml() ? StateDtype::all_fp32 : StateDtype::fp32;
  const StateDtype low = request.ggml() ? StateDtype::all_fp32 : StateDtype::checkpoint;
  const CacheBreakdown wide = sequence_cache(request.model, *request.kv, request.context(), ranks, high);
  out.kv_bytes = std::ceil(wide.kv_bytes * sequences * share);
  out.state_bytes = std::ceil(wide.state_bytes * sequences * share);
  out.state_low_bytes = out.state_bytes;
  if (wide.state_bytes > 0 && low != high) {
    const CacheBreakdown narrow = sequence_cache(request.model, *request.kv, request.context(), ranks, low);
    out.state_low_bytes = std::ceil(narrow.state_bytes * sequences * share);
  }
  return out;
}

namespace {

Id kv_formula(MixerKind kind) {
  switch (kind) {
    case MixerKind::full: return "kv-grouped";
    case MixerKind::sliding: return "kv-sliding";
    case MixerKind::chunked: return "kv-chunked";
    case MixerKind::cross: return "kv-cross";
    case MixerKind::latent: return "kv-latent";
    default: return "kv-compressed";
  }
}

Id kv_source(MixerKind kind) {
  if (kind == MixerKind::full) return "kv-guides";
  return kind == MixerKind::compressed ? "deepseek-v4-cache" : "vllm-kv-interface";
}

}  // namespace

void explain_cache(const Request& request, std::vector<Term>& kv_terms, std::vector<Term>& state_terms) {
  if (!request.has_cache_shape) return;
  const double sequences = request.sequences();
  const CacheBreakdown one =
      sequence_cache(request.model, *request.kv, request.context(), 1, request.ggml() ? StateDtype::all_fp32 : StateDtype::fp32);
  for (int k = 0; k < one.num_kinds; ++k) {
    const LayerCache& c = one.kinds[k];
    const Mixer& x = request.model.mixers[c.mixer];
    if (is_recurrent(x.kind)) {
      if (c.state_bytes > 0)
        state_terms.push_back(make_term("state-recurrent", "vllm-mamba-state",
                                        Range::exact(c.num_layers * c.state_bytes * sequences),
                                        {{"layers", c.num_layers}, {"state_bytes", c.state_bytes}, {"sequences", sequences}}));
      if (c.conv_bytes > 0)
        state_terms.push_back(make_term("state-convolution", "vllm-mamba-state",
                                        Range::exact(c.num_layers * c.conv_bytes * sequences),
                                        {{"layers", c.num_layers}, {"state_bytes", c.conv_bytes}, {"sequences", sequences}}));
      continue;
    }
    const Range bytes = Range::exact(c.num_layers * c.resident_tokens * c.bytes_per_token * sequences);
    if (x.kind == MixerKind::latent)
      kv_terms.push_back(make_term("kv-latent", kv_source(x.kind), bytes,
                                   {{"tokens", c.resident_tokens},
                                    {"sequences", sequences},
                                    {"layers", c.num_layers},
                                    {"kv_lora_rank", double(x.kv_lora_rank)},
                                    {"qk_rope_head_dim", double(x.qk_rope_head_dim)},
                                    {"bytes_per_token", c.bytes_per_token}}));
    else if (x.kind == MixerKind::compressed)
      kv_terms.push_back(make_term("kv-compressed", kv_source(x.kind), bytes,
                                   {{"tokens", c.resident_tokens},
                                    {"sequences", sequences},
                                    {"layers", c.num_layers},
                                    {"ratio", double(x.compress_ratio)},
                                    {"window", double(x.window)},
                                    {"bytes_per_token", c.bytes_per_token}}));
    else
      kv_terms.push_back(make_term(kv_formula(x.kind), kv_source(x.kind), bytes,
                                   {{"tokens", c.resident_tokens},
                                    {"sequences", sequences},
                                    {"layers", c.num_layers},
                                    {"num_kv_heads", double(x.num_kv_heads)},
                                    {"head_dim", double(x.head_dim)},
                                    {"v_head_dim", double(x.v_head_dim)},
                                    {"bytes_per_element", request.kv->bits / 8},
                                    {"bytes_per_token", c.bytes_per_token}}));
    // Plain 16-bit elements need no source; block formats do.
    if (request.kv->source != "dtype") kv_terms.back().format_source = request.kv->source;
    if (c.index_bytes > 0)
      kv_terms.push_back(make_term(
          "kv-index", x.kind == MixerKind::full ? Id("sglang-pools") : kv_source(x.kind), Range::exact(c.index_bytes * sequences),
          {{"layers", c.num_layers}, {"sequences", sequences}, {"index_head_dim", double(x.index_head_dim)}}));
  }
}

}  // namespace vramfit
