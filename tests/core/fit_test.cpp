// Which GPUs, how many, and why not.
#include "fit.h"

#include "support.h"

using namespace vramfit;
using namespace vramfit::test;

namespace {

std::string reasons(const Result& r) {
  std::string out;
  for (const Layout& l : r.rule.layouts)
    out += (out.empty() ? "" : " ") + (l.reason.empty() ? std::string("ok") : std::string(l.reason));
  return out;
}
Verdict verdict_of(const Result& r, Id gpu, int count) {
  for (const FitRow& row : r.fit)
    if (gpus()[row.gpu].id == gpu) return row.verdicts[count - 1];
  FAIL("no row for " << std::string(gpu));
  return Verdict::unusable;
}

}  // namespace

TEST_CASE("fit: tensor parallelism divides heads, KV heads, widths and vocabulary") {
  CHECK(reasons(answer("model=llama-3.1-70b")) == "ok ok heads ok heads heads heads ok");
  CHECK(reasons(answer("model=qwen2.5-32b")) ==
        "ok ok heads ok kv-heads heads heads ok");  // 40 heads over 5, but 8 KV heads do not
  CHECK(reasons(answer("model=qwen2.5-7b")) == "ok ok heads ok heads heads kv-heads heads");    // 28 heads
  CHECK(reasons(answer("model=falcon-7b")) == "ok heads heads heads heads heads heads heads");  // 71 heads
  CHECK(answer("model=llama-3.1-70b").rule.layouts[2].reason_number == 64);
  CHECK(reasons(answer("params=70b")) == "ok ok heads-unknown ok heads-unknown heads-unknown heads-unknown ok");
  CHECK(reasons(answer("params=70b&num_heads=48")) == "ok ok ok ok heads ok heads ok");
}

TEST_CASE("fit: layers and training states are dealt out in any number") {
  CHECK(reasons(answer("model=llama-3.1-70b&weights=q4_k_m")) == "ok ok ok ok ok ok ok ok");
  CHECK(answer("model=llama-3.1-70b&weights=q4_k_m").rule.split == "layer");
  CHECK(reasons(answer("task=full")) == "ok ok ok ok ok ok ok ok");
  CHECK(answer("task=full").rule.split == "shard");
}

TEST_CASE("fit: verdicts at their borders") {
  Layout l;
  l.floor = Range::exact(90);
  l.need = Range::exact(95);
  CHECK(judge(l, 100, false) == Verdict::fits);
  CHECK(judge(l, 99.9, false) == Verdict::tight);
  CHECK(judge(l, 90, false) == Verdict::tight);
  CHECK(judge(l, 89.9, false) == Verdict::does_not_fit);
  CHECK(judge(l, 100, true) == Verdict::tight);
  l.reason = "heads";
  CHECK(judge(l, 1000, false) == Verdict::unusable);
}

TEST_CASE("fit: the article's statements, with its own cards") {
  const Result fp8 = answer("model=llama-3.1-70b&weights=fp8&gpus=article");
  CHECK(fp8.rule.total.likely == 84e9);
  CHECK(std::string(gpus()[fp8.best.gpu].id) == "h200");
  CHECK(fp8.best.count == 1);
  const Result qwen = answer("model=qwen2.5-32b&weights=bf16");
  CHECK(qwen.rule.total.likely == doctest::Approx(78e9));
  CHECK(verdict_of(qwen, "h100-sxm", 1) == Verdict::tight);
  CHECK(verdict_of(qwen, "h200", 1) == Verdict::fits);
  const Result bf16 = answer("model=llama-3.1-70b&weights=bf16");
  CHECK(verdict_of(bf16, "h100-sxm", 3) == Verdict::unusable);
  CHECK(verdict_of(bf16, "h100-sxm", 4) == Verdict::fits);
  const Result long_chats = answer("model=llama-3.1-70b&weights=fp8&context=131072&sequences=4");
  CHECK(std::string(gpus()[long_chats.best.gpu].id) == "h200");
  CHECK(long_chats.best.count == 2);
}

TEST_CASE("fit: a latent cache is not spread over ranks") {
  const Result r = answer("model=deepseek-v3&weights=fp8-block&context=32768&sequences=64&gpu=b200&count=8&method=worksheet");
  const Compartment* kv = find(r.worksheet, "kv_cache");
  REQUIRE(kv);
  CHECK(gib(kv->per_gpu.likely) == doctest::Approx(64 * 2.1445).epsilon(0.001));
  CHECK(kv->total.likely == 8 * kv->per_gpu.likely);
}

TEST_CASE("fit: hosts have their limits") {
  const Result r = answer("gpus=rtx-4090,apple-m4-max-64gb&weights=q4_k_m&model=llama-3.1-8b");
  CHECK(verdict_of(r, "rtx-4090", 4) == Verdict::fits);
  CHECK(verdict_of(r, "rtx-4090", 5) == Verdict::unusable);
  CHECK(r.fit[0].max_per_node == 4);
  CHECK(verdict_of(r, "apple-m4-max-64gb", 2) == Verdict::unusable);
}

TEST_CASE("fit: sets, lists, own prices, chosen GPU and count") {
  CHECK(answer("gpus=article").fit.size() == 4);
  CHECK(answer("gpus=all").fit.size() == gpus().size());
  const Result own = answer("gpus=h200:2.5,b200");
  CHECK(own.fit[0].price->usd_per_hour == 2.5);
  CHECK(own.fit[0].price->kind == PriceKind::own);
  CHECK(*own.best.usd_per_hour == 2.5);
  CHECK(answer("gpus=h200,h200:2").fit.size() == 1);
  const Result chosen = answer("gpu=rtx-4090&count=2");
  CHECK(chosen.fit.size() == 5);  // joins the set
  CHECK(chosen.chosen.count == 2);
  CHECK(chosen.chosen.verdict == Verdict::does_not_fit);
  CHECK(answer("gpu=h100-sxm&count=3").chosen.verdict == Verdict::unusable);
  CHECK(answer("gpu=h100-sxm").chosen.count == 2);
  CHECK(answer("count=4").chosen.count == 4);
  CHECK(answer("model=kimi-k3&weights=bf16").best.gpu == -1);
  const Result cheap = answer("model=llama-3.1-70b&weights=fp8");
  CHECK(std::string(gpus()[cheap.cheapest.gpu].id) == "l40s");
  CHECK(cheap.cheapest.count == 2);
}

TEST_CASE("fit: rule against the marketed size, worksheet against the driver's") {
  CHECK(answer("gpus=h200").fit[0].capacity_bytes == 141e9);
  CHECK(answer("gpus=h200&method=worksheet").fit[0].capacity_bytes == 143771 * bytes_per_mib);
}

TEST_CASE("fit: the precision ladder takes what the table itself would") {
  for (const char* share : {"gpus=all", "gpus=article", "gpus=consumer&model=gemma-3-27b", "gpus=l40s&model=deepseek-v3"}) {
    for (const PrecisionStep& step : answer(share).precision) {
      const Result r = answer(std::string(share) + "&weights=" + std::string(step.weights));
      CHECK(step.total_bytes == r.rule.total.likely);
      const Pick expected = r.best.gpu >= 0 ? r.best : pick(r.fit, Verdict::tight, false, -1, 0);
      CHECK(step.pick.gpu == expected.gpu);
      CHECK(step.pick.count == expected.count);
      CHECK(step.pick.usd_per_hour == expected.usd_per_hour);
    }
  }
}
