// The worksheet guide's compartments, in GiB against what the driver reports: weights, cache for live tokens, activations,
// training state, framework reserve and headroom. Exact parameter counts, metadata included.
#include <algorithm>
#include <cmath>

#include "methods.h"

namespace vramfit {
namespace {

constexpr double gib = bytes_per_gib;

// Context, communication buffers and CUDA graphs of a serving engine, per GPU (source id vllm-reserve: vLLM 0.19 start-up logs on
// H100): context 0.51, other allocations 0.24-0.27, graphs 0.51-1.85 GiB on one GPU; with tensor parallelism 1.5-2.0, 2.06-2.21
// and the same graphs. Older builds hold 1.5 GiB less across GPUs, hence the low end.
constexpr Range reserve_one_gpu{1.3 * gib, 1.8 * gib, 2.7 * gib};
constexpr Range reserve_many_gpus{2.1 * gib, 4.6 * gib, 6.1 * gib};
// llama.cpp's memory outside its printed buffers on CUDA, 154-753 MiB (source id llama-cpp-overhead).
constexpr Range reserve_llama_cpp{0.15 * gib, 0.45 * gib, 0.75 * gib};
// A PyTorch process, 1-2 GB (source id accelerate-context).
constexpr Range reserve_training{1.0 * gib, 1.5 * gib, 2.0 * gib};

constexpr double llama_cpp_micro_batch = 512;  // llama.cpp's default n_ubatch

struct Headroom {
  Id situation;
  Range percent;
  Id source;
};
constexpr Headroom headrooms[] = {
    {"batch1", {10, 10, 10}, "worksheet-guide"},
    {"serving", {15, 20, 20}, "worksheet-guide"},
    {"production", {10, 15, 20}, "worksheet-guide"},
    // The guide says "more" without a figure for these two: one step of five points up is this project's choice.
    {"long-context", {20, 25, 25}, "vramfit-headroom"},
    {"benchmark", {20, 25, 25}, "vramfit-headroom"},
    {"training", {10, 10, 10}, "worksheet-guide"},
};

const Headroom& headroom_for(Id situation) {
  for (const Headroom& h : headrooms)
    if (h.situation == situation) return h;
  return headrooms[0];
}

// Width of the feed-forward that one token passes through; the widest over the layers.
double active_ffn_width(const Model& model) {
  double widest = 0;
  for (int i = 0; i < model.num_feed_forwards; ++i) {
    const FeedForward& f = model.feed_forwards[i];
    widest = std::max(
        widest, double(f.intermediate_size) + double(f.experts_per_token) * f.moe_intermediate_size + f.shared_intermediate_size);
  }
  return widest;
}

struct Worksheet {
  const Request& r;
  int itemised_count;
  MethodResult& out;
  Range needs[max_gpu_count] = {};       // bytes on the fullest of each count of GPUs, without headroom
  Range rank_needs[max_gpu_count] = {};  // the same on each GPU of the itemised count
  Range one_copy;
  double weight_bytes_of_one_copy = 0;

  void add(Id id, Range copy, std::vector<Term> terms, RankBytes bytes) {
    for (int n = 1; n <= max_gpu_count; ++n) needs[n - 1] += bytes(n, 0);
    one_copy += copy;
    out.compartments.push_back(itemise(r, id, itemised_count, std::move(terms), bytes));
    for (int k = 0; k < itemised_count; ++k) rank_needs[k] += out.compartments.back().ranks[k];
  }

  // --- serving ---

  void weights() {
    std::vector<Term> terms;
    double total = 0;
    double whole = 0;  // what a split does not spread: token table and head between layers, norms and routers within them
    if (r.summary.exact.total > 0) {
      const WeightBytes& w = r.weight_bytes;
      total = std::ceil(w.total);
      whole = r.split == Split::layer ? w.embedding_bytes + w.head_bytes : r.split == Split::tensor ? w.replicated_bytes : 0;
      const auto term = [&](Id formula, Id source, double elements, double bytes) {
        if (elements > 0)
          terms.push_back(
              make_term(formula, source, Range::exact(bytes), {{"params", elements}, {"bits_per_param", bytes * 8 / elements}}));
      };
      const bool has_scales = r.recipe->kind != RecipeKind::uniform;
      term(has_scales ? "weights-format" : "weights-bare", r.recipe->source, w.quantized_elements, w.quantized_bytes);
      term("weights-kept", r.recipe->source, w.kept_elements, w.kept_bytes);
    } else {
      const double bits = tensor_bytes(r.recipe->format, 1 << 14, 1 << 14, r.group_size) * 8 / (1 << 28);
      const double used =
          r.recipe->format == Format::int4_flat || r.recipe->format == Format::fp8 ? r.recipe->nominal_bits : bits;
      total = std::ceil(r.stated_params() * used / 8);
      terms.push_back(make_term("weights-bare", r.recipe->source, Range::exact(total),
                                {{"params", r.stated_params()}, {"bits_per_param", used}}));
    }
    weight_bytes_of_one_copy = total;
    // Norms and routers are on every tensor-parallel rank. Token table and head exist once, on a device that the build and the
    // flags decide: they count on the fullest rank, which is what has to fit, and on no other, so that the total is one copy.
    add("weights", Range::exact(total), std::move(terms), [&, total, whole](int n, int rank) {
      return Range::exact(std::ceil((total - whole) * rank_share(r, n, rank) + (rank == 0 ? whole : 0)));
    });
  }

  void cache() {
    if (!r.has_cache_shape) {
      out.missing.push_back("kv_cache");
      return;
    }
    std::vector<Term> kv_terms, state_terms;
    explain_cache(r, kv_terms, state_terms);
    const RankCache one = rank_cache(r, 1);
    if (!kv_terms.empty())
      add("kv_cache", Range::exact(one.kv_bytes), std::move(kv_terms),
          [&](int n, int rank) { return Range::exact(rank_cache(r, n, rank).kv_bytes); });
    if (!state_terms.empty())
      add("state", {one.state_low_bytes, one.state_bytes, one.state_bytes}, std::move(state_terms), [&](int n, int rank) {
        const RankCache c = rank_cache(r, n, rank);
        return Range{c.state_low_bytes, c.state_bytes, c.state_bytes};
      });
  }

  // Prefill's peak: the wider of the sampler's logits and one chunk's feed-forward (source id vllm-activations: a fit on 27 dense
  // vLLM 0.19 start-up logs with at most 0.02 GiB of error; mixtures and other engines differ, hence the range).
  void prefill_activations() {
    if (!r.has_layers) {
      out.missing.push_back("activations");
      return;
    }
    const double h = r.model.hidden_size;
    const double width = active_ffn_width(r.model);
    if (r.ggml()) return llama_cpp_compute(width);
    const double chunk = r.in.number(FieldId::batched_tokens);
    const double tokens = std::min(chunk, r.context() * r.sequences());
    const double logits = r.sequences() * r.model.vocab_size * 14.5 + 2 * tokens * h;
    const auto feed_forward = [=](int n) { return tokens * (3 * width / n + 4.25 * h) * 2; };
    const auto peak = [=, this](int n, int) {
      const double bytes = std::ceil(std::max(logits, feed_forward(r.split == Split::tensor ? n : 1)));
      return Range{std::ceil(bytes * 0.5), bytes, std::ceil(bytes * 1.5 + 0.3 * gib)};
    };
    Term term = logits > feed_forward(1) ? make_term("activations-logits", "vllm-activations", peak(1, 0),
                                                     {{"sequences", r.sequences()},
                                                      {"vocab_size", double(r.model.vocab_size)},
                                                      {"tokens", tokens},
                                                      {"hidden_size", h}})
                                         : make_term("activations-prefill", "vllm-activations", peak(1, 0),
                                                     {{"tokens", tokens}, {"ffn_width", width}, {"hidden_size", h}});
    add("activations", peak(1, 0), {std::move(term)}, peak);
  }

  // llama.cpp keeps one buffer for the largest stage of its graph on every device (source id llama-cpp-compute): the logits of a
  // micro-batch, or one layer beside the attention mask. Builds since May 2026 reserve hardly any logits: the low end.
  void llama_cpp_compute(double width) {
    const double h = r.model.hidden_size;
    const double cells = std::ceil(r.context() * r.sequences() / 256) * 256;
    const double tokens = std::min(llama_cpp_micro_batch, cells);
    const double mask = r.has_cache_shape && !r.model.encoder ? cells * tokens * 2 : 0;
    const double layer = tokens * (2 * width + 6 * h) * 4 + mask;
    const double logits = tokens * (r.model.vocab_size + 2 * h) * 4;
    const Range bytes{std::ceil(layer), std::ceil(std::max(layer, logits)), std::ceil(std::max(layer, logits) + 3 * mask)};
    add("activations", bytes,
        {make_term(logits > layer ? "activations-llama-logits" : "activations-llama-layer", "llama-cpp-compute", bytes,
                   {{"tokens", tokens},
                    {"vocab_size", double(r.model.vocab_size)},
                    {"hidden_size", h},
                    {"ffn_width", width},
                    {"cells", cells}})},
        [bytes](int, int) { return bytes; });
  }

  void serving_reserve() {
    const bool llama = r.ggml();
    const auto reserve = [llama](int n, int) { return llama ? reserve_llama_cpp : n == 1 ? reserve_one_gpu : reserve_many_gpus; };
    const Range shown = reserve(itemised_count, 0);
    add("reserve", reserve(1, 0),
        {make_term(llama                 ? "reserve-llama-cpp"
                   : itemised_count == 1 ? "reserve-one-gpu"
                                         : "reserve-many-gpus",
                   llama ? "llama-cpp-overhead" : "vllm-reserve", shown, {})},
        reserve);
  }

  Id situation() const {
    if (r.in.training()) return "training";
    const Id chosen = r.in.text(FieldId::situation);
    if (chosen != "auto") return chosen;
    if (rank_cache(r, 1).kv_bytes > weight_bytes_of_one_copy) return "long-context";  // the cache is the main variable
    return r.sequences() > 1 ? "serving" : "batch1";
  }

  void headroom() {
    const double typed = r.in.number(FieldId::headroom);
    const Headroom& h = headroom_for(situation());
    const Range percent = typed > 0 ? Range::exact(typed) : h.percent;
    const auto of = [&](const Range& sum) {
      return Range{std::ceil(sum.low * percent.low / 100), std::ceil(sum.likely * percent.likely / 100),
                   std::ceil(sum.high * percent.high / 100)};
    };
    for (int n = 1; n <= max_gpu_count; ++n) {
      Layout& l = out.layouts[n - 1];
      l.floor = needs[n - 1];
      l.need = needs[n - 1] + of(needs[n - 1]);
    }
    Term term = make_term(typed > 0 ? "headroom-typed" : "headroom-situation", typed > 0 ? Id("user") : h.source, of(one_copy),
                          {{"percent", percent.likely}, {"bytes", one_copy.likely}});
    out.compartments.push_back(
        itemise(r, "headroom", itemised_count, {std::move(term)}, [&](int, int rank) { return of(rank_needs[rank]); }));
    out.total = one_copy + of(one_copy);
  }

  void serving() {
    weights();
    cache();
    prefill_activations();
    serving_reserve();
    headroom();
  }

  // --- training ---

  void state(Id id, Id formula, Id source, double params, double bytes_per_param) {
    const Range bytes = Range::exact(std::ceil(params * bytes_per_param));
    add(id, bytes, {make_term(formula, source, bytes, {{"params", params}, {"bytes_per_param", bytes_per_param}})},
        [this, bytes](int n, int rank) { return bytes * rank_share(r, n, rank); });
  }

  double trained_params() const { return r.summary.exact.total > 0 ? r.summary.exact.total : r.stated_params(); }

  // Low-rank pairs beside every linear layer but the routed experts: rank x (rows + columns) each.
  double adapter_params() const {
    const double rank = r.in.number(FieldId::lora_rank);
    double sum = 0;
    for_each_tensor(r.model, false, [&](const Tensor& t) {
      if (is_linear(t.cls) && !is_expert(t.cls)) sum += rank * (t.rows + t.cols) * t.count * t.num_layers;
    });
    return sum;
  }

  // Per token of every layer, 16-bit, fused attention (source id training-activations); checkpointing keeps each layer's input
  // and one layer in full. Logits and their gradient are taken at 8 to 16 bytes an element.
  void training_activations(bool frozen_base) {
    if (!r.has_layers) {
      out.missing.push_back("activations");
      return;
    }
    const double h = r.model.hidden_size;
    const double f = active_ffn_width(r.model);
    const Mixer* attention = first_attention(r.model);
    const double kv = attention ? double(attention->num_kv_heads) * attention->head_dim : 0;
    const double tokens = r.context() * r.sequences();
    const double layer = (frozen_base ? 6 : 8) * f + 20 * h + 2 * (h + 2 * kv) + 2 * (h + kv) + (frozen_base ? 0 : 2 * h);
    const double layers = r.summary.num_layers;
    const bool checkpoint = r.in.is(FieldId::checkpointing, "full");
    const double kept = checkpoint ? tokens * (2 * h * layers + layer) : tokens * layer * layers;
    const double logits = tokens * r.model.vocab_size;
    const Range bytes{std::ceil(kept * 0.9 + logits * 8), std::ceil(kept + logits * 12), std::ceil(kept * 1.15 + logits * 16)};
    add("activations", bytes,
        {make_term(
             checkpoint ? "activations-checkpointed" : "activations-kept", "training-activations", Range::exact(kept),
             {{"tokens", tokens}, {"layers", layers}, {"hidden_size", h}, {"ffn_width", f}, {"bytes_per_token", kept / tokens}}),
         make_term("activations-loss", "training-logits", {logits * 8, logits * 12, logits * 16},
                   {{"tokens", tokens}, {"vocab_size", double(r.model.vocab_size)}})},
        [bytes](int, int) { return bytes; });
  }

  void training() {
    const bool adapters = !r.in.is(FieldId::task, "full");
    if (!adapters) {
      const StateBytes& s = state_bytes_for(r.in.text(FieldId::states));
      state("weights", "state-bytes", s.source, trained_params(), s.weights);
      state("gradients", "state-bytes", s.source, trained_params(), s.gradients);
      state("optimizer", "state-bytes", s.source, trained_params(), s.optimizer);
    } else {
      weights();
      if (r.has_layers && r.summary.exact.total > 0) state("adapters", "state-adapters", "lora-states", adapter_params(), 16);
      else out.missing.push_back("adapters");
    }
    training_activations(adapters);
    add("reserve", reserve_training, {make_term("reserve-training", "accelerate-context", reserve_training, {})},
        [](int, int) { return reserve_training; });
    headroom();
  }
};

}  // namespace

MethodResult worksheet_method(const Request& request, int itemised_count) {
  MethodResult out = start_method(request, "worksheet");
  Worksheet sheet{request, itemised_count, out, {}, {}, {}, 0};
  if (request.in.training()) sheet.training();
  else sheet.serving();
  return out;
}

}  // namespace vramfit
