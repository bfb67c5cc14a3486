// Every weight tensor of a model, run of layers by run of layers. Counting parameters, sizing weights in a format and splitting
// them over ranks all walk this one list.
#pragma once

#include <cstdint>
#include <functional>

#include "vramfit/model.h"

namespace vramfit {

enum class TensorClass : std::uint8_t {
  token_embedding,
  output_head,
  per_layer_embedding,
  attention_query,
  attention_key,
  attention_value,
  attention_output,
  attention_group_output,  // grouped first half of an output projection; checkpoints keep it in 16 bits
  attention_down,          // to a latent: one for all heads
  attention_up,            // from a latent: per head
  attention_index,         // the sparse indexer
  recurrent,               // in and out projections of state layers
  ffn_gate,
  ffn_up,
  ffn_down,
  shared_gate,  // of shared experts
  shared_up,
  shared_down,
  expert_gate,
  expert_up,
  expert_down,
  expert_bias,
  router,
  side,   // residual mixing, per-layer inputs, compressors: matrices that no published recipe quantizes
  small,  // norms, biases, convolutions, state vectors: one-dimensional, never quantized
  tower,  // vision and audio towers, as one block
};

inline constexpr int num_tensor_classes = static_cast<int>(TensorClass::tower) + 1;

constexpr bool is_expert(TensorClass c) {
  return c == TensorClass::expert_gate || c == TensorClass::expert_up || c == TensorClass::expert_down;
}

// The matrices that quantization recipes and adapters mean by "linear layers".
constexpr bool is_linear(TensorClass c) {
  switch (c) {
    case TensorClass::attention_query:
    case TensorClass::attention_key:
    case TensorClass::attention_value:
    case TensorClass::attention_output:
    case TensorClass::attention_down:
    case TensorClass::attention_up:
    case TensorClass::recurrent:
    case TensorClass::ffn_gate:
    case TensorClass::ffn_up:
    case TensorClass::ffn_down:
    case TensorClass::shared_gate:
    case TensorClass::shared_up:
    case TensorClass::shared_down: return true;
    default: return is_expert(c);
  }
}

// What every tensor-parallel rank holds whole.
constexpr bool is_replicated(TensorClass c) {
  return c == TensorClass::attention_down || c == TensorClass::attention_index || c == TensorClass::router ||
         c == TensorClass::side || c == TensorClass::small;
}

struct Tensor {
  TensorClass cls = TensorClass::small;
  double rows = 0;   // output features
  double cols = 0;   // input features
  double count = 1;  // equal tensors in one layer (the experts); multiply by num_layers for all of the run
  int first_layer = 0;
  int num_layers = 1;  // 1 for what belongs to no layer
  bool in_mtp = false;

  double elements() const { return rows * cols * count * num_layers; }
};

using TensorVisitor = void (*)(void* context, const Tensor& tensor);

// Visits tensors in layer order. With `include_mtp` the multi-token-prediction layers follow, marked in_mtp.
void visit_tensors(const Model& model, bool include_mtp, TensorVisitor visit, void* context);

template <class F>
void for_each_tensor(const Model& model, bool include_mtp, F&& f) {
  visit_tensors(
      model, include_mtp, [](void* context, const Tensor& t) { (*static_cast<F*>(context))(t); }, &f);
}

struct ParameterCount {
  double total = 0;      // text model and towers, without multi-token-prediction layers
  double text = 0;       // without towers
  double active = 0;     // touched for one token: mixtures count their routed and shared experts only
  double embedding = 0;  // token table
  double head = 0;       // output matrix, 0 when tied
  double mtp = 0;
};

ParameterCount count_parameters(const Model& model);

}  // namespace vramfit
