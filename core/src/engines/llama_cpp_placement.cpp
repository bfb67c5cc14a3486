// Which device holds which weights (source id llama-cpp-layers): whole layers by slots, the output layer among them; the token
// table and the per-layer tables stay on the host; a tied table is held twice.
#include <algorithm>
#include <cmath>

#include "llama_cpp.h"

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
  p.first_on_gpu = std::max(0, (output_first ? slots : repeating) - s.gpu_layers);
  p.on_gpus = std::min(s.gpu_layers, slots);
  p.device_of.assign(slots, llama_host);
  for (int i = p.first_on_gpu; i < slots; ++i)
    if (i - p.first_on_gpu < p.on_gpus) p.device_of[i] = device_of_share(double(i - p.first_on_gpu) / p.on_gpus, s.num_devices);
}

bool is_input_table(TensorClass cls) { return cls == TensorClass::token_embedding || cls == TensorClass::per_layer_embedding; }

}  // namespace

LlamaPlacement llama_placement(const EngineContext& c, const LlamaSettings& s) {
  LlamaPlacement p;
  const Model& model = c.r.model;
  const int layers = model.num_layers();
  const int slots = layers + s.mtp_layers + 1;
  deal_slots(s, slots, p);
  p.experts_on_host.assign(layers + s.mtp_layers, false);
  for (int i = 0; i < layers + s.mtp_layers; ++i) p.experts_on_host[i] = i < s.cpu_moe_layers;
  p.device_bytes.assign(s.num_devices, 0);
  p.largest.assign(layers + s.mtp_layers, {});

  const auto put = [&](double bytes, int device, bool matrix) {
    if (device == llama_host) p.host_bytes += bytes;
    else if (s.rows && matrix)
      for (double& each : p.device_bytes) each += bytes / s.num_devices;
    else p.device_bytes[s.rows ? 0 : device] += bytes;
  };
  for_each_tensor(model, s.mtp_layers > 0, [&](const Tensor& t) {
    if (t.cls == TensorClass::tower) return;  // a file of its own
    const auto bytes_at = [&](int layer) {
      return tensor_bytes(format_of(*c.r.recipe, model, t, layer), t.rows, t.cols, c.r.group_size) * t.count;
    };
    const bool matrix = is_linear(t.cls) || t.cls == TensorClass::output_head;
    if (is_input_table(t.cls) && !t.in_mtp) {
      const double bytes = bytes_at(0);
      put(bytes, llama_host, false);
      if (t.cls == TensorClass::token_embedding && model.tied_embeddings) {
        p.head_bytes = bytes;
        if (p.output_device() != llama_host) put(bytes, p.output_device(), true);
      }
      return;
    }
    if (!t.in_mtp && t.first_layer >= layers) {  // after the layers
      const double bytes = bytes_at(layers - 1);
      if (t.cls == TensorClass::output_head) p.head_bytes = bytes;
      put(bytes, p.output_device(), matrix);
      return;
    }
    for (int n = 0; n < t.num_layers; ++n) {
      const int layer = t.in_mtp ? layers + std::min(n, s.mtp_layers - 1) : t.first_layer + n;
      const double bytes = bytes_at(std::min(layer, layers - 1));
      const bool moved = p.experts_on_host[layer] && (is_expert(t.cls) || t.cls == TensorClass::expert_bias);
      put(bytes, moved ? llama_host : p.device_of[layer], matrix);
      double& largest = p.largest[layer][static_cast<int>(t.cls)];
      largest = std::max(largest, bytes);
    }
  });
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
