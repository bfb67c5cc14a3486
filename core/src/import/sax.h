// RapidJSON's reader for those who want events and no tree. All who include it, json.cpp too, use the same size type.
#pragma once

#include <cstddef>

#define RAPIDJSON_ASSERT(x) ((void)(x))
#define RAPIDJSON_NO_SIZETYPEDEFINE
namespace rapidjson {
typedef ::std::size_t SizeType;
}
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

namespace vramfit::importer {

// Without recursion, so that nesting costs no stack; UTF-8 is checked.
inline constexpr unsigned sax_flags = rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag;

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
