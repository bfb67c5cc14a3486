// The header of a GGUF file: metadata and tensor descriptions, as they stand there. Everything that is kept points into the
// file's beginning; nothing is allocated by a count that the file merely claims.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vramfit/formats.h"
#include "vramfit/import.h"

namespace vramfit::importer {

enum class GgufKind : std::uint8_t { u8, i8, u16, i16, u32, i32, f32, boolean, string, array, u64, i64, f64 };

struct GgufValue {
  std::string_view key;
  GgufKind kind = GgufKind::u8;
  GgufKind element = GgufKind::u8;  // of an array
  std::uint64_t count = 1;          // elements of an array
  std::string_view bytes;           // as stored: little-endian; a string without its length; an array's elements with theirs

  bool is_array() const { return kind == GgufKind::array; }
  // Of a number or boolean, or of an array's element of these; empty for all else, and behind the end.
  std::optional<double> number(std::uint64_t index = 0) const;
  std::string_view text() const { return kind == GgufKind::string ? bytes : std::string_view(); }
};

// A ggml type as files number them.
struct GgmlType {
  const char* name = nullptr;  // null: not a type, or one that was taken out again
  Format format = Format::fp32;
  bool removed = false;
};
GgmlType ggml_type(std::uint32_t number);

struct GgufTensor {
  std::string_view name;
  std::uint32_t num_dims = 0;
  std::uint64_t dims[4] = {1, 1, 1, 1};  // the first is the length of a row
  std::uint32_t type = 0;
  std::uint64_t offset = 0;  // from the beginning of the tensor data
  std::uint64_t bytes = 0;

  double cols() const { return double(dims[0]); }
  double rows() const { return double(dims[1]); }
  double stack() const { return double(dims[2]) * double(dims[3]); }
  double elements() const { return cols() * rows() * stack(); }
};

// Why a file cannot be read.
struct GgufFault {
  const char* id = nullptr;  // of a remark; null: none
  std::string where, value, wanted;
  double number = 0;
};

struct GgufHeader {
  std::uint32_t version = 0;
  std::uint64_t alignment = 32;
  std::uint64_t data_start = 0;
  std::vector<GgufValue> values;  // sorted by key
  std::vector<GgufTensor> tensors;

  std::uint64_t need = 0;  // bytes of the beginning to come again with; 0: all was read, or it cannot be read
  GgufFault fault;

  const GgufValue* find(std::string_view key) const;
};

bool is_gguf(std::string_view head);

GgufHeader read_gguf_header(const ImportFile& file);

// As it may be shown: cut to 80 bytes, and what is no UTF-8 replaced.
std::string shown(std::string_view text);

// Numbers as they may be shown, with three decimals at most. (std::to_string would bring all of formatted output into the
// module.)
std::string shown(std::uint64_t number);
std::string shown(double number);

// How much of a file's beginning its header takes.
HeadNeed gguf_head_need(const ImportFile& file);

// A model out of all its files, in any order: the parts of a split one, with a projector beside it or without.
Imported import_gguf(std::span<const ImportFile> files);

}  // namespace vramfit::importer
