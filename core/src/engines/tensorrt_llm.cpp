// TensorRT-LLM: once the engine is loaded, the pool of cache blocks takes a share of what is free. Source ids tensorrt-llm-pool
// (heads, share, blocks), tensorrt-llm-memory (buffers of a loaded engine, from NVIDIA's memory guide), tensorrt-llm-logs.
#include <algorithm>
#include <cmath>
#include <utility>

#include "attention_copies.h"
#include "token_slots.h"

namespace vramfit {
namespace {

constexpr double gib = bytes_per_gib;
constexpr double default_batch = 2048;

struct Trt {
  const EngineContext& c;

  explicit Trt(const EngineContext& context) : c(context) {}

  double max_batch_size() const {
    const double typed = c.number(FieldId::max_batch_size);
    return typed > 0 ? typed : default_batch;
  }
  double sequences() const { return c.attention_dp() ? std::ceil(c.r.sequences() / c.tensor_parallel) : c.r.sequences(); }
  double block() const { return c.number(FieldId::tokens_per_block); }

  TokenSlots slots(const Stage& s) const {
    SlotOptions o;
    o.whole_heads = c.attention_dp();
    o.round_heads_up = true;
    return token_slots(c, s, o);
  }
  // Layers with a window keep every token unless the engine is told otherwise.
  static double cell_bytes(const TokenSlots& t) { return t.compressed ? t.full_bytes : t.full_bytes + t.windowed_bytes; }
  static double window_bytes(const TokenSlots& t) { return t.compressed ? t.windowed_bytes * t.window : 0; }

  double request_bytes(const TokenSlots& t, double tokens) const {
    return std::ceil(tokens / block()) * block() * cell_bytes(t) + window_bytes(t) + t.fixed_bytes + t.state_bytes;
  }

  Range weights(const Stage& s) const {
    if (const double typed = c.number(FieldId::measured_weights_gib); typed > 0) return Range::exact(typed * gib);
    const RankWeights w = rank_weights(c, s, c.is(FieldId::speculative, "mtp"));
    double bytes = w.quantized_bytes + w.kept_bytes + (c.is(FieldId::language_model_only, "yes") ? 0 : w.tower_bytes);
    if (c.attention_dp()) bytes += attention_copy_bytes(c, s);
    return {std::ceil(bytes * 0.99), std::ceil(bytes), std::ceil(bytes * 1.03)};
  }

  // Fixed when the engine is built, for the largest batch it may be given.
  Range activations(const Stage& s) const {
    if (const double typed = c.number(FieldId::measured_activations_gib); typed > 0) return Range::exact(typed * gib);
    double wide = 0, experts = 0;
    for (int f = 0; f < c.r.model.num_feed_forwards; ++f) {
      const FeedForward& ff = c.r.model.feed_forwards[f];
      wide = std::max<double>(wide, std::max(ff.intermediate_size, ff.shared_intermediate_size));
      if (ff.num_experts == 0) continue;
      const double i = double(ff.moe_intermediate_size) / (c.expert_parallel > 1 ? 1 : c.tensor_parallel);
      experts = std::max(experts, ff.experts_per_token * (std::max<double>(2 * i, c.r.model.hidden_size) + i) * 2);
    }
    const double tokens = c.number(FieldId::max_num_tokens);
    const double forward = tokens * (3 * wide / c.tensor_parallel + 4.25 * c.r.model.hidden_size) * 2 + tokens * experts;
    const double logits = s.has_head ? max_batch_size() * c.r.model.vocab_size * 4 : 0;
    return {std::ceil(forward * 0.7), std::ceil(forward + logits), std::ceil((forward + 2 * logits) * 1.3)};
  }

  // Runtime and sampling buffers.
  Range buffers() const { return Range{0.15, 0.22, 0.5} * gib; }

  Range before() const {
    if (const double typed = c.number(FieldId::measured_other_gib); typed > 0) return Range::exact(typed * gib);
    return (c.tensor_parallel * c.pipeline_parallel > 1 ? Range{1.0, 1.8, 2.6} : Range{0.5, 0.75, 1.2}) * gib;
  }
};

}  // namespace

RankNeeds tensorrt_llm_needs(const EngineContext& c, int rank, bool explain) {
  const Trt t(c);
  RankNeeds out;
  out.rule = PoolRule::share_of_rest;
  out.share = c.number(FieldId::free_gpu_memory_fraction);
  const Stage stage = c.stage(rank);
  std::vector<Term> terms;
  const auto add = [&](Id id, const Range& bytes, Where where, Id formula, Id source, std::initializer_list<Value> values) {
    if (bytes.high <= 0) return;
    if (explain) terms.push_back(make_term(formula, source, bytes, values));
    out.add(id, bytes, where, std::exchange(terms, {}));
  };
  const Value ranks{"ranks", double(c.tensor_parallel)};
  add("weights", t.weights(stage), Where::budget, "rank-weights", c.r.recipe->source, {ranks});
  add("activations", t.activations(stage), Where::budget, "built-activations", "tensorrt-llm-memory",
      {{"tokens", c.number(FieldId::max_num_tokens)}, {"sequences", t.max_batch_size()}, ranks});
  add("buffers", t.buffers(), Where::budget, "runtime-buffers", "tensorrt-llm-memory", {});
  add("reserve", t.before(), Where::before, "engine-context", "tensorrt-llm-memory", {ranks});

  const TokenSlots slots = t.slots(stage);
  const double one = t.request_bytes(slots, c.r.context());
  out.one_request = Range::exact(std::ceil(one));
  out.all_requests = Range::exact(std::ceil(one * t.sequences()));
  if (explain) {
    std::vector<Term> kv, state;
    explain_cache(c.r, kv, state);
    const double of_state = std::ceil(slots.state_bytes * t.sequences());
    const double of_tokens = out.all_requests.likely - of_state;
    if (of_tokens > 0) out.cache.push_back({"kv_cache", Range::exact(of_tokens), Where::budget, std::move(kv)});
    if (of_state > 0) out.cache.push_back({"state", Range::exact(of_state), Where::budget, std::move(state)});
  }
  return out;
}

void tensorrt_llm_report(const EngineContext& c, const Held& held, EngineReport& report) {
  const Trt t(c);
  TokenSlots widest;
  for (int rank = 0; rank < c.pipeline_parallel; ++rank)
    if (const TokenSlots each = t.slots(c.stage(rank)); Trt::cell_bytes(each) > Trt::cell_bytes(widest)) widest = each;
  report.block_tokens = t.block();
  report.max_num_seqs = t.max_batch_size();
  report.max_num_batched_tokens = c.number(FieldId::max_num_tokens);
  const double cell = Trt::cell_bytes(widest);
  if (cell <= 0) return;
  const double copies = c.attention_dp() ? c.tensor_parallel : 1;
  const auto blocks = [&](double pool) { return std::floor(std::floor(pool / cell) / t.block()); };
  const auto tokens = [&](double pool) { return blocks(pool) * t.block(); };
  const double one = t.request_bytes(widest, c.r.context());
  const auto requests = [&](double pool) { return std::min(pool / one, t.max_batch_size()) * copies; };
  report.num_blocks = blocks(held.pool.likely);
  report_pool(held.pool, tokens, requests, report);
  report.longest_context = report.tokens.likely;
}

}  // namespace vramfit
