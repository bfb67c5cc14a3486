#include "additions.h"

#include <algorithm>
#include <cmath>

#include "vramfit/shape.h"
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

constexpr double eagle_vocab_size = 32'000;  // a draft predicts the most frequent tokens only (source id eagle3)

}  // namespace

double attention_copy_bytes(const EngineContext& c, const Stage& stage) {
  double sum = 0;
  const int group = group_of(*c.r.recipe, c.r.group_size);
  for_each_tensor(c.r.model, false, [&](const Tensor& t) {
    const bool table = t.cls == TensorClass::token_embedding && stage.has_embedding;
    if (!table && !is_attention(t.cls)) return;
    const double bytes = tensor_bytes(format_of(*c.r.recipe, c.r.model, t, t.first_layer), t.rows, t.cols, group) * t.count;
    sum += bytes * (table ? 1 : layers_in(c, stage, t)) * (1 - 1.0 / c.tensor_parallel);
  });
  return sum;
}

Draft draft_of(const EngineContext& c, const Stage& stage) {
  Draft out;
  const Inputs& in = c.r.in;
  const Model& model = c.r.model;
  if (in.is(FieldId::speculative, "mtp")) {
    out.layers = std::max(1, model.num_mtp_layers);
    if (!stage.has_head) return out;
    const double bytes = rank_weights(c, stage, true).total() - rank_weights(c, stage, false).total();
    out.bytes = Range::exact(std::ceil(bytes));
  } else if (in.is(FieldId::speculative, "eagle3")) {
    // One decoder layer whose attention reads two hidden states, a projection of three, a short head; the token table is shared,
    // but loaded first.
    out.layers = 1;
    const Mixer* x = first_attention(model);
    if (!x || !stage.has_head) return out;
    const double h = model.hidden_size;
    double wide = 0;
    for (int f = 0; f < model.num_feed_forwards; ++f)
      wide = std::max<double>(
          wide, std::max(model.feed_forwards[f].intermediate_size, model.feed_forwards[f].shared_intermediate_size));
    const double heads = double(x->num_heads) * x->head_dim, kv = 2.0 * std::max(1, x->num_kv_heads) * x->head_dim;
    const double layer = 2 * h * (heads + kv) + h * heads + 3 * h * (wide > 0 ? wide : 4 * h) + 3 * h * h;
    const double head = h * std::min<double>(model.vocab_size, eagle_vocab_size);
    const double own = (layer + head) * 2 / c.tensor_parallel;
    const double table = double(model.vocab_size) * h * 2 / c.tensor_parallel;
    out.bytes = {std::ceil(own), std::ceil(own + table), std::ceil(own + 1.5 * table)};
  } else if (in.is(FieldId::speculative, "draft")) {
    const ModelEntry* entry = find_model(in.text(FieldId::draft_model));
    if (!entry) return out;
    const Model draft = parse_shape(entry->shape).model;
    out.layers = draft.num_layers();
    const double bytes = weight_bytes(draft, *find_recipe(entry->native), c.r.group_size).total / c.tensor_parallel;
    out.bytes = {std::ceil(bytes), std::ceil(bytes), std::ceil(bytes * 1.05)};
  }
  return out;
}

Range adapter_bytes(const EngineContext& c, const Stage& stage) {
  const double adapters = c.r.in.number(FieldId::max_loras);
  if (adapters <= 0) return {};
  const double rank = c.r.in.number(FieldId::max_lora_rank);
  double widths = 0;
  for_each_tensor(c.r.model, false, [&](const Tensor& t) {
    if (is_linear(t.cls) && !is_expert(t.cls)) widths += (t.rows + t.cols) * t.count * layers_in(c, stage, t);
  });
  const double whole = adapters * rank * widths * 2;
  // One factor of each pair is cut over the ranks, the other copied.
  const double tp = c.tensor_parallel;
  return {std::ceil(whole / tp), std::ceil(whole * (1 + 1 / tp) / 2), std::ceil(whole)};
}

}  // namespace vramfit
