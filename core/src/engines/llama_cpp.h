// llama.cpp and the programs that run it: what one question comes down to in its terms.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "needs.h"
#include "vramfit/tensors.h"

namespace vramfit {

// Spans of builds that size memory alike; see llama_cpp_settings.cpp.
enum class LlamaEra : std::uint8_t { early, windows, output_first, few_outputs };

struct LlamaSettings {
  LlamaEra era = LlamaEra::few_outputs;
  bool ollama = false, lm_studio = false, koboldcpp = false;
  int num_devices = 1;
  bool rows = false;  // matrices cut by rows over all devices
  int gpu_layers = 999;
  int cpu_moe_layers = 0;
  double sequences = 1;  // that are live
  double slots = 1;      // that the program keeps room for
  bool unified = true;   // one cache for all slots
  double streams = 1;    // caches beside each other
  double cells = 0;      // of one stream
  double pad = 256;      // cells come in these
  double micro_batch = 512;
  double batch = 2048;
  double outputs = 512;  // rows of logits that are reserved
  bool flash = true;
  bool mask16 = false;  // attention mask in 16 bits from the start
  bool full_windows = false;
  bool latent_keys = true;     // latent attention caches the latent; else full heads
  bool latent_values = false;  // perhaps with a second copy of the latent as values
  bool kv_on_host = false;
  int rollback_states = 0;
  int mtp_layers = 0;  // drafting layers that are loaded
};

// `context` and `gpu_layers` in place of the user's when not negative.
LlamaSettings llama_settings(const EngineContext& c, double context = -1, int gpu_layers = -1);

// The file's tensors, layer by layer.
struct LlamaTensors {
  static constexpr int num_classes = static_cast<int>(TensorClass::tower) + 1;
  struct Layer {
    double matrices = 0, others = 0, experts = 0;
    double imatrix = 0;  // more, or less, with an importance matrix
    std::array<double, num_classes>
        largest{};  // bytes of the largest matrix of each class, for what is copied to a GPU to be used
  };
  std::vector<Layer> layers;  // drafting layers follow the repeating ones
  double input_tables = 0;    // token table and per-layer tables
  double head = 0;            // the output matrix, or the token table that serves as one
  double after_others = 0;    // beside the head, behind the layers
  bool head_is_table = false;
};

// Where everything is. Slot i of `device_of` is layer i; the output layer is the last.
inline constexpr int llama_host = -1;
struct LlamaPlacement {
  std::shared_ptr<const LlamaTensors> tensors;
  std::vector<int> device_of;
  std::vector<bool> experts_on_host;
  std::vector<double> device_bytes;
  std::vector<double> device_imatrix;  // what an importance matrix would change of them
  double host_bytes = 0;

  int output_device() const { return device_of.back(); }
};
LlamaPlacement llama_placement(const EngineContext& c, const LlamaSettings& s);

// Cache of one repeating layer.
struct LlamaLayerCache {
  double cells = 0;      // of one stream; 0 without a cache
  double key_bytes = 0;  // of one cell
  double value_bytes = 0;
  double index_bytes = 0;
  double state_bytes = 0;  // of one sequence, one copy
  double conv_bytes = 0;
  double kv(double streams) const { return cells * (key_bytes + value_bytes + index_bytes) * streams; }
};
LlamaLayerCache llama_layer_cache(const EngineContext& c, const LlamaSettings& s, const Mixer& mixer);
const Mixer& llama_mixer(const Model& model, int layer);  // drafting layers follow the repeating ones
const FeedForward& llama_feed_forward(const Model& model, int layer);

// Bytes of the compute buffer of each device; the host's come last.
std::vector<double> llama_compute_buffers(const EngineContext& c, const LlamaSettings& s, const LlamaPlacement& p);
// The same of the drafting layers, which run in a context of their own.
std::vector<double> llama_draft_buffers(const EngineContext& c, const LlamaSettings& s, const LlamaPlacement& p);

}  // namespace vramfit
