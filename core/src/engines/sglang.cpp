// SGLang: a share of the memory that is free at start for weights and pools; activations, graphs and request tables live in the
// rest. Source ids sglang-share (defaults of the share, prefill chunk and graph sizes), sglang-pools (slots of the pools),
// sglang-logs (start-up logs: context, request table, graphs).
#include <algorithm>
#include <cmath>
#include <utility>

#include "attention_copies.h"
#include "checks.h"
#include "extras.h"
#include "token_slots.h"
#include "vramfit/shape.h"
#include "vramfit/tensors.h"

namespace vramfit {
namespace {

constexpr double gib = bytes_per_gib;

// With a radix cache a request may pin this many states at once: its own, the matched prefix's, the one being stored; with
// buffers to overlap the schedule, two more.
constexpr double states_per_request = 3;
constexpr double overlapped_states = 5;

struct Sglang {
  const EngineContext& c;

  explicit Sglang(const EngineContext& context) : c(context) {}

  double number(FieldId id) const { return c.r.in.number(id); }
  bool is(FieldId id, Id choice) const { return c.r.in.is(id, choice); }
  bool attention_dp() const { return is(FieldId::attention_dp, "yes") && c.tensor_parallel > 1; }
  bool speculates() const { return !is(FieldId::speculative, "none"); }
  bool graphs_on() const { return is(FieldId::disable_cuda_graph, "no"); }

  Stage stage(int rank) const { return pipeline_stage(c.r.model.num_layers(), c.pipeline_parallel, rank); }

  double card_mib() const { return c.usable_bytes() / bytes_per_mib; }

  // Defaults by the size of the card.
  double chunk() const {
    double tokens = number(FieldId::chunked_prefill_size);
    if (tokens <= 0) {
      const double mib = card_mib();
      if (mib < 35 * 1024) tokens = 2048;
      else if (mib < 60 * 1024) tokens = is(FieldId::sglang_version, "0.4") ? 8192 : 4096;
      else tokens = mib < 160 * 1024 ? 8192 : 16384;
    }
    return attention_dp() ? std::ceil(tokens / c.tensor_parallel) : tokens;
  }
  double largest_graph() const {
    const double mib = card_mib();
    const bool wide = c.tensor_parallel >= 4;
    if (is(FieldId::sglang_version, "0.4")) return mib < 35 * 1024 ? (wide ? 80 : 8) : 160;
    if (mib < 20 * 1024) return 8;
    if (mib < 35 * 1024) return wide ? 80 : 24;
    if (mib < 60 * 1024) return wide ? 160 : 32;
    return wide || mib >= 160 * 1024 ? 512 : 256;
  }
  // Batch sizes that graphs are captured for.
  double graph_sizes() const {
    const double most = largest_graph();
    double sizes = 0;
    for (const double s : {1, 2, 4, 8, 12}) sizes += s <= most;
    sizes += std::max(0.0, std::floor((std::min(most, 256.0) - 16) / 8) + 1);
    sizes += std::max(0.0, std::floor((std::min(most, 496.0) - 272) / 16) + 1);
    return sizes + (most >= 512 ? 1 : 0);
  }

  double share() const {
    if (const double typed = number(FieldId::mem_fraction_static); typed > 0) return typed;
    double share = 0;
    const int ranks = c.tensor_parallel * c.pipeline_parallel;
    if (is(FieldId::sglang_version, "0.4")) {
      share = ranks >= 8 ? 0.81 : ranks >= 4 ? 0.85 : ranks >= 2 ? 0.87 : 0.88;
    } else {
      const double mib = card_mib();
      const double chunks = number(FieldId::chunked_prefill_size) > 0 || !attention_dp() ? chunk() : chunk() * c.tensor_parallel;
      double reserved = 512 + std::max(chunks, 2048.0) * 1.5 + largest_graph() * 2 + ranks / 8.0 * 1024;
      if (attention_dp()) reserved += largest_graph() * c.tensor_parallel * (largest_graph() > 300 ? 4.5 : 3);
      if (mib > 60 * 1024) reserved = std::max(reserved, 10.0 * 1024);
      if (is(FieldId::speculative, "draft")) reserved += 6 * 1024;
      else if (speculates()) reserved += 2 * 1024;
      share = std::max(0.01, std::round((mib - reserved) / mib * 1000) / 1000);
    }
    // Image encoders take five per cent and more: by their size against a ViT-L of 0.3 billion parameters.
    if (c.r.model.tower_params > 0 && is(FieldId::language_model_only, "no"))
      share *= 0.95 * std::clamp(1 - 0.1 * (c.r.model.tower_params / 302e6 - 1), 0.8, 1.05);
    return share;
  }

  SlotOptions slot_options() const {
    SlotOptions o;
    o.whole_heads = attention_dp();
    if (is(FieldId::mamba_ssm_cache_dtype, "float32")) o.state = StateDtype::fp32;
    return o;
  }

  // Layers of the draft, each of which is given a cache like one of the model's own.
  double draft_layers() const {
    if (is(FieldId::speculative, "mtp")) return std::max(1, c.r.model.num_mtp_layers);
    if (is(FieldId::speculative, "eagle3")) return 1;
    const ModelEntry* entry = is(FieldId::speculative, "draft") ? find_model(c.r.in.text(FieldId::draft_model)) : nullptr;
    return entry ? parse_shape(entry->shape, true).model.num_layers() : 0;
  }
  Range draft_bytes(const Stage& s) const {
    if (is(FieldId::speculative, "mtp"))
      return Range::exact(std::ceil(rank_weights(c, s, true).total() - rank_weights(c, s, false).total()));
    if (!s.has_head) return {};
    Range bytes = draft_of(c).weight_bytes;
    // The model's token table takes the place of the draft's own once that is loaded.
    if (is(FieldId::speculative, "eagle3")) {
      const double table = double(c.r.model.vocab_size) * c.r.model.hidden_size * 2 / c.tensor_parallel;
      bytes += {0, std::ceil(table), std::ceil(1.5 * table)};
    }
    return bytes;
  }

  // Slots of the window layers' pool for each slot of the other.
  double window_ratio(const TokenSlots& slots) const {
    const double typed = number(FieldId::swa_full_tokens_ratio);
    return slots.compressed && c.r.in.is_default(FieldId::swa_full_tokens_ratio) ? 0.1 : typed;
  }

  // Bytes of the pools for each token they hold. A draft's layers are counted like the model's own.
  double cell_bytes(const TokenSlots& slots) const {
    if (slots.full_bytes <= 0) return slots.windowed_bytes;
    const double drafted = slots.full_layers > 0 ? draft_layers() / slots.full_layers : 0;
    return std::floor(slots.full_bytes * (1 + drafted) + window_ratio(slots) * slots.windowed_bytes);
  }

  double page() const { return number(FieldId::page_size); }
  double sequences() const { return attention_dp() ? std::ceil(c.r.sequences() / c.tensor_parallel) : c.r.sequences(); }

  // Room for `requests` at once.
  struct Pools {
    double kv = 0, state = 0;
  };
  Pools pools(const TokenSlots& slots, double requests, double states) const {
    Pools out;
    double tokens = requests * std::ceil(c.r.context() / page()) * page();
    if (slots.windowed_bytes > 0 && slots.full_bytes > 0)
      tokens = std::max(tokens, std::ceil((slots.window + page() + 1) / window_ratio(slots)));
    out.kv = tokens * cell_bytes(slots) + requests * slots.fixed_bytes;
    if (slots.state_bytes <= 0) return out;
    if (const double typed = number(FieldId::max_mamba_cache_size); typed > 0) {
      out.state = (typed + 1) * slots.state_bytes;
      return out;
    }
    // The two pools are divided by a ratio before anything is asked of them.
    const double ratio = number(FieldId::mamba_full_memory_ratio);
    out.state = std::max((requests * states + 1) * slots.state_bytes, out.kv * ratio);
    out.kv = std::max(out.kv, out.state / ratio);
    return out;
  }
  Range pool_range(const TokenSlots& slots, double requests) const {
    const Pools few = pools(slots, requests, states_per_request);
    const Pools many = pools(slots, requests, overlapped_states);
    return {std::ceil(few.kv + few.state), std::ceil(few.kv + few.state), std::ceil(many.kv + many.state)};
  }

  // Of `pool` bytes: the states' part, and the states in it.
  double state_pool(const TokenSlots& slots, double pool) const {
    if (slots.state_bytes <= 0) return 0;
    if (const double typed = number(FieldId::max_mamba_cache_size); typed > 0)
      return std::min(pool, (typed + 1) * slots.state_bytes);
    const double ratio = number(FieldId::mamba_full_memory_ratio);
    return pool * ratio / (1 + ratio);
  }

  double max_running_requests(double tokens) const {
    if (const double typed = number(FieldId::max_running_requests); typed > 0) return typed;
    return std::clamp(std::floor(tokens / c.r.context() * 512), 2048.0, 4096.0);
  }

  // Rotary tables in float32 for every position.
  double rotary_bytes() const {
    const Mixer* x = first_attention(c.r.model);
    return x ? double(c.r.summary.max_position_embeddings) * (x->qk_rope_head_dim > 0 ? x->qk_rope_head_dim : x->head_dim) * 4
             : 0;
  }

  // Of 4-bit experts beside FP8 layers the scale of each 32 weights is held in float32, not in the checkpoint's byte, where the
  // chip has no 4-bit matrix units (source id sglang-fp4-experts).
  double wide_scale_bytes(const Stage& s) const {
    if (c.r.recipe->kind != RecipeKind::experts_and_fp8) return 0;
    double elements = 0;
    for_each_tensor(c.r.model, false, [&](const Tensor& t) {
      if (!is_expert(t.cls)) return;
      elements += t.rows * t.cols * t.count *
                  std::max(0, std::min(s.last, t.first_layer + t.num_layers) - std::max(s.first, t.first_layer));
    });
    return elements / c.tensor_parallel * 3 / 32;
  }

  Range weights(const Stage& s, double& on_host) const {
    if (const double typed = number(FieldId::measured_weights_gib); typed > 0) return Range::exact(typed * gib);
    const RankWeights w = rank_weights(c, s, false);
    const double tower = is(FieldId::language_model_only, "yes") ? 0 : w.tower_bytes;
    double bytes = w.quantized_bytes + w.kept_bytes + tower + rotary_bytes();
    if (attention_dp()) bytes += attention_copy_bytes(c, s);
    on_host = std::min(bytes, number(FieldId::cpu_offload_gb) * gib);
    bytes -= on_host;
    const double scales = wide_scale_bytes(s);
    const bool native = c.gpu >= 0 && compute_capability(c) >= 10;
    const double likely = bytes + (native ? 0 : scales);
    return {std::ceil(bytes * 0.995), std::ceil(likely), std::ceil((bytes + scales) * (scales > 0 ? 1.06 : 1.015))};
  }

  // Of one prefill chunk.
  Range activations() const {
    if (const double typed = number(FieldId::measured_activations_gib); typed > 0) return Range::exact(typed * gib);
    double wide = 0, experts = 0;
    for (int f = 0; f < c.r.model.num_feed_forwards; ++f) {
      const FeedForward& ff = c.r.model.feed_forwards[f];
      wide = std::max<double>(wide, std::max(ff.intermediate_size, ff.shared_intermediate_size));
      if (ff.num_experts == 0) continue;
      const double i = double(ff.moe_intermediate_size) / (c.expert_parallel > 1 ? 1 : c.tensor_parallel);
      experts = std::max(experts, ff.experts_per_token * (std::max<double>(2 * i, c.r.model.hidden_size) + i) * 2);
    }
    const double tokens = chunk();
    const double forward = tokens * (3 * wide / c.tensor_parallel + 4.25 * c.r.model.hidden_size) * 2 + tokens * experts;
    // Attention kernels keep a workspace of their own.
    return {std::ceil(forward * 0.8), std::ceil(forward + 0.4 * gib), std::ceil(forward * 1.3 + 0.8 * gib)};
  }

  Range graphs() const {
    if (!graphs_on()) return {};
    if (const double typed = number(FieldId::measured_graphs_gib); typed > 0) return Range::exact(typed * gib);
    const double layers = std::ceil(double(c.r.model.num_layers()) / c.pipeline_parallel);
    const double logits = largest_graph() * c.r.model.vocab_size * 4;
    const Range each = Range{0.3, 0.7, 1.2} * bytes_per_mib;
    return each * (graph_sizes() * layers) + Range{0, logits, 2 * logits};
  }

  // Contexts and communicators are there before the free memory is looked at.
  Range before() const {
    if (const double typed = number(FieldId::measured_other_gib); typed > 0) return Range::exact(typed * gib);
    return (c.tensor_parallel * c.pipeline_parallel > 1 ? Range{1.2, 1.9, 3.0} : Range{0.4, 0.6, 1.0}) * gib;
  }

  // One entry for each token that each running request may have. Without a stated length that is the model's own window, which
  // for windows of millions nobody can leave unsaid.
  Range request_table() const {
    const auto rows = [&](double requests, double tokens) { return requests * (tokens + 4) * 4; };
    const double typed = number(FieldId::max_running_requests);
    const double window = c.r.summary.max_position_embeddings;
    const double asked = c.r.context();
    const double longest = window > asked && window <= 1 << 20 ? window : asked;
    if (typed > 0) return {rows(typed, asked), rows(typed, asked), rows(typed, longest)};
    return {rows(2048, asked), rows(2048, asked), std::max(rows(2048, longest), rows(4096, asked))};
  }
};

}  // namespace

RankNeeds sglang_needs(const EngineContext& c, int rank, bool explain) {
  const Sglang s(c);
  RankNeeds out;
  out.rule = PoolRule::share_of_free;
  out.share = s.share();
  const Stage stage = s.stage(rank);
  const TokenSlots slots = token_slots(c, stage, s.slot_options());
  std::vector<Term> terms;
  const auto add = [&](Id id, const Range& bytes, Where where, Id formula, Id source, std::initializer_list<Value> values) {
    if (bytes.high <= 0) return;
    if (explain) terms.push_back(make_term(formula, source, bytes, values));
    out.add(id, bytes, where, std::exchange(terms, {}));
  };
  const Value ranks{"ranks", double(c.tensor_parallel)};
  add("weights", s.weights(stage, out.host_bytes), Where::budget, "rank-weights", c.r.recipe->source, {ranks});
  add("draft", s.draft_bytes(stage), Where::budget, "draft-weights", "sglang-pools", {{"layers", s.draft_layers()}, ranks});
  add("adapters", Range::exact(std::ceil(adapter_slot_bytes(c, stage))), Where::budget, "lora-pool", "sglang-pools",
      {{"adapters", s.number(FieldId::max_loras)}, {"lora_rank", s.number(FieldId::max_lora_rank)}});
  add("activations", s.activations(), Where::outside, "chunk-activations", "sglang-logs", {{"tokens", s.chunk()}, ranks});
  add("graphs", s.graphs(), Where::outside, "graph-sizes", "sglang-logs",
      {{"sizes", s.graph_sizes()}, {"layers", double(c.r.model.num_layers())}});
  add("request_table", s.request_table(), Where::outside, "request-table", "sglang-pools", {{"tokens", c.r.context()}});
  add("reserve", s.before(), Where::before, "engine-context", "sglang-logs", {ranks});

  const Sglang::Pools one = s.pools(slots, 1, states_per_request);
  const Sglang::Pools all = s.pools(slots, s.sequences(), states_per_request);
  out.one_request = s.pool_range(slots, 1);
  out.all_requests = s.pool_range(slots, s.sequences());
  if (slots.state_bytes > 0 && one.kv > c.r.context() * s.cell_bytes(slots) + s.page() * s.cell_bytes(slots))
    out.one_request_cause = "state-blocks";
  if (explain) {
    std::vector<Term> kv, state;
    explain_cache(c.r, kv, state);
    if (all.kv > 0)
      kv.push_back(
          make_term("token-slots", "sglang-pools", Range::exact(std::ceil(all.kv)),
                    {{"bytes_per_token", s.cell_bytes(slots)}, {"ratio", slots.windowed_bytes > 0 ? s.window_ratio(slots) : 1}}));
    if (all.state > 0)
      state.push_back(make_term("state-pool", "sglang-pools", Range::exact(std::ceil(all.state)),
                                {{"ratio", s.number(FieldId::mamba_full_memory_ratio)}, {"state_bytes", slots.state_bytes}}));
    if (all.kv > 0) out.cache.push_back({"kv_cache", Range::exact(std::ceil(all.kv)), Where::budget, std::move(kv)});
    if (all.state > 0) out.cache.push_back({"state", Range::exact(std::ceil(all.state)), Where::budget, std::move(state)});
  }
  return out;
}

void sglang_report(const EngineContext& c, const Held& held, EngineReport& report) {
  const Sglang s(c);
  report.era = c.r.in.text(FieldId::sglang_version);
  report.max_num_batched_tokens = s.chunk();
  report.block_tokens = s.page();
  // The stage with the widest slots decides for all.
  double cell = 0;
  TokenSlots slots;
  for (int rank = 0; rank < c.pipeline_parallel; ++rank) {
    const Stage stage = s.stage(rank);
    const TokenSlots each = token_slots(c, stage, s.slot_options());
    if (const double bytes = s.cell_bytes(each); bytes > cell) {
      cell = bytes;
      slots = each;
    }
  }
  const double copies = s.attention_dp() ? c.tensor_parallel : 1;
  const auto tokens = [&](double pool) {
    return cell > 0 ? std::floor((pool - s.state_pool(slots, pool)) / cell / s.page()) * s.page() : 0;
  };
  const auto running = [&](double pool, double states) {
    const double most = s.max_running_requests(tokens(pool));
    if (slots.state_bytes <= 0) return most;
    return std::min(most, std::floor(s.state_pool(slots, pool) / slots.state_bytes / states));
  };
  const auto requests = [&](double pool, double states) {
    return std::min(tokens(pool) / c.r.context(), running(pool, states)) * copies;
  };
  report.tokens = {tokens(held.pool.low), tokens(held.pool.likely), tokens(held.pool.high)};
  report.max_concurrency = {requests(held.pool.low, overlapped_states), requests(held.pool.likely, states_per_request),
                            requests(held.pool.high, states_per_request)};
  report.num_blocks = std::floor(report.tokens.likely / s.page());
  report.longest_context = report.tokens.likely;
  report.max_num_seqs = running(held.pool.likely, states_per_request);
}

void sglang_notices(const EngineContext& c, std::vector<Notice>& notices) {
  // The smallest share with which weights leave any pool at all.
  const Sglang s(c);
  double on_host = 0;
  double most = 0;
  for (int rank = 0; rank < c.pipeline_parallel; ++rank) {
    const Stage stage = s.stage(rank);
    most = std::max(most, s.weights(stage, on_host).likely + s.draft_bytes(stage).likely + adapter_slot_bytes(c, stage));
  }
  const double free = c.usable_bytes() - s.before().likely - c.r.in.number(FieldId::other_programs_gib) * gib;
  if (most <= s.share() * free) return;
  const double wanted = std::ceil(most / free * 1000) / 1000;
  if (wanted < 1) note(notices, Severity::warning, "sglang-share-too-small", "mem_fraction_static", {}, wanted);
}

}  // namespace vramfit
