// How a configuration becomes layers. A model class is a row of traits: what it has that no field says, what its configuration
// supplies when the file is silent, and, where the usual decoder does not do, a function of its own.
#pragma once

#include "import/config_fields.h"

namespace vramfit::importer {

struct Layer {
  Mixer mixer;
  FeedForward feed_forward;
};

enum class LayerType : std::uint8_t { full, sliding, chunked, linear, mamba, conv };

struct Build {
  Imported& out;
  Fields root;  // the file
  Fields text;  // the language model's part of it; the same object where the file has no parts
  const struct Traits& traits;
  Model model;
  std::vector<Layer> layers;
  std::vector<LayerType> types;  // one a layer, from layer_types or the class's pattern
  Layer mtp;
  int num_mtp_layers = 0;

  bool failed() const {
    for (const ImportRemark& remark : out.remarks)
      if (remark.severity == Severity::error) return true;
    return false;
  }
  void warn(std::string_view id, std::string where, std::string value = {}) {
    out.remarks.push_back({Severity::warning, std::string(id), text.file(), std::move(where), std::move(value), {}, 0});
  }
  // What the class has and no field says.
  void class_part(std::string_view id, std::string where = {}) const { text.rule(id, std::move(where)); }
};

// A property that a class always has, never has, or leaves to a field with a default.
struct Switch {
  bool value = false;      // always, or the field's default
  std::string_view field;  // empty: no field
};
constexpr Switch always{true, {}};
constexpr Switch never{false, {}};
constexpr Switch by(std::string_view field, bool class_default) { return {class_default, field}; }

// Which layers look at a window of tokens only.
enum class Windows : std::uint8_t {
  none,
  all,         // every layer, when sliding_window is stated
  by_pattern,  // layer_types, or one layer of full attention in `period`
  qwen2,       // use_sliding_window, from layer max_window_layers on
};

struct Experts {
  std::string_view count;  // field names; empty: the class has no experts
  std::string_view per_token = "num_experts_per_tok";
  std::string_view width = "moe_intermediate_size";
  std::string_view shared_count;  // how many shared experts; empty: one, when it has a width
  std::string_view shared_width;  // of each; empty: as the routed ones
  bool shared_gate = false;
  Switch router_bias = never;
  bool bias = false;
  int dense_first = 0;  // layers without experts at the front, when no field says
};

struct Traits {
  std::string_view type;
  void (*build)(Build&) = nullptr;              // null: build_decoder
  void (*tune)(Build&, int, Layer&) = nullptr;  // a last word on each layer of build_decoder

  // What the class's configuration supplies; 0: the file must say.
  bool tied = false;
  int head_dim = 0;
  int heads = 0;
  int kv_heads = 0;
  int vocab = 0;
  int window = 0;
  int max_positions = 0;

  NormKind norm = NormKind::rms;
  int norms = 0;
  Switch head_bias = never;

  bool latent = false;  // multi-head latent attention
  Switch qkv_bias = never;
  Switch o_bias = never;
  QkNorm qk_norm = QkNorm::none;
  std::string_view qk_norm_field = {};  // a boolean that turns it on; empty: always
  bool qk_norm_default = false;
  bool output_gate = false;
  bool sinks = false;

  Windows windows = Windows::none;
  LayerType other = LayerType::sliding;  // what the layers without full attention are
  int period = 0;
  std::string_view period_field = {};
  bool from_end = false;  // the period is counted from the last layer

  bool gated = true;
  bool joined = false;  // llama.cpp's files hold gate and up as one matrix
  Switch mlp_bias = never;
  std::string_view dense_width = "intermediate_size";
  int width_factor = 0;  // of the hidden size, when the width is not stated
  Experts experts = {};

  std::string_view mtp = {};  // a field with the number of multi-token-prediction layers
  bool mtp_own = false;
  bool mtp_full = false;   // of full attention, whatever the last layer is
  bool mtp_dense = false;  // with the dense feed-forward
};

// Field names that mean the same in every class that has them.
constexpr std::string_view hidden_names = "hidden_size|n_embd|d_model|n_embed|dim";
constexpr std::string_view layers_names = "num_hidden_layers|n_layer|n_layers|num_layers";
constexpr std::string_view heads_names = "num_attention_heads|n_head|n_heads|num_heads";
constexpr std::string_view kv_heads_names =
    "num_key_value_heads|n_kv_heads|num_kv_heads|num_attention_groups|multi_query_group_num";
constexpr std::string_view head_dim_names = "head_dim|attention_head_dim|kv_channels";
constexpr std::string_view vocab_names = "vocab_size|padded_vocab_size";
constexpr std::string_view positions_names =
    "max_position_embeddings|n_positions|max_seq_len|seq_length|max_sequence_length|model_max_length|max_seq_length";

// The parts of build_decoder, for builders that put them together otherwise.
bool on(const Build& b, const Switch& property, std::string_view rule);
int num_layers(const Build& b);         // at most 4096
void read_outside(Build& b);            // hidden size, vocabulary, head, norms
void read_types(Build& b, int layers);  // Build::types
Mixer attention(const Build& b);        // full attention, latent where the class has it
int window_of(const Build& b);
FeedForward dense(const Build& b);
FeedForward mixture(const Build& b);  // kind none when the file has no experts
std::vector<bool> sparse_layers(Build& b, int layers);
std::vector<FeedForward> feed_forwards(Build& b, int layers);
void read_mtp(Build& b);
void build_decoder(Build& b);
std::string layer_range(int first, int last);

const Traits* find_traits(std::string_view type);
std::vector<std::string_view> known_types();
std::span<const Traits> dense_classes();
std::span<const Traits> mixture_classes();
std::span<const Traits> hybrid_classes();
std::span<const Traits> other_classes();

// A file whose language model is one of several parts.
struct Wrapper {
  std::string_view type;
  std::string_view text;          // where the language model is; alternatives with '|'; absent: the file itself
  std::string_view default_type;  // class of the language model when the part does not say
  double (*tower)(Build&);        // parameters of vision and audio parts, with projectors; 0 when unknown; null: not derived
  bool own_text = false;          // the part's class is default_type whatever it says
};
const Wrapper* find_wrapper(std::string_view type);
std::span<const Wrapper> wrappers();

// Mistral's params.json, which names no class.
bool is_params_json(const Fields& root);
const Traits* params_traits(const Fields& root);
const Wrapper* params_wrapper(const Fields& root);

}  // namespace vramfit::importer
