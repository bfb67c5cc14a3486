// RapidJSON's reader for those who want events and no tree. All who include it, json.cpp too, use the same size type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#define RAPIDJSON_ASSERT(x) ((void)(x))
#define RAPIDJSON_NO_SIZETYPEDEFINE
namespace rapidjson {
typedef ::std::size_t SizeType;
}
#include <rapidjson/reader.h>

namespace vramfit::importer {

inline bool is_ascii(std::string_view text) {
  std::uint64_t all = 0;
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    all |= word;
  }
  for (; i < text.size(); ++i) all |= static_cast<unsigned char>(text[i]);
  return !(all & 0x8080808080808080u);
}

struct SaxEnd {
  rapidjson::ParseResult result;
  std::size_t offset;  // where reading ended
};

// Strings are unescaped in a copy of the text. Without recursion, so that nesting costs no stack. UTF-8 is checked, which for
// plain ASCII is a third of the time and nothing to find.
template <typename Handler>
SaxEnd read_sax(std::string_view text, Handler& handler) {
  // The reader ends at a NUL, and so it does here: one that is there, or ours; a character cut short is read to its full length.
  std::string copy;
  copy.reserve(text.size() + 8);
  copy.append(text).append(8, '\0');
  rapidjson::InsituStringStream stream(copy.data());
  rapidjson::Reader reader;
  constexpr unsigned flags = rapidjson::kParseInsituFlag | rapidjson::kParseIterativeFlag;
  const rapidjson::ParseResult result = is_ascii(text)
                                            ? reader.Parse<flags>(stream, handler)
                                            : reader.Parse<flags | rapidjson::kParseValidateEncodingFlag>(stream, handler);
  return {result, result.IsError() ? result.Offset() : stream.Tell()};
}

// The id of a remark.
inline const char* sax_error(rapidjson::ParseErrorCode code) {
  switch (code) {
    case rapidjson::kParseErrorDocumentEmpty: return "import-json-empty";
    case rapidjson::kParseErrorStringInvalidEncoding:
    case rapidjson::kParseErrorStringUnicodeEscapeInvalidHex:
    case rapidjson::kParseErrorStringUnicodeSurrogateInvalid: return "import-json-encoding";
    default: return "import-json-syntax";
  }
}

}  // namespace vramfit::importer
