// Writes the header of a GGUF file, correct ones and lying ones. Sizes of the types are this file's own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "vramfit/import.h"

namespace vramfit::test {

// Numbers of ggml types, and of metadata types.
enum GgmlNumber : std::uint32_t {
  F32 = 0,
  F16 = 1,
  Q4_0 = 2,
  Q5_0 = 6,
  Q8_0 = 8,
  Q4_K = 12,
  Q5_K = 13,
  Q6_K = 14,
  IQ2_XXS = 16,
  I32 = 26,
  BF16 = 30,
  MXFP4 = 39,
  NVFP4 = 40,
  Q1_0 = 41,
  Q2_0 = 42
};
enum GgufNumber : std::uint32_t { U8, I8, U16, I16, U32, INT32, FLOAT32, BOOL, STRING, ARRAY, U64, I64, FLOAT64 };

inline double ggml_bytes(std::uint32_t type, double elements) {
  switch (type) {
    case F32:
    case I32: return elements * 4;
    case F16:
    case BF16: return elements * 2;
    case Q4_0: return elements / 32 * 18;
    case Q5_0: return elements / 32 * 22;
    case Q8_0: return elements / 32 * 34;
    case Q4_K: return elements / 256 * 144;
    case Q5_K: return elements / 256 * 176;
    case Q6_K: return elements / 256 * 210;
    case IQ2_XXS: return elements / 256 * 66;
    case MXFP4: return elements / 32 * 17;
    case NVFP4: return elements / 64 * 36;
    case Q1_0: return elements / 128 * 18;
    case Q2_0: return elements / 64 * 18;
  }
  return 0;
}

class GgufWriter {
 public:
  std::uint32_t version = 3;
  std::uint64_t alignment = 32;
  std::string magic = "GGUF";

  template <class T>
  static void put(std::string& out, T value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out.append(bytes, sizeof value);
  }
  static void put_text(std::string& out, std::string_view text) {
    put<std::uint64_t>(out, text.size());
    out += text;
  }

  void begin(std::string_view key, std::uint32_t type) {
    put_text(values_, key);
    put(values_, type);
    ++num_values_;
  }
  template <class T>
  void value(std::string_view key, std::uint32_t type, T v) {
    begin(key, type);
    put(values_, v);
  }
  void number(std::string_view key, double v) { value<std::uint32_t>(key, U32, std::uint32_t(v)); }
  void flag(std::string_view key, bool v) { value<std::uint8_t>(key, BOOL, v); }
  void real(std::string_view key, float v) { value<float>(key, FLOAT32, v); }
  void text(std::string_view key, std::string_view v) {
    begin(key, STRING);
    put_text(values_, v);
  }
  void numbers(std::string_view key, const std::vector<int>& all) {
    begin(key, ARRAY);
    put<std::uint32_t>(values_, INT32);
    put<std::uint64_t>(values_, all.size());
    for (int v : all) put<std::int32_t>(values_, v);
  }
  void flags(std::string_view key, const std::vector<bool>& all) {
    begin(key, ARRAY);
    put<std::uint32_t>(values_, BOOL);
    put<std::uint64_t>(values_, all.size());
    for (bool v : all) put<std::uint8_t>(values_, v);
  }
  void texts(std::string_view key, std::uint64_t count) {
    begin(key, ARRAY);
    put<std::uint32_t>(values_, STRING);
    put<std::uint64_t>(values_, count);
    for (std::uint64_t i = 0; i < count; ++i) put_text(values_, "token" + std::to_string(i % 1000));
  }
  std::string& raw_values() { return values_; }

  void tensor(std::string_view name, std::uint32_t type, const std::vector<double>& dims) {
    double elements = 1;
    for (double d : dims) elements *= d;
    tensor_at(name, type, dims, data_bytes_);
    bytes_ += ggml_bytes(type, elements);
    elements_ += elements;
    data_bytes_ += ggml_bytes(type, elements);
    const std::uint64_t up = alignment - 1;
    data_bytes_ = double((std::uint64_t(data_bytes_) + up) & ~up);
  }
  void tensor_at(std::string_view name, std::uint32_t type, const std::vector<double>& dims, double offset) {
    put_text(tensors_, name);
    put<std::uint32_t>(tensors_, std::uint32_t(dims.size()));
    for (double d : dims) put<std::uint64_t>(tensors_, std::uint64_t(d));
    put(tensors_, type);
    put<std::uint64_t>(tensors_, std::uint64_t(offset));
    ++num_tensors_;
  }

  std::string header() const {
    std::string out = magic;
    put(out, version);
    put<std::uint64_t>(out, more_tensors ? std::max(num_tensors_, more_tensors) : num_tensors_);
    put<std::uint64_t>(out, more_values ? std::max(num_values_, more_values) : num_values_);
    return out + values_ + tensors_;
  }
  std::uint64_t more_tensors = 0, more_values = 0;  // claimed instead, and not there

  double tensor_bytes() const { return bytes_; }
  double elements() const { return elements_; }
  double total_bytes() const {
    const std::uint64_t up = alignment - 1;
    return double((std::uint64_t(header().size()) + up) & ~up) + data_bytes_;
  }

 private:
  std::string values_, tensors_;
  std::uint64_t num_values_ = 0, num_tensors_ = 0;
  double bytes_ = 0, elements_ = 0, data_bytes_ = 0;
};

inline Imported import_one(const GgufWriter& w, std::string_view name = "model.gguf") {
  const std::string head = w.header();
  const ImportFile file{name, head, w.total_bytes()};
  return import_model({&file, 1});
}

}  // namespace vramfit::test
