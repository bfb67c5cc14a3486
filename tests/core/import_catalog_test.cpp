// The catalogue's models, derived again from their configurations alone. The configurations are public facts: each line of
// fixtures/configs.jsonl names where its figures were read; the catalogue's shapes were written from the same sources by hand.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

#include "import/config.h"
#include "vramfit/catalog.h"
#include "vramfit/kv_cache.h"
#include "vramfit/shape.h"

using namespace vramfit;

namespace {

constexpr unsigned char configs_bytes[] = {
#include "configs_jsonl.inc"
};

struct Line {
  std::string id, config;
};

std::vector<Line> lines() {
  const std::string_view text(reinterpret_cast<const char*>(configs_bytes), sizeof configs_bytes - 1);
  std::vector<Line> out;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    const std::string_view line = text.substr(start, end - start);
    importer::Json json;
    REQUIRE(json.parse(line));
    const std::size_t config = line.find(",\"config\":") + 10;
    out.push_back({std::string(json.root().find("id").string()), std::string(line.substr(config, line.size() - config - 1))});
    start = end + 1;
  }
  return out;
}

// No published configuration that could be read: nothing is made up for them.
const std::map<std::string, std::string> not_covered = {
    {"nemotron-ultra-253b", "its list of blocks is only known from a loading log, which has the widths but not the multipliers"},
};

// Vision or audio parts that no configuration describes well enough; the text part is compared.
const std::map<std::string, std::string> tower_not_derived = {
    {"gemma-4-12b", "the catalogue's 54 million are a rounded figure; no configuration with the part was found"},
    {"minimax-m3", "the catalogue's 870 million are a rounded figure; the projector is not in the configuration"},
    {"mistral-medium-3.5", "the catalogue's 2.67 billion are the published total less the text part"},
    {"mistral-large-3", "the catalogue's 2.5 billion are the vendor's rounded figure"},
};

// What a configuration says and the catalogue does not.
const std::map<std::string, std::string> kv_differs = {
    {"phi-3-mini", "sliding_window 2047 of 4096 positions; the catalogue has full attention"},
    {"starcoder2-3b", "sliding_window 4096 of 16384 positions; the catalogue has full attention"},
    {"starcoder2-7b", "likewise"},
    {"starcoder2-15b", "likewise"},
};

double kv_bytes(const Model& model, double context, int ranks) {
  const CacheBreakdown cache = sequence_cache(model, *find_kv_format("bf16"), context, ranks, StateDtype::checkpoint);
  return cache.kv_bytes + cache.state_bytes;
}

}  // namespace

TEST_CASE("configurations: every catalogue model again, parameters within 0.1 % and KV identical") {
  int same_shape = 0, seen = 0;
  double worst = 0;
  std::string worst_id;
  std::map<std::string, bool> found;
  for (const Line& line : lines()) {
    const std::string& id = line.id;
    found[id] = true;
    const ModelEntry* entry = find_model(Id(id));
    REQUIRE_MESSAGE(entry, id);
    const Model catalog = parse_shape(entry->shape).model;
    const Imported imported = importer::import_config({"config.json", line.config});
    for (const ImportRemark& r : imported.remarks)
      if (r.severity == Severity::error) MESSAGE(id, ": ", r.id, " ", r.where, " ", r.value, " ", r.wanted);
    CHECK_MESSAGE(imported.ok, id);
    if (!imported.ok) continue;
    ++seen;
    const bool text_only = tower_not_derived.count(id) > 0;
    const ParameterCount a = count_parameters(imported.model), b = count_parameters(catalog);
    const double error = text_only ? a.text / b.text - 1 : a.total / b.total - 1;
    if (std::fabs(error) > worst) worst = std::fabs(error), worst_id = id;
    INFO(id, "\n  imported  ", imported.shape, "\n  catalogue ", entry->shape, "\n  error ", error * 100, " %");
    CHECK(std::fabs(error) <= 0.001);
    CHECK(std::fabs(a.active / b.active - 1) <= (text_only ? 1 : 0.001));
    for (const double context : {1.0, 1000.0, 4096.0, 8192.0, 131072.0})
      for (const int ranks : {1, 8}) {
        if (kv_differs.count(id) > 0) continue;
        CHECK(kv_bytes(imported.model, context, ranks) == kv_bytes(catalog, context, ranks));
      }
    const ShapeResult again = parse_shape(imported.shape);
    CHECK(again.ok());
    CHECK(again.model == imported.model);
    Model without_positions = imported.model;
    without_positions.max_position_embeddings = 0;
    same_shape += write_shape(catalog) == write_shape(without_positions);
  }
  for (const ModelEntry& entry : models())
    CHECK_MESSAGE(found.count(std::string(entry.id)) + not_covered.count(std::string(entry.id)) == 1, entry.id);
  MESSAGE(seen, " of ", models().size(), " models, ", same_shape, " with the catalogue's own shape; worst ", worst_id, " ",
          worst * 100, " %");
}
