// Which device holds which weights (source id llama-cpp-layers): whole layers by slots, the output layer among them; the token
// table and the per-layer tables stay on the host; a tied table is held twice.
#include <algorithm>
#include <cmath>

#include "llama_cpp.h"
#include "memo.h"
#include "rank_weights.h"

namespace vramfit {
namespace {

// Fractions of the slots: cards of one kind with equal room share evenly.
int device_of_share(double share, int devices) {
  for (int d = 0; d + 1 < devices; ++d)
    if (share < double(d + 1) / devices) return d;
  return devices - 1;
}

void deal_slots(const LlamaSettings& s, int slots, LlamaPlacement& p) {
  const int repeating = slots - 1;
  // Until the turn of 2025/26 the output layer came last.
  const bool output_first = s.era >= LlamaEra::output_first;
  const int first = std::max(0, (output_first ? slots : repeating) - s.gpu_layers);
  const int on_gpus = std::min(s.gpu_layers, slots);
  p.device_of.assign(slots, llama_host);
  for (int i = first; i < slots; ++i)
    if (i - first < on_gpus) p.device_of[i] = device_of_share(double(i - first) / on_gpus, s.num_devices);
}

bool is_input_table(TensorClass cls) { return cls == TensorClass::token_embedding || cls == TensorClass::per_layer_embedding; }

// Mixes that treat the second feed-forward matrix of the first eighth of the layers by whether they were made with an importance
// matrix (source id ggml-mixes); the recipe is without. The difference in bytes for one tensor.
double imatrix_bytes(const Recipe& recipe, const Tensor& t, int layer, int layers) {
  const bool down = t.cls == TensorClass::ffn_down || t.cls == TensorClass::shared_down || t.cls == TensorClass::expert_down;
  if (!down || t.in_mtp || layer >= layers / 8 || std::fmod(t.cols, 256) != 0) return 0;
  const auto bytes = [&](Format f) { return tensor_bytes(f, t.rows, t.cols, 0) * t.count; };
  if (recipe.id == "iq4_xs" || recipe.id == "iq4_nl") return bytes(recipe.format) - bytes(Format::q5_k);
  if (recipe.id == "q4_0") return bytes(Format::q4_1) - bytes(Format::q4_0);
  if (recipe.id == "q5_0") return bytes(Format::q5_1) - bytes(Format::q5_0);
  return 0;
}

std::shared_ptr<const LlamaTensors> read_tensors(const EngineContext& c, int mtp_layers) {
  auto out = std::make_shared<LlamaTensors>();
  const Model& model = c.r.model;
  const bool stored = model.stored.num_sections > 0;
  const int layers = model.num_layers();
  out->layers.resize(layers + mtp_layers);
  out->head_is_table = model.tied_embeddings;
  for_each_tensor(model, mtp_layers > 0, [&](const Tensor& t) {
    if (t.cls == TensorClass::tower) return;  // a file of its own
    // Mixes have no rules for layers beyond the last, tables do.
    const auto bytes_at = [&](int layer) {
      const auto [format, group] = storage_of(*c.r.recipe, 0, model, t, stored ? layer : std::min(layer, layers - 1));
      return tensor_bytes(format, t.rows, t.cols, group) * t.count;
    };
    if (is_input_table(t.cls) && !t.in_mtp) {
      const double bytes = bytes_at(0);
      out->input_tables += bytes;
      if (t.cls == TensorClass::token_embedding && model.tied_embeddings) out->head = bytes;
      return;
    }
    if (!t.in_mtp && t.first_layer >= layers) {  // after the layers
      (t.cls == TensorClass::output_head ? out->head : out->after_others) += bytes_at(layers);
      return;
    }
    const bool by_layer = is_linear(t.cls) || stored;  // else the same in every layer
    const double same = by_layer ? 0 : bytes_at(t.first_layer);
    for (int n = 0; n < t.num_layers; ++n) {
      const int layer = t.in_mtp ? layers + std::min(n, mtp_layers - 1) : t.first_layer + n;
      const double bytes = by_layer ? bytes_at(layer) : same;
      LlamaTensors::Layer& l = out->layers[layer];
      (is_expert(t.cls) || t.cls == TensorClass::expert_bias ? l.experts : is_linear(t.cls) ? l.matrices : l.others) += bytes;
      if (!stored) l.imatrix += imatrix_bytes(*c.r.recipe, t, layer, layers);
      double& largest = l.largest[static_cast<int>(t.cls)];
      largest = std::max(largest, bytes);
    }
  });
  for (int i = 0; i < layers; ++i) {
    LlamaTensors::Layer& l = out->layers[i];
    l.others = std::max(-l.matrices, l.others + model.stored.rest_bytes / layers);
  }
  return out;
}

std::shared_ptr<const LlamaTensors> tensors_of(const EngineContext& c, int mtp_layers) {
  if (!c.r.memo) return read_tensors(c, mtp_layers);
  if (!c.r.memo->llama_tensors) c.r.memo->llama_tensors = read_tensors(c, mtp_layers);
  return c.r.memo->llama_tensors;
}

}  // namespace

LlamaPlacement llama_placement(const EngineContext& c, const LlamaSettings& s) {
  LlamaPlacement p;
  p.tensors = tensors_of(c, s.mtp_layers);
  const LlamaTensors& t = *p.tensors;
  const int layers = static_cast<int>(t.layers.size());
  deal_slots(s, layers + 1, p);
  p.device_bytes.assign(s.num_devices, 0);
  p.device_imatrix.assign(s.num_devices, 0);
  const auto put = [&](double bytes, int device, bool matrix) {
    if (device == llama_host) p.host_bytes += bytes;
    else if (s.rows && matrix)
      for (double& each : p.device_bytes) each += bytes / s.num_devices;
    else p.device_bytes[s.rows ? 0 : device] += bytes;
  };
  put(t.input_tables, llama_host, false);
  for (int i = 0; i < layers; ++i) {
    const int home = p.device_of[i];
    p.experts_on_host.push_back(i < s.cpu_moe_layers);
    if (home != llama_host) p.device_imatrix[s.rows ? 0 : home] += t.layers[i].imatrix;
    put(t.layers[i].matrices, home, true);
    put(t.layers[i].others, home, false);
    put(t.layers[i].experts, p.experts_on_host[i] ? llama_host : home, true);
  }
  // The host's table serves as its own head.
  if (!t.head_is_table || p.output_device() != llama_host) put(t.head, p.output_device(), true);
  put(t.after_others, p.output_device(), false);
  return p;
}

const Mixer& llama_mixer(const Model& model, int layer) {
  for (int r = 0, first = 0; r < model.num_runs; first += model.runs[r++].count)
    if (layer < first + model.runs[r].count) return model.mixers[model.runs[r].mixer];
  return model.mixers[model.mtp_mixer];
}

const FeedForward& llama_feed_forward(const Model& model, int layer) {
  for (int r = 0, first = 0; r < model.num_runs; first += model.runs[r++].count)
    if (layer < first + model.runs[r].count) return model.feed_forwards[model.runs[r].feed_forward];
  return model.feed_forwards[model.mtp_feed_forward];
}

}  // namespace vramfit
