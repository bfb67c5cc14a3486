// The two methods: the article's statements, the worksheet's compartments, and laws that hold for every model.
#include <cmath>

#include "support.h"

using namespace vramfit;
using namespace vramfit::test;

namespace {
Range sum_per_gpu(const MethodResult& m) {
  Range sum;
  for (const Compartment& c : m.compartments) sum += c.per_gpu;
  return sum;
}
}  // namespace

TEST_CASE("rule: a long context goes on top of the bare weights, and the total never falls") {
  double previous = 0;
  for (double context = 1024; context <= 1 << 20; context *= 2) {
    const Result r = answer("context=" + std::to_string(static_cast<long>(context)));
    CHECK(r.rule.total.likely >= previous);
    previous = r.rule.total.likely;
  }
  CHECK(to_gb(answer("context=131072").rule.total.likely).value == doctest::Approx(112.95).epsilon(0.0005));
  CHECK(answer("context=4096").rule.total.likely == 84e9);
}

TEST_CASE("rule and worksheet count what they say they count") {
  const Result r = answer("model=llama-3.1-70b&weights=bf16");
  CHECK(likely_bytes(r.rule, "weights") == 140e9);                   // the vendor's 70B
  CHECK(likely_bytes(r.worksheet, "weights") == 2 * 70553706496.0);  // every parameter
  const Result bare = answer("params=70b&weights=bf16");
  CHECK(likely_bytes(bare.rule, "weights") == likely_bytes(bare.worksheet, "weights"));
}

TEST_CASE("worksheet: the compartments add up to the layout's need, for every model and count") {
  for (const ModelEntry& m : models()) {
    for (const char* extra :
         {"", "&weights=q4_k_m", "&task=lora", "&task=full&checkpointing=none", "&sequences=16&context=32768"}) {
      const Result r = answer("gpus=all&method=worksheet&gpu=h200&count=4&model=" + std::string(m.id) + extra);
      const std::string id(m.id);
      CAPTURE(id);
      CAPTURE(extra);
      REQUIRE_FALSE(r.refused);
      for (const MethodResult* method : {&r.rule, &r.worksheet}) {
        CHECK(sum_per_gpu(*method).likely == doctest::Approx(method->layouts[3].need.likely));
        for (const Compartment& c : method->compartments) {
          CHECK(c.per_gpu.low <= c.per_gpu.likely);
          CHECK(c.per_gpu.likely <= c.per_gpu.high);
          CHECK(c.per_gpu.low >= 0);
          REQUIRE(c.ranks.size() == 4);
          Range ranks;
          for (int k = 0; k < 4; ++k) {
            ranks += c.ranks[k];
            CHECK(c.ranks[k].likely <= c.ranks[k > 0 ? k - 1 : 0].likely);
            CHECK(c.ranks[k].low <= c.ranks[k].likely);
            CHECK(c.ranks[k].likely <= c.ranks[k].high);
          }
          CHECK(c.ranks[0].likely == c.per_gpu.likely);
          CHECK(c.total.likely == doctest::Approx(ranks.likely));
          CHECK_FALSE(c.terms.empty());
          for (const Term& t : c.terms) {
            CHECK_FALSE(t.formula.empty());
            CHECK_FALSE(t.source.empty());
          }
        }
        CHECK(method->total.low <= method->total.likely);
        CHECK(method->total.likely <= method->total.high);
        for (const Layout& l : method->layouts) CHECK(l.floor.likely <= l.need.likely);
      }
    }
  }
}

TEST_CASE("split: layers that do not divide make ranks differ, and all of them hold one copy") {
  // 80 layers over 3 GPUs: 27, 27 and 26.
  const Result three = answer("weights=q4_k_m&kv=q8_0&context=32768&gpu=h200&count=3&method=worksheet");
  const Result one = answer("weights=q4_k_m&kv=q8_0&context=32768&gpu=h200&count=1&method=worksheet");
  const Compartment* kv = find(three.worksheet, "kv_cache");
  REQUIRE(kv);
  CHECK(kv->ranks[0].likely == kv->ranks[1].likely);
  CHECK(kv->ranks[2].likely == doctest::Approx(kv->ranks[0].likely * 26 / 27));
  for (const Id id : {Id("weights"), Id("kv_cache")})  // whole bytes are rounded up on each rank
    CHECK(std::fabs(likely_bytes(three.worksheet, id) - likely_bytes(one.worksheet, id)) <= 3);
  // Token table and head count on the fullest rank alone: two Q6_K or Q4_K matrices of 8192 x 128256.
  const Compartment* weights = find(three.worksheet, "weights");
  CHECK(weights->ranks[0].likely - weights->ranks[1].likely > 1.2e9);
  CHECK(weights->ranks[1].likely == doctest::Approx(weights->ranks[2].likely * 27 / 26));
  // Buffers, contexts and their headroom are every rank's own.
  CHECK(find(three.worksheet, "reserve")->ranks[2].likely == find(three.worksheet, "reserve")->per_gpu.likely);
  const Compartment* headroom = find(three.worksheet, "headroom");
  CHECK(headroom->ranks[2].likely < headroom->ranks[1].likely);
  CHECK(headroom->ranks[1].likely < headroom->ranks[0].likely);

  const Result rule = answer("weights=q4_k_m&gpu=h200&count=3");
  CHECK(likely_bytes(rule.rule, "weights") == doctest::Approx(70e9 * 0.5));
  CHECK(find(rule.rule, "margin")->ranks[2].likely == doctest::Approx(7e9 * 26 / 80));
  // Cut within every layer, all ranks are equal.
  for (const Compartment& c : answer("count=8&gpu=h200&method=worksheet").worksheet.compartments)
    CHECK(c.ranks[7].likely == c.per_gpu.likely);
}

TEST_CASE("worksheet: more GPUs never raise what one of them holds of weights and cache") {
  for (const ModelEntry& m : models()) {
    double previous = 1e300;
    for (const char* count : {"1", "2", "4", "8"}) {
      const Result r = answer("method=worksheet&gpu=h200&model=" + std::string(m.id) + "&count=" + count);
      const double held = find(r.worksheet, "weights")->per_gpu.likely +
                          (find(r.worksheet, "kv_cache") ? find(r.worksheet, "kv_cache")->per_gpu.likely : 0);
      CHECK(held <= previous);
      previous = held;
    }
  }
}

TEST_CASE("worksheet: headroom follows the situation") {
  const auto percent = [](const char* share) {
    const Result r = answer(share);
    const Compartment* c = find(r.worksheet, "headroom");
    REQUIRE(c);
    return c->terms[0].values[0].number;
  };
  CHECK(percent("method=worksheet") == 10);
  CHECK(percent("method=worksheet&sequences=8") == 20);
  CHECK(percent("method=worksheet&situation=production") == 15);
  CHECK(percent("method=worksheet&sequences=64&context=32768") == 25);  // the cache outgrows the weights
  CHECK(percent("method=worksheet&headroom=12.5") == 12.5);
}

TEST_CASE("worksheet: need and headroom of a layout do not depend on which one is itemised") {
  for (const char* share :
       {"model=deepseek-v3&weights=fp8-block&context=131072&sequences=64", "model=qwen3-8b&sequences=40&context=8192"}) {
    const std::string base = std::string(share) + "&method=worksheet&gpu=b200&count=";
    const Result one = answer(base + "1");
    const Result eight = answer(base + "8");
    for (int n = 0; n < max_gpu_count; ++n) CHECK(one.worksheet.layouts[n].need.likely == eight.worksheet.layouts[n].need.likely);
  }
}

TEST_CASE("worksheet: a bare size without a shape is a lower bound, and can never be said to fit") {
  const Result r = answer("params=7b&method=worksheet");
  CHECK(r.worksheet.missing.size() == 2);
  for (const FitRow& row : r.fit)
    for (const Verdict v : row.verdicts) CHECK(v != Verdict::fits);
  const Result whole = answer(
      "params=70553706496&num_layers=80&hidden_size=8192&intermediate_size=28672&vocab_size=128256&num_heads=64&num_kv_heads=8&"
      "head_dim=128"
      "&weights=bf16&method=worksheet");
  CHECK(whole.worksheet.missing.empty());
  CHECK(whole.worksheet.total.likely == answer("model=llama-3.1-70b&weights=bf16&method=worksheet").worksheet.total.likely);
}

TEST_CASE("training: adapters and states") {
  const Result lora = answer("task=lora&method=worksheet");  // rank 16 on every linear layer of 70B
  const Compartment* adapters = find(lora.worksheet, "adapters");
  REQUIRE(adapters);
  CHECK(adapters->terms[0].values[0].number == 207093760);
  const Result full = answer("task=full&method=worksheet&model=llama-3.1-8b");
  CHECK(likely_bytes(full.worksheet, "optimizer") == 8 * 8030261248.0);
  // Rebuilding activations in the backward pass keeps less of them.
  CHECK(likely_bytes(answer("task=full&method=worksheet&checkpointing=none").worksheet, "activations") >
        likely_bytes(answer("task=full&method=worksheet").worksheet, "activations"));
  CHECK(full.precision.empty());
  // The rule counts the recipe that was chosen, beside the article's two.
  CHECK(answer("params=10b&task=full&states=16-byte").rule.total.likely == 160e9);
  CHECK(answer("params=10b&task=full").rule.total.likely == 180e9);
  CHECK(answer("params=10b&task=full&states=8-byte").rule.total.likely == 80e9);
  CHECK(answer("params=10b&task=full&states=8-byte").rule.total.high == 180e9);
}

TEST_CASE("native: a checkpoint is sized as it was published") {
  CHECK(answer("model=gpt-oss-120b&weights=native").weights == "mxfp4");
  CHECK(answer("model=deepseek-v3&weights=native").weights == "fp8-block");
  CHECK(answer("model=llama-3.1-8b&weights=native").weights == "bf16");
  for (const ModelEntry& m : models()) CHECK(find_recipe(m.native));
}
