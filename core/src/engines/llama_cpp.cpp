// llama.cpp, Ollama, LM Studio and KoboldCpp: weights, cache and compute buffer of each device, allocated in full at the start.
// Source ids llama-cpp-layers, llama-cpp-cache, llama-cpp-state, llama-cpp-graph, llama-cpp-overhead, llama-cpp-mmproj.
#include <algorithm>
#include <cmath>

#include "llama_cpp_run.h"

namespace vramfit {

RankNeeds llama_cpp_needs(const EngineContext& c, int rank, bool explain) {
  const LlamaRun run(c);
  RankNeeds out;
  out.rule = PoolRule::exact;
  if (!run.s.flash && c.r.kv->bits < 16) out.reason = "values-need-flash-attention";

  const auto add = [&](Id id, const Range& bytes, auto&& terms) {
    out.add(id, bytes, Where::budget, explain ? terms() : std::vector<Term>{});
  };
  const Range weights = run.weights(rank);
  add("weights", weights, [&] {
    const std::vector<int>& device_of = run.placement().device_of;
    const double slots = static_cast<double>(std::count(device_of.begin(), device_of.end(), rank));
    return std::vector{
        make_term("llama-weights", "llama-cpp-layers", weights, {{"slots", slots}, {"slots_in_all", double(device_of.size())}})};
  });
  const Range compute = run.compute_range(rank);
  add("activations", compute, [&] {
    return std::vector{make_term("llama-compute", "llama-cpp-graph", compute,
                                 {{"tokens", run.s.micro_batch}, {"cells", run.s.cells}, {"outputs", run.s.outputs}})};
  });
  if (rank == 0 && run.tower_bytes() > 0)
    add("encoder", run.encoder(), [&] {
      return std::vector{make_term("llama-mmproj", "llama-cpp-mmproj", run.encoder(), {{"params", c.r.model.tower_params}})};
    });
  if (const double draft = run.layout->draft_bytes[rank]; draft > 0)
    add("draft", Range::exact(std::ceil(draft)),
        [&] { return std::vector{make_term("llama-draft-model", "llama-cpp-graph", Range::exact(draft), {})}; });
  add("reserve", run.overhead(), [&] {
    const double pool = run.pool_bytes();
    return std::vector{
        make_term("reserve-llama-cpp", "llama-cpp-overhead", run.context_bytes(), {}),
        make_term(pool > run.product_copies() ? "llama-unpacked-cache" : "llama-product-copies", "llama-cpp-overhead",
                  Range{0.3, 1, 1.5} * pool, {{"tokens", run.s.micro_batch}, {"cells", run.s.cells}})};
  });

  std::vector<Term> kv, state;
  const LlamaCache all = run.cache(run.s, rank, explain ? &kv : nullptr, explain ? &state : nullptr);
  out.all_requests = run.cache_range(all);
  out.one_request = run.s.sequences > 1 ? run.cache_range(run.cache(run.alone(), rank)) : out.all_requests;
  if (explain) {
    if (all.kv > 0) {
      const Range bytes = run.cache_range({all.kv, all.latent_values, 0});
      out.cache.push_back({"kv_cache", bytes, Where::budget, std::move(kv)});
    }
    if (all.state > 0) out.cache.push_back({"state", Range::exact(std::ceil(all.state)), Where::budget, std::move(state)});
  }
  if (rank == 0) out.host_bytes = run.host_bytes();
  return out;
}

}  // namespace vramfit
