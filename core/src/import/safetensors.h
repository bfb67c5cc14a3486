// Headers of safetensors files and the index of a model in several.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "import/remarks.h"
#include "import/tensor_names.h"
#include "import/tensor_table.h"

namespace vramfit::importer {

// What the reference implementation allows; also of an index.
inline constexpr double max_safetensors_header = 100'000'000;

HeadNeed safetensors_head_need(const ImportFile& file);

struct Dtype {
  const char* id;
  int bits;
};

// Collects what any number of headers and at most one index say, then tells it as tensors.
class Safetensors {
 public:
  Safetensors();

  void read_header(const ImportFile& file);
  void read_index(const ImportFile& file);
  // All files are read: what headers and index say of each other.
  void compare();

  // `model`: null when it is not known. Packed numbers that do not say their width take it from there.
  std::vector<StoredTensor> tensors(const Model* model);
  // Exact bytes by type, scales and the like under their own; parameters from `tensors`.
  std::vector<ImportedDtype> dtypes(std::span<const StoredTensor> tensors) const;

  bool has_headers() const { return num_headers_ > 0; }
  bool has_index() const { return has_index_; }
  bool complete() const { return has_headers() && !missing_shard_; }  // every tensor's header was seen
  bool lies() const { return remarks.has_error(); }                   // something cannot be as it says
  double total_size() const { return total_size_; }                   // of the index; 0: not said
  double tensor_bytes() const { return tensor_bytes_; }               // of all headers

  // Of an index without headers: what parts are there of the classes of a layer. Bit i: Part i.
  std::uint16_t parts_of(TensorClass cls, int layer, bool mtp) const;
  int last_layer() const { return index_last_layer_; }  // that the index names; -1: none
  bool names_mtp(int num_layers) const;                 // whether the index names tensors of multi-token-prediction layers

  Remarks remarks;

 private:
  friend struct HeaderHandler;
  friend struct IndexHandler;

  struct Stack {  // the shape of a tensor: all but the last two dimensions are one
    double count = 1, rows = 1, cols = 1;
    double elements() const { return count * rows * cols; }
  };
  // One matrix, or bias, with its companions.
  struct Matrix {
    std::uint64_t hash = 0;
    ClassSet classes = 0;
    std::int32_t layer = -1;
    std::int32_t name = -1;  // in names_, of what no rule knows
    std::uint16_t parts = 0;
    std::uint8_t rank = 0, dtype = 0, scale_dtype = 0;
    bool mtp = false;
    Stack shape, scale;
    double order_length = 0;  // of g_idx
    double zeros_cols = 0;
    double bytes = 0;
  };
  struct Entry {
    std::string name;
    int dtype = -1;
    std::string dtype_text;
    double dims[8] = {};
    int rank = 0;
    double begin = -1, end = -1;
    bool overflow = false, bad_shape = false, bad_offsets = false;
  };
  struct Span {
    double begin, end;
  };

  void add(const ImportFile& file, const Entry& entry, double data_bytes, std::vector<Span>& spans);
  Matrix& matrix(std::uint64_t hash);
  bool seen(std::vector<std::uint64_t>& table, std::size_t& used, std::uint64_t hash);
  void check_spans(const ImportFile& file, std::vector<Span>& spans, double data_bytes);
  StoredTensor stored(const Matrix& m, const Model* model, const double* expected_cols) const;

  TensorNames names_of_;
  std::vector<Matrix> matrices_;
  std::vector<std::uint32_t> slots_;  // by hash: 1 + the place in matrices_
  std::vector<std::string> names_;
  std::vector<std::uint64_t> header_names_, index_names_;  // hash tables
  std::size_t header_count_ = 0, index_count_ = 0;
  std::vector<std::string> shards_;           // of the index
  std::vector<std::uint64_t> shard_tensors_;  // how many tensors the index has in each
  std::vector<std::string> header_files_;
  std::vector<std::vector<std::uint16_t>> index_parts_;  // [layer + 1][class]; the second half: of prefixed MTP layers
  std::vector<std::uint16_t> index_mtp_parts_;
  int index_last_layer_ = -1;
  std::string index_name_;
  double dtype_bytes_[32] = {};
  double tensor_bytes_ = 0, total_size_ = 0;
  int num_headers_ = 0;
  bool has_index_ = false, missing_shard_ = false, index_mtp_ = false;
};

}  // namespace vramfit::importer
