// A price list of the host's: what is read of it, and that it is then the only price book.
#include "vramfit/price_list.h"

#include <nlohmann/json.hpp>
#include <random>

#include "result_json.h"
#include "support.h"
#include "vramfit/what_if.h"

using namespace vramfit;
using namespace vramfit::test;
using nlohmann::json;

namespace {

constexpr Id acme = "Acme Cloud\t2026-11-30\nl40s\t9.5\ton-demand\nb200\t2.5\tspot\n";

Result answer_by(Id text, std::string_view share) {
  const auto list = read_price_list(text);
  REQUIRE(list);
  ShareResult parsed = parse_share(share);
  return estimate(parsed.inputs, std::move(parsed.notices), &*list);
}

const FitRow& row_of(const Result& r, Id gpu) {
  for (const FitRow& row : r.fit)
    if (gpus()[row.gpu].id == gpu) return row;
  FAIL("no row for " << std::string(gpu));
  return r.fit[0];
}

}  // namespace

TEST_CASE("price list: read") {
  CHECK_FALSE(read_price_list(""));
  const auto list = read_price_list(acme);
  REQUIRE(list);
  CHECK(list->provider == "Acme Cloud");
  CHECK(list->date == "2026-11-30");
  REQUIRE(list->prices.size() == 2);
  CHECK(list->prices[0].gpu == find_gpu("l40s"));
  CHECK(list->prices[0].usd_per_hour == 9.5);
  CHECK(list->prices[0].kind == PriceKind::on_demand);
  CHECK(list->prices[1].kind == PriceKind::spot);
  CHECK(read_price_list("\t\n")->prices.empty());
}

TEST_CASE("price list: what is no price is left out") {
  for (const char* row : {"", "h200", "h200\t", "h200\t2", "h200\t2\t", "h200\tx\tspot", "h200\t-1\tspot",
                          "h200\t1000000.5\tspot", "nothing\t2\tspot", "h200\t2\tSpot", "\t2\tspot", "h200 2 spot"}) {
    CAPTURE(std::string(row));
    const std::string text = std::string("a\tb\n") + row + "\nh200\t1000000\tspot";
    const auto list = read_price_list(text);
    REQUIRE(list->prices.size() == 1);
    CHECK(list->prices[0].usd_per_hour == 1e6);
  }
}

TEST_CASE("price list: the only price book") {
  const Result r = answer_by(acme, "gpus=article");
  const GpuPrice& l40s = *row_of(r, "l40s").price;
  CHECK(l40s.usd_per_hour == 9.5);
  CHECK(l40s.book == "host");
  CHECK(l40s.provider == "Acme Cloud");
  CHECK(l40s.date == "2026-11-30");
  CHECK(l40s.kind == PriceKind::on_demand);
  // In the market's book, not in this one.
  CHECK(row_of(answer("gpus=article"), "h200").price);
  CHECK_FALSE(row_of(r, "h200").price);
  CHECK(gpus()[r.best.gpu].id == "h200");
  CHECK_FALSE(r.best.usd_per_hour);
  CHECK(gpus()[r.cheapest.gpu].id == "b200");
  CHECK(*r.cheapest.usd_per_hour == 2.5);
  for (const FitRow& row : answer_by("x\t2026-01-01\n", "gpus=all").fit) CHECK_FALSE(row.price);
  CHECK(answer_by("x\t2026-01-01\n", "gpus=all").cheapest.gpu == -1);
}

TEST_CASE("price list: the first row of a GPU counts") {
  CHECK(row_of(answer_by("x\t2026-01-01\nh200\t2\tspot\nh200\t1\tspot", "gpus=h200"), "h200").price->usd_per_hour == 2);
}

TEST_CASE("price list: a price typed with the GPU wins") {
  const Result r = answer_by(acme, "gpus=l40s:0.25,b200");
  CHECK(row_of(r, "l40s").price->usd_per_hour == 0.25);
  CHECK(row_of(r, "l40s").price->book == "own");
  CHECK(row_of(r, "b200").price->book == "host");
  CHECK(gpus()[r.cheapest.gpu].id == "l40s");
}

TEST_CASE("price list: the precision ladder and ties go by it") {
  const Result r = answer_by("x\t2026-01-01\nl40s\t2\tspot\nh200\t7\tspot\n", "gpus=article");
  for (const PrecisionStep& step : r.precision) {
    const FitRow& row = row_of(r, gpus()[step.pick.gpu].id);
    CHECK(step.pick.usd_per_hour == (row.price ? std::optional(step.pick.count * row.price->usd_per_hour) : std::nullopt));
  }
  // Two GPUs with as much memory: the cheaper is best, and what-if is about it.
  for (const Id cheap : {Id("h100-sxm"), Id("h100-pcie")}) {
    const std::string text =
        "x\t2026-01-01\nh100-sxm\t" + std::string(cheap == "h100-sxm" ? "1" : "2") + "\tspot\nh100-pcie\t1.5\tspot";
    const std::string share = "gpus=h100-sxm,h100-pcie&model=llama-3.1-8b";
    CHECK(gpus()[answer_by(text, share).best.gpu].id == cheap);
    const auto list = read_price_list(text);
    CHECK(gpus()[what_if(parse_share(share).inputs, {}, &*list).cards[0].gpu].id == cheap);
  }
}

TEST_CASE("price list: the choice of a book plays no part") {
  const Result r = answer_by(acme, "prices=aws&gpus=article");
  CHECK(r.fit.size() == answer_by(acme, "gpus=article").fit.size());
  CHECK_FALSE(row_of(r, "h200").price);
  const Notice* notice = find_notice(r.notices, "field-not-used");
  REQUIRE(notice);
  CHECK(notice->field == "prices");
  CHECK_FALSE(find_notice(answer("prices=aws").notices, "field-not-used"));
  const auto applies = [](const json& result) { return result.at("applies").dump().find("prices") != std::string::npos; };
  CHECK(applies(json::parse(estimate_json(""))));
  CHECK_FALSE(applies(json::parse(estimate_json("", acme))));
  CHECK(json::parse(estimate_json("gpus=h200", acme)).at("share") == "gpus=h200");
}

TEST_CASE("price list: well-formed JSON for any text") {
  std::mt19937 random(19);
  const std::string pieces[] = {"\t", "\n",  "h200", "b200", "2.5",      "spot",     "\"",
                                "\\", "9e9", "-",    "\x01", "\xC3\xB1", "</script>"};
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (unsigned n = random() % 30; n > 0; --n) text += pieces[random() % std::size(pieces)];
    CHECK(json::accept(estimate_json("gpus=h200,b200", text)));
    CHECK(json::accept(what_if_json("gpus=h200,b200", text)));
  }
  const json r = json::parse(estimate_json("gpus=h200", "A \"B\" \\ C\t2026-11-30\nh200\t1\tspot"));
  CHECK(r.at("fit").at(0).at("price").at("provider") == "A \"B\" \\ C");
}
