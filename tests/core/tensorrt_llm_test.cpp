// TensorRT-LLM's pool and blocks, with figures worked out by hand.
#include <cmath>

#include "support.h"

using namespace vramfit;
using namespace vramfit::test;

namespace {

const std::string base =
    "method=engine&engine=tensorrt-llm&model=llama-3.1-8b&weights=bf16&gpu=a100-40gb-sxm&count=1&context=8192"
    "&measured_total_gib=40&measured_other_gib=1&measured_weights_gib=15&measured_activations_gib=1";
// Free once all is loaded, buffers of 0.22 GiB among it.
constexpr double free_gib = 40 - 1 - 15 - 1 - 0.22;

}  // namespace

TEST_CASE("tensorrt-llm: the pool takes its share of what is free, in whole blocks") {
  const Result r = answer(base);
  CHECK(gib(r.engine_report.pool_bytes.likely) == doctest::Approx(0.9 * free_gib));
  CHECK(r.engine_report.num_blocks == std::floor(0.9 * free_gib * 8192 / 32));
  CHECK(r.engine_report.tokens.likely == r.engine_report.num_blocks * 32);
  CHECK(r.engine_report.max_num_seqs == 2048);
  const Result half = answer(changed(base, "free_gpu_memory_fraction=0.5&tokens_per_block=64"));
  CHECK(half.engine_report.num_blocks == std::floor(0.5 * free_gib * 8192 / 64));
}

TEST_CASE("tensorrt-llm: cache formats and the latent") {
  const double bf16 = answer(base).engine_report.tokens.likely;
  CHECK(answer(changed(base, "kv=fp8")).engine_report.tokens.likely == doctest::Approx(2 * bf16).epsilon(0.001));
  // Four bits and a byte of scale for sixteen values.
  CHECK(answer(changed(base, "kv=nvfp4")).engine_report.tokens.likely == doctest::Approx(16 / 4.5 * bf16).epsilon(0.001));
  const Result kimi =
      answer("method=engine&engine=tensorrt-llm&model=deepseek-v3&weights=fp8-block&kv=fp8&gpu=b200&count=8&context=32768");
  CHECK(find(kimi.engine, "kv_cache")->per_gpu.likely == 32768.0 * 35136);
}

TEST_CASE("tensorrt-llm: an engine is built for its largest batch, whatever is asked of it") {
  const auto built = [](const char* more) {
    return find(answer("method=engine&engine=tensorrt-llm&model=llama-3.1-8b&weights=bf16&gpu=h100-sxm&count=1" +
                       std::string(more))
                    .engine,
                "activations")
        ->per_gpu.likely;
  };
  CHECK(built("") == 8192.0 * (3 * 14336 + 4.25 * 4096) * 2 + 2048.0 * 128256 * 4);
  CHECK(built("&sequences=16") == built(""));
  CHECK(built("&max_batch_size=16") == 8192.0 * (3 * 14336 + 4.25 * 4096) * 2 + 16.0 * 128256 * 4);
  CHECK(built("&max_num_tokens=2048") < built(""));
}

TEST_CASE("tensorrt-llm: no more requests than the batch it was built for") {
  const Result r = answer(changed(base, "context=1024&max_batch_size=8"));
  CHECK(r.engine_report.max_concurrency.likely == 8);
}

TEST_CASE("tensorrt-llm: attention copied on every rank") {
  const std::string four =
      "method=engine&engine=tensorrt-llm&model=qwen2.5-7b&weights=bf16&gpu=h100-sxm&count=4&context=4096&sequences=8";
  const Result cut = answer(four);
  const Result dp = answer(four + "&attention_dp=yes");
  CHECK(find(cut.engine, "kv_cache")->per_gpu.likely == 8.0 * 4096 * 57344 / 4);
  CHECK(find(dp.engine, "kv_cache")->per_gpu.likely == 2.0 * 4096 * 57344);
  // Attention of 28 layers and the token table, three quarters of which the ranks do not have otherwise.
  const double attention = 28.0 * (2.0 * 3584 * 3584 + 2.0 * 3584 * 512) + 152064.0 * 3584;
  CHECK(find(dp.engine, "weights")->per_gpu.likely - find(cut.engine, "weights")->per_gpu.likely ==
        doctest::Approx(attention * 2 * 3 / 4).epsilon(1e-6));
}
