// Strings read in pieces, against RapidJSON's reader looking at one character after another: the same events, faults and places.
#include <doctest/doctest.h>

#include <string>

#include "import/sax.h"

using namespace vramfit::importer;

namespace {

struct Written {
  std::string out = {};
  bool add(const std::string& what) { return out += what + ";", true; }
  bool Null() { return add("null"); }
  bool Bool(bool b) { return add(b ? "true" : "false"); }
  bool Int(int i) { return add(std::to_string(i)); }
  bool Uint(unsigned i) { return add(std::to_string(i)); }
  bool Int64(std::int64_t i) { return add(std::to_string(i)); }
  bool Uint64(std::uint64_t i) { return add(std::to_string(i)); }
  bool Double(double d) { return add(std::to_string(d)); }
  bool RawNumber(const char*, std::size_t, bool) { return false; }
  bool String(const char* text, std::size_t length, bool) { return add("s" + std::string(text, length)); }
  bool Key(const char* text, std::size_t length, bool) { return add("k" + std::string(text, length)); }
  bool StartObject() { return add("{"); }
  bool StartArray() { return add("["); }
  bool EndArray(std::size_t count) { return add("]" + std::to_string(count)); }
  bool EndObject(std::size_t count) { return add("}" + std::to_string(count)); }
};

// A stream for which nothing is faster.
struct Characters : rapidjson::MemoryStream {
  using rapidjson::MemoryStream::MemoryStream;
};

template <class Result>
std::string told(const Written& handler, const Result& result, std::size_t at) {
  return handler.out + " " + std::to_string(result.Code()) + " at " + std::to_string(result.IsError() ? result.Offset() : at);
}
std::string in_pieces(const std::string& text) {
  Written handler;
  rapidjson::MemoryStream stream(text.data(), text.size());
  const auto result = parse_events(stream, handler);
  return told(handler, result, stream.Tell());
}
std::string one_by_one(const std::string& text) {
  Written handler;
  Characters stream(text.data(), text.size());
  rapidjson::Reader reader;
  const auto result = reader.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(stream, handler);
  return told(handler, result, stream.Tell());
}

// Whole, cut, overlong and surrogate sequences, escapes and what must not stand in a string.
const std::string pieces[] = {
    "",
    "\"",
    "\\",
    "\\n",
    "\\\"",
    "\\u00e9",
    "\\ud83d\\ude00",
    "\\ud83d",
    "\\ude00",
    "\\x",
    "\n",
    "\t",
    "\x1F",
    "\x7F",
    std::string(1, 0),
    "!",
    "#",
    "[",
    "]",
    "\xC3\xA9",
    "\xE2\x82\xAC",
    "\xF0\x9F\x98\x80",
    "\xC3",
    "\xE2\x82",
    "\xF0\x9F",
    "\xC0\x80",
    "\xC1\xBF",
    "\xE0\x9F\xBF",
    "\xE0\xA0\x80",
    "\xED\x9F\xBF",
    "\xED\xA0\x80",
    "\xEF\xBF\xBF",
    "\x80",
    "\xF0\x8F\xBF\xBF",
    "\xF0\x90\x80\x80",
    "\xF4\x8F\xBF\xBF",
    "\xF4\x90\x80\x80",
    "\xF5\x80\x80\x80",
    "\xFF",
    "\xA2\xDC",
};

}  // namespace

TEST_CASE("a string in pieces is what it is character by character") {
  const std::string plain = "model.layers.0.mlp.experts.17.up_proj";
  for (const std::string& piece : pieces)
    for (std::size_t before = 0; before <= 17; ++before)
      for (std::size_t behind = 0; behind <= 9; ++behind) {
        const std::string middle = plain.substr(0, before) + piece + plain.substr(0, behind);
        for (const std::string& text : {"{\"" + middle + "\": 1}", "[\"" + middle + "\", \"a\"] ", "[\"" + middle,
                                        "[" + middle + "]", "[\"\xFF\", \"" + middle + "\"]", "[1, x, \"" + middle + "\"]"})
          REQUIRE(in_pieces(text) == one_by_one(text));
      }
  CHECK(in_pieces("[\"aaaaaaaaaaaa\\u00e9\"]") == "[;saaaaaaaaaaaa\xC3\xA9;]1; 0 at 22");
  CHECK(in_pieces("[\"aaaaaaaaaaaa\xFF\"]") == "[; " + std::to_string(rapidjson::kParseErrorStringInvalidEncoding) + " at 14");
}

TEST_CASE("UTF-8: every sequence of two bytes, and of three and four with a lead that has bounds") {
  for (int first = 0x80; first < 256; ++first)
    for (int second = 0; second < 256; ++second)
      for (const std::string& rest : {std::string(), std::string("\x80"), std::string("\xBF\x80"), std::string("a")}) {
        const std::string text = "[\"" + std::string{char(first), char(second)} + rest + "\"]";
        if (second == '"' || second == '\\' || second < 0x20) continue;
        const bool fault =
            one_by_one(text).find(" " + std::to_string(rapidjson::kParseErrorStringInvalidEncoding) + " at") != std::string::npos;
        REQUIRE(valid_utf8(text) == !fault);
      }
}
