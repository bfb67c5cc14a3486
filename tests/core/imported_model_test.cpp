// A model that comes with the link, as shape and format table, is answered as one of the catalogue.
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>

#include "result_json.h"
#include "support.h"
#include "vramfit/format_table.h"

using namespace vramfit;
using namespace vramfit::test;
using nlohmann::json;

namespace {

std::string digits(double value) { return format_number(FieldKind::number, value); }

// The catalogue's shape with what the catalogue has beside it.
std::string shape_of(const ModelEntry& m) {
  std::string shape(m.shape);
  shape.insert(shape.find(';'), ",stated" + digits(m.stated_params) + ",maxpos" + digits(m.max_position_embeddings));
  return shape;
}

std::string encoded(Id text) {
  std::string out;
  for (const char c : text) out += c == ' ' ? "%20" : c == '+' ? "%2B" : std::string(1, c);
  return out;
}

std::string as_catalogue(const ModelEntry& m, const std::string& rest) { return "model=" + std::string(m.id) + "&" + rest; }
std::string as_imported(const ModelEntry& m, const std::string& rest) {
  return "shape=" + shape_of(m) + "&name=" + encoded(m.name) + "&" + rest;
}

// What an answer says about the question goes; all else must be the same.
json answer_alone(const std::string& share) {
  json r = json::parse(estimate_json(share));
  for (const char* key : {"share", "inputs", "applies", "weights"}) r.erase(key);
  r.at("model").erase("id");
  return r;
}

// Formats by class and layer as `recipe` has them; nothing where one class has two in one layer.
std::optional<StoredFormats> table_of(const Model& model, const Recipe& recipe, int group_size) {
  std::map<std::pair<int, int>, Format> cells;
  bool clash = false;
  for_each_tensor(model, false, [&](const Tensor& t) {
    for (int layer = t.first_layer; layer < t.first_layer + t.num_layers; ++layer) {
      const Format format = format_of(recipe, model, t, layer);
      const auto [cell, fresh] = cells.try_emplace({static_cast<int>(t.cls), layer}, format);
      clash |= !fresh && cell->second != format;
    }
  });
  if (clash) return {};
  StoredFormats s;
  s.gguf = recipe.kind == RecipeKind::ggml_mix;
  add_section(s, s.gguf ? Format::fp16 : Format::bf16, 0, all_classes);
  std::map<std::pair<int, Format>, std::vector<StoredFormats::Span>> sections;
  for (const auto& [cell, format] : cells) {
    std::vector<StoredFormats::Span>& spans = sections[{cell.first, format}];
    const auto layer = static_cast<std::uint16_t>(cell.second);
    if (!spans.empty() && spans.back().last + 1 == layer) spans.back().last = layer;
    else spans.push_back({layer, layer});
  }
  const int group = recipe.takes_group_size || recipe.format != Format::int4_group ? group_size : 32;
  for (const auto& [key, spans] : sections)
    if (!add_section(s, key.second, has_groups(key.second) ? group : 0, 1u << key.first, spans)) return {};
  return s;
}

std::string error_of(const std::string& share) {
  const Result r = answer(share);
  for (const Notice& n : r.notices)
    if (n.severity == Severity::error) return std::string(n.id) + " " + n.field + " " + n.value + " " + digits(n.used);
  return "";
}

constexpr const char* small_shape = "hidden64,vocab1000;full,q4,kv2,dim16;dense,i128;4aA";

}  // namespace

TEST_CASE("imported: a copy of a catalogue model is answered as the model, by all methods") {
  for (const ModelEntry& m : models()) {
    const bool odd = (&m - models().data()) % 2 != 0;
    for (const std::string& weights : {std::string(m.native), std::string(odd ? "q4_k_m" : "nf4")}) {
      for (const char* const how :
           {"method=rule", "method=worksheet&context=32k&sequences=4", "method=engine&context=8k&sequences=4"}) {
        const std::string rest = std::string(how) + "&weights=" + weights;
        const bool same = answer_alone(as_imported(m, rest)) == answer_alone(as_catalogue(m, rest));
        CHECK_MESSAGE(same, std::string(m.id) << " " << rest);
      }
    }
    for (const char* const rest : {"method=worksheet&weights=fp8", "method=engine&weights=bf16"})
      CHECK_MESSAGE(json::parse(what_if_json(as_imported(m, rest))) == json::parse(what_if_json(as_catalogue(m, rest))),
                    std::string(m.id));
    CHECK_MESSAGE(
        answer_alone(as_imported(m, "task=lora&method=worksheet")) == answer_alone(as_catalogue(m, "task=lora&method=worksheet")),
        std::string(m.id));
  }
}

TEST_CASE("imported: a table of a recipe's formats weighs what the recipe does, to the byte") {
  int tables = 0, clashes = 0;
  for (const ModelEntry& m : models()) {
    const Model model = catalogue_model(m.id);
    for (const Recipe& recipe : recipes()) {
      if (recipe.kind == RecipeKind::native) continue;
      const std::optional<StoredFormats> table = table_of(model, recipe, 64);
      if (!table) {
        ++clashes;
        continue;
      }
      ++tables;
      const FormatTableResult read = parse_format_table(write_format_table(*table));
      REQUIRE(read.ok());
      Model imported = model;
      imported.stored = read.stored;
      const WeightBytes stored = weight_bytes(imported, recipe, 128), asked = weight_bytes(model, recipe, 64);
      CHECK_MESSAGE(stored.total == doctest::Approx(asked.total).epsilon(1e-13), std::string(m.id)
                                                                                     << " " << std::string(recipe.id));
      CHECK(stored.replicated_bytes == doctest::Approx(asked.replicated_bytes).epsilon(1e-13));
      CHECK(stored.kept_bytes == doctest::Approx(asked.kept_bytes).epsilon(1e-13));
    }
  }
  CHECK(tables > 10000);
  CHECK(clashes < tables / 20);
}

TEST_CASE("imported: native weights by the table are answered as the recipe that the table was made of") {
  int compared = 0, next = 0;
  for (const ModelEntry& m : models()) {
    const Model model = catalogue_model(m.id);
    for (const Id id : {Id("fp8-block"), Id("int4-awq"), Id("mxfp4"), Id("q4_k_m"), Id("q6_k"), Id("bf16")}) {
      if (next++ % 3 > 0) continue;  // each with a third of the models
      const Recipe& recipe = *find_recipe(id);
      const std::optional<StoredFormats> table = table_of(model, recipe, 128);
      if (!table) continue;
      Model imported = model;
      imported.stored = *table;
      if (closest_recipe(imported).id != id) continue;  // another recipe has the same formats
      ++compared;
      const std::string native = "weights=native&formats=" + write_format_table(*table);
      for (const char* const how : {"method=worksheet&context=32k&", "method=engine&context=8k&"}) {
        const json by_table = answer_alone(as_imported(m, how + native));
        const json by_recipe = answer_alone(as_catalogue(m, std::string(how) + "weights=" + std::string(id)));
        const bool same = by_table == by_recipe;
        CHECK_MESSAGE(same, std::string(m.id)
                                << " " << std::string(id) << (same ? "" : json::diff(by_recipe, by_table).dump().substr(0, 400)));
      }
    }
  }
  CHECK(compared > 300);
}

TEST_CASE("imported: what the table leaves unexplained is on every rank, and the sum is exact") {
  const std::string share =
      std::string("shape=") + small_shape + "&weights=native&method=worksheet&formats=bf16;fp32:small;fp8:q.k.v~0,2-3";
  const double bytes = answer(share).worksheet.compartments[0].total.likely;
  const Model model = parse_shape(small_shape).model;
  double expected = 2 * count_parameters(model).total;
  for_each_tensor(model, false, [&](const Tensor& t) {
    if (t.cls == TensorClass::small) expected += 2 * t.elements();
    const bool qkv =
        t.cls == TensorClass::attention_query || t.cls == TensorClass::attention_key || t.cls == TensorClass::attention_value;
    if (qkv) expected += 3 * (4 - t.rows * t.cols);
  });
  CHECK(bytes == expected);
  CHECK(answer(share + ";rest4096").worksheet.compartments[0].total.likely == expected + 4096);
  CHECK(answer(share + ";rest-96").worksheet.compartments[0].total.likely == expected - 96);
  // Two ranks: each has all of it.
  const auto of_two = [&](const std::string& rest) {
    return answer(share + rest + "&gpu=h200&count=2").worksheet.compartments[0].ranks;
  };
  for (const int rank : {0, 1}) CHECK(of_two(";rest4096")[rank].likely - of_two("")[rank].likely == 4096);
  const auto engine = [&](const std::string& rest, const char* method) {
    return answer(changed(share + rest, method)).engine.compartments[0].total.likely;
  };
  CHECK(engine(";rest4096000", "method=engine&gpu=h200&count=2") - engine("", "method=engine&gpu=h200&count=2") == 2 * 4096000);
}

TEST_CASE("imported: what the text does not say right is refused, with its place") {
  CHECK(error_of("shape=hidden64") == "shape-missing shape  9");
  CHECK(error_of("shape=hidden64,vocab100;full,q4,kv2,dim16;dense,i8;1aB") == "shape-layers shape aB 47");
  CHECK(error_of("shape=hidden64,colour3;full,q1,kv1,dim8;dense,i8;1aA&formats=zz") ==
        "shape-name shape colour3;full,q1,kv1,dim8 10");
  CHECK(error_of(std::string("shape=") + small_shape + "&formats=bf17") == "formats-name formats bf17 1");
  CHECK(error_of(std::string("shape=") + small_shape + "&formats=bf16;q4_k:q") == "formats-gguf formats q4_k:q 6");
  CHECK(error_of(std::string("shape=") + small_shape + "&weights=native&formats=bf16;rest-999999") ==
        "formats-rest formats rest-999999 6");
  CHECK(error_of(std::string("shape=") + small_shape + "&weights=native&formats=bf16;rest999999") == "");
  CHECK(error_of(std::string("shape=") + small_shape) == "");
}

TEST_CASE("imported: what it takes the place of is not used, and said so") {
  const auto unused = [](const std::string& share) {
    std::string out;
    for (const Notice& n : answer(share).notices)
      if (n.id == "field-not-used") out += n.field + " ";
    return out;
  };
  const std::string shape = std::string("&shape=") + small_shape;
  CHECK(unused("model=qwen3-32b&params=8b&num_layers=4" + shape) == "num_layers model params ");
  CHECK(unused(shape) == "");
  CHECK(unused("name=Mine&formats=bf16") == "name formats ");
  CHECK(unused("params=70b&formats=bf16") == "formats ");
  CHECK(find_notice(answer("context=8k" + shape).notices, "context-beyond-model") == nullptr);
  CHECK(find_notice(answer("context=8k&shape=hidden64,vocab1000,maxpos4096;full,q4,kv2,dim16;dense,i128;4aA").notices,
                    "context-beyond-model") != nullptr);
}

TEST_CASE("imported: name, sizes and formats as the link has them") {
  const ShareResult share = parse_share(std::string("shape=") + small_shape +
                                        "&name=My%20Model-8B%20%C3%A9&weights=native&formats=gguf;q4_0;fp32:small.router");
  const Result r = estimate(share.inputs, share.notices);
  CHECK(r.model.name == "My Model-8B é");
  CHECK(r.model.id == "");
  CHECK(r.model.stated_params == r.model.exact.total);
  CHECK(r.weights == "q4_0");
  CHECK(parse_share(std::string("shape=") + small_shape + "&weights=native&formats=gguf;fp16").inputs.engine() == "llama.cpp");
  CHECK(parse_share(std::string("shape=") + small_shape + "&weights=native&formats=fp16").inputs.engine() == "vllm");
  CHECK(parse_share(std::string("shape=") + small_shape + "&weights=fp8&formats=gguf;fp16").inputs.engine() == "vllm");
  CHECK(answer(std::string("shape=") + small_shape + "&weights=native").weights == "bf16");
  CHECK(answer(std::string("shape=") + small_shape + "&method=engine&weights=native&formats=gguf;q8_0").engine_report.engine ==
        "llama.cpp");
  // Another format asked for: from the model's own shape, whatever the files hold.
  CHECK(answer(std::string("shape=") + small_shape + "&weights=fp8&formats=gguf;q8_0;rest99999").worksheet.total.likely ==
        answer(std::string("shape=") + small_shape + "&weights=fp8").worksheet.total.likely);
}

TEST_CASE("imported: whatever the shape says, the answer is of figures") {
  std::mt19937 random(23);
  constexpr std::string_view alphabet = "abcdefghijklmnopqrstuvwxyzABC0123456789,;()";
  constexpr const char* tables[] = {"", "&weights=native&formats=bf16;fp8-block:q.fd~0-2;rest-5",
                                    "&weights=native&formats=gguf;q4_k;q6_k:v.fd~1-9;rest77"};
  int answered = 0;
  for (const ModelEntry& m : models()) {
    for (int i = 0; i < 6; ++i) {
      std::string shape = shape_of(m);
      for (unsigned edits = random() % 3 + 1; edits > 0; --edits) {
        const std::size_t at = random() % shape.size();
        const unsigned how = random() % 3;
        if (how == 0) shape[at] = alphabet[random() % alphabet.size()];
        else if (how == 1) shape.erase(at, 1);
        else shape.insert(at, std::to_string(random() % 1000));
      }
      const std::string share = "shape=" + shape + tables[i % 3] + (i % 2 ? "&method=engine" : "&method=worksheet");
      const json r = json::parse(estimate_json(share), nullptr, false);
      REQUIRE_MESSAGE(!r.is_discarded(), share);
      if (r.at("refused")) continue;
      ++answered;
      CHECK_MESSAGE(r.at("methods").at("worksheet").at("total_bytes").at("likely").is_number(), share);
      CHECK_MESSAGE(json::accept(what_if_json(share)), share);
    }
  }
  CHECK(answered > 150);
}
