#include <algorithm>
#include <cmath>

#include "memo.h"
#include "vramfit/tensors.h"

namespace vramfit {
namespace {

// How a tensor-parallel rank holds a tensor.
enum class Cut : std::uint8_t { whole, rows, cols, experts };

Cut cut_of(TensorClass cls) {
  switch (cls) {
    case TensorClass::attention_output:
    case TensorClass::attention_group_output:
    case TensorClass::ffn_down:
    case TensorClass::shared_down: return Cut::cols;
    case TensorClass::token_embedding:
    case TensorClass::output_head:
    case TensorClass::attention_query:
    case TensorClass::attention_key:
    case TensorClass::attention_value:
    case TensorClass::attention_up:
    case TensorClass::recurrent:
    case TensorClass::ffn_gate:
    case TensorClass::ffn_up:
    case TensorClass::shared_gate:
    case TensorClass::shared_up: return Cut::rows;
    case TensorClass::expert_gate:
    case TensorClass::expert_up:
    case TensorClass::expert_down:
    case TensorClass::expert_bias: return Cut::experts;
    case TensorClass::tower: return Cut::rows;
    default: return Cut::whole;
  }
}

double vocabulary(double rows) { return std::ceil(rows / 64) * 64; }  // padded (vllm-splits)

}  // namespace

Stage pipeline_stage(int num_layers, int stages, int stage) {
  std::vector<int> layers(stages, num_layers / stages);
  int rest = num_layers % stages;
  for (int s = stages - 2; rest > 0 && s >= 0; --s, --rest) ++layers[s];
  Stage out;
  for (int s = 0; s < stage; ++s) out.first += layers[s];
  out.last = out.first + layers[stage];
  out.has_embedding = stage == 0;
  out.has_head = stage == stages - 1;
  return out;
}

namespace {

RankWeights count_rank_weights(const EngineContext& c, const Stage& stage, bool with_mtp) {
  RankWeights sum;
  const Recipe& recipe = *c.r.recipe;
  const double tp = c.tensor_parallel;
  const bool by_layer = recipe.kind == RecipeKind::feed_forwards || c.r.model.stored.num_sections > 0;
  const double nominal = info(recipe.format).nominal_bits;
  for_each_tensor(c.r.model, with_mtp, [&](const Tensor& t) {
    const bool in_layers = t.first_layer < c.r.model.num_layers() && t.cls != TensorClass::token_embedding;
    double layers = t.num_layers;
    const bool head = t.cls == TensorClass::output_head;
    const bool embedding = t.cls == TensorClass::token_embedding;
    if (t.in_mtp || head) layers = stage.has_head ? t.num_layers : 0;
    // A tied table is on the first stage as embedding and on the last as head.
    else if (embedding) layers = stage.has_embedding || (c.r.model.tied_embeddings && stage.has_head) ? 1 : 0;
    else if (in_layers && c.pipeline_parallel > 1)
      layers = std::max(0, std::min(stage.last, t.first_layer + t.num_layers) - std::max(stage.first, t.first_layer));
    if (layers == 0) return;
    double rows = t.rows, cols = t.cols, count = t.count;
    if (embedding || head) rows = vocabulary(rows);
    switch (cut_of(t.cls)) {
      case Cut::whole: break;
      case Cut::rows: {
        if (t.cls == TensorClass::tower) {  // one block of a single row
          cols = std::ceil(cols / tp);
          break;
        }
        // KV heads that the ranks outnumber are copied: one head each.
        double parts = tp;
        if (t.cls == TensorClass::attention_key || t.cls == TensorClass::attention_value) {
          for (int m = 0; m < c.r.model.num_mixers; ++m) {
            const Mixer& x = c.r.model.mixers[m];
            if (x.num_kv_heads > 0 &&
                (t.rows == double(x.num_kv_heads) * x.head_dim || t.rows == double(x.num_kv_heads) * x.v_head_dim))
              parts = std::min<double>(tp, x.num_kv_heads);
          }
        }
        rows = std::ceil(rows / parts);
        break;
      }
      case Cut::cols: cols = std::ceil(cols / tp); break;
      case Cut::experts: {
        const double parts = c.expert_parallel > 1 ? 1 : tp;
        if (c.expert_parallel > 1) count = std::ceil(count / c.expert_parallel);
        const bool down = t.cls == TensorClass::expert_down;
        (down ? cols : rows) = std::ceil((down ? cols : rows) / (t.cls == TensorClass::expert_bias ? 1 : parts));
        if (c.engine == "vllm" && recipe.format == Format::mxfp4 && t.cls != TensorClass::expert_bias) {
          // The kernels want whole tiles: hidden widths of 256, feed-forward widths of 128 (vLLM's Marlin backend; 120B loads
          // at 65.97 GiB).
          double& hidden = down ? rows : cols;
          double& wide = down ? cols : rows;
          hidden = std::ceil(hidden / 256) * 256;
          wide = std::ceil(wide / 128) * 128;
        }
        break;
      }
    }
    const auto add = [&](int layer, double copies) {
      const auto [format, group] = storage_of(recipe, c.r.group_size, c.r.model, t, layer);
      const double bytes = tensor_bytes(format, rows, cols, group) * count * copies;
      if (t.cls == TensorClass::tower) sum.tower_bytes += bytes;
      else (info(format).nominal_bits > nominal ? sum.kept_bytes : sum.quantized_bytes) += bytes;
    };
    if (!by_layer) return add(t.first_layer, layers);
    for (int i = 0; i < t.num_layers; ++i) {
      const int layer = t.first_layer + i;
      if (!in_layers || (layer >= stage.first && layer < stage.last) || c.pipeline_parallel == 1) add(layer, 1);
    }
  });
  const double rest = c.r.model.stored.rest_bytes;
  double& part = sum.kept_bytes + rest >= 0 ? sum.kept_bytes : sum.quantized_bytes;
  part = std::max(0.0, part + rest);
  return sum;
}

}  // namespace

RankWeights rank_weights(const EngineContext& c, const Stage& stage, bool with_mtp) {
  EngineMemo* const memo = c.r.memo;
  if (!memo) return count_rank_weights(c, stage, with_mtp);
  for (const EngineMemo::Weights& e : memo->weights)
    if (e.tensor_parallel == c.tensor_parallel && e.expert_parallel == c.expert_parallel && e.first == stage.first &&
        e.last == stage.last && e.with_mtp == with_mtp)
      return e.of_rank;
  memo->weights.push_back(
      {c.tensor_parallel, c.expert_parallel, stage.first, stage.last, with_mtp, count_rank_weights(c, stage, with_mtp)});
  return memo->weights.back().of_rank;
}

}  // namespace vramfit
