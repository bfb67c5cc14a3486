// The JSON text is well formed whatever goes in, and holds what RESULT.md promises.
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "result_json.h"
#include "support.h"

using namespace vramfit;
using nlohmann::json;

TEST_CASE("json: figures beyond 1e18 are figures") {
  const json r = json::parse(estimate_json("context=268435456&sequences=65536&method=worksheet"));
  const double total = r.at("methods").at("worksheet").at("total_bytes").at("likely");
  CHECK(total > 5e18);
  CHECK(total == std::round(total / 1e9) * 1e9);
}

TEST_CASE("json: the default answer") {
  const json r = json::parse(estimate_json(""));
  CHECK(r.at("schema") == 1);
  CHECK(r.at("share") == "");
  CHECK(r.at("refused") == false);
  CHECK(r.at("best").at("gpu") == "h200");
  CHECK(r.at("methods").at("rule").at("total_bytes").at("likely") == 84000000000);
  CHECK(r.at("methods").at("rule").at("layouts").at(2).at("reason") == "heads");
  CHECK(r.at("fit").at(2).at("gpu") == "h200");
  CHECK(r.at("fit").at(2).at("verdicts") == "ffufuuuf");
  CHECK(json::parse(estimate_json("gpus=rtx-4090&weights=q4_k_m")).at("fit").at(0).at("verdicts") == "nfffllll");
  CHECK(r.at("version").is_string());
  std::size_t shown = 0;  // an engine's knobs are there when they matter
  for (const Field& f : fields()) shown += f.group != FieldGroup::engine;
  CHECK(r.at("inputs").size() == shown);
}

TEST_CASE("json: refused answers carry their notices and nothing else") {
  const json r = json::parse(estimate_json("model=nope&colour=%22red%22%5C&lang=es&lang=en"));
  CHECK(r.at("refused") == true);
  CHECK_FALSE(r.contains("methods"));
  CHECK(r.at("notices").size() == 3);
  CHECK(r.at("view").at("lang") == "es");
}

TEST_CASE("json: well formed for any bytes") {
  std::mt19937 random(17);
  for (int i = 0; i < 3000; ++i) {
    std::string text = i % 2 ? "model=" : "";
    for (unsigned n = random() % 40; n > 0; --n) text += static_cast<char>(random() % 256);
    CHECK(json::accept(estimate_json(text)));
  }
}

TEST_CASE("json: the catalogue lists every field, choice, model and GPU") {
  const json c = json::parse(catalog_json());
  CHECK(c.at("fields").size() == num_fields);
  CHECK(c.at("models").size() == models().size());
  CHECK(c.at("gpus").size() == gpus().size());
  for (const json& f : c.at("fields")) CHECK_FALSE(f.at("key").get<std::string>().empty());
}
