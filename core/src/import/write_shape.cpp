#include <vector>

#include "vramfit/import.h"
#include "vramfit/shape.h"

namespace vramfit {
namespace {

// A section of the shape string in the making: fields with a comma between them.
struct Section {
  std::string& out;
  bool first = true;

  void separate() {
    if (!first) out += ',';
    first = false;
  }
  void flag(std::string_view name, bool set = true) {
    if (!set) return;
    separate();
    out += name;
  }
  void number(std::string_view name, double value) {
    if (value == 0) return;
    separate();
    out += name;
    out += std::to_string(static_cast<long long>(value));
  }
};

void write_model(const Model& m, std::string& out) {
  Section s{out};
  s.number("hidden", m.hidden_size);
  s.number("vocab", m.vocab_size);
  s.flag("tied", m.tied_embeddings);
  s.flag("nohead", m.no_head);
  s.flag("encoder", m.encoder);
  s.flag("headbias", m.head_bias);
  s.flag("layernorm", m.norm == NormKind::layer_norm);
  s.flag("layernormnobias", m.norm == NormKind::layer_norm_no_bias);
  s.number("norms", m.norms_per_layer);
  s.number("scalars", m.scalars_per_layer);
  s.flag("nofinalnorm", m.no_final_norm);
  s.flag("embednorm", m.embedding_norm);
  s.flag("pooler", m.pooler);
  s.number("positions", m.position_rows);
  s.number("types", m.type_rows);
  s.number("extraembed", m.extra_embedding_params);
  s.number("pledim", m.per_layer_embedding_dim);
  s.number("plevocab", m.per_layer_vocab_size);
  s.number("altup", m.altup_inputs);
  s.number("laurel", m.laurel_rank);
  s.number("hyper", m.hyper_connections);
  s.number("tower", m.tower_params);
  s.number("imagetokens", m.max_image_tokens);
  s.number("ropetable", m.rope_table_factor);
  s.number("maxpos", m.max_position_embeddings);
  s.number("stated", m.stated_params);
}

std::string_view name_of(MixerKind kind) {
  switch (kind) {
    case MixerKind::none: return "nomix";
    case MixerKind::full: return "full";
    case MixerKind::sliding: return "slide";
    case MixerKind::chunked: return "chunk";
    case MixerKind::cross: return "cross";
    case MixerKind::latent: return "latent";
    case MixerKind::compressed: return "compressed";
    case MixerKind::gated_delta_net: return "gdn";
    case MixerKind::kimi_delta: return "kda";
    case MixerKind::lightning: return "lightning";
    case MixerKind::mamba1: return "mamba1";
    case MixerKind::mamba2: return "mamba2";
    case MixerKind::short_conv: return "shortconv";
  }
  return "nomix";
}

void write_mixer(const Mixer& x, std::string& out) {
  Section s{out};
  s.flag(name_of(x.kind));
  const bool ratio_behind_name = x.kind == MixerKind::compressed && x.compress_ratio > 0;
  if (ratio_behind_name) out += std::to_string(x.compress_ratio);
  const bool window_behind_name = x.kind != MixerKind::compressed && x.window > 0;
  if (window_behind_name) out += std::to_string(x.window);
  s.number("q", x.num_heads);
  s.number("kv", x.num_kv_heads);
  s.number("keyheads", x.num_key_heads);
  s.number("dim", x.head_dim);
  s.number("vdim", x.v_head_dim == x.head_dim ? 0 : x.v_head_dim);
  if (!window_behind_name) s.number("window", x.window);
  s.number("qrank", x.q_lora_rank);
  s.number("kvrank", x.kv_lora_rank);
  s.number("rope", x.qk_rope_head_dim);
  s.number("ogroups", x.o_groups);
  s.number("orank", x.o_lora_rank);
  s.number("indexq", x.index_num_heads);
  s.number("indexdim", x.index_head_dim);
  s.flag("qknorm", x.qk_norm == QkNorm::per_head);
  s.flag("qknormfull", x.qk_norm == QkNorm::full_width);
  s.flag("qknormheads", x.qk_norm == QkNorm::per_head_weights);
  s.flag("gate", x.output_gate);
  s.flag(x.k_bias ? "qkvbias" : "qvbias", x.q_bias);
  s.flag("obias", x.o_bias);
  s.flag("sinks", x.sinks);
  s.flag("keqv", x.k_equals_v);
  s.flag("shared", x.shares_kv);
  s.flag("gates", x.cross_gates);
  s.number("inner", x.inner_size);
  s.number("state", x.state_size);
  s.number("groups", x.num_groups);
  s.number("conv", x.conv_kernel);
  s.number("dtrank", x.dt_rank);
  s.number("extranorms", x.extra_norm_width);
  s.flag("fullgate", x.full_rank_gate);
  s.flag("fp32", x.state_fp32);
}

void write_feed_forward(const FeedForward& x, std::string& out) {
  Section s{out};
  const bool both = x.kind == FeedForwardKind::dense_and_mixture;
  s.flag(both ? "both" : x.kind == FeedForwardKind::dense ? "dense" : x.kind == FeedForwardKind::mixture ? "moe" : "noffn");
  if (x.kind == FeedForwardKind::none) return;
  if (x.kind != FeedForwardKind::mixture) s.number("i", x.intermediate_size);
  s.number("experts", x.num_experts);
  s.number("top", x.experts_per_token);
  s.number(both ? "moei" : "i", x.moe_intermediate_size);
  s.number("shared", x.shared_intermediate_size);
  s.number("latent", x.latent_size);
  s.flag("latentnorm", x.latent_norm);
  s.flag("sharedgate", x.shared_gate);
  s.flag("routerbias", x.router_bias);
  s.flag("fp4", x.experts_fp4);
  s.flag("expertbias", x.expert_bias);
  s.flag("bias", x.bias);
  s.flag("joined", x.joined_gate_up);
  s.flag("two", !x.gated);
}

bool same_kinds(const LayerRun& a, const LayerRun& b) { return a.mixer == b.mixer && a.feed_forward == b.feed_forward; }

std::string written(const LayerRun& run) {
  std::string out = run.count == 1 ? "" : std::to_string(run.count);
  out += static_cast<char>('a' + run.mixer);
  out += static_cast<char>('A' + run.feed_forward);
  return out;
}

// Groups are taken greedily: at each place the repetition that shortens the text most.
void write_layers(const Model& m, std::string& out) {
  std::vector<LayerRun> runs;
  for (int r = 0; r < m.num_runs; ++r) {
    if (!runs.empty() && same_kinds(runs.back(), m.runs[r])) runs.back().count += m.runs[r].count;
    else runs.push_back(m.runs[r]);
  }
  std::vector<std::string> texts;
  for (const LayerRun& run : runs) texts.push_back(written(run));
  for (std::size_t i = 0; i < runs.size();) {
    std::size_t best_length = 0, best_repeats = 0;
    int best_saved = 0;
    std::size_t characters = 0;
    for (std::size_t length = 1; i + 2 * length <= runs.size(); ++length) {
      characters += texts[i + length - 1].size();
      std::size_t repeats = 1;
      while (i + (repeats + 1) * length <= runs.size() &&
             std::equal(texts.begin() + i, texts.begin() + i + length, texts.begin() + i + repeats * length))
        ++repeats;
      const int saved = int(characters * (repeats - 1)) - int(std::to_string(repeats).size()) - 2;
      if (saved > best_saved) best_saved = saved, best_length = length, best_repeats = repeats;
    }
    if (best_saved == 0) {
      out += texts[i++];
      continue;
    }
    out += std::to_string(best_repeats) + '(';
    for (std::size_t j = 0; j < best_length; ++j) out += texts[i + j];
    out += ')';
    i += best_length * best_repeats;
  }
}

}  // namespace

std::string write_shape(const Model& m) {
  std::string out;
  write_model(m, out);
  for (int i = 0; i < m.num_mixers; ++i) out += ';', write_mixer(m.mixers[i], out);
  for (int i = 0; i < m.num_feed_forwards; ++i) out += ';', write_feed_forward(m.feed_forwards[i], out);
  out += ';';
  write_layers(m, out);
  if (m.num_mtp_layers > 0) {
    out += ";mtp";
    out += std::to_string(m.num_mtp_layers);
    out += static_cast<char>('a' + m.mtp_mixer);
    out += static_cast<char>('A' + m.mtp_feed_forward);
    if (m.mtp_own_embedding) out += ",own";
  }
  return out;
}

}  // namespace vramfit
