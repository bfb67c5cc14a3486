// llama.cpp, Ollama, LM Studio and KoboldCpp: weights, cache and compute buffer of each device, allocated in full at the start.
// Source ids llama-cpp-layers, llama-cpp-cache, llama-cpp-state, llama-cpp-graph, llama-cpp-overhead, llama-cpp-mmproj.
#include "llama_cpp.h"

#include <algorithm>
#include <cmath>

#include "memo.h"

namespace vramfit {
namespace {

// Driver context, kernels and library workspaces outside the printed buffers.
constexpr Range overhead{0.15 * bytes_per_gib, 0.44 * bytes_per_gib, 0.75 * bytes_per_gib};

// The encoder's own graph.
constexpr Range encoder_graph{0.1 * bytes_per_gib, 0.15 * bytes_per_gib, 1.0 * bytes_per_gib};

struct Llama {
  const EngineContext& c;
  LlamaSettings s;
  LlamaPlacement p;

  explicit Llama(const EngineContext& context, double length = -1, int gpu_layers = -1)
      : c(context), s(llama_settings(context, length, gpu_layers)), p(llama_placement(context, s)) {}

  int layers() const { return static_cast<int>(p.largest.size()); }
  bool holds_cache(int layer, int device) const {
    const int where = s.kv_on_host ? llama_host : s.rows && p.device_of[layer] != llama_host ? 0 : p.device_of[layer];
    return where == device;
  }
  double state_copies(double slots) const { return slots * (1 + s.rollback_states); }

  // Cache of one device, of all that `sizes` asks for; with `terms` kind by kind.
  struct Cache {
    double kv = 0, latent_values = 0, state = 0;
  };
  Cache cache(const LlamaSettings& sizes, int device, std::vector<Term>* kv_terms, std::vector<Term>* state_terms) const {
    Cache sum;
    const Model& model = c.r.model;
    for (int m = 0; m < model.num_mixers; ++m) {
      double count = 0;
      for (int il = 0; il < layers(); ++il)
        if (&llama_mixer(model, il) == &model.mixers[m] && holds_cache(il, device)) ++count;
      if (count == 0) continue;
      const Mixer& x = model.mixers[m];
      const LlamaLayerCache one = llama_layer_cache(c, sizes, x);
      const double kv = count * one.kv(sizes.streams);
      const double copies = state_copies(sizes.slots);
      const double state = count * (one.state_bytes + one.conv_bytes) * copies;
      sum.kv += kv;
      sum.state += state;
      if (x.kind == MixerKind::latent && sizes.latent_values)
        sum.latent_values += count * one.cells * sizes.streams * x.kv_lora_rank * c.r.kv->bits / 8;
      if (kv > 0 && kv_terms) {
        kv_terms->push_back(make_term("llama-cells", "llama-cpp-cache", Range::exact(kv),
                                      {{"cells", one.cells},
                                       {"streams", sizes.streams},
                                       {"layers", count},
                                       {"bytes_per_cell", one.key_bytes + one.value_bytes + one.index_bytes}}));
        if (c.r.kv->source != "dtype") kv_terms->back().format_source = c.r.kv->source;
      }
      if (state > 0 && state_terms)
        state_terms->push_back(make_term("llama-state", "llama-cpp-state", Range::exact(state),
                                         {{"layers", count},
                                          {"state_bytes", one.state_bytes + one.conv_bytes},
                                          {"slots", sizes.slots},
                                          {"copies", copies / sizes.slots}}));
    }
    return sum;
  }

  // The same settings for one request alone.
  LlamaSettings alone() const {
    LlamaSettings one = s;
    if (s.streams == 1) one.cells = std::ceil(s.cells / s.sequences / s.pad) * s.pad;
    return one;
  }

  Range with_latent_values(const Cache& cache) const {
    const double bytes = std::ceil(cache.kv + cache.state);
    return {bytes, bytes, std::ceil(cache.kv + cache.state + cache.latent_values)};
  }

  double tower_bytes() const { return c.r.in.is(FieldId::mmproj, "yes") ? 2 * c.r.model.tower_params : 0; }

  mutable std::deque<std::pair<std::array<double, 3>, std::vector<double>>> own_graphs;  // where no memo is kept

  // Buffers of a question that is asked for every GPU are laid out once.
  const std::vector<double>& compute() const {
    auto& memo = c.r.memo ? c.r.memo->graphs : own_graphs;
    const std::array<double, 3> key{double(c.count), double(s.gpu_layers), s.cells};
    for (const auto& known : memo)
      if (known.first == key) return known.second;
    memo.emplace_back(key, llama_compute_buffers(c, s, p));
    return memo.back().second;
  }

  Range device_needs(int device) const {
    const double compute_bytes = compute()[device];
    Range sum =
        with_latent_values(cache(s, device, nullptr, nullptr)) + overhead + Range::exact(p.device_bytes[device] + compute_bytes);
    if (device == 0 && tower_bytes() > 0) sum += encoder_graph + Range::exact(tower_bytes());
    return sum;
  }
};

// Most of the graph is known to the byte; what builds between the eras did differently is a few activations wide.
Range compute_range(const Llama& l, double bytes) {
  const double width = 4 * l.s.micro_batch * l.c.r.model.hidden_size;
  const double mask = l.s.cells * l.s.micro_batch * (l.s.mask16 ? 0.0 : 2.0);
  return {std::max(0.0, std::ceil(bytes - width - 0.01 * bytes)), std::ceil(bytes),
          std::ceil(bytes + width + std::min(mask, 0.15 * bytes) + 0.01 * bytes)};
}

}  // namespace

RankNeeds llama_cpp_needs(const EngineContext& c, int rank, bool explain) {
  const Llama l(c);
  RankNeeds out;
  out.rule = PoolRule::exact;
  if (!l.s.flash && c.r.kv->bits < 16) out.reason = "values-need-flash-attention";

  std::vector<Term> terms;
  const double weights = std::ceil(l.p.device_bytes[rank]);
  int slots = 0;
  for (const int d : l.p.device_of) slots += d == rank;
  if (explain)
    terms = {make_term("llama-weights", "llama-cpp-layers", Range::exact(weights),
                       {{"slots", double(slots)}, {"slots_in_all", double(l.p.device_of.size())}})};
  out.add("weights", Range::exact(weights), Where::budget, terms);

  const Range compute = compute_range(l, l.compute()[rank]);
  if (explain)
    terms = {make_term("llama-compute", "llama-cpp-graph", compute,
                       {{"tokens", l.s.micro_batch}, {"cells", l.s.cells}, {"outputs", l.s.outputs}})};
  out.add("activations", compute, Where::budget, terms);

  if (rank == 0 && l.tower_bytes() > 0) {
    const Range encoder = encoder_graph + Range::exact(l.tower_bytes());
    if (explain) terms = {make_term("llama-mmproj", "llama-cpp-mmproj", encoder, {{"params", c.r.model.tower_params}})};
    out.add("encoder", encoder, Where::budget, terms);
  }
  if (explain) terms = {make_term("reserve-llama-cpp", "llama-cpp-overhead", overhead, {})};
  out.add("reserve", overhead, Where::budget, terms);

  std::vector<Term> kv, state;
  const Llama::Cache all = l.cache(l.s, rank, explain ? &kv : nullptr, explain ? &state : nullptr);
  out.all_requests = l.with_latent_values(all);
  out.one_request = l.s.sequences > 1 ? l.with_latent_values(l.cache(l.alone(), rank, nullptr, nullptr)) : out.all_requests;
  if (explain) {
    const double bytes = std::ceil(all.kv);
    if (all.kv > 0)
      out.cache.push_back({"kv_cache", {bytes, bytes, std::ceil(all.kv + all.latent_values)}, Where::budget, std::move(kv)});
    if (all.state > 0) out.cache.push_back({"state", Range::exact(std::ceil(all.state)), Where::budget, std::move(state)});
  }
  if (rank == 0) {
    const Llama::Cache on_host = l.cache(l.s, llama_host, nullptr, nullptr);
    const double output = l.s.slots * c.r.model.vocab_size * 4;
    out.host_bytes = std::ceil(l.p.host_bytes + on_host.kv + on_host.state + l.compute().back() + output);
  }
  return out;
}

void llama_cpp_report(const EngineContext& c, EngineReport& report) {
  static constexpr Id eras[] = {"2024", "2025-05", "2026-01", "2026-05"};
  const Llama l(c);
  report.era = eras[static_cast<int>(l.s.era)];
  report.max_num_seqs = l.s.slots;
  report.max_num_batched_tokens = l.s.micro_batch;
  const double usable = c.usable_bytes() - c.r.in.number(FieldId::other_programs_gib) * bytes_per_gib;
  const auto fits = [&](const Llama& tried) {
    for (int d = 0; d < c.count; ++d)
      if (tried.device_needs(d).likely > usable) return false;
    return true;
  };
  const int slots = static_cast<int>(l.p.device_of.size());
  int low = -1, high = slots + 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (fits(Llama(c, -1, middle)) ? low : high) = middle;
  }
  report.gpu_layers = std::max(0, low);
  double shortest = 0, longest = 1 << 24;
  while (longest - shortest >= 256) {
    const double middle = std::floor((shortest + longest) / 512) * 256;
    if (middle <= shortest) break;
    (fits(Llama(c, middle, slots)) ? shortest : longest) = middle;
  }
  report.longest_context = shortest;
}

void llama_cpp_notices(const EngineContext& c, std::vector<Notice>& notices) {
  const Llama l(c);
  const double typed_slots = c.r.in.number(FieldId::n_parallel);
  if (typed_slots > 0 && typed_slots < l.s.sequences)
    note(notices, Severity::warning, "llama-few-slots", "n_parallel", "", typed_slots);
  const int left = static_cast<int>(std::count(l.p.device_of.begin(), l.p.device_of.end(), llama_host));
  if (left > 0) note(notices, Severity::info, "llama-layers-on-host", "n_gpu_layers", "", left);
  if (l.s.cpu_moe_layers > 0 && !c.is_moe()) note(notices, Severity::info, "llama-no-experts", "n_cpu_moe");
  if (c.r.in.is(FieldId::mmproj, "yes") && c.r.model.tower_params <= 0)
    note(notices, Severity::info, "llama-no-mmproj", "mmproj");
  if (l.s.full_windows) {
    double bytes = 0, windowed = 0;
    LlamaSettings small = l.s;
    small.full_windows = false;
    for (int d = 0; d < c.count; ++d)
      bytes += l.cache(l.s, d, nullptr, nullptr).kv, windowed += l.cache(small, d, nullptr, nullptr).kv;
    if (bytes > windowed) note(notices, Severity::info, "llama-full-windows", "swa_full", "", bytes - windowed);
  }
  const double host_memory = c.r.in.number(FieldId::host_memory_gib) * bytes_per_gib;
  const double on_host = llama_cpp_needs(c, 0, false).host_bytes;
  if (host_memory > 0 && on_host > host_memory)
    note(notices, Severity::warning, "llama-host-memory", "host_memory_gib", "", on_host);
}

}  // namespace vramfit
