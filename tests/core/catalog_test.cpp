// The catalogue stands on what it derives: every published parameter count must follow from the layers.
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "support.h"

namespace {

using namespace vramfit;
using namespace vramfit::test;
using nlohmann::json;

constexpr unsigned char rows_bytes[] = {
#include "published_json.inc"
};

std::vector<json> rows() {
  std::istringstream lines(std::string(reinterpret_cast<const char*>(rows_bytes), sizeof rows_bytes - 1));
  std::vector<json> out;
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) out.push_back(json::parse(line));
  return out;
}

// Published counts that differ from the weights themselves, each with its reason in the row (`published_mismatch`).
const std::set<std::string> counted_differently = {
    "qwen3-0.6b",  // the hub counts the tied output matrix twice
    "qwen3-1.7b",  // likewise
};

}  // namespace

TEST_CASE("catalogue: parameter counts follow from the layers, within 0.1 % of the published ones") {
  int published = 0;
  for (const json& row : rows()) {
    const std::string id = row.at("id");
    CAPTURE(id);
    const ParameterCount n = count_parameters(catalogue_model(id));
    CHECK(n.total > 0);
    CHECK(n.active <= n.total);
    if (!row.contains("published_params")) continue;
    ++published;
    const double stated = row.at("published_params").get<double>();
    const double derived = n.total + (row.value("published_includes_mtp", false) ? n.mtp : 0);
    const double off = std::fabs(derived - stated) / stated;
    if (counted_differently.count(id)) {
      CHECK(off > 0.001);  // else it is no exception any more
      CHECK(row.contains("published_mismatch"));
      CHECK(derived + n.embedding == stated);
    } else {
      CHECK(off <= 0.001);
    }
  }
  CHECK(published >= 100);
}

TEST_CASE("catalogue: vendors' round sizes are near the derived ones") {
  for (const json& row : rows()) {
    const std::string id = row.at("id");
    CAPTURE(id);
    const ParameterCount n = count_parameters(catalogue_model(id));
    const double stated = row.at("stated_params").get<double>();
    CHECK(std::fabs(n.total - stated) / stated < 0.13);
  }
}

TEST_CASE("catalogue: the native recipe gives the published checkpoint's size") {
  int compared = 0;
  for (const json& row : rows()) {
    if (!row.contains("checkpoint_gib")) continue;
    const std::string id = row.at("id");
    CAPTURE(id);
    const Model model = catalogue_model(id);
    const ModelEntry& entry = *find_model(id);
    const double published = row.at("checkpoint_gib").get<double>();
    double derived = gib(weight_bytes(model, *find_recipe(entry.native), 128).total);
    // Checkpoints ship the multi-token-prediction layers that an engine leaves on disk: two bytes each at most.
    const double mtp = gib(count_parameters(model).mtp * 2);
    CHECK(published >= derived * 0.985);
    CHECK(published <= (derived + mtp) * 1.015);
    ++compared;
  }
  CHECK(compared >= 30);
}

TEST_CASE("catalogue: known truths") {
  CHECK(count_parameters(catalogue_model("llama-3.1-70b")).total == 70553706496.0);
  CHECK(count_parameters(catalogue_model("llama-3.1-8b")).total == 8030261248.0);
  CHECK(count_parameters(catalogue_model("deepseek-v3")).total == 671026419200.0);
  CHECK(count_parameters(catalogue_model("deepseek-v3")).mtp == 13463426304.0);
  CHECK(count_parameters(catalogue_model("gpt-oss-120b")).active == 5711982912.0);
  CHECK(count_parameters(catalogue_model("qwen3-30b-a3b")).active == doctest::Approx(3.35e9).epsilon(0.01));
  CHECK(find_model("llama-3.1-70b")->stated_params == 70e9);
  CHECK(find_model("qwen2.5-32b")->stated_params == 32.5e9);
}

TEST_CASE("catalogue: size and sanity") {
  CHECK(models().size() >= 160);
  CHECK(gpus().size() >= 100);
  std::set<Id> vendors;
  for (const GpuEntry& g : gpus()) {
    const std::string id(g.id);
    CAPTURE(id);
    vendors.insert(g.vendor);
    CHECK(find_gpu(g.id) == &g - gpus().data());
    const double ratio = g.usable.bytes() / (g.marketed.value * bytes_per_gib);
    CHECK(ratio > 0.6);
    CHECK(ratio < 1.07);  // some markets round down (B200: 180 for 183,359 MiB)
    CHECK(g.max_per_node >= 1);
    CHECK(g.bandwidth_gbs > 0);
  }
  CHECK(vendors == std::set<Id>{"nvidia", "amd", "intel", "apple"});
  for (const GpuAlias& a : gpu_aliases()) CHECK(find_gpu(a.alias) == -1);
  for (const PriceEntry& p : prices()) {
    CHECK(p.usd_per_hour > 0.01);
    CHECK(p.usd_per_hour < 100);
    CHECK(p.date.size() == 10);
  }
}

TEST_CASE("catalogue: the market price is the newest on-demand one, never spot or the publisher's own") {
  const PriceEntry* b200 = find_price(find_gpu("b200"), "market");
  REQUIRE(b200);
  CHECK(b200->usd_per_hour == 5.43);
  CHECK(b200->date == "2026-10-29");
  const PriceEntry* l40s = find_price(find_gpu("l40s"), "market");
  REQUIRE(l40s);
  CHECK(l40s->usd_per_hour == 0.97);
  CHECK(find_price(find_gpu("b200"), "publisher")->usd_per_hour == 4.61);
  CHECK(find_price(find_gpu("b200"), "no-such-book") == nullptr);
  for (std::size_t g = 0; g < gpus().size(); ++g)
    if (const PriceEntry* p = find_price(static_cast<int>(g), "market"))
      CHECK((p->kind == PriceKind::on_demand || p->kind == PriceKind::marketplace));
}
