// Source ids: vllm-defaults (one GPU and the model's own window unless told), encoder-profile (activation peaks of vision models
// in published start-up logs), quantize-at-load, llama-cpp-attention (quantized caches are copied to 16 bits, layer by layer, as
// far as they are filled), start-varies (the same setting in the logs of several releases).
#include "warnings.h"

#include <algorithm>

#include "checks.h"
#include "rank_weights.h"

namespace vramfit {
namespace {

constexpr double gib = bytes_per_gib;
constexpr double largest_encoder_profile = 5 * gib;
constexpr double release_to_release = 5 * gib;  // by which what a release leaves for the pool has changed
constexpr double long_prompt = 262144;          // tokens: no trial run at the start is of that length

bool holds(Verdict v) { return v == Verdict::fits || v == Verdict::tight; }

struct Warnings {
  const EngineContext& c;
  std::vector<Notice>& notices;
  Held held;
  RankNeeds needs;

  Warnings(const EngineContext& context, std::vector<Notice>& list)
      : c(context), notices(list), held(judge_engine(c)), needs(needs_of(c, 0, false)) {}

  void warn(Id id, Id field, Id value = {}, double used = 0) const { note(notices, Severity::warning, id, field, value, used); }
  double usable() const { return c.usable_bytes(); }
  // Of the pool, beyond one request of the context asked for.
  double spare() const { return held.pool.likely - needs.one_request.likely; }

  void chip() const {
    const Id gpu = c.gpu < 0 ? Id() : c.card()->id;
    if (format_on_chip(c) == FormatRun::varies) warn("precision-on-chip", "weights", gpu, compute_capability(c));
    const double capability = compute_capability(c);
    const bool bf16 = c.r.recipe->kind == RecipeKind::uniform && c.r.recipe->format == Format::bf16;
    if (!c.r.in.llama_cpp_family() && bf16 && capability > 0 && capability < 8)
      warn("bfloat16-on-chip", "weights", gpu, capability);
  }

  // vLLM and SGLang take one GPU unless they are told of the others.
  void parallel_flag() const {
    if (!(c.is("vllm") || c.is("sglang")) || c.tensor_parallel < 2 || c.tensor_parallel != c.count) return;
    if (judge_engine(context_of(c.r, c.gpu, 1)).verdict != Verdict::fits)
      warn("tensor-parallel-flag", "count", {}, c.tensor_parallel);
  }

  // vLLM takes the model's own window unless it is told of a shorter one.
  void window_flag() const {
    const double window = c.r.summary.max_position_embeddings;
    if (!c.is("vllm") || window <= c.r.context()) return;
    Inputs longest = c.r.in;
    longest.set(FieldId::context, window);
    const Request request = asked_with(c.r, longest);
    if (judge_engine(context_of(request, c.gpu, c.count)).verdict == Verdict::does_not_fit)
      warn("window-flag", "context", {}, window);
  }

  void encoder() const {
    const bool told = c.r.in.is(FieldId::language_model_only, "yes");
    if (c.is("vllm") && c.r.model.tower_params > 0 && !told && spare() < largest_encoder_profile)
      warn("encoder-profile", "language_model_only", {}, std::max(0.0, spare()));
  }

  // What is left beside the budget, for kernels that allocate with the first long request.
  void beside_budget() const {
    if (needs.rule != PoolRule::share_of_total || held.cause == "beside-budget") return;
    const double beside = needs.sum(Where::outside).likely + needs.sum(Where::before).likely;
    const double left = (1 - needs.share) * usable() - beside;
    if (left < std::max(gib, 0.04 * usable()) && needs.share > 0.93)
      warn("little-beside-budget", c.is("vllm") ? "gpu_memory_utilization" : "mem_fraction_static", {}, std::max(0.0, left));
  }

  void quantize_at_load() const {
    const double peak = load_peak_bytes(c);
    if (peak > needs.share * usable() * 2 / 3) warn("quantize-at-load", "quantize_at_load", {}, peak);
  }

  // Where weights take most of the budget, a release that takes more at the start is enough.
  void releases() const {
    double weights = 0;
    for (const Part& p : needs.parts)
      if (p.id == "weights") weights += p.bytes.likely;
    if (c.is("vllm") && weights > needs.share * usable() * 2 / 3 && spare() < release_to_release)
      warn("start-varies", "vllm_version", {}, std::max(0.0, spare()));
  }

  // Attention over a quantized cache works on a 16-bit copy of one layer's, which grows as the cache fills.
  void cache_copy() const {
    if (!c.r.in.llama_cpp_family() || c.r.kv->bits >= 16) return;
    double widest = 0;
    for (int m = 0; m < c.r.model.num_mixers; ++m) {
      const Mixer& x = c.r.model.mixers[m];
      if (x.kind == MixerKind::full) widest = std::max(widest, double(x.num_kv_heads) * (x.head_dim + x.v_head_dim));
    }
    const double copy = widest * 2 * c.r.context();
    if (copy > 0 && held.layout.floor.likely + copy > usable()) warn("cache-copy", "kv", {}, copy);
  }

  // Workspaces that grow with the prompt are in no plan that is made from one chunk.
  void prompt() const {
    if ((c.is("sglang") || c.is("tensorrt-llm")) && c.r.context() >= long_prompt)
      warn("long-prompt", "context", {}, c.r.context());
  }

  void all() const {
    chip();
    if (!holds(held.verdict)) return;  // the cause says enough
    if (c.count > c.card()->max_per_node) warn("more-than-a-host", "count", {}, c.card()->max_per_node);
    parallel_flag();
    window_flag();
    encoder();
    beside_budget();
    quantize_at_load();
    releases();
    cache_copy();
    prompt();
  }
};

}  // namespace

void engine_warnings(const EngineContext& c, std::vector<Notice>& notices) {
  if (c.gpu >= 0) Warnings(c, notices).all();
}

double load_peak_bytes(const EngineContext& c) {
  // Since January 2026 vLLM makes a layer's 16-bit tensors only as they are read.
  const Id version = c.r.in.text(FieldId::vllm_version);
  const bool layer_by_layer = c.is("vllm") && (version == "0.21" || version == "0.17");
  if (!c.r.in.is(FieldId::quantize_at_load, "yes") || layer_by_layer || c.r.in.llama_cpp_family()) return 0;
  Request read = c.r;
  read.recipe = find_recipe("bf16");
  read.model.stored = {};
  read.memo = nullptr;  // which holds the weights as they are kept, not as they are read
  const EngineContext reading{
      read, c.engine, c.gpu, c.count, c.tensor_parallel, c.pipeline_parallel, c.data_parallel, c.expert_parallel};
  double peak = 0;
  for (int s = 0; s < c.pipeline_parallel; ++s)
    peak = std::max(peak, rank_weights(reading, pipeline_stage(c.r.model.num_layers(), c.pipeline_parallel, s), false).total());
  return peak;
}

}  // namespace vramfit
