// RapidJSON's reader for those who want events and no tree. All who include it, json.cpp too, use the same size type.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#define RAPIDJSON_ASSERT(x) ((void)(x))
#define RAPIDJSON_NO_SIZETYPEDEFINE
namespace rapidjson {
typedef ::std::size_t SizeType;
}
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

namespace vramfit::importer {

// Eight bytes at once, the first of them lowest.
inline std::uint64_t eight_bytes(const char* p) {
  std::uint64_t word;
  std::memcpy(&word, p, 8);
  static_assert(std::endian::native == std::endian::little);
  return word;
}
inline constexpr std::uint64_t each_byte = 0x0101010101010101u, top_bits = 0x80 * each_byte;

// Where a string's plain text ends: at a quote, a backslash or a control character.
inline const char* plain_end(const char* p, const char* end) {
  for (; end - p >= 8; p += 8) {
    const std::uint64_t w = eight_bytes(p), quote = w ^ '"' * each_byte, backslash = w ^ '\\' * each_byte;
    // The top bit of the first byte that is one of these, and perhaps of some behind it.
    const std::uint64_t found =
        (((w - 0x20 * each_byte) & ~w) | ((quote - each_byte) & ~quote) | ((backslash - each_byte) & ~backslash)) & top_bits;
    if (found != 0) return p + std::countr_zero(found) / 8;
  }
  while (p < end && *p != '"' && *p != '\\' && static_cast<unsigned char>(*p) >= 0x20) ++p;
  return p;
}

bool valid_utf8(std::string_view text);

}  // namespace vramfit::importer

namespace rapidjson {

// A place in the text as a local variable.
template <>
struct StreamTraits<MemoryStream> {
  enum { copyOptimization = 1 };
};

// What RapidJSON leaves open for streams of one's own: plain text in one piece. It is not asked where every character is checked.
template <>
template <>
inline void GenericReader<UTF8<>, UTF8<>, CrtAllocator>::ScanCopyUnescapedString(MemoryStream& in, StackStream<char>& out) {
  const char* const end = vramfit::importer::plain_end(in.src_, in.end_);
  const auto count = static_cast<std::size_t>(end - in.src_);
  if (count == 0) return;
  std::memcpy(out.Push(count), in.src_, count);
  in.src_ = end;
}

}  // namespace rapidjson

namespace vramfit::importer {

// Without recursion, so that nesting costs no stack; UTF-8 is checked: at once where all is well, else by the reader, which says
// where.
template <class Handler>
rapidjson::ParseResult parse_events(rapidjson::MemoryStream& stream, Handler& handler) {
  rapidjson::Reader reader;
  if (valid_utf8({stream.src_, static_cast<std::size_t>(stream.end_ - stream.src_)}))
    return reader.Parse<rapidjson::kParseIterativeFlag>(stream, handler);
  return reader.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(stream, handler);
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
