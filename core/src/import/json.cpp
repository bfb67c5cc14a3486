#include "import/json.h"

#include <algorithm>

#include "import/remarks.h"
#include "import/sax.h"

namespace vramfit::importer {

// Takes the reader's events. Nodes lie in the order of the text, each knowing where it ends: no pointers, no second pass.
struct JsonBuilder {
  Json& json;
  std::uint32_t open[Json::max_depth] = {};
  int depth = 0;

  bool fail(const char* error) {
    json.error = error;
    return false;
  }
  JsonNode& add(JsonKind kind) {
    JsonNode& node = json.nodes_.emplace_back();
    node.kind = kind;
    node.end = static_cast<std::uint32_t>(json.nodes_.size());
    return node;
  }
  bool add_number(double number) {
    add(JsonKind::number).number = number;
    return true;
  }
  bool add_string(JsonKind kind, const char* text, std::size_t length) {
    JsonNode& node = add(kind);
    node.text = {static_cast<std::uint32_t>(text - json.text_.data()), static_cast<std::uint32_t>(length)};
    return true;
  }
  bool begin(JsonKind kind) {
    if (depth == Json::max_depth) return fail("import-json-depth");
    open[depth++] = static_cast<std::uint32_t>(json.nodes_.size());
    add(kind);
    return true;
  }
  bool close(std::size_t count) {
    JsonNode& node = json.nodes_[open[--depth]];
    node.end = static_cast<std::uint32_t>(json.nodes_.size());
    node.count = static_cast<std::uint32_t>(count);
    return true;
  }

  bool Null() { return add(JsonKind::null), true; }
  bool Bool(bool b) { return add(JsonKind::boolean).number = b, true; }
  bool Int(int i) { return add_number(i); }
  bool Uint(unsigned i) { return add_number(i); }
  bool Int64(std::int64_t i) { return add_number(static_cast<double>(i)); }
  bool Uint64(std::uint64_t i) { return add_number(static_cast<double>(i)); }
  bool Double(double d) { return add_number(d); }
  bool RawNumber(const char*, std::size_t, bool) { return false; }
  bool String(const char* text, std::size_t length, bool) { return add_string(JsonKind::string, text, length); }
  bool Key(const char* text, std::size_t length, bool) { return add_string(JsonKind::string, text, length); }
  bool StartObject() { return begin(JsonKind::object); }
  bool StartArray() { return begin(JsonKind::array); }
  bool EndArray(std::size_t count) { return close(count); }
  bool EndObject(std::size_t count) { return close(count) && unique_keys(json.nodes_[open[depth]], open[depth]); }

  std::string_view key_at(std::uint32_t at) const {
    return std::string_view(json.text_).substr(json.nodes_[at].text.offset, json.nodes_[at].text.length);
  }

  // Few members are compared with each other, many through a table of their hashes.
  bool unique_keys(const JsonNode& object, std::uint32_t at) {
    keys.clear();
    for (std::uint32_t i = at + 1; i < object.end; i = json.nodes_[i + 1].end) keys.push_back(i);
    if (keys.size() <= 24) {
      for (std::size_t a = 1; a < keys.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
          if (key_at(keys[a]) == key_at(keys[b])) return repeated(keys[a]);
      return true;
    }
    std::size_t size = 64;
    while (size < keys.size() * 2) size *= 2;
    table.assign(size, 0);
    for (const std::uint32_t key : keys) {
      std::size_t slot = std::hash<std::string_view>{}(key_at(key)) & (size - 1);
      for (; table[slot] != 0; slot = (slot + 1) & (size - 1))
        if (key_at(table[slot]) == key_at(key)) return repeated(key);
      table[slot] = key;
    }
    return true;
  }
  bool repeated(std::uint32_t key) {
    json.error_value = key_at(key);
    return fail("import-json-duplicate");
  }

  std::vector<std::uint32_t> keys, table;
};

bool Json::parse(std::string_view text) {
  nodes_.clear();
  error = nullptr;
  error_offset = 0;
  error_value.clear();
  if (text.size() > max_bytes) return error = "import-json-too-large", false;
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);  // a byte-order mark, as some editors write it
  text_.assign(text);
  const std::size_t nul = text_.find('\0');  // would end the reader's stream early
  if (nul != std::string::npos) return error = "import-json-syntax", error_offset = nul, false;
  nodes_.reserve(text_.size() / 16 + 16);
  text_.append(8, '\0');  // a character cut short at the end is read to its full length before it is refused

  JsonBuilder builder{*this};
  rapidjson::Reader reader;
  rapidjson::InsituStringStream stream(text_.data());
  constexpr unsigned flags = rapidjson::kParseInsituFlag | rapidjson::kParseIterativeFlag |
                             rapidjson::kParseValidateEncodingFlag | rapidjson::kParseNanAndInfFlag;
  const rapidjson::ParseResult result = reader.Parse<flags>(stream, builder);
  if (!result.IsError()) return true;
  nodes_.clear();
  error_offset = result.Offset();
  if (error) return false;
  switch (result.Code()) {
    case rapidjson::kParseErrorDocumentEmpty: error = "import-json-empty"; break;
    case rapidjson::kParseErrorStringInvalidEncoding:
    case rapidjson::kParseErrorStringUnicodeEscapeInvalidHex:
    case rapidjson::kParseErrorStringUnicodeSurrogateInvalid: error = "import-json-encoding"; break;
    default: error = "import-json-syntax";
  }
  return false;
}

JsonValue JsonValue::find(std::string_view key) const {
  if (!is_object()) return {};
  for (std::uint32_t i = at_ + 1; i < node().end;) {
    const JsonValue value(json_, i + 1);
    if (JsonValue(json_, i).string() == key) return value;
    i = value.node().end;
  }
  return {};
}

std::string JsonValue::written(std::size_t limit) const {
  std::string out;
  switch (kind()) {
    case JsonKind::null: out = "null"; break;
    case JsonKind::boolean: out = boolean() ? "true" : "false"; break;
    case JsonKind::number: {
      out = digits(number());
      break;
    }
    case JsonKind::string: out = '"' + std::string(string()) + '"'; break;
    case JsonKind::array:
      out = "[";
      elements([&](JsonValue v) {
        if (out.size() <= limit) out += (out.size() > 1 ? "," : "") + v.written(limit);
      });
      out += "]";
      break;
    case JsonKind::object: out = "{…}"; break;
  }
  if (out.size() <= limit) return out;
  std::size_t cut = limit - 3;  // room for the ellipsis; never inside a character
  while (cut > 0 && (static_cast<unsigned char>(out[cut]) & 0xC0) == 0x80) --cut;
  out.resize(cut);
  return out + "…";
}

}  // namespace vramfit::importer
