// Transformers: no pool, a cache that grows with every token, and a prompt that is read in one piece. Source ids
// transformers-generate (logits and caches by version), transformers-layers (what a decoder layer holds at its widest moment),
// accelerate-placement, torch-workspace, exllama-buffers, awq-fuse, qwen-speed-tables (checked against published measurements).
#include <algorithm>
#include <cmath>
#include <utility>

#include "checks.h"
#include "layer_placement.h"
#include "token_slots.h"

namespace vramfit {
namespace {

constexpr double gib = bytes_per_gib;
constexpr double element = 2;  // bytes of an activation

enum Era : int { tuples, growing, last_logits, windows };

Era era_of(const Request& r) {
  const Id version = r.in.text(FieldId::transformers_version);
  return version == "4.0" ? tuples : version == "4.36" ? growing : version == "4.45" ? last_logits : windows;
}

// Cards whose matrix library asks for the larger workspace.
bool large_workspace(const EngineContext& c) { return c.gpu < 0 || compute_capability(c) >= 9; }

struct Hf {
  const EngineContext& c;
  Era era;
  PlacedWeights placed;
  double length;  // of the whole conversation

  Hf(const EngineContext& context, int rank)
      : c(context), era(era_of(context.r)), placed(placed_on(context, rank)), length(context.r.context()) {}

  double number(FieldId id) const { return c.r.in.number(id); }
  bool is(FieldId id, Id choice) const { return c.r.in.is(id, choice); }
  const Model& model() const { return c.r.model; }

  bool awq() const { return c.r.recipe->format == Format::int4_awq; }
  // Fused AWQ modules have a cache of fixed size.
  bool fused() const { return awq() && is(FieldId::do_fuse, "yes"); }

  double sequences() const { return c.r.sequences(); }
  double context() const { return length; }
  double prompt() const {
    const double typed = number(FieldId::prompt_tokens);
    return typed > 0 ? std::min(typed, context()) : context();
  }

  // Cache of one sequence of `tokens` tokens in this card's layers.
  double cache_bytes(double tokens, double& state) const {
    double layers_of[Model::max_kinds] = {};
    count_mixers(model(), placed.first, placed.last, layers_of);
    const CacheBreakdown cache = sequence_cache(model(), *c.r.kv, tokens, 1, StateDtype::checkpoint);
    double sum = 0;
    for (int k = 0; k < cache.num_kinds; ++k) {
      const LayerCache& l = cache.kinds[k];
      const Mixer& x = model().mixers[l.mixer];
      const double layers = layers_of[l.mixer];
      double bytes = l.bytes_per_token;
      double kept = l.resident_tokens;
      // Keys and values are spread out to heads before they are cached.
      if (x.kind == MixerKind::latent) bytes = double(x.num_heads) * (x.head_dim + x.v_head_dim) * c.r.kv->bits / 8;
      // Fused modules know one key head for each query head, or the grouped ones, but not a single one.
      if (fused() && x.num_kv_heads == 1 && x.kind == MixerKind::full) bytes *= x.num_heads;
      if (era < windows && (x.kind == MixerKind::sliding || x.kind == MixerKind::chunked)) kept = tokens;
      sum += layers * (kept * bytes + l.index_bytes / l.num_layers);
      state += layers * (l.state_bytes + l.conv_bytes);
    }
    return sum;
  }
  double cache_bytes(double tokens) const {
    double state = 0;
    return cache_bytes(tokens, state) * sequences();
  }

  // The widest moment of one layer while it reads `tokens` tokens.
  Range layer_bytes(double tokens) const {
    const double h = model().hidden_size;
    double dense = 0, mixed = 0, attention = 0, scores = 0;
    for (int f = 0; f < model().num_feed_forwards; ++f) {
      const FeedForward& ff = model().feed_forwards[f];
      dense = std::max<double>(dense, (ff.gated ? 3 : 2) * std::max(ff.intermediate_size, ff.shared_intermediate_size));
      if (ff.num_experts > 0)  // router scores in float32, a 64-bit mask of the chosen experts, one expert's share of tokens
        mixed = std::max<double>(mixed, 2 * h + 4.0 * ff.num_experts + 4.0 * ff.num_experts * ff.experts_per_token +
                                            3.0 * ff.moe_intermediate_size * ff.experts_per_token / ff.num_experts);
    }
    double head_dim = 0;
    for (int m = 0; m < model().num_mixers; ++m) {
      const Mixer& x = model().mixers[m];
      if (is_recurrent(x.kind)) {
        attention = std::max<double>(attention, 6.0 * std::max<double>(x.inner_size, double(x.num_heads) * x.v_head_dim));
        continue;
      }
      // Queries as they are turned, keys and values spread out to the queries' heads.
      const double wide =
          5.0 * x.num_heads * x.head_dim + (x.kind == MixerKind::latent ? double(x.num_heads) * (x.head_dim + x.v_head_dim) : 0);
      attention = std::max(attention, wide);
      head_dim = std::max<double>(head_dim, x.head_dim);
      scores = std::max<double>(scores, x.num_heads);
    }
    // Four copies of the hidden state live at once: the input table's, the layer's, the residual and the normed one.
    const double all = tokens * sequences();
    const double width = std::max({dense, mixed, attention});
    const double rest = 4 * h + 2 * head_dim;
    double wide = all * (width + rest) * element;
    // Scores of every pair: in 16 bits, softmax in float32, and back.
    if (is(FieldId::attn_implementation, "eager"))
      wide = std::max(wide, sequences() * scores * tokens * tokens * 8 + all * (attention + rest) * element);
    return width == dense ? Range{wide * 0.97, wide, wide * 1.05} : Range{wide * 0.7, wide, wide * 1.4};
  }

  Range logits_bytes(double tokens) const {
    if (!placed.has_head) return {};
    const double rows = sequences() * (era < last_logits ? tokens : 1);
    // In 16 bits and once more in float32.
    const double bytes = rows * model().vocab_size * (2 + 4) + tokens * sequences() * 2 * model().hidden_size * element;
    return Range::exact(bytes);
  }

  // What is beside weights and the whole conversation's cache at the worst moment.
  Range activations() const {
    if (const double typed = number(FieldId::measured_activations_gib); typed > 0) return Range::exact(typed * gib);
    if (placed.last == placed.first && !placed.has_head) return {};
    const double whole = cache_bytes(context());
    const double read = fused() ? whole : cache_bytes(prompt());
    const double layers = std::max(1, placed.last - placed.first);
    // While it grows, an old cache lives beside the new one: one layer's keys, or, as tuples, all of it.
    const double copy = era == tuples ? whole : whole / (2 * layers);
    const Range layer = layer_bytes(prompt());
    const Range logits = logits_bytes(prompt());
    const auto beside = [&](double a, double b, double grown) {
      return std::ceil(std::max({grown, read + std::max(a, b) - whole}));
    };
    Range out{beside(layer.low, logits.low, era == tuples ? copy * 0.7 : 0), beside(layer.likely, logits.likely, copy),
              beside(layer.high, logits.high, era == tuples ? copy * 1.3 : copy)};
    // At load: while modules are fused the old projections of queries, keys and values are still there, and a tied head is a copy
    // of its table until it is tied.
    double loading = fused() ? fused_bytes() : 0;
    if (awq() && model().tied_embeddings && placed.has_head)
      loading += double(model().vocab_size) * model().hidden_size * element;
    loading = std::ceil(loading - whole);
    if (loading > 0) out = {std::max(out.low, loading), std::max(out.likely, loading), std::max(out.high, loading)};
    return out;
  }

  // Blocks built like LLaMA's keep the three apart; others come joined.
  double fused_bytes() const {
    double sum = 0;
    if (!model().feed_forwards[0].gated) return 0;
    for_each_tensor(model(), false, [&](const Tensor& t) {
      if (t.cls != TensorClass::attention_query && t.cls != TensorClass::attention_key && t.cls != TensorClass::attention_value)
        return;
      const double layers =
          std::max(0, std::min(placed.last, t.first_layer + t.num_layers) - std::max(placed.first, t.first_layer));
      sum += tensor_bytes(c.r.recipe->format, t.rows, t.cols, c.r.group_size) * layers;
    });
    return sum;
  }

  // Of the matrix library, and of kernels that unpack 4-bit weights.
  Range workspace() const {
    const double library = large_workspace(c) ? 32 * bytes_per_mib : 8.125 * bytes_per_mib;
    Range out{library, library, library + 32 * bytes_per_mib};
    if (c.r.recipe->format != Format::int4_gptq) return out;
    double matrix = 0, widest = 0;
    for_each_tensor(model(), false, [&](const Tensor& t) {
      if (!is_linear(t.cls)) return;
      matrix = std::max(matrix, t.rows * t.cols);
      widest = std::max({widest, t.rows, t.cols});
    });
    const double buffers = std::ceil((matrix + 2048 * widest) * element);
    return out + Range{0, era < windows ? buffers : 0, buffers};
  }

  Range weights() const {
    if (const double typed = number(FieldId::measured_weights_gib); typed > 0) return Range::exact(typed * gib);
    const double bytes = std::ceil(placed.quantized_bytes + placed.kept_bytes);
    return {std::ceil(bytes * 0.998), bytes, std::ceil(bytes * 1.006)};
  }

  Range reserve() const {
    if (const double typed = number(FieldId::measured_other_gib); typed > 0) return Range::exact(typed * gib);
    // The allocator takes blocks of 2 MiB for the tensors of a growing cache, and what was freed stays with the process.
    const double tensors = 2.0 * (placed.last - placed.first) * (era == tuples ? 2 : 1);
    return Range{0.25, 0.5, 0.8} * gib +
           Range{0, tensors * bytes_per_mib, tensors * 2 * bytes_per_mib + 0.1 * cache_bytes(context())};
  }
};

}  // namespace

RankNeeds transformers_needs(const EngineContext& c, int rank, bool explain) {
  const Hf hf(c, rank);
  RankNeeds out;
  std::vector<Term> terms;
  const auto add = [&](Id id, const Range& bytes, Where where, Id formula, Id source, std::initializer_list<Value> values) {
    if (bytes.high <= 0) return;
    if (explain) terms.push_back(make_term(formula, source, bytes, values));
    out.add(id, bytes, where, std::exchange(terms, {}));
  };
  const double layers = hf.placed.last - hf.placed.first;
  add("weights", hf.weights(), Where::budget, "layer-weights", c.r.recipe->source, {{"layers", layers}});
  add("activations", hf.activations(), Where::budget, "prompt-activations", "transformers-layers",
      {{"tokens", hf.prompt()}, {"sequences", hf.sequences()}, {"hidden_size", double(c.r.model.hidden_size)}});
  add("workspace", hf.workspace(), Where::budget, "matrix-workspace", "torch-workspace", {});
  add("reserve", hf.reserve(), Where::before, "engine-context", "transformers-generate", {{"ranks", 1}});

  double state = 0;
  const double kv = std::ceil(hf.cache_bytes(hf.context(), state) * hf.sequences());
  state = std::ceil(state * hf.sequences());
  // 4-bit AWQ checkpoints were measured with an eighth more.
  const double most = hf.awq() ? std::ceil(kv * 1.125) : kv;
  out.all_requests = {kv + state, kv + state, most + state};
  out.one_request = out.all_requests;  // a batch is read and answered as one
  if (!explain) return out;
  if (kv > 0)
    out.cache.push_back({"kv_cache",
                         {kv, kv, most},
                         Where::budget,
                         {make_term("growing-cache", "transformers-generate", {kv, kv, most},
                                    {{"tokens", hf.context()},
                                     {"sequences", hf.sequences()},
                                     {"layers", layers},
                                     {"bytes_per_token", kv / hf.context() / hf.sequences()}})}});
  if (state > 0)
    out.cache.push_back(
        {"state",
         Range::exact(state),
         Where::budget,
         {make_term("growing-state", "transformers-generate", Range::exact(state), {{"sequences", hf.sequences()}})}});
  return out;
}

// The longest conversation that every card holds, read in one piece unless its prompt is given.
void transformers_report(const EngineContext& c, EngineReport& report) {
  report.era = c.r.in.text(FieldId::transformers_version);
  report.max_num_seqs = c.r.sequences();
  const double room = c.usable_bytes() - c.r.in.number(FieldId::other_programs_gib) * gib;
  std::vector<Hf> cards;
  for (int rank = 0; rank < c.count; ++rank) cards.emplace_back(c, rank);
  const auto holds = [&](double tokens) {
    for (Hf& card : cards) {
      card.length = tokens;
      double state = 0;
      const double cache = card.cache_bytes(tokens, state) * card.sequences();
      const double rest = card.weights().likely + card.activations().likely + card.workspace().likely + card.reserve().likely;
      if (cache + state * card.sequences() + rest > room) return false;
    }
    return true;
  };
  double low = 0, high = 1 << 28;
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (holds(middle) ? low : high) = middle;
  }
  report.longest_context = low;
}

}  // namespace vramfit
