// What engines refuse whatever the bytes, what they warn of, and how causes follow from needs and a card.
#include "engines/needs.h"
#include "support.h"

using namespace vramfit;
using namespace vramfit::test;

namespace {

struct Said {
  Verdict verdict = Verdict::unusable;
  std::string cause;
};

Result ask(const std::string& settings, const std::string& gpu, int count) {
  return answer("method=engine&gpus=" + gpu + "&gpu=" + gpu + "&count=" + std::to_string(count) + "&" + settings);
}

Said said(const std::string& settings, const std::string& gpu, int count) {
  const Result r = ask(settings, gpu, count);
  REQUIRE_MESSAGE(!r.refused, settings);
  REQUIRE(r.fit.size() == 1);
  return {r.fit[0].verdicts[count - 1], std::string(r.fit[0].causes[count - 1])};
}

// The cause of a layout that is refused whatever the memory; "ok" of any that is not.
std::string refusal(const std::string& settings, const std::string& gpu, int count) {
  const Said s = said(settings, gpu, count);
  return s.verdict == Verdict::unusable ? s.cause : "ok";
}

bool warns(const std::string& settings, const std::string& gpu, int count, Id id) {
  const Result r = ask(settings, gpu, count);
  const Notice* n = find_notice(r.notices, id);
  return n && n->severity == Severity::warning;
}

struct Case {
  const char* settings;
  const char* gpu;
  int count;
  const char* expected;
};

void check_all(std::initializer_list<Case> cases) {
  for (const Case& c : cases) {
    CAPTURE(c.settings);
    CAPTURE(c.gpu);
    CAPTURE(c.count);
    CHECK(refusal(c.settings, c.gpu, c.count) == c.expected);
  }
}

}  // namespace

TEST_CASE("engine checks: heads, states and layouts divide over the ranks") {
  check_all({
      {"engine=vllm&model=llama-3.1-70b&weights=bf16", "rtx-a6000", 6, "heads"},
      {"engine=vllm&model=llama-3.1-70b&weights=bf16", "h100-sxm", 8, "ok"},
      {"engine=vllm&model=r1-distill-qwen-7b&weights=bf16", "h100-sxm", 8, "heads"},
      {"engine=vllm&model=qwen3.6-27b&weights=int4-awq", "rtx-3090", 6, "state-heads"},
      {"engine=sglang&model=llama-3.1-70b&weights=bf16", "h100-sxm", 3, "heads"},
      {"engine=llama.cpp&model=llama-3.1-70b&weights=q4_k_m", "rtx-3090", 3, "ok"},
      {"engine=transformers&model=llama-3.1-70b&weights=bf16", "h100-sxm", 3, "ok"},
      {"engine=vllm&model=llama-3.1-70b&weights=bf16&pipeline_parallel=3", "h100-sxm", 3, "ok"},
      {"engine=vllm&model=llama-3.1-70b&weights=bf16&pipeline_parallel=2", "h100-sxm", 3, "layout-size"},
      {"engine=vllm&vllm_version=0.6&model=deepseek-v3&weights=native&pipeline_parallel=2", "h200", 8, "pipeline-support"},
      {"engine=vllm&model=deepseek-v3&weights=native&pipeline_parallel=2", "h200", 8, "ok"},
      {"engine=vllm&model=deepseek-v3&weights=native&decode_context_parallel=8", "h200", 8, "ok"},
      {"engine=vllm&model=llama-3.1-70b&weights=fp8&decode_context_parallel=2", "h200", 8, "context-parallel"},
      {"engine=vllm&model=qwen3-235b-a22b&weights=fp8&decode_context_parallel=2", "h200", 8, "ok"},  // 4 KV heads
  });
}

TEST_CASE("engine checks: blocks and groups are cut whole") {
  check_all({
      {"engine=vllm&model=minimax-m2&weights=native", "h200", 4, "ok"},
      {"engine=vllm&model=minimax-m2&weights=native", "h200", 8, "quant-blocks"},  // 1536 / 8 is no multiple of 128
      {"engine=vllm&model=minimax-m2&weights=native&expert_parallel=yes", "h200", 8, "ok"},
      {"engine=vllm&model=minimax-m2&weights=bf16", "h200", 8, "ok"},
      {"engine=sglang&model=qwen3-30b-a3b&weights=fp8-block", "h100-sxm", 4, "quant-blocks"},  // 768 / 4
      {"engine=vllm&model=qwen3-30b-a3b&weights=fp8-block", "h100-sxm", 2, "ok"},
      {"engine=vllm&model=qwen3-30b-a3b&weights=fp8", "h100-sxm", 4, "ok"},  // one scale per tensor
      {"engine=vllm&model=qwen3-235b-a22b&weights=fp8-block", "h100-sxm", 4, "ok"},
      {"engine=vllm&model=qwen3-235b-a22b&weights=fp8-block", "h100-sxm", 8, "quant-blocks"},
      {"engine=vllm&model=qwen2.5-72b&weights=int4-awq", "a100-80gb-sxm", 1, "ok"},
      {"engine=vllm&model=qwen2.5-72b&weights=int4-awq", "a100-80gb-sxm", 2, "quant-blocks"},  // 29568 / 128 = 231 groups
      {"engine=vllm&model=llama-2-7b&weights=int4-gptq", "a100-40gb-sxm", 2, "ok"},            // 11008 / 2 = 43 groups
      {"engine=vllm&model=llama-2-7b&weights=int4-gptq", "a100-40gb-sxm", 4, "quant-blocks"},
      {"engine=vllm&model=minimax-m2&weights=int4-awq", "h200", 8, "ok"},  // fused experts halve their groups
      {"engine=llama.cpp&model=minimax-m2&weights=q4_k_m", "h200", 8, "ok"},
  });
}

TEST_CASE("engine checks: engines and number formats on generations of GPUs") {
  check_all({
      {"engine=vllm&model=llama-3.1-8b&weights=bf16", "apple-m3-max-64gb", 1, "engine-vendor"},
      {"engine=sglang&model=llama-3.1-8b&weights=bf16", "apple-m3-max-64gb", 1, "engine-vendor"},
      {"engine=transformers&model=llama-3.1-8b&weights=bf16", "apple-m3-max-64gb", 1, "ok"},
      {"engine=llama.cpp&model=llama-3.1-8b&weights=q4_k_m", "apple-m3-max-64gb", 1, "ok"},
      {"engine=tensorrt-llm&model=llama-3.1-8b&weights=bf16", "mi300x", 1, "engine-vendor"},
      {"engine=tensorrt-llm&model=llama-3.1-8b&weights=fp16", "v100-32gb", 1, "engine-chip"},
      {"engine=vllm&model=llama-3.1-8b&weights=fp16", "v100-32gb", 1, "ok"},
      {"engine=vllm&model=llama-3.1-8b&weights=fp8", "a100-40gb-sxm", 1, "ok"},  // weight-only
      {"engine=vllm&model=llama-3.1-8b&weights=fp8", "v100-32gb", 1, "chip-precision"},
      {"engine=tensorrt-llm&model=llama-3.1-405b&weights=fp8", "a100-80gb-sxm", 8, "chip-precision"},
      {"engine=tensorrt-llm&model=llama-3.1-405b&weights=fp8", "h100-sxm", 8, "ok"},
      {"engine=transformers&model=llama-3.1-8b&weights=fp8", "a100-40gb-sxm", 1, "chip-precision"},
      {"engine=sglang&model=deepseek-v3&weights=native", "a100-80gb-sxm", 8, "chip-precision"},
      {"engine=sglang&model=llama-3.1-8b&weights=fp8", "a100-40gb-sxm", 1, "ok"},
      {"engine=vllm&model=qwen3-32b&weights=nvfp4", "h100-sxm", 1, "ok"},
      {"engine=vllm&vllm_version=v0&model=qwen3-32b&weights=nvfp4", "rtx-3090", 1, "chip-precision"},
      {"engine=vllm&model=qwen3-32b&weights=nvfp4", "mi300x", 1, "chip-precision"},
      {"engine=vllm&vllm_version=v0&model=deepseek-v3&weights=native", "a100-80gb-sxm", 8, "chip-precision"},
      {"engine=vllm&model=llama-3.1-8b&weights=int4-awq", "v100-32gb", 1, "chip-precision"},
      {"engine=vllm&model=llama-3.1-8b&weights=int4-gptq", "v100-32gb", 1, "ok"},
  });
  CHECK(warns("engine=vllm&model=gpt-oss-20b&weights=native", "ryzen-ai-max-395-128gb", 1, "precision-on-chip"));
  CHECK(warns("engine=vllm&model=llama-3.1-8b&weights=bf16", "t4", 1, "bfloat16-on-chip"));
  CHECK(!warns("engine=vllm&model=llama-3.1-8b&weights=bf16", "h100-sxm", 1, "bfloat16-on-chip"));
  CHECK(warns("engine=vllm&model=llama-3.1-8b&weights=int8", "b200", 1, "precision-on-chip"));
}

TEST_CASE("engine checks: what the engine does unless it is told") {
  const std::string seventy = "engine=vllm&model=llama-3.1-70b&weights=bf16";
  CHECK(warns(seventy, "h100-sxm", 4, "tensor-parallel-flag"));
  CHECK(!warns("engine=vllm&model=llama-3.1-8b&weights=bf16", "h100-sxm", 4, "tensor-parallel-flag"));  // one would do
  CHECK(!warns("engine=llama.cpp&model=llama-3.1-70b&weights=q4_k_m", "rtx-3090", 3, "tensor-parallel-flag"));
  CHECK(warns("engine=vllm&model=qwen2.5-32b&weights=bf16&context=4096", "h100-sxm", 1, "window-flag") ==
        (said("engine=vllm&model=qwen2.5-32b&weights=bf16&context=32768", "h100-sxm", 1).verdict == Verdict::does_not_fit));
  CHECK(warns("engine=vllm&model=llama-3.1-8b&weights=bf16&context=4096", "rtx-3090", 1, "window-flag"));
  CHECK(!warns("engine=vllm&model=llama-3.1-8b&weights=bf16&context=4096", "h100-sxm", 1, "window-flag"));
}

TEST_CASE("engine checks: attention over a quantized cache copies a layer of it") {
  const auto with = [](const std::string& kv, double other_gib) {
    return "engine=llama.cpp&model=qwen3.6-27b&weights=q4_k_m&context=131072&kv=" + kv +
           "&other_programs_gib=" + std::to_string(other_gib);
  };
  const auto spare_gib = [&](const std::string& kv) {
    const Result r = ask(with(kv, 0.01), "rtx-3090", 1);
    return gib(r.engine_report.usable_bytes - r.engine.layouts[0].floor.likely);
  };
  // The copy takes half a gibibyte at this length: 4 heads of 256 + 256 values.
  const double spare = spare_gib("q4_0");
  CHECK(warns(with("q4_0", spare - 0.3), "rtx-3090", 1, "cache-copy"));
  CHECK(!warns(with("q4_0", spare - 0.7), "rtx-3090", 1, "cache-copy"));
  CHECK(!warns(with("bf16", spare_gib("bf16") - 0.3), "rtx-3090", 1, "cache-copy"));
}

TEST_CASE("engine checks: states for a default of many sequences") {
  const std::string model = "engine=vllm&model=qwen3.6-27b&weights=bf16&context=8192";
  const Said by_default = said(model, "h100-sxm", 1);
  CHECK(by_default.verdict == Verdict::tight);  // one flag cures it
  CHECK(by_default.cause == "state-blocks");
  const Said typed = said(model + "&max_num_seqs=1024", "h100-sxm", 1);
  CHECK(typed.verdict == Verdict::does_not_fit);
  CHECK(typed.cause == "state-blocks");
  CHECK(said(model + "&max_num_seqs=16", "h100-sxm", 1).verdict == Verdict::fits);
}

TEST_CASE("engine checks: a checkpoint is read at 16 bits before it is quantized") {
  const std::string stored = "engine=vllm&vllm_version=0.8&model=qwen3-32b&weights=fp8&max_num_seqs=16";
  const std::string loaded = stored + "&quantize_at_load=yes";
  CHECK(said(stored, "rtx-6000-ada", 1).verdict == Verdict::fits);
  const Said one = said(loaded, "rtx-6000-ada", 1);
  CHECK(one.verdict == Verdict::does_not_fit);
  CHECK(one.cause == "quantize-at-load");
  CHECK(said(loaded, "rtx-6000-ada", 2).verdict != Verdict::does_not_fit);
  // From 0.17 on it is quantized layer by layer.
  CHECK(said("engine=vllm&model=qwen3-32b&weights=fp8&max_num_seqs=16&quantize_at_load=yes", "rtx-6000-ada", 1).verdict ==
        Verdict::fits);
}

TEST_CASE("engine checks: who names a card and a count has them") {
  // A table of offers stops at the host's limit; a named count is judged and remarked on.
  const std::string model = "engine=vllm&model=llama-3.1-70b&weights=bf16";
  CHECK(said(model, "dgx-spark", 2).verdict != Verdict::unusable);
  CHECK(warns(model, "dgx-spark", 2, "more-than-a-host"));
  const Result table = answer("method=engine&gpus=dgx-spark&" + model);
  CHECK(table.fit[0].verdicts[1] == Verdict::unusable);
  CHECK(table.fit[0].causes[1].empty());
}

TEST_CASE("engine checks: an operating system shares unified memory") {
  const std::string model = "engine=vllm&model=nemotron-3-super&weights=nvfp4&context=131072&max_num_seqs=4";
  const Said high = said(model + "&gpu_memory_utilization=0.94", "dgx-spark", 1);
  CHECK(high.verdict != Verdict::fits);
  CHECK(high.cause == "unified-memory");
  CHECK(said(model + "&gpu_memory_utilization=0.8", "dgx-spark", 1).cause != "unified-memory");
}

namespace {

RankNeeds needs(PoolRule rule, double share, double weights, double activations, double outside, double request) {
  RankNeeds n;
  n.rule = rule;
  n.share = share;
  n.add("weights", Range::exact(weights));
  n.add("activations", Range::exact(activations));
  if (outside > 0) n.add("reserve", Range::exact(outside), Where::outside);
  n.one_request = n.all_requests = Range::exact(request);
  return n;
}

std::string judged(const RankNeeds& n, double card, const Others& others = {}) {
  const Held h = hold(n, card, others);
  return std::string(verdict_id(h.verdict)) + (h.cause.empty() ? "" : " " + std::string(h.cause));
}

}  // namespace

TEST_CASE("engine verdicts: causes in the order of a start-up") {
  constexpr PoolRule total = PoolRule::share_of_total;
  CHECK(judged(needs(total, 0.9, 60, 5, 5, 10), 100) == "fits");
  CHECK(judged(needs(total, 0.9, 95, 5, 5, 10), 100) == "does-not-fit weights");
  CHECK(judged(needs(total, 0.9, 87, 5, 5, 10), 100) == "does-not-fit no-room-for-cache");
  CHECK(judged(needs(total, 0.9, 70, 5, 5, 20), 100) == "does-not-fit one-request");
  CHECK(judged(needs(total, 0.9, 60, 25, 5, 10), 100) == "does-not-fit one-request");
  CHECK(judged(needs(total, 0.9, 60, 35, 5, 10), 100) == "does-not-fit activations");
  CHECK(judged(needs(total, 0.98, 60, 5, 5, 10), 100) == "does-not-fit beside-budget");
  CHECK(judged(needs(total, 1, 60, 5, 5, 10), 100) == "does-not-fit beside-budget");
  CHECK(judged(needs(PoolRule::exact, 1, 60, 5, 5, 40), 100) == "does-not-fit cache");
  RankNeeds many = needs(total, 0.9, 60, 5, 5, 10);
  many.all_requests = Range::exact(40);
  CHECK(judged(many, 100) == "tight many-requests");
}

TEST_CASE("engine verdicts: tight between the ends of the ranges, and why") {
  RankNeeds n = needs(PoolRule::share_of_total, 0.9, 60, 0, 0, 20);
  n.parts[1].bytes = {5, 12, 15};
  CHECK(judged(n, 100) == "tight one-request");  // likely not, but it may
  n.parts[1].bytes = {11, 12, 15};
  CHECK(judged(n, 100) == "does-not-fit one-request");
  n.parts[1].bytes = {5, 8, 15};
  CHECK(judged(n, 100) == "tight one-request");  // likely, but it may not
  n.parts[1].bytes = {5, 8, 9};
  CHECK(judged(n, 100) == "fits");
  RankNeeds graphs = needs(PoolRule::share_of_total, 0.9, 60, 5, 5, 10);
  graphs.add("graphs", {3, 4, 7}, Where::outside);
  CHECK(judged(graphs, 100) == "tight graphs");
  const Others desktop{{0, 2, 8}, "other-programs"};
  CHECK(judged(needs(PoolRule::share_of_total, 0.9, 60, 5, 5, 10), 100, desktop) == "tight other-programs");
}

TEST_CASE("engine verdicts: a pool of the user's own size") {
  RankNeeds n = needs(PoolRule::share_of_total, 0.9, 60, 5, 5, 10);
  n.fixed_pool_bytes = 20;
  CHECK(judged(n, 100) == "fits");
  n.fixed_pool_bytes = 8;
  CHECK(judged(n, 100) == "does-not-fit one-request");
  n.fixed_pool_bytes = 30;
  CHECK(judged(n, 100) == "fits");  // the share counts no more
  n.fixed_pool_bytes = 31;
  CHECK(judged(n, 100) == "does-not-fit pool-size");
}
