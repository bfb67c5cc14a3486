#include "attention_copies.h"

#include <algorithm>
#include <cmath>

#include "vramfit/tensors.h"

namespace vramfit {
namespace {

double layers_in(const EngineContext& c, const Stage& stage, const Tensor& t) {
  if (c.pipeline_parallel == 1) return t.num_layers;
  return std::max(0, std::min(stage.last, t.first_layer + t.num_layers) - std::max(stage.first, t.first_layer));
}

bool is_attention(TensorClass cls) {
  switch (cls) {
    case TensorClass::attention_query:
    case TensorClass::attention_key:
    case TensorClass::attention_value:
    case TensorClass::attention_output:
    case TensorClass::attention_group_output:
    case TensorClass::attention_up:
    case TensorClass::recurrent: return true;
    default: return false;
  }
}

}  // namespace

double attention_copy_bytes(const EngineContext& c, const Stage& stage) {
  double sum = 0;
  for_each_tensor(c.r.model, false, [&](const Tensor& t) {
    const bool table = t.cls == TensorClass::token_embedding && stage.has_embedding;
    if (!table && !is_attention(t.cls)) return;
    const auto [format, group] = storage_of(*c.r.recipe, c.r.group_size, c.r.model, t, t.first_layer);
    const double bytes = tensor_bytes(format, t.rows, t.cols, group) * t.count;
    sum += bytes * (table ? 1 : layers_in(c, stage, t)) * (1 - 1.0 / c.tensor_parallel);
  });
  return sum;
}

}  // namespace vramfit
