// Mistral's params.json: the same facts as a configuration under names of its own, without a class.
#include <algorithm>

#include "import/config_build.h"
#include "import/config_towers.h"

namespace vramfit::importer {
namespace {

// Sliding windows may be one number for all layers or a pattern that repeats, null where a layer sees everything.
void windows(Build& b) {
  const JsonValue value = b.text.find("sliding_window");
  if (value.is_null()) return;
  std::vector<JsonValue> pattern;
  if (value.is_array()) value.elements([&](JsonValue v) { pattern.push_back(v); });
  else pattern.push_back(value);
  if (pattern.empty()) return;
  for (std::size_t i = 0; i < b.layers.size(); ++i) {
    const JsonValue window = pattern[i % pattern.size()];
    if (window.is_null()) continue;
    if (!window.is_number() || !(window.number() >= 1 && window.number() <= Fields::max_number))
      return b.text.error("import-not-integer", "sliding_window", window);
    b.layers[i].mixer.kind = MixerKind::sliding;
    b.layers[i].mixer.window = static_cast<int>(window.number());
  }
  if (pattern.size() > 1) b.class_part("import-rule-layer-pattern", std::to_string(pattern.size()));
}

void params(Build& b) {
  for (const char* name : {"dim", "n_layers", "vocab_size"})
    if (!b.text.has(name)) b.text.missing(name);
  if (b.failed()) return;
  build_decoder(b);
  windows(b);
}

void params_mamba(Build& b) {
  read_outside(b);
  const int layers = num_layers(b);
  Mixer x;
  x.kind = MixerKind::mamba2;
  // Mamba 2's own defaults: twice as wide, heads of 64, a state of 128.
  x.inner_size = static_cast<int>(std::min(2.0 * b.model.hidden_size, Fields::max_number));
  x.num_heads = std::max(1, x.inner_size / 64);
  x.state_size = 128;
  x.conv_kernel = 4;
  x.num_groups = b.text.need("n_groups");
  b.text.rule("import-rule-mamba-inner", "2 x " + std::to_string(b.model.hidden_size));
  if (b.failed()) return;
  b.layers.assign(layers, {x, {}});
}

constexpr Traits dense_params = {.type = "params", .build = params, .dense_width = "hidden_dim"};
constexpr Traits mixture_params = {.type = "params",
                                   .build = params,
                                   .dense_width = "hidden_dim",
                                   .experts = {.count = "moe.num_experts",
                                               .per_token = "moe.num_experts_per_tok",
                                               .width = "moe.expert_hidden_dim",
                                               .shared_count = "moe.num_shared_experts"}};
// Mixtral's experts are as wide as hidden_dim.
constexpr Traits mixtral_params = {
    .type = "params",
    .build = params,
    .dense_width = "hidden_dim",
    .experts = {.count = "moe.num_experts", .per_token = "moe.num_experts_per_tok", .width = "hidden_dim"}};
constexpr Traits latent_params = {.type = "params", .build = params, .latent = true, .dense_width = "hidden_dim"};
constexpr Traits latent_mixture_params = {
    .type = "params", .build = params, .latent = true, .dense_width = "hidden_dim", .experts = mixture_params.experts};
constexpr Traits mamba_params = {.type = "params", .build = params_mamba};

Fields vision_of(const Build& b) {
  return b.root.find("vision_encoder").is_object() ? b.root.inside("vision_encoder")
                                                   : b.root.inside("multimodal.vision_encoder_args");
}

double params_tower(Build& b) {
  const Fields v = vision_of(b);
  if (!v.object().is_object()) return 0;
  const double h = v.need("hidden_size"), f = v.need("intermediate_size"), patch = v.need("patch_size"),
               text = b.model.hidden_size;
  const double merge = std::max(1, v.count("spatial_merge_size", 1));
  double n = v.need("num_hidden_layers") * (4 * h * h + 3 * h * f + 2 * h) + 3 * patch * patch * h + h;
  if (v.stated("add_pre_mm_projector_layer_norm")) n += h;
  if (v.text("mm_projector_id") == "patch_merge") n += merge * merge * h * h;
  const double bias = v.stated("adapter_bias") ? 2 * text : 0;
  return n + h * text + text * text + bias;
}

constexpr Wrapper with_vision = {"params", "", "params", params_tower};

}  // namespace

bool is_params_json(const Fields& root) {
  return !root.has("hidden_size|num_hidden_layers|architectures|text_config") && root.has("dim") && root.has("n_layers");
}

const Traits* params_traits(const Fields& root) {
  if (root.text("model_type") == "mamba") return &mamba_params;
  const bool latent = root.has("qk_nope_head_dim"), experts = root.find("moe").is_object();
  if (!latent && experts && !root.has("moe.expert_hidden_dim")) return &mixtral_params;
  return latent ? experts ? &latent_mixture_params : &latent_params : experts ? &mixture_params : &dense_params;
}

const Wrapper* params_wrapper(const Fields& root) {
  return root.find("vision_encoder").is_object() || root.find("multimodal.vision_encoder_args").is_object() ? &with_vision
                                                                                                            : nullptr;
}

}  // namespace vramfit::importer
