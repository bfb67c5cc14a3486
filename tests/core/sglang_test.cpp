// SGLang's share, pools and refusals, with figures worked out by hand.
#include <cmath>

#include "support.h"

using namespace vramfit;
using namespace vramfit::test;

namespace {

// A card of 24 GiB of which 1 GiB is gone before anything is loaded, and 15 GiB of weights.
const std::string small_card =
    "method=engine&engine=sglang&model=llama-3.1-8b&weights=bf16&gpu=rtx-4090&count=1&context=8192"
    "&measured_total_gib=24&measured_other_gib=1&measured_weights_gib=15";

double term_value(const MethodResult& m, Id compartment, Id formula, Id name) {
  const Compartment* c = find(m, compartment);
  REQUIRE(c);
  for (const Term& t : c->terms)
    if (t.formula == formula)
      for (const Value& v : t.values)
        if (v.name == name) return v.number;
  FAIL("no such term");
  return 0;
}

}  // namespace

TEST_CASE("sglang: the pool is a share of what is free at start, less the weights") {
  // 512 + 2048 x 1.5 + 24 x 2 + 128 MiB are kept back: (24576 - 3760) / 24576 = 0.847.
  const Result r = answer(small_card);
  CHECK(gib(r.engine_report.pool_bytes.likely) == doctest::Approx(0.847 * 23 - 15));
  CHECK(r.engine_report.tokens.likely == 36708);  // of 131,072 bytes
  CHECK(r.engine_report.max_num_batched_tokens == 2048);
  // Older releases went by the number of ranks.
  CHECK(answer(changed(small_card, "sglang_version=0.4")).engine_report.tokens.likely == 42926);
  CHECK(answer(changed(small_card, "mem_fraction_static=0.9")).engine_report.tokens.likely == std::floor((0.9 * 23 - 15) * 8192));
  CHECK(answer(changed(small_card, "mem_fraction_static=0.9&page_size=64")).engine_report.num_blocks ==
        std::floor((0.9 * 23 - 15) * 128));
}

TEST_CASE("sglang: a share that the weights fill is refused, and the share that would do is named") {
  const Result r = answer(changed(small_card, "mem_fraction_static=0.6"));
  CHECK(r.fit[0].verdicts[0] == Verdict::does_not_fit);
  CHECK(r.fit[0].causes[0] == "weights");
  const Notice* n = find_notice(r.notices, "sglang-share-too-small");
  REQUIRE(n);
  CHECK(n->used == doctest::Approx(0.653));  // 15 of 23 GiB
  CHECK_FALSE(find_notice(answer(small_card).notices, "sglang-share-too-small"));
}

TEST_CASE("sglang: windows have a pool of their own, of four fifths of the slots") {
  const Result r = answer("method=engine&engine=sglang&model=gpt-oss-20b&weights=native&gpu=h100-sxm&count=1");
  // 12 + 12 layers of 2 x 8 x 64 x 2 bytes.
  CHECK(term_value(r.engine, "kv_cache", "token-slots", "bytes_per_token") == 44236);
  const Result all =
      answer("method=engine&engine=sglang&model=gpt-oss-20b&weights=native&gpu=h100-sxm&count=1&swa_full_tokens_ratio=1");
  CHECK(term_value(all.engine, "kv_cache", "token-slots", "bytes_per_token") == 49152);
}

TEST_CASE("sglang: the latent is on every rank, heads are cut until one is left") {
  for (const char* count : {"1", "8"}) {
    const Result r =
        answer("method=engine&engine=sglang&model=deepseek-v3&weights=fp8-block&gpu=b200&count=" + std::string(count));
    CHECK(term_value(r.engine, "kv_cache", "token-slots", "bytes_per_token") == 61 * 576 * 2);
  }
  // Sparse attention adds a key of 128 bytes and a scale to each layer.
  const Result sparse = answer("method=engine&engine=sglang&model=deepseek-v3.2&weights=fp8-block&gpu=b200&count=8");
  CHECK(term_value(sparse.engine, "kv_cache", "token-slots", "bytes_per_token") == 78324);
  const std::string gqa = "method=engine&engine=sglang&model=qwen2.5-7b&weights=bf16&gpu=h100-sxm&count=";
  CHECK(term_value(answer(gqa + "1").engine, "kv_cache", "token-slots", "bytes_per_token") == 57344);
  CHECK(term_value(answer(gqa + "4").engine, "kv_cache", "token-slots", "bytes_per_token") == 14336);
  // Attention copied on every rank keeps all heads, and a rank has its share of the requests.
  const Result dp = answer(gqa + "4&attention_dp=yes&sequences=8&context=4096");
  CHECK(term_value(dp.engine, "kv_cache", "token-slots", "bytes_per_token") == 57344);
  CHECK(find(dp.engine, "kv_cache")->per_gpu.likely == 2.0 * 4096 * 57344);
  CHECK(find(dp.engine, "weights")->per_gpu.likely > find(answer(gqa + "4").engine, "weights")->per_gpu.likely);
  // A prediction layer is counted like the model's own.
  const Result mtp = answer("method=engine&engine=sglang&model=deepseek-v3&weights=fp8-block&gpu=b200&count=8&speculative=mtp");
  CHECK(term_value(mtp.engine, "kv_cache", "token-slots", "bytes_per_token") == 62 * 576 * 2);
  CHECK(find(mtp.engine, "draft"));
}

TEST_CASE("sglang: cache and state are divided by their ratio, or the state's slots are given") {
  const std::string base =
      "method=engine&engine=sglang&model=qwen3.5-27b&weights=bf16&gpu=h100-sxm&count=1&context=4096"
      "&measured_total_gib=81&measured_other_gib=1&measured_weights_gib=52&mem_fraction_static=0.9";
  const double pool = (0.9 * 80 - 52) * bytes_per_gib;
  const double state = 48 * 3207168.0;  // a state of 48 layers: matrix in float32, convolution in 16 bits
  const double cell = 16 * 4096;
  const Result r = answer(base);
  CHECK(term_value(r.engine, "state", "state-pool", "state_bytes") == state);
  CHECK(r.engine_report.tokens.likely == doctest::Approx(std::floor(pool / 1.9 / cell)).epsilon(1e-6));
  CHECK(r.engine_report.max_num_seqs == std::floor(pool * 0.9 / 1.9 / state / 3));
  const Result given = answer(changed(base, "max_mamba_cache_size=60"));
  CHECK(given.engine_report.tokens.likely == std::floor((pool - 61 * state) / cell));
  CHECK(given.engine_report.max_num_seqs == 20);
}

TEST_CASE("sglang: tables of requests grow with the context and live beside the pool") {
  const Result r = answer(changed(small_card, "context=131072"));
  const Compartment* table = find(r.engine, "request_table");
  REQUIRE(table);
  CHECK(table->per_gpu.likely == 2048.0 * (131072 + 4) * 4);
  CHECK(find(answer(changed(small_card, "max_running_requests=64")).engine, "request_table")->per_gpu.likely ==
        64.0 * (8192 + 4) * 4);
  CHECK_FALSE(find(answer(changed(small_card, "disable_cuda_graph=yes")).engine, "graphs"));
}

TEST_CASE("sglang: adapters take room of the static share") {
  const Result with = answer(changed(small_card, "max_loras=8&max_lora_rank=64"));
  const Compartment* adapters = find(with.engine, "adapters");
  REQUIRE(adapters);
  // Per layer: q and o 2 x 8192, k and v 2 x 5120, three of 18432.
  CHECK(adapters->per_gpu.likely == 8.0 * 64 * 2 * 32 * (2 * 8192 + 2 * 5120 + 3 * 18432));
  CHECK(with.engine_report.pool_bytes.likely < answer(small_card).engine_report.pool_bytes.likely);
}

TEST_CASE("sglang: 4-bit experts keep wide scales where the chip has no 4-bit units") {
  const std::string pro = "method=engine&engine=sglang&model=deepseek-v4-pro&weights=native&count=8&gpu=";
  const double hopper = find(answer(pro + "h200").engine, "weights")->per_gpu.likely;
  const double blackwell = find(answer(pro + "b200").engine, "weights")->per_gpu.likely;
  double experts = 0;
  for_each_tensor(catalogue_model("deepseek-v4-pro"), false, [&](const Tensor& t) {
    if (is_expert(t.cls)) experts += t.elements();
  });
  CHECK(hopper - blackwell == doctest::Approx(experts / 8 * 3 / 32).epsilon(1e-9));
}
