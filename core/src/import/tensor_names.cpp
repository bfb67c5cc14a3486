// Sources of the names: the module classes of Transformers (modeling_*.py) and vLLM's loaders, read at the time of the catalogue.
#include "import/tensor_names.h"

#include <algorithm>
#include <cstring>

namespace vramfit::importer {
namespace {

using C = TensorClass;
using std::string_view;

constexpr std::size_t max_segments = 24;

bool starts(string_view s, string_view with) { return s.substr(0, with.size()) == with; }
bool ends(string_view s, string_view with) { return s.size() >= with.size() && s.substr(s.size() - with.size()) == with; }
bool has(string_view s, string_view what) { return s.find(what) != string_view::npos; }
bool one_of(string_view s, std::initializer_list<string_view> list) {
  return std::find(list.begin(), list.end(), s) != list.end();
}

bool is_number(string_view s) {
  if (s.empty() || s.size() > 9) return false;
  for (const char c : s)
    if (c < '0' || c > '9') return false;
  return true;
}
int number_of(string_view s) {
  int n = 0;
  for (const char c : s) n = n * 10 + (c - '0');
  return n;
}

struct Segments {
  string_view at[max_segments];
  std::size_t count = 0;
  bool whole = true;  // false: there were more

  explicit Segments(string_view name) {
    while (true) {
      const std::size_t dot = name.find('.');
      if (count == max_segments) {
        whole = false;
        return;
      }
      at[count++] = name.substr(0, dot);
      if (dot == string_view::npos) return;
      name.remove_prefix(dot + 1);
    }
  }
};

// --- what stands behind a matrix's name ---------------------------------------------------------------------------------

struct Suffix {
  string_view text;
  Part part;
};

// Whole segments. The first that fits is taken.
constexpr Suffix segment_suffixes[] = {
    {".weight", Part::matrix},
    {".bias", Part::bias},
    {".weight_scale_inv", Part::scale},
    {".weight_scale", Part::scale},
    {".scale", Part::scale},  // DeepSeek's own files
    {".scales", Part::scale},
    {".qscale_weight", Part::scale},  // Mistral's own files
    {".scale_weight", Part::scale},
    {".qweight", Part::packed},
    {".weight_packed", Part::packed},
    {".qzeros", Part::zeros},
    {".weight_zero_point", Part::zeros},
    {".biases", Part::zeros},  // MLX
    {".g_idx", Part::order},
    {".weight_g_idx", Part::order},
    {".weight_shape", Part::state},
    {".weight_scale_2", Part::second_scale},
    {".weight_global_scale", Part::second_scale},
    {".input_scale", Part::other_scale},
    {".input_global_scale", Part::other_scale},
    {".input_zero_point", Part::other_scale},
    {".activation_scale", Part::other_scale},
    {".qscale_act", Part::other_scale},
    {".pre_quant_scale", Part::other_scale},
    {".output_scale", Part::other_scale},
    {".k_scale", Part::other_scale},
    {".v_scale", Part::other_scale},
    {".weight.absmax", Part::absmax},
    {".weight.nested_absmax", Part::nested},
    {".weight.nested_quant_map", Part::nested},
    {".weight.quant_map", Part::state},
    {".weight.quant_state.bitsandbytes__nf4", Part::state},
    {".weight.quant_state.bitsandbytes__fp4", Part::state},
    {".SCB", Part::scale_rows},
    {".weight_format", Part::state},
};
// Of stacked experts, which are parameters and no modules.
constexpr Suffix parameter_suffixes[] = {
    {"_blocks", Part::packed},
    {"_packed", Part::packed},
    {"_scales", Part::scale},
    {"_weight_scale_2", Part::second_scale},
    {"_weight_scale", Part::scale},
    {"_scale_inv", Part::scale},
    {"_input_scale", Part::other_scale},
    {"_scale", Part::scale},
    {"_bias", Part::bias},
};

// --- modules --------------------------------------------------------------------------------------------------------------

constexpr ClassSet q = class_set(C::attention_query), k = class_set(C::attention_key), v = class_set(C::attention_value);
constexpr ClassSet o = class_set(C::attention_output), qkv = q | k | v, down_latent = class_set(C::attention_down);
constexpr ClassSet gate = class_set(C::ffn_gate), up = class_set(C::ffn_up), down = class_set(C::ffn_down);
constexpr ClassSet recurrent = class_set(C::recurrent), side = class_set(C::side), small = class_set(C::small);
constexpr ClassSet router = class_set(C::router), head = class_set(C::output_head), embedding = class_set(C::token_embedding);

// What a module's last name means in attention, elsewhere in a layer, and outside of layers.
struct Module {
  string_view name;
  ClassSet attention, layer, outside;
};
constexpr Module modules[] = {
    // Attention.
    {"q_proj", q, q, 0},
    {"k_proj", k, k, 0},
    {"v_proj", v, v, 0},
    {"o_proj", o, o, 0},
    {"out_proj", o, recurrent, 0},
    {"qkv_proj", qkv, qkv, 0},
    {"query_key_value", qkv, qkv, 0},
    {"Wqkv", qkv, qkv, 0},
    {"wqkv", qkv, qkv, 0},
    {"qkv", qkv, qkv, 0},
    {"c_attn", qkv, qkv, 0},
    {"in_proj_weight", qkv, recurrent, 0},
    {"kv_proj", k | v, k | v, 0},
    {"wq", q, q, 0},
    {"wk", k, k, 0},
    {"wv", v, v, 0},
    {"wo", o, o, 0},
    {"Wo", o, down, 0},
    {"query", q, q, 0},
    {"key", k, k, 0},
    {"value", v, v, 0},
    {"dense", o, side, side},
    {"c_proj", o, down, 0},
    {"linear_q", q, q, 0},
    {"linear_k", k, k, 0},
    {"linear_v", v, v, 0},
    {"q_a_proj", down_latent, down_latent, 0},
    {"wq_a", down_latent, down_latent, 0},
    {"q_b_proj", q, q, 0},
    {"wq_b", q, q, 0},
    {"kv_a_proj_with_mqa", down_latent, down_latent, 0},
    {"kv_a_proj", down_latent, down_latent, 0},
    {"wkv_a_with_mqa", down_latent, down_latent, 0},
    {"wkv_a", down_latent, down_latent, 0},
    {"fused_qkv_a_proj_with_mqa", down_latent, down_latent, 0},
    {"kv_b_proj", class_set(C::attention_up), class_set(C::attention_up), 0},
    {"wkv_b", class_set(C::attention_up), class_set(C::attention_up), 0},
    {"wkv", k, k, 0},
    {"wo_a", class_set(C::attention_group_output), class_set(C::attention_group_output), 0},
    {"o_a_proj", class_set(C::attention_group_output), class_set(C::attention_group_output), 0},
    {"wo_b", o, o, 0},
    {"o_b_proj", o, o, 0},
    {"g_proj", q, q, 0},
    {"output_gate", q, q, 0},
    {"sinks", small, small, 0},
    {"attn_sink", small, small, 0},
    {"inv_freq", small, small, small},
    // State layers.
    {"in_proj", recurrent, recurrent, 0},
    {"in_proj_qkvz", recurrent, recurrent, 0},
    {"in_proj_qkv", recurrent, recurrent, 0},
    {"in_proj_z", recurrent, recurrent, 0},
    {"in_proj_ba", side, side, 0},
    {"in_proj_b", side, side, 0},
    {"in_proj_a", side, side, 0},
    {"x_proj", side, side, 0},
    {"dt_proj", side, side, 0},
    {"b_proj", side, side, 0},
    {"f_a_proj", side, side, 0},
    {"f_b_proj", side, side, 0},
    {"g_a_proj", side, side, 0},
    {"g_b_proj", side, side, 0},
    {"A_log", small, small, 0},
    {"D", small, small, 0},
    {"dt_bias", small, small, 0},
    {"conv1d", small, small, 0},
    {"q_conv1d", small, small, 0},
    {"k_conv1d", small, small, 0},
    {"v_conv1d", small, small, 0},
    {"conv", small, small, 0},
    // Feed-forwards. Names that stand for the fused pair here and for one matrix there name both: the shape tells.
    {"gate_proj", q, gate, 0},
    {"up_proj", up, up, 0},
    {"down_proj", down, down, 0},
    {"gate_up_proj", gate | up, gate | up, 0},
    {"input_linear", gate | up, gate | up, 0},
    {"output_linear", down, down, 0},
    {"w1", gate, gate, 0},
    {"w2", down, down, 0},
    {"w3", up, up, 0},
    {"v1", up, up, 0},
    {"w13", gate | up, gate | up, 0},
    {"Wi", gate | up, gate | up, 0},
    {"wi_0", gate, gate, 0},
    {"wi_1", up, up, 0},
    {"fc1", gate | up, gate | up, 0},
    {"fc2", down, down, 0},
    {"c_fc", gate | up, gate | up, 0},
    {"c_fc_0", gate, gate, 0},
    {"c_fc_1", up, up, 0},
    {"dense_h_to_4h", gate | up, gate | up, 0},
    {"dense_4h_to_h", down, down, 0},
    {"fc_in", gate | up, gate | up, 0},
    {"fc_out", down, down, 0},
    {"lin1", gate | up, gate | up, 0},
    {"lin2", down, down, 0},
    {"gate", q, router, 0},
    {"router", router, router, 0},
    {"wg", router, router, 0},
    {"classifier", router, router, 0},
    {"shared_expert_gate", router, router, 0},
    {"fc1_latent_proj", class_set(C::shared_up), class_set(C::shared_up), 0},
    {"fc2_latent_proj", class_set(C::shared_down), class_set(C::shared_down), 0},
    {"e_score_correction_bias", small, small, 0},
    {"correction_bias", small, small, 0},
    {"expert_bias", small, small, 0},
    {"per_expert_scale", small, small, 0},
    {"tid2eid", side, side, 0},
    // Beside both.
    {"eh_proj", side, side, side},
    {"mtp_linear_proj", side, side, side},
    {"linear_left", side, side, 0},
    {"linear_right", side, side, 0},
    {"per_layer_input_gate", side, side, 0},
    {"per_layer_projection", side, side, 0},
    {"layer_scalar", small, small, 0},
    {"modality_router", small, small, 0},
    {"prediction_coefs", small, small, 0},
    {"correction_coefs", small, small, 0},
    {"correct_output_scale", small, small, 0},
    {"hc_attn_fn", side, side, 0},
    {"hc_ffn_fn", side, side, 0},
    {"hc_attn_base", small, small, 0},
    {"hc_ffn_base", small, small, 0},
    {"hc_attn_scale", small, small, 0},
    {"hc_ffn_scale", small, small, 0},
    {"cross_attn_attn_gate", small, small, 0},
    {"cross_attn_mlp_gate", small, small, 0},
    // Outside of layers.
    {"embed_tokens", embedding, embedding, embedding},
    {"tok_embeddings", embedding, embedding, embedding},
    {"word_embeddings", 0, 0, embedding},
    {"wte", 0, 0, embedding},
    {"embed_in", 0, 0, embedding},
    {"embed", 0, 0, embedding},
    {"embeddings", 0, 0, embedding},
    {"token_embedding", 0, 0, embedding},
    {"lm_head", head, head, head},
    {"output", 0, 0, head},
    {"output_layer", 0, 0, head},
    {"embed_out", 0, 0, head},
    {"head", head, head, head},
    {"decoder", 0, 0, head},
    {"embed_tokens_per_layer", 0, 0, class_set(C::per_layer_embedding)},
    {"per_layer_model_projection", 0, 0, side},
    {"altup_projections", 0, 0, side},
    {"altup_unembed_projections", 0, 0, side},
    {"position_embeddings", 0, 0, side},
    {"token_type_embeddings", 0, 0, side},
    {"wpe", 0, 0, side},
    {"embed_positions", 0, 0, side},
    {"hc_head_fn", side, side, side},
    {"hc_head_base", small, small, small},
    {"hc_head_scale", small, small, small},
    {"fc", side, side, side},
};

const Module* module_called(string_view name) {
  for (const Module& m : modules)
    if (m.name == name) return &m;
  return nullptr;
}

// Towers are one block, whatever is in them.
bool is_tower(string_view s) {
  for (const string_view start :
       {"vision",      "visual", "audio",  "image",     "multi_modal",   "multimodal", "mm_",       "vit",      "embed_vision",
        "embed_audio", "patch_", "pre_mm", "projector", "connector",     "aligner",    "resampler", "speech",   "perceiver",
        "sam_model",   "img_",   "siglip", "mlp1",      "modality_proj", "sound",      "video",     "adapter_v"})
    if (starts(s, start)) return true;
  return false;
}
bool is_attention(string_view s) {
  return one_of(s, {"self_attn", "attn", "attention", "self_attention", "cross_attn", "inter_attention", "attention_layer"});
}
bool is_layers(string_view s) {
  return one_of(s, {"layers", "h", "blocks", "layer", "decoder_layers", "mtp_layers", "mtp_block", "mtp"});
}

ClassSet in_experts(ClassSet c) {
  ClassSet out = c & ~(gate | up | down | q);
  if (c & (gate | q)) out |= class_set(C::expert_gate);
  if (c & up) out |= class_set(C::expert_up);
  if (c & down) out |= class_set(C::expert_down);
  return out;
}
ClassSet in_shared(ClassSet c) {
  ClassSet out = c & ~(gate | up | down | q);
  if (c & (gate | q)) out |= class_set(C::shared_gate);
  if (c & up) out |= class_set(C::shared_up);
  if (c & down) out |= class_set(C::shared_down);
  return out;
}

struct Reading {
  const Segments& segments;
  TensorName& out;
  std::size_t layer_segment = 0;

  // `count`: segments of the matrix's name; `last`: the last of them without its suffix.
  void read(std::size_t count, string_view last) {
    bool attention = false, experts = false, shared = false, index = false, compressor = false, altup = false;
    bool in_layer = false;
    const auto segment = [&](std::size_t i) { return i + 1 == count ? last : segments.at[i]; };
    for (std::size_t i = 0; i < count; ++i) {
      const string_view s = segment(i);
      if (starts(s, "mtp") || starts(s, "nextn")) out.mtp = true;
      if (!in_layer && is_tower(s)) return void(out.classes = class_set(C::tower));
      if (!in_layer && i + 1 < count && is_layers(s) && is_number(segment(i + 1))) {
        in_layer = true;
        layer_segment = ++i;
        out.layer = number_of(segment(i));
        continue;
      }
      attention |= is_attention(s);
      experts |= s == "experts" || s == "switch_mlp";
      shared |= starts(s, "shared_expert") || one_of(s, {"shared_mlp", "share_expert"});
      index |= s == "indexer" || s == "index";
      compressor |= s == "compressor";
      altup |= s == "altup";
    }
    // The last name that says something; numbers and the like say nothing.
    const Module* module = nullptr;
    std::size_t at = count;
    while (at > 0 && !module) {
      const string_view s = segment(--at);
      if (has(s, "norm") || has(s, "Norm") || starts(s, "ln_") || s == "ln" || s == "ln1" || s == "ln2")
        return void(out.classes = small);
      module = module_called(s);
      if (!module && (is_attention(s) || s == "mlp")) break;
    }
    out.rotary = module && module->name == "inv_freq";
    if (out.part == Part::bias) return void(out.classes = experts ? class_set(C::expert_bias) : small);
    if (index) return void(out.classes = compressor ? side : class_set(C::attention_index));
    if (compressor) return void(out.classes = last == "ape" ? small : side);
    if (!module) return;
    ClassSet c = !in_layer && !out.mtp ? module->outside : attention ? module->attention : module->layer;
    if (module->name == "dense" && at > 0) {  // BERT's: the module before says which
      const string_view before = segment(at - 1);
      if (before == "intermediate") c = gate | up;
      else if (before == "output" && in_layer && !attention) c = down;
    }
    if (altup && !has(module->name, "proj")) c = small;
    out.classes = shared ? in_shared(c) : experts ? in_experts(c) : c;
  }
};

TensorName read(const Segments& segments, string_view name, std::size_t& layer_segment) {
  TensorName out;
  out.base = name.size();
  std::size_t count = segments.count;
  string_view last = segments.at[count - 1];
  bool found = false;
  for (const Suffix& suffix : segment_suffixes) {
    if (!ends(name, suffix.text) || name.size() == suffix.text.size()) continue;
    out.part = suffix.part;
    out.base = name.size() - suffix.text.size();
    count -= static_cast<std::size_t>(std::count(suffix.text.begin(), suffix.text.end(), '.'));
    last = segments.at[count - 1];
    found = true;
    break;
  }
  // A router's scale per input is its own parameter, as is one of a layer.
  if (found && out.part == Part::scale && (last == "router" || is_layers(last))) {
    out.part = Part::matrix;
    out.base = name.size();
    out.classes = small;
  }
  const bool stacked = count > 1 && segments.at[count - 2] == "experts";
  if (stacked && (!found || out.part == Part::matrix || out.part == Part::bias)) {
    for (const Suffix& suffix : parameter_suffixes) {
      if (found || !ends(last, suffix.text) || last.size() == suffix.text.size()) continue;
      out.part = suffix.part;
      out.base -= suffix.text.size();
      last.remove_suffix(suffix.text.size());
      break;
    }
  }
  const ClassSet own = out.classes;
  Reading reading{segments, out};
  reading.read(count, last);
  layer_segment = reading.layer_segment;
  if (own && out.classes != class_set(C::tower)) out.classes = own;
  return out;
}

}  // namespace

TensorName read_tensor_name(string_view name) {
  const Segments segments(name);
  std::size_t layer_segment = 0;
  if (!segments.whole) {
    TensorName unknown;
    unknown.base = name.size();
    return unknown;
  }
  return read(segments, name, layer_segment);
}

std::uint64_t hash_of(string_view text) {
  std::uint64_t h = 0x9E3779B97F4A7C15u ^ text.size();
  const char* p = text.data();
  std::size_t n = text.size();
  const auto mix = [&](std::uint64_t word) {
    h = (h ^ word) * 0xD6E8FEB86659FD93u;
    h ^= h >> 32;
  };
  for (; n >= 8; p += 8, n -= 8) {
    std::uint64_t word;
    std::memcpy(&word, p, 8);
    mix(word);
  }
  std::uint64_t word = 0;
  if (n > 0) std::memcpy(&word, p, n);
  mix(word);
  mix(0);
  return h;
}

TensorName TensorNames::operator()(string_view name) {
  const Segments segments(name);
  if (!segments.whole) return read_tensor_name(name);
  std::uint64_t hash = 1;
  for (std::size_t i = 0; i < segments.count; ++i)
    hash = (hash ^ (is_number(segments.at[i]) ? 7 : hash_of(segments.at[i]))) * 0xD6E8FEB86659FD93u;
  hash += hash == 0;
  std::size_t at = hash >> 7 & (slots_.size() - 1);
  while (slots_[at].hash != 0 && slots_[at].hash != hash) at = (at + 1) & (slots_.size() - 1);
  if (slots_[at].hash == 0) {
    std::size_t layer_segment = 0;
    const TensorName found = read(segments, name, layer_segment);
    const std::size_t suffix = name.size() - found.base;
    if (suffix > 255) return found;
    slots_[at] = {hash, found, static_cast<std::uint8_t>(layer_segment), static_cast<std::uint8_t>(suffix)};
    if (++used_ * 2 > slots_.size()) grow();
    return found;
  }
  const Pattern& pattern = slots_[at];
  TensorName found = pattern.found;
  found.base = name.size() - pattern.suffix;
  if (pattern.layer_segment > 0) found.layer = number_of(segments.at[pattern.layer_segment]);
  return found;
}

void TensorNames::grow() {
  std::vector<Pattern> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Pattern& p : old) {
    if (p.hash == 0) continue;
    std::size_t at = p.hash >> 7 & (slots_.size() - 1);
    while (slots_[at].hash != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = p;
  }
}

}  // namespace vramfit::importer
