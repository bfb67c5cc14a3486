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

TEST_CASE("vllm: the first V1 releases count what was there before them") {
  // Llama 3.1 8B on an L40S (vLLM pull request 17122): 158,656 tokens, 4.84 requests of 32,768.
  const auto on = [](const std::string& version) {
    const ShareResult parsed = parse_share(
        "method=engine&gpus=l40s&gpu=l40s&count=1&model=llama-3.1-8b&weights=bf16&context=32768&vllm_version=" + version);
    return estimate(parsed.inputs, {});
  };
  const Result r = on("v1");
  CHECK(r.engine_report.tokens.likely == doctest::Approx(158656).epsilon(0.02));
  CHECK(r.engine_report.max_concurrency.likely == doctest::Approx(4.84).epsilon(0.02));
  CHECK(r.engine_report.max_num_seqs == 1024);
  double inside = 0;
  for (const Compartment& c : r.engine.compartments)
    if (c.place == "inside" && c.id != "kv_cache") inside += c.per_gpu.likely;
  CHECK(r.engine_report.budget_bytes - inside == doctest::Approx(r.engine_report.pool_bytes.likely));
  CHECK(on("0.8").engine_report.max_num_seqs == 256);
  CHECK(r.engine_report.limits_source == "vllm-limits");
}

TEST_CASE("vllm: V0's first rank samples for all, and latent prompts are not cut") {
  // R1 Distill Qwen 14B on two RTX 4090 (vLLM issue 13061): 81,536 tokens, 7.46 GiB of the 8.69 that the other rank has.
  const ShareResult two = parse_share(
      "method=engine&gpus=rtx-4090&gpu=rtx-4090&count=2&model=r1-distill-qwen-14b&weights=bf16&context=131072&"
      "vllm_version=v0&gpu_memory_utilization=0.98");
  CHECK(estimate(two.inputs, {}).engine_report.tokens.likely == doctest::Approx(81536).epsilon(0.02));
  const auto batched = [](const std::string& share) { return ask("context=128000&vllm_version=v0&" + share).engine_report; };
  CHECK(batched("count=8&model=deepseek-v3&weights=native").max_num_batched_tokens == 128000);
  CHECK(batched("count=1&model=llama-3.1-8b&weights=bf16").max_num_batched_tokens == 2048);
}

TEST_CASE("vllm: pages of DeepSeek V4") {
  // The groups that a start-up of the Flash model prints (vLLM issue 54703): entries and keys of 62 layers 1,002,240 bytes a
  // block.
  const auto report = [](const std::string& more) {
    return ask("model=deepseek-v4-flash&weights=native&kv=fp8&count=8&max_num_batched_tokens=8192&kv_cache_memory_gib=10" + more)
        .engine_report;
  };
  const EngineReport e = report("&context=65536");
  CHECK(e.num_blocks == std::floor(10 * gib / 1002240));
  // 256 blocks of entries, twice 131 of the window, 2,051 and 1,041 of the two pooling states.
  CHECK(e.max_concurrency.likely == doctest::Approx(e.num_blocks / (256 + 2 * 131 + 2051 + 1041)));
  CHECK(e.tokens.likely == std::floor(e.num_blocks / 3610 * 65536));
  // A longer request needs entries only; a longer step needs windows and states only.
  const EngineReport longer = report("&context=1048576");
  CHECK(longer.num_blocks / longer.max_concurrency.likely == doctest::Approx(4096 + 2 * 131 + 2051 + 1041));
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
