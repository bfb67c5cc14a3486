// A few results in words, whole; tests/web/words.test.mjs compares many with the page's.
#include <cmath>

#include "support.h"
#include "text/describe.h"
#include "text/published.h"
#include "vramfit/estimate.h"
#include "vramfit/share_string.h"

using namespace vramfit;
using namespace vramfit::shell;
using namespace vramfit::shell::test;

namespace {

Description description(std::string_view share_string, const Text& text) {
  ShareResult share = parse_share(share_string);
  const Result result = estimate(share.inputs, std::move(share.notices));
  return describe(share.inputs, result, text);
}

}  // namespace

TEST_CASE("words: the default answer") {
  const Description d = description("", text_in(Language::en));
  CHECK(d.answer.state == AnswerState::fits);
  CHECK(d.answer.sentence.find("84 GB by the rule") != std::string::npos);
  CHECK(d.answer.sentence.find("1x H200") != std::string::npos);
  CHECK(d.breakdown.title == "Per GPU on 1x H200: 84 GB of 141 GB");
  REQUIRE(d.breakdown.rows.size() == 2);
  CHECK(d.breakdown.rows[0].label == "Weights");
  CHECK(d.breakdown.rows[0].terms.at(0).text == "70B parameters × 1 byte");
  REQUIRE(d.breakdown.free);
  CHECK(d.breakdown.free->bytes == 57e9);
  REQUIRE(d.fit.rows.size() == 4);
  CHECK(d.fit.rows[0].name == "H200 SXM");
  CHECK(count_label(d.fit, d.fit.rows[0], 1, text_in(Language::en)) == "1x H200: fits");
  CHECK(count_reason(d.fit, d.fit.rows[0], 3) == "64 attention heads do not divide by 3");
  CHECK(count_reason(d.fit, d.fit.rows[0], 1) == "");
}

TEST_CASE("words: the best comes first") {
  const Description d = description("gpus=all", text_in(Language::es));
  double last_rank = 0;
  for (const GpuRow& row : d.fit.rows) {
    const double rank = !row.smallest ? 2 : row.smallest->verdict == Verdict::fits ? 0 : 1;
    CHECK(rank >= last_rank);
    last_rank = rank;
  }
}

TEST_CASE("words: a refusal has its reason and nothing else") {
  const Description d = description("model=llama-3.1-71b", text_in(Language::en));
  CHECK(d.answer.state == AnswerState::refused);
  CHECK(d.answer.sentence.find("llama-3.1-70b") != std::string::npos);
  CHECK(d.notices.size() == 1);
  CHECK(d.breakdown.rows.empty());
  CHECK(d.fit.rows.empty());
}

TEST_CASE("words: figures are those of the result object") {
  CHECK(published(0.1234564) == 0.123456);
  CHECK(published(0.1234565) == 0.123457);
  CHECK(published(12345.9999996) == 12346);
  CHECK(published(-0.25) == -0.25);
  CHECK(published(1e15) == 1e15);
  CHECK(published(Range{-1, 0.5, 1.5}).low == 0);
  CHECK(published(Range{-1, 0.5, 1.5}).likely == 1);
}
