// What-if against estimate(): the same needs, and limits that hold at their value and no further.
#include "vramfit/what_if.h"

#include <algorithm>
#include <random>

#include "support.h"

using namespace vramfit;
using namespace vramfit::test;

namespace {

WhatIf what_if_of(std::string_view share) {
  ShareResult parsed = parse_share(share);
  return what_if(parsed.inputs, std::move(parsed.notices));
}

std::string gpu_ids(const WhatIf& w) {
  std::string out;
  for (const WhatIfCard& c : w.cards)
    out += (out.empty() ? "" : " ") + std::to_string(c.count) + "x" + std::string(gpus()[c.gpu].id);
  return out;
}

std::string kv_ids(const WhatIf& w) {
  std::string out;
  for (const WhatIfLine& l : w.axes.at(0).lines) out += (out.empty() ? "" : " ") + std::string(l.kv) + (l.chosen ? "*" : "");
  return out;
}

// estimate() at one point of a what-if.
Result estimate_at(Inputs in, const WhatIf& w, const WhatIfCard& card, const WhatIfAxis& axis, const WhatIfLine& line,
                   double value) {
  in.set(FieldId::gpu, gpus()[card.gpu].id);
  in.set(FieldId::count, w.count);
  in.set(axis.field, value);
  if (!line.kv.empty()) in.set(FieldId::kv, line.kv);
  return estimate(in);
}

const FitRow& row_of(const Result& r, int gpu) {
  for (const FitRow& row : r.fit)
    if (row.gpu == gpu) return row;
  FAIL("no row");
  return r.fit[0];
}

// Every limit of `w` against estimate(), and the need at one value of each line.
void check_against_estimate(const Inputs& in, const WhatIf& w, std::mt19937& random) {
  for (const WhatIfAxis& axis : w.axes) {
    const double maximum = field(axis.field).maximum;
    CHECK(std::is_sorted(axis.values.begin(), axis.values.end(), std::less_equal<>()));
    CHECK(axis.value == in.number(axis.field));
    CHECK(axis.values.back() >= std::min(2 * axis.value, maximum));
    for (const WhatIfLine& line : axis.lines) {
      REQUIRE(line.need.size() == axis.values.size());
      REQUIRE(line.limits.size() == w.cards.size());
      const std::size_t at = random() % axis.values.size();
      const Result there = estimate_at(in, w, w.cards[0], axis, line, axis.values[at]);
      const Range need = there.method(in.text(FieldId::method)).layouts[w.count - 1].need;
      CHECK(line.need[at].low == need.low);
      CHECK(line.need[at].likely == need.likely);
      CHECK(line.need[at].high == need.high);
      for (std::size_t c = 0; c < w.cards.size(); ++c) {
        const WhatIfCard& card = w.cards[c];
        const auto verdict = [&](double value) {
          const Result r = estimate_at(in, w, card, axis, line, value);
          CHECK(row_of(r, card.gpu).capacity_bytes == card.capacity_bytes);
          return row_of(r, card.gpu).verdicts[w.count - 1];
        };
        const auto [fits, runs] = line.limits[c];
        CHECK(fits <= runs);
        if (fits > 0) CHECK(verdict(fits) == Verdict::fits);
        if (fits < maximum) CHECK(verdict(fits + 1) != Verdict::fits);
        if (runs > 0) CHECK(verdict(runs) <= Verdict::tight);
        if (runs < maximum) CHECK(verdict(runs + 1) > Verdict::tight);
      }
    }
  }
}

}  // namespace

TEST_CASE("what-if: the default question") {
  const WhatIf w = what_if_of("");
  CHECK_FALSE(w.refused);
  CHECK(w.missing.empty());
  CHECK(w.count == 1);
  CHECK(gpu_ids(w) == "1xh200 1xh100-sxm 1xb200");
  CHECK(w.cards[0].capacity_bytes == 141e9);
  CHECK(kv_ids(w) == "bf16* fp8 int4");
  REQUIRE(w.axes.size() == 2);
  const WhatIfAxis& context = w.axes[0];
  CHECK(context.field == FieldId::context);
  CHECK(context.value == 4096);
  CHECK(context.values.size() == 29);  // seven octaves
  CHECK(context.values[1] == 1218);
  CHECK(context.values.back() == 131072);
  CHECK(context.lines[0].need[0].likely == 84e9);
  // 70 GB of weights leave 63.95 GB of 95 % of 141 GB; a token takes 327,680 bytes.
  CHECK(context.lines[0].limits[0].fits == std::floor((141e9 * 0.95 - 70e9) / 327680));
  CHECK(context.lines[0].limits[0].runs == std::floor((141e9 - 70e9) / 327680));
  CHECK(context.lines[1].limits[0].fits == std::floor((141e9 * 0.95 - 70e9) / 163840));
  CHECK(context.lines[0].limits[1].fits == 0);  // an H100 does not hold the 84 GB
  CHECK(w.axes[1].field == FieldId::sequences);
  CHECK(w.axes[1].values.front() == 1);
  CHECK(w.axes[1].values.back() == 256);
  CHECK(w.axes[1].lines[0].limits[0].fits == std::floor((141e9 * 0.95 - 70e9) / 327680 / 4096));
}

TEST_CASE("what-if: precisions are those of the weights' engine family, the chosen one among them") {
  CHECK(kv_ids(what_if_of("weights=q4_k_m")) == "bf16* q8_0 q4_0");
  CHECK(kv_ids(what_if_of("weights=q4_k_m&kv=q5_1")) == "bf16 q8_0 q5_1* q4_0");
  CHECK(kv_ids(what_if_of("weights=q4_k_m&kv=fp16")) == "fp16* q8_0 q4_0");
  CHECK(kv_ids(what_if_of("kv=int8")) == "bf16 int8* int4");
  CHECK(kv_ids(what_if_of("kv=q8_0")) == "bf16 q8_0* fp8 int4");
  for (const char* share : {"task=lora", "params=7b", "model=bge-m3", "model=mamba-2.8b"})
    CHECK(kv_ids(what_if_of(share)) == "*");
}

TEST_CASE("what-if: cards are the chosen one and its neighbours on hosts that take as many") {
  CHECK(gpu_ids(what_if_of("gpu=l40s")) == "2xl40s 2xh100-sxm");
  CHECK(gpu_ids(what_if_of("gpu=h100-sxm&count=4&weights=bf16")) == "4xh100-sxm 4xl40s 4xh200");
  CHECK(gpu_ids(what_if_of("gpus=h200,rtx-4090,h100-sxm&count=8&gpu=h100-sxm")) == "8xh100-sxm 8xh200");
  // Same size on the box, though the drivers leave more or less of it.
  CHECK(gpu_ids(what_if_of("gpus=h100-sxm,h100-pcie,a100-sxm-80gb,l40s&gpu=h100-sxm&count=2&method=worksheet")) ==
        "2xh100-sxm 2xl40s");
  // Nothing holds it: the largest.
  CHECK(gpu_ids(what_if_of("model=kimi-k3&weights=bf16")) == "1xb200 1xh200");
  CHECK(gpu_ids(what_if_of("model=kimi-k3&weights=bf16&count=8")) == "8xb200 8xh200");
}

TEST_CASE("what-if: a count that cannot be is no limit at all") {
  for (const char* share : {"gpu=h100-sxm&count=3", "gpu=rtx-4090&count=8&weights=q4_k_m"}) {
    const WhatIf w = what_if_of(share);
    for (const WhatIfAxis& axis : w.axes)
      for (const WhatIfLine& line : axis.lines) {
        CHECK(line.limits[0].fits == 0);
        CHECK(line.limits[0].runs == 0);
      }
  }
}

TEST_CASE("what-if: training moves the micro-batch, and what is not counted is named") {
  const WhatIf full = what_if_of("task=full&method=worksheet&model=llama-3.1-8b&gpu=h200");
  CHECK(full.axes[1].field == FieldId::micro_batch);
  CHECK(full.axes[1].lines.size() == 1);
  CHECK(full.missing.empty());
  for (const char* method : {"rule", "worksheet"}) {
    const WhatIf bare = what_if_of(std::string("params=7b&method=") + method);
    CHECK(std::find(bare.missing.begin(), bare.missing.end(), "kv_cache") != bare.missing.end());
  }
  const WhatIf flat = what_if_of("params=7b");
  CHECK(flat.axes[0].values.back() == 131072);
  CHECK(flat.axes[0].lines[0].limits[0].fits == field(FieldId::context).maximum);
  CHECK(what_if_of("params=7b&method=worksheet").axes[0].lines[0].limits[0].fits == 0);  // a lower bound never fits
  CHECK(what_if_of("params=7b&method=worksheet").axes[0].lines[0].limits[0].runs > 0);
}

TEST_CASE("what-if: refused as the estimate is") {
  for (const char* share : {"model=nope", "v=2", "params=abc", "gpus=zz"}) {
    const WhatIf w = what_if_of(share);
    CHECK(w.refused);
    CHECK(has_error(w.notices));
    CHECK(w.cards.empty());
    CHECK(w.axes.empty());
  }
}

TEST_CASE("what-if: needs and limits are those of estimate(), for random requests") {
  std::mt19937 random(41);
  const auto pick_of = [&](auto span) -> const auto& { return span[random() % span.size()]; };
  const char* const tasks[] = {"serve", "serve", "serve", "serve", "serve", "full", "lora", "qlora"};
  const char* const shapes[] = {"params=7b", "params=70b&num_layers=80&num_kv_heads=8&head_dim=128",
                                "params=8b&num_layers=32&num_kv_heads=8&head_dim=128&num_heads=32&hidden_size=4096&vocab_size="
                                "128256&intermediate_size=14336"};
  const char* const sets[] = {"article", "all", "consumer", "datacenter", "apple", "h200,b200"};
  for (int i = 0; i < 120; ++i) {
    std::string share = random() % 8 ? "model=" + std::string(pick_of(models()).id) : shapes[random() % 3];
    share += "&task=" + std::string(tasks[random() % 8]);
    share += "&weights=" + std::string(pick_of(recipes()).id);
    share += "&kv=" + std::string(pick_of(kv_formats()).id);
    share += random() % 2 ? "&method=worksheet" : "";
    share += "&gpus=" + std::string(sets[random() % 6]);
    if (random() % 2) share += "&gpu=" + std::string(pick_of(gpus()).id);
    if (random() % 2) share += "&count=" + std::to_string(random() % 8 + 1);
    share += "&context=" + std::to_string(1u << random() % 20);
    share += "&sequences=" + std::to_string(1u << random() % 9) + "&micro_batch=" + std::to_string(1u << random() % 6);
    if (random() % 3 == 0) share += "&checkpointing=none&headroom=12.5";
    CAPTURE(share);
    ShareResult parsed = parse_share(share);
    const WhatIf w = what_if(parsed.inputs);
    if (w.refused) continue;  // a published format of a bare size
    check_against_estimate(parsed.inputs, w, random);
  }
}
