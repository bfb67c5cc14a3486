// The tensors of a model's files, whatever kind of file they stand in: what the readers of safetensors and GGUF fill, and what
// the format table and the exact bytes are made from.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vramfit/formats.h"
#include "vramfit/import.h"

namespace vramfit::importer {

// Classes as bits: a fused matrix (query, key and value in one) belongs to several.
using ClassSet = std::uint32_t;
constexpr ClassSet class_set(TensorClass c) { return ClassSet{1} << static_cast<int>(c); }
template <class... C>
constexpr ClassSet class_set(TensorClass first, C... more) {
  return class_set(first) | class_set(more...);
}

// One matrix with all that belongs to it: scales, zero points and the like count in its bytes. Norms and biases are rows.
struct StoredTensor {
  ClassSet classes = 0;  // 0: by name and shape nothing that the model has; its bytes go to the rest
  int layer = -1;        // -1: of no layer. Multi-token-prediction layers count on behind the model's
  bool in_mtp = false;   // of a multi-token-prediction layer: in the file, but not loaded unless it is used
  bool loaded = true;    // false: in the file, but no engine loads it (a second copy of a tied head)
  bool sized = true;     // `format` is right; false: of a type that formats.h does not have
  Format format = Format::bf16;
  int group = 0;              // as in tensor_bytes()
  double rows = 0, cols = 0;  // of one matrix, as the model sees it: not of the packed numbers
  double count = 1;           // experts in one stack
  double bytes = 0;
  const char* dtype = "";  // of its elements, as the file calls the type

  double params() const { return rows * cols * count; }
};

// Fills of `imported`, whose `model` is known: `formats`, `tensor_bytes`, `explained_bytes`, `classes`, `dtypes`, and the remarks
// on classes of which the files hold more or less than the shape has (both figures; so much that it is another model: an error).
// Tensors without a class are to be remarked by who knows their names.
void describe_tensors(Imported& imported, std::span<const StoredTensor> tensors, bool gguf, std::string_view file);

// What classes and types of the files hold, for which no shape is needed.
void count_tensors(Imported& imported, std::span<const StoredTensor> tensors);

}  // namespace vramfit::importer
