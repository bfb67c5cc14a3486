// A JSON text as a bounded tree. Memory is bounded by the text's length, depth by a constant; a repeated key is an error, because
// two readers would take two different values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vramfit::importer {

enum class JsonKind : std::uint8_t { null, boolean, number, string, array, object };

struct JsonText {
  std::uint32_t offset, length;
};

struct JsonNode {
  JsonKind kind = JsonKind::null;
  std::uint32_t end = 0;  // index behind the last node of this value
  union {
    double number = 0;
    JsonText text;        // strings
    std::uint32_t count;  // members or elements
  };
};

class JsonValue;

// Owns a copy of the text, in which strings are decoded in place.
class Json {
 public:
  static constexpr int max_depth = 64;
  static constexpr std::size_t max_bytes = 512u << 20;

  // False: `error` is the id of a remark and `error_offset` where in the text it was found.
  bool parse(std::string_view text);
  JsonValue root() const;

  const char* error = nullptr;  // import-json-syntax, -depth, -duplicate, -encoding, -empty, -too-large
  std::size_t error_offset = 0;
  std::string error_value;  // the repeated key

 private:
  friend class JsonValue;
  friend struct JsonBuilder;
  std::string text_;
  std::vector<JsonNode> nodes_;
};

// A place in a Json, which must outlive it. A value that is not there answers as null and `present()` is false.
class JsonValue {
 public:
  JsonValue() = default;
  JsonValue(const Json* json, std::uint32_t at) : json_(json), at_(at) {}

  bool present() const { return json_ != nullptr; }
  JsonKind kind() const { return json_ ? node().kind : JsonKind::null; }
  bool is_null() const { return kind() == JsonKind::null; }  // also when it is not there
  bool is_object() const { return kind() == JsonKind::object; }
  bool is_array() const { return kind() == JsonKind::array; }
  bool is_string() const { return kind() == JsonKind::string; }
  bool is_number() const { return kind() == JsonKind::number; }
  bool is_boolean() const { return kind() == JsonKind::boolean; }

  double number() const { return is_number() ? node().number : 0; }
  bool boolean() const { return is_boolean() && node().number != 0; }
  std::string_view string() const {
    return is_string() ? std::string_view(json_->text_).substr(node().text.offset, node().text.length) : std::string_view();
  }
  std::size_t size() const { return is_array() || is_object() ? node().count : 0; }
  JsonValue find(std::string_view key) const;  // of an object; steps over the members before it

  // Calls f(key, value) for every member of an object, f(value) for every element of an array.
  template <class F>
  void members(F&& f) const {
    if (!is_object()) return;
    for (std::uint32_t i = at_ + 1; i < node().end;) {
      const JsonValue key(json_, i), value(json_, i + 1);
      f(key.string(), value);
      i = value.node().end;
    }
  }
  template <class F>
  void elements(F&& f) const {
    if (!is_array()) return;
    for (std::uint32_t i = at_ + 1; i < node().end; i = json_->nodes_[i].end) f(JsonValue(json_, i));
  }

  // As it would be written, cut to `limit` bytes.
  std::string written(std::size_t limit = 80) const;

 private:
  const JsonNode& node() const { return json_->nodes_[at_]; }

  const Json* json_ = nullptr;
  std::uint32_t at_ = 0;
};

inline JsonValue Json::root() const { return nodes_.empty() ? JsonValue() : JsonValue(this, 0); }

}  // namespace vramfit::importer
