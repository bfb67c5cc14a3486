// vLLM: a budget of the card's memory, from which weights, activations and libraries come off; the rest is the pool of cache
// blocks. By eras of its memory accounting. Source ids vllm-budget, vllm-activations, vllm-communication, vllm-graphs.
#include <algorithm>
#include <cmath>
#include <utility>

#include "extras.h"

namespace vramfit {
namespace {

constexpr double gib = bytes_per_gib;

enum Era : int { before_latent, v0, v1_first, v1, v1_sampler, v1_graphs };

Era era_of(const Request& r) {
  const Id version = r.in.text(FieldId::vllm_version);
  if (version == "0.6") return before_latent;
  if (version == "v0") return v0;
  if (version == "v1") return v1_first;
  if (version == "0.8") return v1;
  return version == "0.17" ? v1_sampler : v1_graphs;
}

struct Vllm {
  const EngineContext& c;
  Era era;

  explicit Vllm(const EngineContext& context) : c(context), era(era_of(context.r)) {}

  double utilization() const {
    if (const double typed = c.number(FieldId::gpu_memory_utilization); typed > 0) return typed;
    return era == v1_graphs ? 0.92 : 0.9;
  }

  // Defaults of the server: larger on cards from 70 GiB up (source id vllm-limits).
  bool large_card() const {
    const Id gpu = c.gpu < 0 ? Id("h100") : gpus()[c.gpu].id;
    return c.usable_bytes() >= 70 * gib && gpu.substr(0, 4) != "a100";
  }
  double max_num_seqs() const {
    if (const double typed = c.number(FieldId::max_num_seqs); typed > 0) return typed;
    return era == v1_first || (era >= v1 && large_card()) ? 1024 : 256;
  }
  double max_num_batched_tokens() const {
    if (const double typed = c.number(FieldId::max_num_batched_tokens); typed > 0) return typed;
    const double context = c.r.context();
    if (era < v1_first) return chunked() ? (era == v0 ? 2048 : 512) : std::max(2048.0, context);
    // Doubled for the largest cards in 2026.
    if (era == v1_graphs && c.usable_bytes() >= 160 * gib) return 16384;
    return large_card() ? 8192 : 2048;
  }

  // V0 prefilled a prompt whole up to 32,768 tokens, and with latent attention whatever its length.
  bool chunked() const {
    const Mixer* const x = first_attention(c.r.model);
    const bool latent = era == v0 && x && x->kind == MixerKind::latent;
    return era >= v1_first || (c.r.context() > 32768 && !latent);
  }

  PagingOptions paging() const {
    PagingOptions o;
    o.block_tokens = c.number(FieldId::block_size) > 0 ? c.number(FieldId::block_size) : 16;
    o.group_kinds = era >= v1_first && !c.is(FieldId::disable_hybrid_kv_cache_manager, "yes");
    o.chunk_tokens = max_num_batched_tokens();
    o.states_per_request = c.is(FieldId::enable_prefix_caching, "yes") ? 2 : 1;
    if (c.is(FieldId::speculative, "mtp")) {
      o.draft_layers = std::max(1, c.r.model.num_mtp_layers);
      o.states_per_request += c.number(FieldId::num_speculative_tokens);
    }
    if (c.is(FieldId::mamba_ssm_cache_dtype, "float32")) o.state = StateDtype::fp32;
    o.full_heads = era == before_latent;
    o.draft_bytes_per_token = draft_of(c).bytes_per_token;
    if (era == v0) o.latent_pad_bytes = 256;
    o.context_parallel = c.number(FieldId::decode_context_parallel);
    return o;
  }
  PagedCache cache(int rank) const { return paged_cache(c, c.stage(rank), c.r.context(), paging()); }

  double sequences() const { return std::ceil(c.r.sequences() / c.data_parallel); }

  // Rotary tables are kept for every position.
  double rotary_bytes() const {
    const Mixer* x = first_attention(c.r.model);
    if (!x) return 0;
    const double width = x->qk_rope_head_dim > 0 ? x->qk_rope_head_dim : x->head_dim;
    // Where positions are stretched, the table is made for all of them; windows keep one of their own.
    const double stretched = c.r.model.rope_table_factor > 0 ? c.r.model.rope_table_factor + 1 : 1;
    return double(c.r.summary.max_position_embeddings) * stretched * width * 2;
  }

  // Latent attention keeps matrices multiplied ahead: V0 the query and output projections through the latent, in the weights' own
  // format; V1 the up-projections once more in 16 bits.
  double absorbed_bytes(const Stage& s) const {
    if (era == before_latent) return 0;
    double sum = 0;
    int first = 0;
    for (int r = 0; r < c.r.model.num_runs; ++r) {
      const LayerRun& run = c.r.model.runs[r];
      const Mixer& x = c.r.model.mixers[run.mixer];
      const double layers = std::max(0, std::min(s.last, first + run.count) - std::max(s.first, first));
      first += run.count;
      if (x.kind != MixerKind::latent) continue;
      const double heads = double(x.num_heads) / c.tensor_parallel;
      const double query = x.q_lora_rank > 0 ? x.q_lora_rank : c.r.model.hidden_size;
      const double bytes =
          info(format_of(*c.r.recipe, c.r.model, {TensorClass::attention_query, 1, 1, 1, 0, 1, false}, 0)).nominal_bits / 8;
      sum += layers * heads * x.kv_lora_rank *
             (era == v0 ? (query + c.r.model.hidden_size) * bytes : (x.head_dim - x.qk_rope_head_dim + x.v_head_dim) * 2.0);
    }
    return sum;
  }

  Range weights(const Stage& s, std::vector<Term>* terms) const {
    if (const double typed = c.number(FieldId::measured_weights_gib); typed > 0) return Range::exact(typed * gib);
    const RankWeights w = rank_weights(c, s, c.is(FieldId::speculative, "mtp"));
    const double rotary = rotary_bytes();
    const double tower = c.is(FieldId::language_model_only, "yes") ? 0 : w.tower_bytes;
    const double absorbed = absorbed_bytes(s);
    const double offloaded = c.number(FieldId::cpu_offload_gb) * gib;
    const double bytes = std::max(0.0, std::ceil(w.quantized_bytes + w.kept_bytes + tower + rotary + absorbed - offloaded));
    const Range range{std::ceil(bytes * 0.995), bytes, std::ceil(bytes * 1.01)};
    if (terms) {
      const Id source = c.r.recipe->source;
      if (w.quantized_bytes > 0)
        terms->push_back(make_term("rank-weights", source, Range::exact(w.quantized_bytes - w.tile_bytes),
                                   {{"ranks", double(c.tensor_parallel)}}));
      if (w.tile_bytes > 0) terms->push_back(make_term("rank-weights-tiles", "vllm-mxfp4", Range::exact(w.tile_bytes), {}));
      if (w.kept_bytes > 0)
        terms->push_back(
            make_term("rank-weights-kept", source, Range::exact(w.kept_bytes), {{"ranks", double(c.tensor_parallel)}}));
      if (tower > 0) terms->push_back(make_term("rank-tower", "vllm-splits", Range::exact(tower), {}));
      if (absorbed > 0) terms->push_back(make_term("latent-absorbed", "vllm-mla", Range::exact(absorbed), {}));
      if (offloaded > 0) terms->push_back(make_term("weights-offloaded", "user", Range::exact(offloaded), {}));
      if (rotary > 0)
        terms->push_back(make_term("rotary-table", "vllm-weights", Range::exact(rotary),
                                   {{"tokens", double(c.r.summary.max_position_embeddings)}}));
    }
    return range;
  }

  // The widest layer's feed-forward of one token on this rank, experts aside.
  double dense_width() const {
    double widest = 0;
    for (int f = 0; f < c.r.model.num_feed_forwards; ++f) {
      const FeedForward& ff = c.r.model.feed_forwards[f];
      widest = std::max(widest, double(std::max(ff.intermediate_size, ff.shared_intermediate_size)));
    }
    return widest;
  }

  // The fused experts' scratch stays while the sampler runs. More tokens than that go through them in pieces.
  double expert_scratch(double tokens) const {
    tokens = std::min(tokens, 32768.0);
    double widest = 0;
    for (int f = 0; f < c.r.model.num_feed_forwards; ++f) {
      const FeedForward& ff = c.r.model.feed_forwards[f];
      if (ff.num_experts == 0 || ff.experts_fp4) continue;
      const double i = c.expert_parallel > 1 ? ff.moe_intermediate_size : double(ff.moe_intermediate_size) / c.tensor_parallel;
      widest = std::max(widest, ff.experts_per_token * (std::max<double>(2 * i, c.r.model.hidden_size) + i) * 2);
    }
    return tokens * widest;
  }

  // Of one prefill step through the widest layer.
  double forward_bytes() const {
    const double h = c.r.model.hidden_size;
    const double element = c.r.recipe->format == Format::fp32 ? 4 : 2;
    return max_num_batched_tokens() * (3 * dense_width() / c.tensor_parallel + (era >= v1_first ? 4.25 : 3) * h) * element;
  }

  Range activations(const Stage& s, std::vector<Term>* terms) const {
    if (const double typed = c.number(FieldId::measured_activations_gib); typed > 0) return Range::exact(typed * gib);
    const double tokens = max_num_batched_tokens();
    const double h = c.r.model.hidden_size;
    const double sampled = max_num_seqs() * c.r.model.vocab_size;
    const double element = c.r.recipe->format == Format::fp32 ? 4 : 2;
    // One copy of the logits in the model's dtype, the rest in the sampler's own.
    const double per_logit = (era >= v1_sampler ? 12.5 : 36.7) + element;
    // Of V0's ranks the first samples for all of them.
    const bool samples = era >= v1_first || !chunked() || (era == v0 && several());
    const double logits = s.has_head && samples ? sampled * per_logit + element * tokens * h + 0.05 * gib : 0;
    const double forward = forward_bytes();
    const double between = c.pipeline_parallel > 1 ? 2 * tokens * h * element : 0;  // what stages hand on
    const double experts = expert_scratch(tokens);
    const bool sees = c.r.model.tower_params > 0 && !c.is(FieldId::language_model_only, "yes") && era >= v1_first;
    // Images of the largest size, as many as one prefill step may bring, go through the encoder: feed-forward and projections of
    // their patches. Fitted on one start-up log of 0.21 and, before 0.17, on one of 0.11 (source id vllm-encoder).
    const double patches = c.r.model.max_image_tokens;
    const double images = patches > 0 ? std::max(1.0, std::floor(tokens / patches)) : 0;
    const double encoder = sees ? std::max(0.2 * gib, images * patches * (era <= v1 ? 236e3 : 118e3)) : 0;
    const double bytes = std::ceil(std::max(logits, forward) + between + experts + encoder);
    const Range range{std::ceil(bytes * 0.97 - encoder * 0.3), bytes, std::ceil(bytes * 1.03 + 0.05 * gib + encoder * 0.5)};
    if (terms) {
      if (logits > forward)
        terms->push_back(make_term(
            "engine-logits", "vllm-activations", Range::exact(logits),
            {{"sequences", max_num_seqs()}, {"vocab_size", double(c.r.model.vocab_size)}, {"bytes_per_element", per_logit}}));
      else
        terms->push_back(make_term(
            "engine-prefill", "vllm-activations", Range::exact(forward),
            {{"tokens", tokens}, {"ffn_width", dense_width()}, {"hidden_size", h}, {"ranks", double(c.tensor_parallel)}}));
      if (experts > 0)
        terms->push_back(make_term("engine-experts", "vllm-activations", Range::exact(experts), {{"tokens", tokens}}));
      if (encoder > 0) terms->push_back(make_term("engine-encoder", "vllm-encoder", Range::exact(encoder), {}));
    }
    return range;
  }

  bool many_experts() const {
    for (int f = 0; f < c.r.model.num_feed_forwards; ++f)
      if (c.r.model.feed_forwards[f].experts_per_token >= 4) return true;
    return false;
  }

  // Workspaces for direct copies between GPUs are a matter of servers' links.
  bool linked() const {
    if (c.gpu < 0) return true;
    const GpuEntry& gpu = gpus()[c.gpu];
    const bool server = gpu.form != GpuForm::consumer && gpu.form != GpuForm::laptop && gpu.form != GpuForm::unified;
    return server && (gpu.link == "nvlink" || gpu.link == "xgmi");
  }

  bool several() const { return c.tensor_parallel > 1; }

  // Library allocations inside the budget.
  Range communication() const {
    if (const double typed = c.number(FieldId::measured_other_gib); typed > 0) return Range::exact(typed * gib);
    if (!several()) {
      if (c.pipeline_parallel > 1) return Range{0.03, 0.07, 0.15} * gib;
      return era >= v1_sampler      ? Range{0.12, 0.25, 0.46} * gib
             : era == before_latent ? Range{0.1, 0.35, 0.4} * gib
                                    : Range{0.02, 0.1, 0.28} * gib;
    }
    if (!linked()) return Range{0.15, 0.3, 2.1} * gib;
    if (era >= v1_sampler) return Range{0.12, 2.1, 2.3} * gib;
    return era >= v1_first ? Range{0.3, 0.55, 2.1} * gib : Range{0.25, 1.8, 4} * gib;
  }

  // Contexts that are there before the budget is looked at.
  Range contexts() const {
    if (several() && !linked()) return Range{0.2, 0.6, 1.5} * gib;
    if (several()) return (c.is_moe() ? Range{1.5, 2.0, 2.2} : Range{1.0, 1.5, 2.0}) * gib;
    return c.pipeline_parallel > 1 ? Range{1.2, 1.45, 1.6} * gib : Range{0.2, 0.51, 0.7} * gib;
  }

  // Sizes that are captured: 1, 2, 4, every 8th to 256 and every 16th to 512, as far as twice the sequences go.
  double graph_sizes() const {
    const double largest = std::min(2 * max_num_seqs(), 512.0);
    const double small = largest >= 4 ? 3 : largest >= 2 ? 2 : 1;
    return small + std::floor(std::min(largest, 256.0) / 8) + std::floor(std::max(0.0, largest - 256) / 16);
  }

  // Fitted on 30 start-up logs of 0.19 (51 sizes, two kinds of graph), dense within 8 % at the median; one tenth does not depend
  // on the number of sizes.
  Range graphs() const {
    if (c.is(FieldId::enforce_eager, "yes")) return {};
    if (const double typed = c.number(FieldId::measured_graphs_gib); typed > 0) return Range::exact(typed * gib);
    const double layers = std::ceil(double(c.r.model.num_layers()) / c.pipeline_parallel);
    // What is taken off the budget is one capture's memory, experts' workspaces with it, and so much for each further size.
    const double sizes = era == v1_graphs && many_experts() ? 1 : 0.1 + 0.9 * graph_sizes() / 51;
    const double bytes = (0.4 + 0.016 * layers + (many_experts() ? 0.6 : 0)) * sizes * gib;
    // Some releases of 2026 took nothing off for dense models.
    return {era == v1_graphs && !many_experts() ? 0 : bytes * 0.5, bytes, bytes * 1.25};
  }
};

}  // namespace

RankNeeds vllm_needs(const EngineContext& c, int rank, bool explain) {
  const Vllm v(c);
  RankNeeds out;
  out.rule = PoolRule::share_of_total;
  out.share = v.utilization();
  out.fixed_pool_bytes = c.number(FieldId::kv_cache_memory_gib) * gib;
  const Stage stage = c.stage(rank);
  std::vector<Term> terms;
  std::vector<Term>* const explained = explain ? &terms : nullptr;
  const auto take = [&] { return std::exchange(terms, {}); };
  const auto one_term = [&](Id formula, Id source, const Range& bytes) {
    if (explain) terms.push_back(make_term(formula, source, bytes, {{"ranks", double(c.tensor_parallel)}}));
  };

  Range weights = v.weights(stage, explained);
  out.add("weights", weights, Where::budget, take());
  if (const double slots = adapter_slot_bytes(c, stage); slots > 0) {
    const Range bytes = Range::exact(std::ceil(slots));
    if (explain)
      terms.push_back(make_term("adapter-slots", "vllm-lora", bytes,
                                {{"adapters", c.number(FieldId::max_loras)}, {"rank", c.number(FieldId::max_lora_rank)}}));
    out.add("adapters", bytes, Where::budget, take());
  }
  if (const Draft draft = draft_of(c); draft.weight_bytes.high > 0) {
    one_term(c.is(FieldId::speculative, "draft") ? "draft-model" : "draft-layer", "vllm-speculative", draft.weight_bytes);
    out.add("draft", draft.weight_bytes, Where::budget, take());
  }
  const Range activations = v.activations(stage, explained);
  out.add("activations", activations, Where::budget, take());
  const Range communication = v.communication();
  one_term("engine-communication", "vllm-communication", communication);
  out.add("communication", communication, Where::budget, take());
  if (Range graphs = v.graphs(); graphs.high > 0) {
    // They are captured when a prefill's peak is free again, so that a card may do without room of their own.
    if (v.era != v1_graphs && c.number(FieldId::measured_graphs_gib) == 0)
      graphs.low = std::max(0.0, graphs.low - v.forward_bytes());
    one_term("engine-graphs", "vllm-graphs", graphs);
    out.add("graphs", graphs, v.era == v1_graphs ? Where::budget : Where::outside, take());
  }
  const Range contexts = v.contexts();
  one_term("engine-context", "vllm-reserve", contexts);
  // The first V1 releases took what the driver calls used for the engine's, contexts and all; since 0.9.2 what was there at the
  // start is left aside.
  out.add("reserve", contexts, v.era == v1_first ? Where::budget : Where::outside, take());

  const PagedCache cache = v.cache(rank);
  const double one = cache.request_bytes();
  const double slots =
      cache.state_page_bytes > 0 && !c.is(FieldId::enforce_eager, "yes") && v.era >= v1_first ? v.max_num_seqs() : 0;
  const double blocks = std::max(cache.request_blocks, slots);
  if (slots > cache.request_blocks) out.one_request_cause = "state-blocks";
  out.one_request = Range::exact(std::ceil(blocks * cache.block_bytes));
  const double all = std::max(one * v.sequences(), blocks * cache.block_bytes);
  out.all_requests = Range::exact(std::ceil(all));
  if (explain) {
    std::vector<Term> kv, state;
    explain_cache(c.r, kv, state);
    const double of_state = cache.state_page_bytes > 0 ? all * (1 - cache.kv_share) : 0;
    if (all - of_state > 0)
      out.cache.push_back({"kv_cache", Range::exact(std::ceil(all - of_state)), Where::budget, std::move(kv)});
    if (of_state > 0) out.cache.push_back({"state", Range::exact(std::ceil(of_state)), Where::budget, std::move(state)});
  }
  return out;
}

void vllm_report(const EngineContext& c, const Held& held, EngineReport& report) {
  const Vllm v(c);
  static constexpr Id eras[] = {"0.6", "v0", "v1", "0.8", "0.17", "0.21"};
  report.era = eras[v.era];
  report.max_num_seqs = v.max_num_seqs();
  report.max_num_batched_tokens = v.max_num_batched_tokens();
  if (c.number(FieldId::max_num_seqs) == 0 || c.number(FieldId::max_num_batched_tokens) == 0)
    report.limits_source = "vllm-limits";
  // The tightest stage's pool over the widest stage's blocks.
  PagedCache cache = v.cache(0);
  for (int s = 1; s < c.pipeline_parallel; ++s)
    if (const PagedCache other = v.cache(s); other.block_bytes > cache.block_bytes) cache = other;
  if (cache.block_bytes <= 0) return;
  report.block_tokens = cache.block_tokens;
  const auto blocks = [&](double pool) { return std::floor(pool / cache.block_bytes); };
  report.num_blocks = blocks(held.pool.likely);
  const auto tokens = [&](double pool) {
    if (cache.hybrid && v.era == v1_graphs) return std::floor(blocks(pool) / cache.request_blocks * c.r.context());
    return std::floor(blocks(pool) / cache.groups) * cache.block_tokens * c.number(FieldId::decode_context_parallel);
  };
  const auto requests = [&](double pool) { return blocks(pool) / cache.request_blocks * c.data_parallel; };
  report_pool(held.pool, tokens, requests, report);
  // Pages rise with the length in straight pieces.
  double low = 0, high = 1 << 28;
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    const PagedCache at = paged_cache(c, c.stage(0), middle, v.paging());
    (at.request_blocks * at.block_bytes <= held.pool.likely ? low : high) = middle;
  }
  report.longest_context = low;
}

}  // namespace vramfit
