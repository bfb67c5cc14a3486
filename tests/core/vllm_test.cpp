// The engine method for vLLM, against figures that start-up logs print. Where a log gives the pool, it is given to the product
// too, so that blocks, tokens and concurrency must agree to the digit.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "vramfit/estimate.h"
#include "vramfit/share_string.h"

using namespace vramfit;

namespace {

Result ask(const std::string& share) {
  ShareResult parsed = parse_share("method=engine&gpus=h100-sxm&gpu=h100-sxm&" + share);
  REQUIRE_MESSAGE(parsed.notices.empty(), share);
  Result r = estimate(parsed.inputs, {});
  REQUIRE_MESSAGE(!r.refused, share);
  return r;
}

double part(const Result& r, Id id) {
  for (const Compartment& c : r.engine.compartments)
    if (c.id == id) return c.per_gpu.likely;
  return 0;
}

constexpr double gib = bytes_per_gib;

}  // namespace

TEST_CASE("vllm: budget identity of a start-up log of 0.19 on an H100") {
  // Llama 3.1 8B, utilization 0.95: weights 14.99, activations 1.89, other 0.25, graphs 0.91 beside the budget, pool 58.11 GiB.
  const Result r =
      ask("model=llama-3.1-8b&weights=bf16&count=1&vllm_version=0.17&gpu_memory_utilization=0.95&measured_total_gib=79.19&"
          "context=8192");
  CHECK(part(r, "weights") / gib == doctest::Approx(14.99).epsilon(0.001));
  CHECK(part(r, "activations") / gib == doctest::Approx(1.89).epsilon(0.005));
  CHECK(part(r, "communication") / gib == doctest::Approx(0.25).epsilon(0.01));
  CHECK(part(r, "graphs") / gib == doctest::Approx(0.91).epsilon(0.02));
  CHECK(r.engine_report.pool_bytes.likely / gib == doctest::Approx(58.11).epsilon(0.001));
  CHECK(r.engine_report.max_concurrency.likely == doctest::Approx(58.11).epsilon(0.001));
  CHECK(r.engine_report.num_blocks == doctest::Approx(29751).epsilon(0.001));
  // The pool does not depend on the context; what comes off the budget adds up to it.
  const Result longer =
      ask("model=llama-3.1-8b&weights=bf16&count=1&vllm_version=0.17&gpu_memory_utilization=0.95&measured_total_gib=79.19&"
          "context=32768");
  CHECK(longer.engine_report.pool_bytes.likely == r.engine_report.pool_bytes.likely);
  CHECK(r.engine_report.budget_bytes - part(r, "weights") - part(r, "activations") - part(r, "communication") ==
        doctest::Approx(r.engine_report.pool_bytes.likely));
}

TEST_CASE("vllm: from 0.21 the graphs come off the budget") {
  const std::string share =
      "model=llama-3.1-8b&weights=bf16&count=1&gpu_memory_utilization=0.9&measured_graphs_gib=0.91&vllm_version=";
  CHECK(ask(share + "0.17").engine_report.pool_bytes.likely - ask(share + "0.21").engine_report.pool_bytes.likely ==
        doctest::Approx(0.91 * gib));
  CHECK(part(ask("model=llama-3.1-8b&weights=bf16&count=1&enforce_eager=yes"), "graphs") == 0);
}

TEST_CASE("vllm: tokens and concurrency of a given pool") {
  const auto report = [](const std::string& share) { return ask(share).engine_report; };
  SUBCASE("every layer keeps every token") {
    const EngineReport e = report("model=llama-3.1-8b&weights=bf16&count=1&context=8192&kv_cache_memory_gib=58.11");
    CHECK(e.tokens.likely == doctest::Approx(476016).epsilon(0.0002));
    CHECK(e.block_tokens == 16);
  }
  SUBCASE("windows: groups of equal length, the last padded") {
    // Gemma 3 27B: 10 full layers, 52 sliding ones in six groups.
    const EngineReport e = report(
        "model=gemma-3-27b&weights=bf16&count=1&context=8192&kv_cache_memory_gib=19.53&vllm_version=0.17&max_num_batched_tokens="
        "8192");
    CHECK(e.tokens.likely == doctest::Approx(36560).epsilon(0.0006));
    CHECK(e.max_concurrency.likely == doctest::Approx(4.46).epsilon(0.002));
  }
  SUBCASE("the latent is on every rank") {
    const EngineReport e = report("model=kimi-k2&weights=native&count=8&context=131072&kv_cache_memory_gib=46.8");
    CHECK(e.tokens.likely == doctest::Approx(715072).epsilon(0.0003));
    const EngineReport parallel =
        report("model=kimi-k2&weights=native&count=8&context=131072&kv_cache_memory_gib=46.8&decode_context_parallel=8");
    CHECK(parallel.tokens.likely == doctest::Approx(5721088).epsilon(0.0003));
  }
  SUBCASE("pipeline stages: the tightest stage over the widest blocks") {
    const EngineReport e = report(
        "model=llama-3.1-8b&weights=bf16&count=2&pipeline_parallel=2&context=8192&vllm_version=0.17&gpu_memory_utilization=0.95&"
        "measured_total_gib=79.19");
    CHECK(e.tokens.likely == doctest::Approx(1075312).epsilon(0.002));
  }
}

TEST_CASE("vllm: attention pages grow to the state's") {
  const auto block = [](const std::string& share) {
    return ask(share + "&count=1&kv_cache_memory_gib=40").engine_report.block_tokens;
  };
  CHECK(block("model=qwen3.5-27b&weights=bf16") == 784);
  CHECK(block("model=qwen3.5-27b&weights=bf16&kv=fp8") == 1568);
  CHECK(block("model=qwen3.5-9b&weights=bf16") == 528);
  CHECK(block("model=qwen3.5-9b&weights=bf16&kv=fp8") == 1056);
  CHECK(block("model=qwen3.5-0.8b&weights=bf16") == 544);
  CHECK(block("model=qwen3-next-80b-a3b&weights=fp8") == 544);
  CHECK(block("model=qwen3.5-35b-a3b&weights=bf16") == 1056);
  CHECK(block("model=nemotron-3-nano-30b-a3b&weights=bf16") == 2096);
}

TEST_CASE("vllm: fewer state blocks than sequences are refused by that name") {
  const Result r = ask("model=nemotron-3-nano-30b-a3b&weights=bf16&count=1&max_num_seqs=1024");
  CHECK(r.fit[0].verdicts[0] == Verdict::does_not_fit);
  CHECK(r.fit[0].causes[0] == "state-blocks");
  CHECK(ask("model=nemotron-3-nano-30b-a3b&weights=bf16&count=1&max_num_seqs=32").fit[0].verdicts[0] == Verdict::fits);
}

TEST_CASE("vllm: a request longer than the pool is refused with the longest that would do") {
  const Result r = ask("model=llama-3.1-8b&weights=bf16&count=1&context=1m");
  CHECK(r.fit[0].verdicts[0] == Verdict::does_not_fit);
  CHECK(r.fit[0].causes[0] == "one-request");
  const double longest = r.engine_report.longest_context;
  CHECK(longest > 300000);
  CHECK(ask("model=llama-3.1-8b&weights=bf16&count=1&context=" + std::to_string(int(longest))).fit[0].verdicts[0] ==
        Verdict::tight);
  CHECK(ask("model=llama-3.1-8b&weights=bf16&count=1&context=" + std::to_string(int(longest) + 16)).fit[0].causes[0] ==
        "one-request");
}

TEST_CASE("vllm: V0's prefill grows with the context until it is cut into chunks") {
  // One 24 GB card: 29,000 tokens do not fit, 35,000 do.
  const auto activations = [](const std::string& context) {
    return part(ask("model=llama-3.1-8b&weights=bf16&count=1&vllm_version=0.6&context=" + context), "activations") / gib;
  };
  CHECK(activations("20000") == doctest::Approx(2.07).epsilon(0.02));
  CHECK(activations("29000") == doctest::Approx(2.99).epsilon(0.02));
  CHECK(activations("35000") < 0.15);
}

TEST_CASE("vllm: more tensor-parallel ranks never raise a rank's weights") {
  for (const char* model :
       {"llama-3.1-70b", "qwen3-235b-a22b", "deepseek-v3", "gemma-3-27b", "gpt-oss-120b", "qwen3.5-397b-a17b"}) {
    double before = INFINITY;
    for (int n : {1, 2, 4, 8}) {
      const Result r = ask(std::string("weights=native&model=") + model + "&count=" + std::to_string(n));
      const double now = part(r, "weights");
      CHECK_MESSAGE(now <= before, model);
      before = now;
    }
  }
}
