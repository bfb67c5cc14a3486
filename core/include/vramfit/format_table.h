// The format table: what a model's files store each class of tensors in, as one short, URL-safe line beside the shape string.
//
//   bf16;fp8-block:q.o.down.up.fg.fu.fd;fp8-block:eg.eu.ed~3-60;rest2048
//   gguf;q4_k;fp32:small.router;q6_k:emb.v.fd~0-9,12,15
//
// Sections are split by ';'. Each is a format (the ids of FormatInfo) with, in brackets, the elements that share a scale where
// the format has such groups (0: a whole row; 128 when left out), then ':' and classes split by '.', then '~' and layers. The
// first section names no classes: it stands for all that no later one names; of two that name the same, the later one counts.
// Layers are counted from 0, multi-token-prediction layers after the others; what stands before the layers is of layer 0, what
// stands behind them of the one after the last. `gguf` before everything else says that the file is one for llama.cpp; ggml's
// types stand in no other table. `rest123` at the end is what the files hold beyond what the table explains, in bytes, or with a
// minus sign what it explains too much: the sum is exact.
#pragma once

#include <string>
#include <string_view>

#include "vramfit/formats.h"

namespace vramfit {

inline constexpr int default_group = 128;
inline constexpr int last_layer = 8191;  // a shape has at most half as many
inline constexpr std::size_t max_spans_of_section = 255;

// In the order of TensorClass.
inline constexpr Id tensor_class_codes[num_tensor_classes] = {
    "emb", "head", "ple", "q",  "k",  "v",  "o",  "go", "down", "up",     "idx",  "rec",   "fg",
    "fu",  "fd",   "sg",  "su", "sd", "eg", "eu", "ed", "eb",   "router", "side", "small", "tower"};

constexpr std::uint32_t class_bit(TensorClass c) { return std::uint32_t{1} << static_cast<int>(c); }
inline constexpr std::uint32_t all_classes = (std::uint32_t{1} << num_tensor_classes) - 1;

struct FormatTableResult {
  StoredFormats stored;
  // Null when the whole text was understood, else an error id: formats-name (no such format or class, or a mark out of place),
  // formats-number (missing or too large), formats-order (the first section names classes or a later one does not; something
  // behind the rest), formats-gguf (a format that such files do not have), formats-limit.
  const char* error = nullptr;
  std::size_t offset = 0;  // where in the text the error was found

  bool ok() const { return error == nullptr; }
};

FormatTableResult parse_format_table(std::string_view text);

// The text of `stored`, which must have a section: parse_format_table(write_format_table(s)).stored is s again.
std::string write_format_table(const StoredFormats& stored);

// Adds a section for `classes` (all_classes for the first) in the layers `spans` (none: all layers); `group` as in tensor_bytes.
// False, with nothing changed, when there is no room for it.
bool add_section(StoredFormats& stored, Format format, int group, std::uint32_t classes,
                 std::span<const StoredFormats::Span> spans = {});

// The section that says what a class is stored in in one layer; `stored` must have sections.
const StoredFormats::Section& section_of(const StoredFormats& stored, TensorClass cls, int layer);

}  // namespace vramfit
