#include <doctest/doctest.h>

#include "import/json.h"

using namespace vramfit::importer;

TEST_CASE("JSON: a tree of the text's values, in its order") {
  Json json;
  REQUIRE(json.parse(R"( {"a": [1, -2.5, "x\u00e9\n", true, null], "b": {"c": {}}, "inf": [Infinity, -Infinity, NaN]} )"));
  const JsonValue root = json.root();
  CHECK(root.size() == 3);
  CHECK(root.find("a").size() == 5);
  std::string seen;
  root.find("a").elements([&](JsonValue v) { seen += v.written() + ' '; });
  CHECK(seen == "1 -2.5 \"x\xC3\xA9\n\" true null ");
  CHECK(root.find("b").find("c").is_object());
  CHECK_FALSE(root.find("c").present());
  CHECK(root.find("c").find("d").is_null());
  std::string keys;
  root.members([&](std::string_view key, JsonValue) { keys += std::string(key) + ' '; });
  CHECK(keys == "a b inf ");
}

TEST_CASE("JSON: what is refused") {
  const auto error_of = [](std::string text) {
    Json json;
    CHECK_FALSE(json.parse(text));
    CHECK_FALSE(json.root().present());
    return std::string(json.error);
  };
  CHECK(error_of("") == "import-json-empty");
  CHECK(error_of("  \n") == "import-json-empty");
  CHECK(error_of("{\"a\": 1") == "import-json-syntax");
  CHECK(error_of("{\"a\": 1} x") == "import-json-syntax");
  CHECK(error_of("{\"a\": 1e999}") == "import-json-syntax");
  CHECK(error_of(std::string("{\"a\": 1}\0", 9)) == "import-json-syntax");
  CHECK(error_of("{\"a\": \"\xF0\x9F") == "import-json-encoding");
  CHECK(error_of("{\"a\": \"\xFF\"}") == "import-json-encoding");
  CHECK(error_of("{\"a\": \"\\ud800\"}") == "import-json-encoding");
  CHECK(error_of("{\"a\": 1, \"b\": 2, \"a\": 3}") == "import-json-duplicate");
  CHECK(error_of(std::string(100000, '[')) == "import-json-depth");
  std::string many = "{";
  for (int i = 0; i < 100; ++i) many += "\"k" + std::to_string(i) + "\": 1, ";
  Json json;
  CHECK(json.parse(many + "\"last\": 1}"));
  CHECK_FALSE(json.parse(many + "\"k7\": 1}"));
  CHECK(json.error == std::string("import-json-duplicate"));
  CHECK(json.error_value == "k7");
}
