// Transformers: a cache that grows, a prompt read in one piece, layers dealt out whole. Figures worked out by hand.
#include <algorithm>
#include <cmath>

#include "support.h"

using namespace vramfit;
using namespace vramfit::test;

namespace {

constexpr double params = 7615616512;  // of Qwen2.5 7B, whose layers have keys and values of 57,344 bytes a token
constexpr double cell = 57344;
const std::string qwen =
    "method=engine&engine=transformers&model=qwen2.5-7b&weights=bf16&gpu=a100-80gb-sxm&count=1&context=8192&prompt_tokens=6144";

double per_gpu(const Result& r, Id id) {
  const Compartment* c = find(r.engine, id);
  return c ? c->per_gpu.likely : 0;
}

}  // namespace

TEST_CASE("transformers: a prompt's widest layer, beside weights and the whole cache") {
  const Result r = answer(changed(qwen, "transformers_version=4.45"));
  CHECK(per_gpu(r, "weights") == 2 * params);
  CHECK(per_gpu(r, "kv_cache") == 8192 * cell);
  // Three feed-forward widths, four hidden states and the rotary table, in 16 bits, while the answer's part of the cache is
  // empty.
  CHECK(per_gpu(r, "activations") == 6144.0 * (3 * 18944 + 4 * 3584 + 2 * 128) * 2 - 2048 * cell);
  CHECK(per_gpu(r, "workspace") == 8.125 * bytes_per_mib);
  // After a short prompt nothing but one layer's keys is there twice.
  CHECK(per_gpu(answer(changed(qwen, "prompt_tokens=1")), "activations") == std::ceil(8192 * cell / 56));
  // Without a prompt length all of the context is prompt.
  CHECK(per_gpu(answer(changed(qwen, "context=6144&prompt_tokens=6144")), "activations") ==
        per_gpu(answer("method=engine&engine=transformers&model=qwen2.5-7b&weights=bf16&gpu=a100-80gb-sxm&count=1&context=6144"),
                "activations"));
}

TEST_CASE("transformers: older releases made logits of every token and kept two caches") {
  const Result whole = answer(changed(qwen, "transformers_version=4.36"));
  CHECK(per_gpu(whole, "activations") == 6144.0 * (152064 * 6 + 2 * 3584 * 2) - 2048 * cell);
  const Result tuples = answer(changed(qwen, "transformers_version=4.0&prompt_tokens=1"));
  CHECK(per_gpu(tuples, "activations") == 8192 * cell);
}

TEST_CASE("transformers: scores of every pair when attention is eager") {
  const Result eager = answer(changed(qwen, "attn_implementation=eager"));
  CHECK(per_gpu(eager, "activations") >= 28.0 * 6144 * 6144 * 8 - 2048 * cell);
  CHECK(per_gpu(eager, "activations") > per_gpu(answer(qwen), "activations"));
}

TEST_CASE("transformers: windows are cut since 4.56, latents are cached head by head") {
  const std::string gemma = "method=engine&engine=transformers&model=gemma-3-12b&weights=bf16&gpu=h100-sxm&count=1&context=32768";
  // 8 full layers and 40 with a window of 1024, of 2 x 8 x 256 x 2 bytes.
  CHECK(per_gpu(answer(gemma), "kv_cache") == 8192.0 * (8 * 32768 + 40 * 1024));
  CHECK(per_gpu(answer(changed(gemma, "transformers_version=4.45")), "kv_cache") == 8192.0 * 48 * 32768);
  const Result latent =
      answer("method=engine&engine=transformers&model=deepseek-v2-lite&weights=bf16&gpu=h100-sxm&count=1&context=4096");
  CHECK(per_gpu(latent, "kv_cache") == 4096.0 * 27 * 16 * (192 + 128) * 2);
}

TEST_CASE("transformers: whole layers go to the cards, each with a prompt's activations of its own") {
  const std::string big =
      "method=engine&engine=transformers&model=qwen2.5-72b&weights=bf16&gpu=a100-80gb-sxm&context=8192&count=";
  const Result one = answer(big + "1");
  for (const int count : {2, 3, 4}) {
    CAPTURE(count);
    const Result r = answer(big + std::to_string(count));
    const Compartment* weights = find(r.engine, "weights");
    CHECK(weights->total.likely == doctest::Approx(find(one.engine, "weights")->total.likely).epsilon(1e-9));
    CHECK(find(r.engine, "kv_cache")->total.likely == find(one.engine, "kv_cache")->total.likely);
    CHECK(find(r.engine, "activations")->total.likely == doctest::Approx(count * per_gpu(one, "activations")).epsilon(0.01));
    // No card holds more than an even share and a layer and a quarter; the head alone is 2.3 GiB.
    for (const Range& rank : weights->ranks) CHECK(gib(rank.likely) < gib(2 * 72706203648.0) / count + 5);
  }
}

TEST_CASE("transformers: quantized checkpoints bring buffers, copies and fused modules") {
  const Result gptq = answer(changed(qwen, "weights=int4-gptq&transformers_version=4.45"));
  CHECK(per_gpu(gptq, "workspace") == 8.125 * bytes_per_mib + 2.0 * (18944.0 * 3584 + 2048 * 18944.0));
  // 8-bit groups of 128: a scale of two bytes, a zero point of one.
  const double linear = 28.0 * 233046016;
  const Result int8 = answer(changed(qwen, "weights=int8-gptq"));
  CHECK(per_gpu(int8, "weights") - (2 * params - 2 * linear) ==
        doctest::Approx(linear * (1 + 3.0 / 128) + 28 * 4.0 * (6 * 3584 + 18944)).epsilon(1e-6));
  // A tied FP8 checkpoint has a head of its own.
  const std::string tied = "method=engine&engine=transformers&model=qwen3-0.6b&gpu=h100-sxm&count=1&weights=fp8-block";
  const double table = 2.0 * 151936 * 1024;
  const Result fp8 = answer(tied);
  CHECK(per_gpu(fp8, "weights") == doctest::Approx(596049920 - table / 2 + 2 * table).epsilon(0.001));
  // While an AWQ model is fused, the projections of queries, keys and values are there twice.
  const std::string awq = "method=engine&engine=transformers&model=llama-2-7b&weights=int4-awq&gpu=rtx-4090&count=1&context=128";
  const double qkv = 32 * 3 * (4096.0 * 4096 / 2 + 4096.0 * 32 * 2.5);
  CHECK(per_gpu(answer(changed(awq, "do_fuse=yes")), "activations") == qkv - 128 * 524288.0);
  CHECK(per_gpu(answer(awq), "activations") < qkv / 10);
}

TEST_CASE("transformers: the longest conversation just fits") {
  const Result r = answer(qwen);
  const double longest = r.engine_report.longest_context;
  REQUIRE(longest > 8192);
  const std::string at =
      "method=engine&engine=transformers&model=qwen2.5-7b&weights=bf16&gpus=a100-80gb-sxm&count=1&prompt_tokens=6144&context=";
  const auto likely = [&](double context) { return answer(at + std::to_string(static_cast<long>(context))); };
  const double card = likely(longest).fit[0].capacity_bytes;
  CHECK(likely(longest).engine.layouts[0].floor.likely <= card);
  CHECK(likely(longest + 1).engine.layouts[0].floor.likely > card);
  CHECK(likely(longest + 1).fit[0].causes[0] == "cache");
}
