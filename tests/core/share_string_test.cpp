#include <random>

#include "support.h"
#include "vramfit/what_if.h"

using namespace vramfit;
using namespace vramfit::test;

namespace {

std::string canonical(std::string_view share) {
  const ShareResult r = parse_share(share);
  return format_share(r.inputs, r.unknown);
}

const Notice& notice(const ShareResult& r, Id id) {
  const Notice* n = find_notice(r.notices, id);
  REQUIRE_MESSAGE(n, "no notice ", std::string(id));
  return *n;
}

}  // namespace

TEST_CASE("share: defaults are left out, order is fixed") {
  CHECK(canonical("") == "");
  CHECK(canonical("?weights=fp8&model=llama-3.1-70b&v=1") == "");
  CHECK(canonical("#gpu=h200&context=131072&model=qwen3-32b") == "model=qwen3-32b&context=131072&gpu=h200");
  CHECK(canonical("context=128k") == "context=131072");
  CHECK(canonical("context=2M") == "context=2097152");
  CHECK(canonical("gpus=h200:3.99,b200") == "gpus=h200:3.99,b200");
  CHECK(canonical("gpus=+H200+:+3.99+,+b200,") == "gpus=h200:3.99,b200,");
  CHECK(canonical("model=Qwen3-32B&weights=BF16") == "model=qwen3-32b&weights=bf16");
}

TEST_CASE("share: a bare size") {
  CHECK(canonical("params=70b") == "params=70b");
  CHECK(canonical("params=32.5B") == "params=32.5b");
  CHECK(canonical("params=7b") == "params=7b");  // written even at its default: it says that no model is meant
  CHECK(canonical("params=70553706496") == "params=70553706496");
  CHECK(canonical("params=7.61b") == "params=7.61b");
  CHECK(canonical("model=&params=8b") == "params=8b");
  CHECK(canonical("model=") == "params=7b");
  CHECK(canonical("model=qwen3-8b&params=8b") == "model=qwen3-8b&params=8b");
  CHECK(canonical("model=llama-3.1-70b&params=8b") == "model=llama-3.1-70b&params=8b");
  CHECK(parse_share("params=70b").inputs.bare_size());
}

TEST_CASE("share: notices") {
  CHECK(notice(parse_share("colour=red"), "unknown-key").field == "colour");
  CHECK(canonical("colour=red&weights=bf16") == "weights=bf16&colour=red");
  const ShareResult twice = parse_share("context=1000&context=2000");
  CHECK(notice(twice, "duplicate-key").value == "2000");
  CHECK(twice.inputs.number(FieldId::context) == 1000);
  const ShareResult negative = parse_share("context=-5&weights=bf16");
  CHECK(notice(negative, "out-of-range").used == 1);
  CHECK(notice(negative, "out-of-range").value == "-5");
  CHECK(negative.inputs.text(FieldId::weights) == "bf16");
  CHECK(notice(parse_share("count=0"), "out-of-range").used == 1);
  CHECK(notice(parse_share("count=9"), "out-of-range").used == 8);
  CHECK(notice(parse_share("count=2.5"), "not-whole").used == 2);
  CHECK(notice(parse_share("context=many"), "not-a-number").severity == Severity::error);
  CHECK(notice(parse_share("context="), "not-a-number").severity == Severity::error);
  CHECK(notice(parse_share("v=2"), "unsupported-version").severity == Severity::error);
  CHECK(canonical("v=2&weights=bf16") == "weights=bf16&v=2");
  CHECK(notice(parse_share("model=%zz"), "bad-encoding").value == "%zz");
  CHECK(notice(parse_share("%=%&%ff=%c0%80"), "bad-encoding").severity == Severity::warning);
  const ShareResult longer = parse_share("weights=bf16&x=" + std::string(10000, 'a'));
  CHECK(notice(longer, "too-long").used == max_share_length);
  CHECK(longer.inputs.text(FieldId::weights) == "bf16");
  CHECK(parse_share(std::string(40000, '&') + "weights=bf16").inputs.is(FieldId::weights, "fp8"));
  CHECK(find_notice(parse_share(std::string(1000000, 'x')).notices, "too-long"));
  CHECK(canonical("x=" + std::string(8000, '\x01')).size() < 30000);
  CHECK(find_notice(parse_share(canonical("context=1m&x=" + std::string(8191, '\''))).notices, "too-long") == nullptr);
  const ShareResult spoken = parse_share("lang=es&lang=en");
  CHECK(spoken.view.size() == 1);
  CHECK(notice(spoken, "duplicate-key").value == "en");
  CHECK(parse_share("lang=es&theme=dark&units=gib").view.size() == 3);
  for (const char* known :
       {"lang=es", "lang=ES-mx", "lang=pt-BR", "theme=dark", "units=GiB", "units=auto", "embed=1", "view=compact", "lang="})
    CHECK(parse_share(known).notices.empty());
  for (const char* unknown : {"lang=tlh", "lang=es_MX", "lang=-", "theme=Dark", "units=gib"})
    CHECK(notice(parse_share(unknown), "unknown-view").severity == Severity::warning);
}

TEST_CASE("share: ids that nobody knows are named, not replaced") {
  const Result model = answer("model=nope");
  CHECK(model.refused);
  CHECK(find_notice(model.notices, "unknown-model")->value == "nope");
  CHECK(canonical("model=nope&kv=fp8") == "model=nope&kv=fp8");
  CHECK(answer("weights=fp7").refused);
  CHECK(answer("kv=none").refused);
  CHECK(answer("task=guess").refused);
  CHECK(answer("prices=free").refused);
  CHECK(answer("params=7b&weights=native").refused);
  const Result gpu = answer("gpus=h200,rtx-9999");
  CHECK_FALSE(gpu.refused);
  CHECK(find_notice(gpu.notices, "unknown-gpu")->value == "rtx-9999");
  CHECK(gpu.fit.size() == 1);
  CHECK(find_notice(answer("gpus=rtx-9999").notices, "no-gpus"));
  CHECK(answer("gpus=rtx-9999").refused);
  CHECK(find_notice(answer("gpus=h200:cheap").notices, "bad-price"));
  const Result commas = answer("gpus=h200:3,20,b200:4,75,l40s:2.5,20");
  CHECK(find_notice(commas.notices, "decimal-comma")->value == "h200:3,20");
  CHECK(commas.fit[0].price->usd_per_hour == 3.2);
  CHECK(commas.fit[1].price->usd_per_hour == 4.75);
  CHECK(commas.fit[2].price->usd_per_hour == 2.5);
  CHECK(find_notice(commas.notices, "unknown-gpu")->value == "20");
  CHECK(answer("gpus=h200:3,4090").fit.size() == 2);
  CHECK(answer("gpu=RTX4090").chosen.gpu == find_gpu("rtx-4090"));
  CHECK(answer("gpu=nvidia-rtx-4090").chosen.gpu == find_gpu("rtx-4090"));
  CHECK(find_notice(answer("gpu=h100").notices, "ambiguous-gpu")->value == "h100-sxm");
  CHECK(find_notice(answer("kv=fp8&task=lora").notices, "field-not-used")->field == "kv");
  CHECK(find_notice(answer("model=llama-2-7b&context=8192").notices, "context-beyond-model")->used == 4096);
  CHECK(find_notice(answer("model=mixtral-8x7b").notices, "mixture-resident"));
}

TEST_CASE("share: numbers") {
  double x = 0;
  CHECK((parse_number(FieldKind::number, "0.97", x) && x == 0.97));
  CHECK((parse_number(FieldKind::number, " 12 ", x) && x == 12));
  CHECK((parse_number(FieldKind::params, "1.6T", x) && x == 1.6e12));
  CHECK((parse_number(FieldKind::tokens, "1.5k", x) && x == 1536));
  for (const char* bad : {"", "-", ".", "1.2.3", "1e5", "0x10", "k", "NaN", "inf", "1,5", "12b4"})
    CHECK_FALSE(parse_number(FieldKind::number, bad, x));
  CHECK_FALSE(parse_number(FieldKind::number, "5k", x));
  CHECK_FALSE(parse_number(FieldKind::tokens, "5b", x));
  CHECK(format_number(FieldKind::number, 0.97) == "0.97");
  CHECK(format_number(FieldKind::number, 1234567890123.0) == "1234567890123");
  CHECK(format_number(FieldKind::params, 70e9) == "70b");
  CHECK(format_number(FieldKind::number, 0.1 + 0.2) == "0.3");
  CHECK(format_number(FieldKind::number, 0.9999999) == "1");
  for (const double whole : {0.0, 9.0, 999999999.0, 1000000000.0, 9999999999.0, 123456789012345.0, 9007199254740991.0})
    CHECK(format_number(FieldKind::number, whole) == std::to_string(static_cast<unsigned long long>(whole)));
  std::mt19937_64 random(5);
  for (int i = 0; i < 20000; ++i) {
    const auto whole = random() >> (11 + random() % 40);  // below 2^53
    CHECK(format_number(FieldKind::number, static_cast<double>(whole)) == std::to_string(whole));
  }
}

TEST_CASE("share: parse(format(x)) = x over random inputs") {
  std::mt19937 random(11);
  for (int i = 0; i < 20000; ++i) {
    Inputs in;
    for (int f = 0; f < num_fields; ++f) {
      if (random() % 3) continue;
      const Field& field = fields()[f];
      const auto id = static_cast<FieldId>(f);
      if (field.kind == FieldKind::choice || field.kind == FieldKind::gpu_list) {
        if (!field.choices.empty()) in.set(id, field.choices[random() % field.choices.size()]);
        else if (id == FieldId::model) in.set(id, random() % 4 ? models()[random() % models().size()].id : Id(""));
        else if (id == FieldId::weights) in.set(id, recipes()[random() % recipes().size()].id);
        else if (id == FieldId::gpu) in.set(id, gpus()[random() % gpus().size()].id);
        else if (id == FieldId::gpus) in.set(id, "h200:3.99,consumer,\xC3\xA9 &=#%");
      } else {
        const double span = field.maximum - field.minimum;
        double value = field.minimum + std::floor(span * (random() % 1000) / 1000.0);
        if (!field.whole && field.kind == FieldKind::number)
          value = field.minimum + std::min(span, 90.0) * (random() % 9000) / 9000.0;
        double canonical_value = 0;
        REQUIRE(parse_number(field.kind, format_number(field.kind, value), canonical_value));
        in.set(id, canonical_value);
      }
    }
    const std::string share = format_share(in);
    const ShareResult back = parse_share(share);
    CAPTURE(share);
    CHECK(back.inputs == in);
    CHECK(back.notices.empty());
    CHECK(format_share(back.inputs, back.unknown) == share);
  }
}

TEST_CASE("share: rubbish gives a canonical string or named notices, and the canonical string is stable") {
  std::mt19937 random(13);
  const std::string_view alphabet = "abcdefgpkmtuw0123456789=&&&==%%%.-+,:;?#~ \x01\x7f\xc3\xa9\xff";
  int answered = 0;
  for (int i = 0; i < 100000; ++i) {
    std::string text;
    if (random() % 2) {
      text = "model=gemma-3-27b&weights=q4_k_m&context=131072&sequences=4&gpus=all&count=2&params=7b";
      for (unsigned edits = random() % 6 + 1; edits > 0 && !text.empty(); --edits) {
        const std::size_t at = random() % text.size();
        if (random() % 2) text[at] = alphabet[random() % alphabet.size()];
        else text.insert(at, 1, alphabet[random() % alphabet.size()]);
      }
    } else {
      for (unsigned n = random() % 60; n > 0; --n) text += alphabet[random() % alphabet.size()];
    }
    const ShareResult once = parse_share(text);
    const std::string share = format_share(once.inputs, once.unknown);
    CAPTURE(text);
    CHECK(canonical(share) == share);
    CHECK(parse_share(share).inputs == once.inputs);
    if (i % 50) continue;
    // Answered or refused, and answered alike by its canonical string.
    const Result typed = answer(text);
    const WhatIf further = what_if(once.inputs, once.notices);
    CHECK(further.refused == typed.refused);
    if (typed.refused) continue;
    ++answered;
    const Result again = answer(share);
    CHECK(again.rule.total.likely == typed.rule.total.likely);
    CHECK(again.fit.size() == typed.fit.size());
    CHECK(further.axes[0].values == what_if(parse_share(share).inputs, {}).axes[0].values);
  }
  CHECK(answered > 1000);
}

// Links that are out in the world: what they mean may never change.
TEST_CASE("share: today's links") {
  const Result link = answer("model=llama-3.1-70b&weights=fp8&context=131072&gpu=h200");
  CHECK(link.model.id == "llama-3.1-70b");
  CHECK(link.weights == "fp8");
  CHECK(std::string(gpus()[link.chosen.gpu].id) == "h200");
  CHECK(link.chosen.count == 1);
  CHECK(canonical("model=llama-3.1-70b&weights=fp8&context=131072&gpu=h200") == "context=131072&gpu=h200");
}
