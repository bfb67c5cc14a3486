// A model as a sequence of layers. Parameter counts, weight bytes, KV bytes and parallelism limits all follow from this one
// description; the published parameter count is only a check on it.
#pragma once

#include <cstdint>
#include <string_view>

namespace vramfit {

using Id = std::string_view;  // a stable, lower-case identifier; text for people lives in the locale files

enum class MixerKind : std::uint8_t {
  none,             // a feed-forward-only layer
  full,             // multi-head, grouped-query or multi-query attention over every earlier token
  sliding,          // attention over the last `window` tokens
  chunked,          // attention inside blocks of `window` tokens
  cross,            // attention over `window` encoder tokens; nothing cached per text token
  latent,           // multi-head latent attention: one compressed vector a token, optionally with a sparse indexer
  compressed,       // one shared entry per `compress_ratio` tokens plus a window of recent tokens
  gated_delta_net,  // recurrent state, no cache per token (as are all that follow)
  kimi_delta,
  lightning,
  mamba1,
  mamba2,
  short_conv,  // a gated convolution over the last few tokens
};

constexpr bool is_recurrent(MixerKind kind) { return kind >= MixerKind::gated_delta_net; }

enum class QkNorm : std::uint8_t { none, per_head, full_width, per_head_weights };
enum class NormKind : std::uint8_t { rms, layer_norm, layer_norm_no_bias };

struct Mixer {
  MixerKind kind = MixerKind::none;

  // Attention.
  int num_heads = 0;
  int num_kv_heads = 0;
  int head_dim = 0;    // key and query width of one head, rotary part included
  int v_head_dim = 0;  // value width of one head
  int window = 0;      // tokens: sliding window, chunk, or encoder tokens of cross-attention
  int q_lora_rank = 0;
  int kv_lora_rank = 0;
  int qk_rope_head_dim = 0;
  int compress_ratio = 0;  // native tokens per cached entry; 0 keeps the window alone
  int o_groups = 0;
  int o_lora_rank = 0;
  int index_num_heads = 0;
  int index_head_dim = 0;
  QkNorm qk_norm = QkNorm::none;
  bool output_gate = false;
  bool q_bias = false;
  bool k_bias = false;
  bool v_bias = false;
  bool o_bias = false;
  bool sinks = false;
  bool k_equals_v = false;  // one projection serves as key and value; both are still cached
  bool shares_kv = false;   // reads an earlier layer's cache and keeps none of its own
  bool cross_gates = false;

  // Recurrent state. Heads: num_heads value heads of v_head_dim; key heads of head_dim.
  int num_key_heads = 0;
  int inner_size = 0;  // mamba's widened channel count
  int state_size = 0;
  int num_groups = 0;
  int conv_kernel = 0;
  int dt_rank = 0;
  int extra_norm_width = 0;
  bool full_rank_gate = false;
  bool state_fp32 = false;  // the checkpoint asks for a float32 state; otherwise the model's own dtype

  bool operator==(const Mixer&) const = default;
};

enum class FeedForwardKind : std::uint8_t { none, dense, mixture, dense_and_mixture };

struct FeedForward {
  FeedForwardKind kind = FeedForwardKind::none;
  int intermediate_size = 0;
  bool gated = true;  // three matrices (SwiGLU and the like) or two
  bool bias = false;
  int num_experts = 0;
  int experts_per_token = 0;
  int moe_intermediate_size = 0;
  int shared_intermediate_size = 0;  // of all shared experts together
  int latent_size = 0;               // experts work in a narrower space behind two projections
  bool latent_norm = false;
  bool shared_gate = false;
  bool router_bias = false;
  bool expert_bias = false;
  bool joined_gate_up = false;  // llama.cpp's files hold the two as one matrix
  bool experts_fp4 = false;     // published in MXFP4 only: requantizing leaves them as they are

  bool operator==(const FeedForward&) const = default;
};

// `count` consecutive layers of one kind.
struct LayerRun {
  std::uint8_t mixer = 0;         // index into Model::mixers
  std::uint8_t feed_forward = 0;  // index into Model::feed_forwards
  std::uint16_t count = 0;

  bool operator==(const LayerRun&) const = default;
};

enum class Format : std::uint8_t;  // formats.h

// What a model's files store its tensors in, class by class and layer by layer, where that is known; format_table.h writes and
// reads it. No sections: not known.
struct StoredFormats {
  static constexpr int max_sections = 96;
  static constexpr int max_spans = 512;

  struct Span {  // layers, both ends included
    std::uint16_t first;
    std::uint16_t last;
    bool operator==(const Span&) const = default;
  };
  // The format of some classes in some layers; a later section has precedence over an earlier one.
  struct Section {
    Format format;
    std::uint8_t num_spans;  // 0: all layers
    std::uint16_t group;     // elements that share a scale, in formats that have such groups; 0: a whole row
    std::uint32_t classes;   // bit i: enumerator i of TensorClass
    bool operator==(const Section&) const = default;
  };

  Section sections[max_sections] = {};
  Span spans[max_spans] = {};  // of the sections, in their order
  int num_sections = 0;
  int num_spans = 0;
  bool gguf = false;      // of a GGUF file: llama.cpp and its family read it
  double rest_bytes = 0;  // of the files, beyond what the sections explain; may be negative

  bool operator==(const StoredFormats&) const = default;
};

struct Model {
  static constexpr int max_kinds = 12;
  static constexpr int max_runs = 192;

  int hidden_size = 0;
  int vocab_size = 0;
  bool tied_embeddings = false;  // the output head is the token embedding
  bool no_head = false;          // an embedder: nothing maps back to the vocabulary
  bool encoder = false;          // bidirectional: nothing is cached
  bool head_bias = false;
  NormKind norm = NormKind::rms;
  int norms_per_layer = 0;  // 0: one for the mixer and one for the feed-forward, where present
  int scalars_per_layer = 0;
  bool no_final_norm = false;
  bool embedding_norm = false;
  bool pooler = false;
  int position_rows = 0;
  int type_rows = 0;
  int extra_embedding_params = 0;
  int per_layer_embedding_dim = 0;  // a second table: vocabulary x layers x this
  int per_layer_vocab_size = 0;
  int altup_inputs = 0;
  int laurel_rank = 0;
  int hyper_connections = 0;  // parallel residual streams
  int max_image_tokens = 0;   // of one image at its largest; 0: a fixed, small number
  int rope_table_factor = 0;  // positions that rotary tables are made for, in multiples of max_position_embeddings; 0: one
  double tower_params = 0;    // vision and audio towers with their projectors
  // Catalogue rows have these beside the shape.
  double stated_params = 0;         // the vendor's round size; 0 when not stated
  int max_position_embeddings = 0;  // 0 when not stated

  int num_mtp_layers = 0;  // multi-token-prediction layers; not loaded unless they are used
  int mtp_mixer = 0;
  int mtp_feed_forward = 0;
  bool mtp_own_embedding = false;

  Mixer mixers[max_kinds] = {};
  FeedForward feed_forwards[max_kinds] = {};
  LayerRun runs[max_runs] = {};
  StoredFormats stored;
  int num_mixers = 0;
  int num_feed_forwards = 0;
  int num_runs = 0;

  bool operator==(const Model&) const = default;

  constexpr int num_layers() const {
    int total = 0;
    for (int r = 0; r < num_runs; ++r) total += runs[r].count;
    return total;
  }
};

// The first kind of layer that attends to tokens; null when there is none.
constexpr const Mixer* first_attention(const Model& model) {
  for (int m = 0; m < model.num_mixers; ++m)
    if (model.mixers[m].num_heads > 0 && !is_recurrent(model.mixers[m].kind)) return &model.mixers[m];
  return nullptr;
}

}  // namespace vramfit
