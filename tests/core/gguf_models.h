// A model's shape as the GGUF file that llama.cpp's converters would make of it: names, metadata, and tensors in a mix of types.
// Written from llama.cpp's lists of names and keys, and independent of the importer.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "gguf_writer.h"
#include "vramfit/model.h"

namespace vramfit::test {

class GgufOfModel {
 public:
  GgufOfModel(GgufWriter& out, const Model& model, std::string arch, int max_positions)
      : w(out), m(model), a(std::move(arch)), positions(max_positions) {}

  void write() {
    for (int r = 0; r < m.num_runs; ++r)
      for (int i = 0; i < m.runs[r].count; ++i)
        layers.push_back({&m.mixers[m.runs[r].mixer], &m.feed_forwards[m.runs[r].feed_forward]});
    num_layers = int(layers.size());
    for (int i = 0; i < m.num_mtp_layers; ++i) {
      const Mixer* x = &m.mixers[m.mtp_mixer];
      const FeedForward* f = &m.feed_forwards[m.mtp_feed_forward];
      if (a.starts_with("nemotron")) {  // two halves
        static const FeedForward none;
        static const Mixer nothing;
        layers.push_back({x, &none});
        layers.push_back({&nothing, f});
      } else {
        layers.push_back({x, f});
      }
    }
    metadata();
    outside_before();
    for (int i = 0; i < int(layers.size()); ++i) layer(i);
    outside_after();
  }

 private:
  struct Layer {
    const Mixer* x;
    const FeedForward* f;
  };

  GgufWriter& w;
  const Model& m;
  std::string a;
  int positions;
  std::vector<Layer> layers;
  int num_layers = 0;

  bool is(std::initializer_list<std::string_view> names) const { return std::find(names.begin(), names.end(), a) != names.end(); }
  std::string key(std::string_view k) const { return a + "." + std::string(k); }

  static std::uint32_t matrix_type(double cols, std::uint32_t wanted) {
    const std::uint64_t c = std::uint64_t(cols);
    if (c % 256 == 0) return wanted;
    return c % 32 == 0 ? Q8_0 : F16;
  }
  void matrix(const std::string& name, double rows, double cols, std::uint32_t type = Q4_K, double stack = 1) {
    if (rows <= 0 || cols <= 0) return;
    std::vector<double> dims = {cols, rows};
    if (stack > 1) dims.push_back(stack);
    w.tensor(name + ".weight", matrix_type(cols, type), dims);
  }
  void vector(const std::string& name, double n, const char* suffix = ".weight") {
    if (n > 0) w.tensor(name + suffix, F32, {n});
  }
  void norm(const std::string& name, double n) {
    vector(name, n);
    if (m.norm == NormKind::layer_norm) vector(name, n, ".bias");
  }

  template <class F>
  void per_layer(std::string_view name, F&& f, bool skip_zero = true) {
    std::vector<int> all;
    for (const Layer& l : layers) all.push_back(f(l));
    const bool uniform = std::equal(all.begin() + 1, all.end(), all.begin());
    if (uniform && all[0] == 0 && skip_zero) return;
    if (uniform) w.number(key(name), all[0]);
    else w.numbers(key(name), all);
  }

  const Mixer* first(bool (*is_it)(const Mixer&)) const {
    for (const Layer& l : layers)
      if (is_it(*l.x)) return l.x;
    return nullptr;
  }
  static bool attends(const Mixer& x) {
    return x.kind == MixerKind::full || x.kind == MixerKind::sliding || x.kind == MixerKind::chunked;
  }
  static bool windowed(const Mixer& x) { return x.kind == MixerKind::sliding || x.kind == MixerKind::chunked; }

  void metadata() {
    w.text("general.architecture", a);
    w.text("general.name", "a model");
    w.number(key("block_count"), double(layers.size()));
    w.number(key("context_length"), positions);
    w.number(key("embedding_length"), m.hidden_size);
    if (m.num_mtp_layers > 0) w.number(key("nextn_predict_layers"), double(layers.size()) - num_layers);
    if (m.norm == NormKind::rms) w.real(key("attention.layer_norm_rms_epsilon"), 1e-6f);
    else w.real(key("attention.layer_norm_epsilon"), 1e-5f);

    const Mixer* windows = first(windowed);
    const Mixer* full = first([](const Mixer& x) { return x.kind == MixerKind::full; });
    const Mixer* some = first(attends);
    const Mixer* latent = first([](const Mixer& x) { return x.kind == MixerKind::latent; });
    const Mixer* compressed = first([](const Mixer& x) { return x.kind == MixerKind::compressed; });
    if (some || latent || compressed) {
      // Delta layers are of the attention's number of heads in kimi-linear; all other state layers have none.
      per_layer("attention.head_count", [](const Layer& l) {
        return is_recurrent(l.x->kind) && l.x->kind != MixerKind::kimi_delta ? 0 : l.x->num_heads;
      });
      per_layer("attention.head_count_kv", [&](const Layer& l) {
        if (is_recurrent(l.x->kind) || l.x->kind == MixerKind::none) return 0;
        return l.x->kind == MixerKind::latent || l.x->kind == MixerKind::compressed ? 1 : l.x->num_kv_heads;
      });
    }
    if (some) {
      const Mixer* plain = full ? full : some;
      w.number(key("attention.key_length"), plain->head_dim);
      w.number(key("attention.value_length"), plain->v_head_dim);
      if (windows && windows->head_dim != plain->head_dim) {
        w.number(key("attention.key_length_swa"), windows->head_dim);
        w.number(key("attention.value_length_swa"), windows->v_head_dim);
      }
    }
    if (latent) {
      w.number(key("attention.key_length"), latent->kv_lora_rank + latent->qk_rope_head_dim);
      w.number(key("attention.value_length"), latent->kv_lora_rank);
      w.number(key("attention.key_length_mla"), latent->head_dim);
      w.number(key("attention.value_length_mla"), latent->v_head_dim);
      w.number(key("attention.kv_lora_rank"), latent->kv_lora_rank);
      if (latent->q_lora_rank) w.number(key("attention.q_lora_rank"), latent->q_lora_rank);
      w.number(key("rope.dimension_count"), latent->qk_rope_head_dim);
    }
    if (compressed) {
      w.number(key("attention.key_length"), compressed->head_dim);
      w.number(key("attention.q_lora_rank"), compressed->q_lora_rank);
      w.number(key("rope.dimension_count"), compressed->qk_rope_head_dim);
      w.number(key("attention.sliding_window"), compressed->window);
      w.number(key("attention.output_group_count"), compressed->o_groups);
      w.number(key("attention.output_lora_rank"), compressed->o_lora_rank);
      w.number(key("hyper_connection.count"), m.hyper_connections);
      per_layer(
          "attention.compress_ratios", [](const Layer& l) { return l.x->compress_ratio; }, false);
    }
    for (const Layer& l : layers)
      if (l.x->index_num_heads > 0) {
        w.number(key("attention.indexer.head_count"), l.x->index_num_heads);
        w.number(key("attention.indexer.key_length"), l.x->index_head_dim);
        break;
      }
    if (windows && windows->kind == MixerKind::sliding) w.number(key("attention.sliding_window"), windows->window);
    if (is({"gemma4", "mimo2", "step35"})) {
      std::vector<bool> flags;
      for (const Layer& l : layers) flags.push_back(windowed(*l.x));
      w.flags(key("attention.sliding_window_pattern"), flags);
    }
    if (a == "gemma4") {
      int shared = 0;
      for (const Layer& l : layers) shared += l.x->shares_kv;
      w.number(key("attention.shared_kv_layers"), shared);
    }
    per_layer("feed_forward_length", [](const Layer& l) {
      return l.f->kind == FeedForwardKind::none ? 0
             : l.f->intermediate_size > 0       ? l.f->intermediate_size
                                                : l.f->moe_intermediate_size;
    });
    for (const Layer& l : layers)
      if (l.f->num_experts > 0) {
        w.number(key("expert_count"), l.f->num_experts);
        w.number(key("expert_used_count"), l.f->experts_per_token);
        w.number(key("expert_feed_forward_length"), l.f->moe_intermediate_size);
        break;
      }
    if (m.per_layer_embedding_dim) w.number(key("embedding_length_per_layer_input"), m.per_layer_embedding_dim);
    if (m.altup_inputs) w.number(key("altup.num_inputs"), m.altup_inputs);
    if (m.encoder) w.flag(key("attention.causal"), false);
    if (m.no_head) w.number(key("pooling_type"), 1);
    for (const Layer& l : layers) {
      const Mixer& x = *l.x;
      if (!is_recurrent(x.kind)) continue;
      if (x.kind == MixerKind::short_conv) {
        w.number(key("shortconv.l_cache"), x.conv_kernel);
        break;
      }
      w.number(key("ssm.conv_kernel"), x.conv_kernel);
      if (x.kind == MixerKind::kimi_delta) {
        w.number(key("kda.head_dim"), x.head_dim);
        break;
      }
      const bool delta = x.kind == MixerKind::gated_delta_net;
      w.number(key("ssm.inner_size"), delta ? x.num_heads * x.v_head_dim : x.inner_size);
      w.number(key("ssm.state_size"), delta ? x.head_dim : x.state_size);
      w.number(key("ssm.time_step_rank"), x.kind == MixerKind::mamba1 ? x.dt_rank : x.num_heads);
      if (delta || x.kind == MixerKind::mamba2) w.number(key("ssm.group_count"), delta ? x.num_key_heads : x.num_groups);
      break;
    }
    w.texts("tokenizer.ggml.tokens", std::uint64_t(m.vocab_size));
  }

  void outside_before() {
    const double h = m.hidden_size;
    matrix("token_embd", m.vocab_size, h, Q6_K);
    if (m.embedding_norm) norm("token_embd_norm", h);
    if (m.position_rows) w.tensor("position_embd.weight", F32, {h, double(m.position_rows)});
    if (m.type_rows) w.tensor("token_types.weight", F32, {h, double(m.type_rows)});
    if (m.per_layer_embedding_dim) {
      const double width = double(m.per_layer_embedding_dim) * num_layers;
      matrix("per_layer_token_embd", m.per_layer_vocab_size, width, Q5_K);
      matrix("per_layer_model_proj", width, h, F16);
      vector("per_layer_proj_norm", m.per_layer_embedding_dim);
    }
    if (m.altup_inputs) {
      matrix("altup_proj", h, h, F16, m.altup_inputs - 1);
      matrix("altup_unembd_proj", h, h, F16, m.altup_inputs - 1);
    }
    if (is({"llama", "llama4"})) w.tensor("rope_freqs.weight", F32, {64});
  }

  void outside_after() {
    const double h = m.hidden_size;
    if (!m.no_final_norm) norm(a.starts_with("lfm2") ? "token_embd_norm" : "output_norm", h);
    if (m.hyper_connections) {
      const double n = m.hyper_connections;
      w.tensor("output_hc_fn.weight", F32, {n * h, n});
      vector("output_hc_base", n);
      vector("output_hc_scale", 1);
    }
    if (!m.tied_embeddings && !m.no_head) matrix("output", m.vocab_size, h, Q6_K);
    if (m.head_bias) vector("output", m.vocab_size, ".bias");
    if (m.pooler) {
      w.tensor("cls.weight", F16, {h, h});
      vector("cls", h, ".bias");
    }
  }

  void layer(int i) {
    const std::string b = "blk." + std::to_string(i) + ".";
    const Layer& l = layers[i];
    const double h = m.hidden_size;
    norms(b, l);
    mixer(b, *l.x);
    feed_forward(b, *l.f, i);
    if (m.scalars_per_layer) vector(b + "layer_output_scale", 1);
    if (m.per_layer_embedding_dim) {
      matrix(b + "inp_gate", m.per_layer_embedding_dim, h);
      matrix(b + "proj", h, m.per_layer_embedding_dim);
      vector(b + "post_norm", h);
    }
    if (m.laurel_rank) {
      matrix(b + "laurel_l", m.laurel_rank, h);
      matrix(b + "laurel_r", h, m.laurel_rank);
      vector(b + "laurel_post_norm", h);
    }
    if (m.altup_inputs) {
      const double n = m.altup_inputs;
      w.tensor(b + "altup_correct_coef.weight", F32, {n, n});
      vector(b + "altup_correct_scale", h);
      w.tensor(b + "altup_predict_coef.weight", F32, {n, n * n});
      w.tensor(b + "altup_router.weight", F32, {h, n});
      vector(b + "altup_router_norm", h);
    }
    if (m.hyper_connections) {
      const double n = m.hyper_connections, mixes = (2 + n) * n;
      for (const char* half : {"hc_attn", "hc_ffn"}) {
        w.tensor(b + half + "_fn.weight", F32, {n * h, mixes});
        vector(b + half + "_base", mixes);
        vector(b + half + "_scale", 3);
      }
    }
    if (i >= num_layers) {
      const bool first_half = !a.starts_with("nemotron") || i == num_layers;
      if (first_half) {
        matrix(b + "nextn.eh_proj", h, 2 * h);
        vector(b + "nextn.enorm", h);
        vector(b + "nextn.hnorm", h);
      }
      if (!a.starts_with("nemotron") || !first_half) vector(b + "nextn.shared_head_norm", h);
      if (m.mtp_own_embedding) {
        matrix(b + "nextn.embed_tokens", m.vocab_size, h);
        matrix(b + "nextn.shared_head_head", m.vocab_size, h);
      }
    }
  }

  void norms(const std::string& b, const Layer& l) {
    const double h = m.hidden_size;
    int count = m.norms_per_layer;
    if (count == 0) count = (l.x->kind != MixerKind::none) + (l.f->kind != FeedForwardKind::none);
    if (count == 4) {
      for (const char* n : {"attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm"}) norm(b + n, h);
    } else if (a == "bert") {
      norm(b + "attn_output_norm", h);
      norm(b + "layer_output_norm", h);
    } else if (count >= 1) {
      const bool only_ffn = l.x->kind == MixerKind::none && !a.starts_with("nemotron");
      norm(b + (is({"olmo2", "exaone4"}) ? "post_attention_norm" : only_ffn ? "ffn_norm" : "attn_norm"), h);
      if (count == 2)
        norm(b + (is({"olmo2", "exaone4"})                                         ? "post_ffw_norm"
                  : is({"qwen3next", "qwen35", "qwen35moe", "glm4moe", "gpt-oss"}) ? "post_attention_norm"
                  : is({"falcon"})                                                 ? "attn_norm_2"
                                                                                   : "ffn_norm"),
             h);
    }
    if (l.f->kind == FeedForwardKind::dense_and_mixture)
      for (const char* n : {"pre_ffw_norm_2", "post_ffw_norm_1", "post_ffw_norm_2"}) vector(b + n, h);
  }

  void mixer(const std::string& b, const Mixer& x) {
    const double h = m.hidden_size;
    switch (x.kind) {
      case MixerKind::none: return;
      case MixerKind::full:
      case MixerKind::sliding:
      case MixerKind::chunked: return attention(b, x);
      case MixerKind::latent: {
        const double nope = x.head_dim - x.qk_rope_head_dim;
        if (x.q_lora_rank) {
          matrix(b + "attn_q_a", x.q_lora_rank, h);
          vector(b + "attn_q_a_norm", x.q_lora_rank);
          matrix(b + "attn_q_b", double(x.num_heads) * x.head_dim, x.q_lora_rank);
        } else {
          matrix(b + "attn_q", double(x.num_heads) * x.head_dim, h);
        }
        matrix(b + "attn_kv_a_mqa", x.kv_lora_rank + x.qk_rope_head_dim, h);
        vector(b + "attn_kv_a_norm", x.kv_lora_rank);
        matrix(b + "attn_k_b", x.kv_lora_rank, nope, Q8_0, x.num_heads);
        matrix(b + "attn_v_b", x.v_head_dim, x.kv_lora_rank, Q8_0, x.num_heads);
        matrix(b + "attn_output", h, double(x.num_heads) * x.v_head_dim);
        if (x.output_gate) matrix(b + "attn_gate", double(x.num_heads) * x.v_head_dim, h);
        if (x.index_num_heads) {
          matrix(b + "indexer.attn_q_b", double(x.index_num_heads) * x.index_head_dim, x.q_lora_rank, Q8_0);
          matrix(b + "indexer.attn_k", x.index_head_dim, h, Q8_0);
          matrix(b + "indexer.proj", x.index_num_heads, h, Q8_0);
          vector(b + "indexer.k_norm", x.index_head_dim);
          vector(b + "indexer.k_norm", x.index_head_dim, ".bias");
        }
        return;
      }
      case MixerKind::compressed: {
        matrix(b + "attn_q_a", x.q_lora_rank, h);
        vector(b + "attn_q_a_norm", x.q_lora_rank);
        matrix(b + "attn_q_b", double(x.num_heads) * x.head_dim, x.q_lora_rank);
        matrix(b + "attn_kv", x.head_dim, h);
        vector(b + "attn_kv_a_norm", x.head_dim);
        vector(b + "attn_sinks", x.num_heads);
        matrix(b + "attn_output_a", double(x.o_groups) * x.o_lora_rank, double(x.num_heads) * x.head_dim / x.o_groups, BF16);
        matrix(b + "attn_output_b", h, double(x.o_groups) * x.o_lora_rank);
        const auto pool = [&](const std::string& name, double width) {
          const double halves = x.compress_ratio == 4 ? 2 : 1;
          matrix(b + name + "_kv", width * halves, h, F16);
          matrix(b + name + "_gate", width * halves, h, F16);
          w.tensor(b + name + "_ape.weight", F32, {width * halves, double(x.compress_ratio)});
          vector(b + name + "_norm", width);
        };
        if (x.compress_ratio > 0) pool("attn_compressor", x.head_dim);
        if (x.index_num_heads) {
          matrix(b + "indexer.attn_q_b", double(x.index_num_heads) * x.index_head_dim, x.q_lora_rank, Q8_0);
          matrix(b + "indexer.proj", x.index_num_heads, h, Q8_0);
          pool("indexer_compressor", x.index_head_dim);
        }
        return;
      }
      case MixerKind::gated_delta_net: {
        const double keys = double(x.num_key_heads) * x.head_dim, values = double(x.num_heads) * x.v_head_dim;
        matrix(b + "attn_qkv", 2 * keys + values, h);
        matrix(b + "attn_gate", values, h);
        if (a == "qwen3next") {
          matrix(b + "ssm_ba", 2.0 * x.num_heads, h, F16);
        } else {
          matrix(b + "ssm_alpha", x.num_heads, h, F16);
          matrix(b + "ssm_beta", x.num_heads, h, F16);
        }
        w.tensor(b + "ssm_conv1d.weight", F32, {double(x.conv_kernel), 2 * keys + values});
        vector(b + "ssm_dt", x.num_heads, ".bias");
        vector(b + "ssm_a", x.num_heads, "");
        vector(b + "ssm_norm", x.v_head_dim);
        matrix(b + "ssm_out", h, values);
        return;
      }
      case MixerKind::kimi_delta: {
        const double width = double(x.num_heads) * x.v_head_dim;
        for (const char* n : {"attn_q", "attn_k", "attn_v"}) matrix(b + n, width, h);
        for (const char* n : {"ssm_conv1d_q", "ssm_conv1d_k", "ssm_conv1d_v"})
          w.tensor(b + n + ".weight", F32, {double(x.conv_kernel), 1, width, 1});
        matrix(b + "ssm_beta", x.num_heads, h, F16);
        matrix(b + "ssm_f_a", x.v_head_dim, h, F16);
        matrix(b + "ssm_f_b", width, x.v_head_dim, F16);
        if (x.full_rank_gate) {
          matrix(b + "attn_gate", width, h);
        } else {
          matrix(b + "ssm_g_a", x.v_head_dim, h, F16);
          matrix(b + "ssm_g_b", width, x.v_head_dim, F16);
        }
        w.tensor(b + "ssm_a", F32, {1, double(x.num_heads), 1, 1});
        vector(b + "ssm_dt", width, ".bias");
        vector(b + "ssm_norm", x.v_head_dim);
        matrix(b + "attn_output", h, width);
        return;
      }
      case MixerKind::mamba1: {
        matrix(b + "ssm_in", 2.0 * x.inner_size, h);
        w.tensor(b + "ssm_conv1d.weight", F32, {double(x.conv_kernel), double(x.inner_size)});
        vector(b + "ssm_conv1d", x.inner_size, ".bias");
        matrix(b + "ssm_x", x.dt_rank + 2.0 * x.state_size, x.inner_size, F16);
        matrix(b + "ssm_dt", x.inner_size, x.dt_rank, F16);
        vector(b + "ssm_dt", x.inner_size, ".bias");
        w.tensor(b + "ssm_a", F32, {double(x.state_size), double(x.inner_size)});
        vector(b + "ssm_d", x.inner_size, "");
        if (x.extra_norm_width) {
          vector(b + "ssm_dt_norm", x.dt_rank);
          vector(b + "ssm_b_norm", x.state_size);
          vector(b + "ssm_c_norm", x.state_size);
        }
        matrix(b + "ssm_out", h, x.inner_size);
        return;
      }
      case MixerKind::mamba2: {
        const double conv = x.inner_size + 2.0 * x.num_groups * x.state_size;
        matrix(b + "ssm_in", x.inner_size + conv + x.num_heads, h);
        w.tensor(b + "ssm_conv1d.weight", F32, {double(x.conv_kernel), conv});
        vector(b + "ssm_conv1d", conv, ".bias");
        vector(b + "ssm_dt", x.num_heads, ".bias");
        w.tensor(b + "ssm_a", F32, {1, double(x.num_heads)});
        w.tensor(b + "ssm_d", F32, {1, double(x.num_heads)});
        w.tensor(b + "ssm_norm.weight", F32, {double(x.inner_size) / x.num_groups, double(x.num_groups)});
        matrix(b + "ssm_out", h, x.inner_size);
        return;
      }
      case MixerKind::short_conv:
        matrix(b + "shortconv.in_proj", 3.0 * x.inner_size, h);
        w.tensor(b + "shortconv.conv.weight", F32, {double(x.conv_kernel), double(x.inner_size)});
        matrix(b + "shortconv.out_proj", h, x.inner_size);
        return;
      default: return;
    }
  }

  void attention(const std::string& b, const Mixer& x) {
    const double h = m.hidden_size;
    const bool gated_query = is({"qwen3next", "qwen35", "qwen35moe"});
    const double q = double(x.num_heads) * x.head_dim, k = double(x.num_kv_heads) * x.head_dim,
                 v = double(x.num_kv_heads) * x.v_head_dim;
    const bool fused = is({"phi2", "phi3", "falcon", "gptneox", "bloom", "mpt", "starcoder", "gpt2", "dbrx", "chatglm"});
    if (fused) {
      matrix(b + "attn_qkv", q + k + v, h, Q5_K);
      if (x.q_bias) vector(b + "attn_qkv", q + k + v, ".bias");
    } else {
      matrix(b + "attn_q", q * (gated_query ? 2 : 1), h);
      matrix(b + "attn_k", k, h);
      if (!x.k_equals_v) matrix(b + "attn_v", v, h, Q6_K);
      if (x.q_bias) vector(b + "attn_q", q, ".bias");
      if (x.k_bias) vector(b + "attn_k", k, ".bias");
      if (x.v_bias) vector(b + "attn_v", v, ".bias");
      if (x.output_gate && !gated_query) matrix(b + "attn_gate", double(x.num_heads) * x.v_head_dim, h);
    }
    matrix(b + "attn_output", h, double(x.num_heads) * x.v_head_dim);
    if (x.o_bias) vector(b + "attn_output", h, ".bias");
    if (x.qk_norm == QkNorm::per_head) {
      vector(b + "attn_q_norm", x.head_dim);
      vector(b + "attn_k_norm", x.head_dim);
    } else if (x.qk_norm == QkNorm::full_width) {
      vector(b + "attn_q_norm", q);
      vector(b + "attn_k_norm", k);
    } else if (x.qk_norm == QkNorm::per_head_weights) {
      w.tensor(b + "attn_q_norm.weight", F32, {double(x.head_dim), double(x.num_heads)});
      w.tensor(b + "attn_k_norm.weight", F32, {double(x.head_dim), double(x.num_kv_heads)});
    }
    if (x.sinks) vector(b + "attn_sinks", x.num_heads);
    if (x.index_num_heads) {
      matrix(b + "indexer.q_proj", double(x.index_num_heads) * x.index_head_dim, h, Q8_0);
      matrix(b + "indexer.k_proj", x.index_head_dim, h, Q8_0);
      vector(b + "indexer.q_norm", x.index_head_dim);
      vector(b + "indexer.k_norm", x.index_head_dim);
    }
  }

  void feed_forward(const std::string& b, const FeedForward& f, int i) {
    const double h = m.hidden_size, n = f.intermediate_size, e = f.num_experts;
    const bool fused = is({"phi3", "chatglm", "glm4"});
    if (f.kind == FeedForwardKind::dense || f.kind == FeedForwardKind::dense_and_mixture) {
      if (f.gated && !fused) matrix(b + "ffn_gate", n, h);
      matrix(b + "ffn_up", n * (fused && f.gated ? 2 : 1), h);
      matrix(b + "ffn_down", h, n, i % 3 == 0 ? Q6_K : Q4_K);
      if (f.bias) {
        if (f.gated && !fused) vector(b + "ffn_gate", n, ".bias");
        vector(b + "ffn_up", n, ".bias");
        vector(b + "ffn_down", h, ".bias");
      }
    }
    if (f.kind != FeedForwardKind::mixture && f.kind != FeedForwardKind::dense_and_mixture) return;
    const double width = f.latent_size > 0 ? f.latent_size : h, s = f.shared_intermediate_size;
    const std::uint32_t type = f.experts_fp4 ? MXFP4 : Q4_K;
    const auto experts = [&](const std::string& name, double rows, double cols) {
      w.tensor(b + name + ".weight", f.experts_fp4 ? MXFP4 : matrix_type(cols, type), {cols, rows, e});
    };
    w.tensor(b + "ffn_gate_inp.weight", F32, {h, e});
    if (f.router_bias) vector(b + (a == "gpt-oss" ? "ffn_gate_inp" : "exp_probs_b"), e, ".bias");
    if (f.kind == FeedForwardKind::dense_and_mixture) {  // gemma4: fused experts, scales of the router's input and of each expert
      experts("ffn_gate_up_exps", 2.0 * f.moe_intermediate_size, width);
      w.tensor(b + "ffn_gate_inp.scale", F32, {h});
      w.tensor(b + "ffn_down_exps.scale", F32, {e});
    } else {
      if (f.gated) experts("ffn_gate_exps", f.moe_intermediate_size, width);
      experts("ffn_up_exps", f.moe_intermediate_size, width);
    }
    experts("ffn_down_exps", width, f.moe_intermediate_size);
    if (f.expert_bias) {
      w.tensor(b + "ffn_gate_exps.bias", F32, {double(f.moe_intermediate_size), e});
      w.tensor(b + "ffn_up_exps.bias", F32, {double(f.moe_intermediate_size), e});
      w.tensor(b + "ffn_down_exps.bias", F32, {h, e});
    }
    if (f.latent_size) {
      matrix(b + "ffn_latent_down", f.latent_size, h);
      matrix(b + "ffn_latent_up", h, f.latent_size);
      if (f.latent_norm) vector(b + "ffn_norm_exps", f.latent_size);
    }
    if (s > 0) {
      if (f.gated) matrix(b + "ffn_gate_shexp", s, h);
      matrix(b + "ffn_up_shexp", s, h);
      matrix(b + "ffn_down_shexp", h, s);
      if (f.shared_gate) w.tensor(b + "ffn_gate_inp_shexp.weight", F32, {h});
    }
  }
};

}  // namespace vramfit::test
