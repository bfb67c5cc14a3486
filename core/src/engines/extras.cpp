#include "extras.h"

#include <algorithm>
#include <cmath>

#include "vramfit/kv_cache.h"
#include "vramfit/shape.h"

namespace vramfit {
namespace {

constexpr double eagle_head_rows = 32000;

double uncut_bytes(Model model) {
  model.stored = {};
  return weight_bytes(model, *find_recipe("bf16"), 0).total;
}

double cache_bytes_per_token(const Model& model, const KvFormat& kv, int tensor_parallel) {
  const auto at = [&](double tokens) {
    return sequence_cache(model, kv, tokens, tensor_parallel, StateDtype::checkpoint).kv_bytes;
  };
  return (at(128) - at(0)) / 128;
}

}  // namespace

double adapter_slot_bytes(const EngineContext& c, const Stage& stage) {
  const double slots = c.r.in.number(FieldId::max_loras);
  if (slots == 0) return 0;
  const double rank = c.r.in.number(FieldId::max_lora_rank);
  double sum = 0;
  for_each_tensor(c.r.model, false, [&](const Tensor& t) {
    if (!is_linear(t.cls) || is_expert(t.cls)) return;
    const int layers = std::max(0, std::min(stage.last, t.first_layer + t.num_layers) - std::max(stage.first, t.first_layer));
    sum += rank * (t.rows / c.tensor_parallel + t.cols) * t.count * layers;
  });
  return 2 * slots * sum;
}

Draft draft_of(const EngineContext& c) {
  Draft out;
  const Inputs& in = c.r.in;
  if (in.is(FieldId::speculative, "eagle3")) {
    const double h = c.r.model.hidden_size;
    Model one = c.r.model;
    one.num_runs = 1;
    one.runs[0].count = 1;
    const Mixer* attention = first_attention(one);
    one.runs[0].mixer = attention ? static_cast<std::uint8_t>(attention - one.mixers) : 0;
    one.vocab_size = 1;
    one.tower_params = 0;
    const double layer = uncut_bytes(one) / c.tensor_parallel;
    const double bytes = std::ceil(layer + 2 * (3 * h * h + eagle_head_rows * h / c.tensor_parallel + h * h));
    out.weight_bytes = {std::ceil(bytes * 0.7), bytes, std::ceil(bytes * 1.3)};
    out.bytes_per_token = cache_bytes_per_token(one, *c.r.kv, c.tensor_parallel);
  } else if (in.is(FieldId::speculative, "draft")) {
    const ModelEntry* entry = find_model(in.text(FieldId::draft_model));
    if (!entry) return out;  // a notice says so
    const Model model = parse_shape(entry->shape, true).model;
    out.weight_bytes = Range::exact(std::ceil(uncut_bytes(model) / c.tensor_parallel));
    out.bytes_per_token = cache_bytes_per_token(model, *c.r.kv, c.tensor_parallel);
  }
  return out;
}

}  // namespace vramfit
