// Every figure the two guides print. One entry of `expect` is one check; an entry this file does not know fails the test.
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "support.h"

namespace {

using nlohmann::json;
using namespace vramfit;
using namespace vramfit::test;

constexpr unsigned char golden_bytes[] = {
#include "golden_json.inc"
};
const std::string_view golden_text(reinterpret_cast<const char*>(golden_bytes), sizeof golden_bytes - 1);

struct GoldenCase {
  const json& data;
  double tolerance;
  std::vector<Result> results;  // one per share string

  const Result& first() const { return results.at(0); }
  const Result& second() const { return results.at(1); }
  void near(double actual, const json& expected) const { CHECK(std::fabs(actual - expected.get<double>()) <= tolerance + 1e-9); }
};

double total_gb(const Result& r) { return to_gb(r.rule.total.likely).value; }
double kv_bytes(const Result& r) { return likely_bytes(r.worksheet, "kv_cache"); }
std::string layout_text(const Pick& p) {
  REQUIRE(p.gpu >= 0);
  const Id id = gpus()[p.gpu].id;
  const std::string short_name = id == "h200" ? "H200" : id == "b200" ? "B200" : id == "l40s" ? "L40S" : std::string(id);
  return std::to_string(p.count) + "x " + short_name;
}
const FitRow& row_of(const Result& r, Id gpu) {
  for (const FitRow& row : r.fit)
    if (gpus()[row.gpu].id == gpu) return row;
  FAIL("no such GPU: " << std::string(gpu));
  return r.fit.front();
}
double bytes_per_param(const Result& r, Id compartment) { return likely_bytes(r.worksheet, compartment) / r.model.stated_params; }
void check_split(const Result& r, const json& split, std::initializer_list<std::pair<const char*, Id>> names) {
  for (const auto& [key, compartment] : names) CHECK(bytes_per_param(r, compartment) == split.at(key).get<double>());
}
double states(const Result& r) {
  return likely_bytes(r.worksheet, "weights") + likely_bytes(r.worksheet, "gradients") + likely_bytes(r.worksheet, "optimizer");
}
double price_cut(const Result& r) { return 1 - *r.precision.back().pick.usd_per_hour / *r.precision.front().pick.usd_per_hour; }

using Check = void (*)(const GoldenCase&, const json& expected);
const std::map<std::string, Check> checks = {
    {"weights_gb", [](const GoldenCase& c, const json& e) { c.near(to_gb(likely_bytes(c.first().rule, "weights")).value, e); }},
    {"total_gb", [](const GoldenCase& c, const json& e) { c.near(total_gb(c.first()), e); }},
    {"fits",
     [](const GoldenCase& c, const json& e) {
       CHECK((row_of(c.first(), "h100-sxm").verdicts[0] == Verdict::fits) == e.at("H100 80GB").get<bool>());
       CHECK((row_of(c.first(), "h200").verdicts[0] == Verdict::fits) == e.at("H200").get<bool>());
     }},
    {"smallest", [](const GoldenCase& c, const json& e) { CHECK(layout_text(c.first().best) == e.get<std::string>()); }},
    {"smallest_single",
     [](const GoldenCase& c, const json& e) { CHECK(layout_text(c.first().best) == "1x " + e.get<std::string>()); }},
    {"gpus", [](const GoldenCase& c, const json& e) { CHECK(layout_text(c.first().best) == e.get<std::string>()); }},
    {"verdict",
     [](const GoldenCase& c, const json& e) {
       const std::string expected = e.is_object() ? e.at("80 GB card").get<std::string>() : e.get<std::string>();
       CHECK(std::string(verdict_id(c.first().chosen.verdict)) == expected);
     }},
    {"advice",  // the next size up must be there to go to
     [](const GoldenCase& c, const json&) {
       CHECK(gpus()[c.first().best.gpu].marketed.value > gpus()[c.first().chosen.gpu].marketed.value);
     }},
    {"bytes_per_token", [](const GoldenCase& c, const json& e) { CHECK(c.first().model.kv_bytes_per_token == e.get<double>()); }},
    {"mib_per_token",
     [](const GoldenCase& c, const json& e) { CHECK(c.first().model.kv_bytes_per_token / bytes_per_mib == e.get<double>()); }},
    {"kv_gb", [](const GoldenCase& c, const json& e) { c.near(to_gb(kv_bytes(c.first())).value, e); }},
    {"article_prints_gb", [](const GoldenCase& c, const json& e) { c.near(total_gb(c.first()), e); }},
    {"note", [](const GoldenCase&, const json&) {}},
    {"eleuther_bytes",
     [](const GoldenCase& c, const json& e) { CHECK(states(c.first()) / c.first().model.stated_params == e.get<double>()); }},
    {"eleuther_split",
     [](const GoldenCase& c, const json& e) {
       check_split(c.first(), e, {{"weights", "weights"}, {"optimizer_with_fp32_copy", "optimizer"}, {"gradients", "gradients"}});
       CHECK(c.first().rule.total.low / c.first().model.stated_params == 16);
     }},
    {"huggingface_bytes",
     [](const GoldenCase& c, const json& e) { CHECK(states(c.second()) / c.second().model.stated_params == e.get<double>()); }},
    {"huggingface_split",
     [](const GoldenCase& c, const json& e) {
       check_split(c.second(), e, {{"weights", "weights"}, {"optimizer", "optimizer"}, {"gradients", "gradients"}});
       CHECK(c.second().rule.total.high / c.second().model.stated_params == 18);
     }},
    {"base_gb", [](const GoldenCase& c, const json& e) { c.near(to_gb(likely_bytes(c.first().rule, "weights")).value, e); }},
    {"planned_gb", [](const GoldenCase& c, const json& e) { c.near(total_gb(c.first()), e); }},
    {"gb_per_billion",
     [](const GoldenCase& c, const json& e) { c.near(total_gb(c.first()) / (c.first().model.stated_params / 1e9), e); }},
    {"paper_gb",  // the paper's 48 GB over its 65B, which the guide rounds up to the next twentieth
     [](const GoldenCase& c, const json& e) {
       const double exact = e.get<double>() / (c.first().model.stated_params / 1e9);
       CHECK(std::ceil(exact * 20) / 20 == total_gb(c.first()) / (c.first().model.stated_params / 1e9));
     }},
    {"planned_gb_70b", [](const GoldenCase& c, const json& e) { c.near(total_gb(c.second()), e); }},
    {"usable",
     [](const GoldenCase& c, const json& e) {
       json usable = json::array();
       for (const Layout& l : c.first().rule.layouts)
         if (l.reason.empty()) usable.push_back(l.count);
       CHECK(usable == e);
     }},
    {"raw_count",
     [](const GoldenCase& c, const json& e) {
       int raw = 1;
       while (c.first().rule.layouts[raw - 1].need.likely > row_of(c.first(), "h100-sxm").capacity_bytes) ++raw;
       CHECK(raw == e.get<int>());
       CHECK(row_of(c.first(), "h100-sxm").verdicts[raw - 1] == Verdict::unusable);
       CHECK(c.first().rule.layouts[raw - 1].reason == "heads");
       CHECK(c.first().rule.layouts[raw - 1].reason_number == 64);
     }},
    {"usable_count", [](const GoldenCase& c, const json& e) { CHECK(c.first().best.count == e.get<int>()); }},
    {"cut_market",
     [](const GoldenCase& c, const json& e) {
       c.near(price_cut(c.first()), e);
       CHECK(*c.first().precision.front().pick.usd_per_hour == c.data.at("inputs").at("b200_market").get<double>());
       CHECK(*c.first().precision.back().pick.usd_per_hour == c.data.at("inputs").at("l40s_market").get<double>());
     }},
    {"cut_own",
     [](const GoldenCase& c, const json& e) {
       c.near(price_cut(c.second()), e);
       CHECK(*c.second().precision.front().pick.usd_per_hour == c.data.at("inputs").at("b200_own").get<double>());
       CHECK(*c.second().precision.back().pick.usd_per_hour == c.data.at("inputs").at("l40s_own").get<double>());
     }},
    {"weights_gib", [](const GoldenCase& c, const json& e) { c.near(gib(likely_bytes(c.first().worksheet, "weights")), e); }},
    {"kv_gib_1", [](const GoldenCase& c, const json& e) { c.near(gib(kv_bytes(c.first())), e); }},
    {"kv_gib_16", [](const GoldenCase& c, const json& e) { c.near(gib(kv_bytes(c.second())), e); }},
    {"kv_gib", [](const GoldenCase& c, const json& e) { c.near(gib(kv_bytes(c.first())), e); }},
    {"gib", [](const GoldenCase& c, const json& e) { c.near(gib(states(c.first())), e); }},
    {"h200_usable_gib", [](const GoldenCase& c, const json& e) { c.near(gib(row_of(c.first(), "h200").capacity_bytes), e); }},
};

}  // namespace

TEST_CASE("golden: every figure the guides print") {
  const json cases = json::parse(golden_text);
  REQUIRE(cases.size() >= 41);
  for (const json& data : cases) {
    const std::string id = data.at("id");
    CAPTURE(id);
    GoldenCase c{data, data.at("tolerance").get<double>(), {}};
    for (const json& share : data.at("share")) {
      c.results.push_back(answer(share.get<std::string>()));
      REQUIRE_FALSE(c.results.back().refused);
    }
    for (const auto& item : data.at("expect").items()) {
      const std::string key = item.key();
      CAPTURE(key);
      const auto check = checks.find(key);
      REQUIRE_MESSAGE(check != checks.end(), "no check for ", key);
      check->second(c, item.value());
    }
  }
}
