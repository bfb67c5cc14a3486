// What a tensor of a checkpoint is, by its name: Transformers' module names with their nested prefixes, and the shorter ones of
// consolidated files. Rules of names, not of models: `model.layers.3.self_attn.q_proj.weight` is a query projection in whatever
// family it stands.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "import/tensor_table.h"

namespace vramfit::importer {

// What a tensor is to its matrix. All but matrices and biases are companions: their bytes belong to the matrix of the same base.
enum class Part : std::uint8_t {
  matrix,  // weight, or a parameter without a suffix
  packed,  // qweight, weight_packed, blocks: several numbers in one element
  bias,
  scale,         // weight_scale, weight_scale_inv, scales, scale
  second_scale,  // of the scales themselves
  scale_rows,    // SCB: one per output channel
  other_scale,   // of activations or of cached keys and values
  zeros,
  order,  // g_idx
  absmax,
  nested,  // what a second quantization of absmax needs
  state,   // maps, shapes, descriptions
};

struct TensorName {
  ClassSet classes = 0;  // 0: no rule knows the name
  int layer = -1;        // as the name counts
  bool mtp = false;      // of multi-token prediction by its prefix; layers count from 0 there
  bool rotary = false;   // a table of frequencies, which every engine computes anew
  Part part = Part::matrix;
  std::size_t base = 0;  // length of the matrix's name without suffix
};

TensorName read_tensor_name(std::string_view name);

// The same for very many names, of which most differ in numbers only.
class TensorNames {
 public:
  TensorNames() : slots_(256) {}
  TensorName operator()(std::string_view name);

 private:
  struct Pattern {
    std::uint64_t hash = 0;
    TensorName found;
    std::uint8_t layer_segment = 0;  // which segment is the number of the layer; 0: none
    std::uint8_t suffix = 0;         // bytes behind the base
  };
  void grow();

  std::vector<Pattern> slots_;
  std::size_t used_ = 0;
};

// A hash for tables of names. Not for secrets: who aims at it slows his own import down.
std::uint64_t hash_of(std::string_view text);

}  // namespace vramfit::importer
