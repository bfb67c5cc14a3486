// What kind one layer is: its mixer and its feed-forward, from the tensors that it has (source id llama-cpp-architectures).
#include <algorithm>

#include "import/gguf_model.h"

namespace vramfit::importer {
namespace {

using R = GgufRole;

// Of a norm over heads: one for all of them, one over their whole width, or one for each.
QkNorm qk_norm_of(const GgufTensor* norm, int head_dim) {
  if (!norm) return QkNorm::none;
  if (norm->num_dims > 1 && norm->rows() > 1) return QkNorm::per_head_weights;
  return norm->elements() == head_dim ? QkNorm::per_head : QkNorm::full_width;
}

}  // namespace

bool GgufModel::expect_rows(const GgufTensor* tensor, double rows, std::string_view name, double number) {
  return !tensor || tensor->rows() * tensor->stack() == rows ||
         contradiction(*tensor, tensor->rows() * tensor->stack(), key(name), number);
}

bool GgufModel::expect_cols(const GgufTensor* tensor, double cols, std::string_view name, double number) {
  return !tensor || tensor->cols() == cols || contradiction(*tensor, tensor->cols(), key(name), number);
}

bool GgufModel::layer_mixer(int layer, const GgufLayer& l, Mixer& x) {
  if (l.has(R::ssm_conv_q)) return kimi_delta(layer, l, x);
  if (l.has(R::shortconv_conv)) return short_conv(l, x);
  if (l.has(R::ssm_conv)) {
    if (l.has(R::ssm_ba)) return gated_delta_net(l, x);
    return l.has(R::ssm_x) ? mamba1(l, x) : mamba2(l, x);
  }
  if (l.has(R::attn_kv_a)) return latent(layer, l, x);
  if (l.has(R::attn_output_a)) return compressed(layer, l, x);
  if (l.has(R::attn_q) || l.has(R::attn_qkv)) return attention(layer, l, x);
  if (l.has(R::attn_output)) return refuse("import-gguf-layer-kind", l.weight(R::attn_output)->name);
  x.kind = MixerKind::none;
  return true;
}

bool GgufModel::attention(int layer, const GgufLayer& l, Mixer& x) {
  const GgufTensor *q = l.weight(R::attn_q), *k = l.weight(R::attn_k), *v = l.weight(R::attn_v), *out = l.weight(R::attn_output);
  const GgufTensor* fused = l.weight(R::attn_qkv);
  if (!out) return refuse("import-gguf-missing-tensor", "blk." + digits(layer) + ".attn_output.weight");
  const int gate = architecture_.gated_query ? 2 : 1;
  const bool window = windowed_[layer];

  const int heads = at(heads_, layer);
  if (heads <= 0) return refuse("import-gguf-missing-key", key("attention.head_count"), heads == 0 ? "0" : "");
  int kv = at(kv_heads_, layer);
  int dim = window && key_length_swa_ > 0 ? key_length_swa_ : at(key_lengths_, layer);
  int v_dim = window && value_length_swa_ > 0 ? value_length_swa_ : at(value_lengths_, layer);
  if (dim <= 0 && q) dim = int(std::min(max_number, q->rows() / (double(heads) * gate)));
  if (dim <= 0) dim = model_.hidden_size / heads;
  if (kv <= 0) kv = k ? int(std::min(max_number, k->rows() / std::max(dim, 1))) : heads;
  if (v_dim <= 0 && !fused && v) v_dim = int(std::min(max_number, v->rows() / std::max(kv, 1)));
  if (v_dim <= 0) v_dim = dim;
  if (dim <= 0 || kv <= 0 || heads % kv != 0)
    return refuse("import-gguf-value", key("attention.head_count_kv"), digits(kv), {}, heads);

  const double q_rows = double(heads) * dim * gate, k_rows = double(kv) * dim, v_rows = double(kv) * v_dim;
  if (fused && !expect_rows(fused, q_rows + k_rows + v_rows, "attention.head_count_kv", q_rows + k_rows + v_rows)) return false;
  if (q && !expect_rows(q, q_rows, "attention.head_count", q_rows)) return false;
  if (!expect_rows(k, k_rows, "attention.head_count_kv", k_rows) || !expect_rows(v, v_rows, "attention.value_length", v_rows))
    return false;
  if (!expect_cols(out, double(heads) * v_dim, "attention.head_count", double(heads) * v_dim)) return false;

  x.kind = window ? architecture_.window_kind : MixerKind::full;
  x.window = window ? window_ : 0;
  x.num_heads = heads;
  x.num_kv_heads = kv;
  x.head_dim = dim;
  x.v_head_dim = v_dim;
  x.shares_kv = layer >= first_shared_ && layer < num_layers_;
  if (!fused && !k && !x.shares_kv) return refuse("import-gguf-missing-tensor", "blk." + digits(layer) + ".attn_k.weight");
  x.k_equals_v = !fused && k && !v;
  if (x.k_equals_v) x.v_head_dim = dim;
  x.qk_norm = qk_norm_of(l.weight(R::attn_q_norm), dim);
  const GgufTensor* separate_gate = l.weight(R::attn_gate);
  x.output_gate = gate == 2 || (separate_gate && separate_gate->rows() == double(heads) * v_dim);
  const bool q_bias = l.bias(R::attn_qkv) || l.bias(R::attn_q), k_bias = l.bias(R::attn_qkv) || l.bias(R::attn_k);
  const bool v_bias = l.bias(R::attn_qkv) || l.bias(R::attn_v);
  x.q_bias = x.v_bias = q_bias && v_bias;  // the shape knows both without the key's, and all three
  x.k_bias = x.q_bias && k_bias;
  x.o_bias = l.bias(R::attn_output) != nullptr;
  x.sinks = l.has(R::attn_sinks);
  return indexer(l, x);
}

bool GgufModel::indexer(const GgufLayer& l, Mixer& x) {
  const GgufTensor* q = l.weight(R::index_q);
  if (!q) return true;
  if (!required_number("attention.indexer.head_count", x.index_num_heads) ||
      !required_number("attention.indexer.key_length", x.index_head_dim))
    return false;
  const double width = double(x.index_num_heads) * x.index_head_dim;
  return expect_rows(q, width, "attention.indexer.head_count", width) &&
         expect_rows(l.weight(R::index_k), x.index_head_dim, "attention.indexer.key_length", x.index_head_dim);
}

bool GgufModel::latent(int layer, const GgufLayer& l, Mixer& x) {
  const GgufTensor *down = l.weight(R::attn_kv_a), *out = l.weight(R::attn_output);
  const GgufTensor* q = l.has(R::attn_q_b) ? l.weight(R::attn_q_b) : l.weight(R::attn_q);
  if (!q || !out)
    return refuse("import-gguf-missing-tensor", "blk." + digits(layer) + (q ? ".attn_output.weight" : ".attn_q.weight"));
  if (kv_rank_ <= 0) return refuse("import-gguf-missing-key", key("attention.kv_lora_rank"));
  // A matrix that is not split serves no compressed cache: llama.cpp then keeps every head's keys and values.
  if (l.has(R::attn_kv_b) && !l.has(R::attn_k_b)) return refuse("import-gguf-legacy-latent", l.weight(R::attn_kv_b)->name);
  const int heads = at(heads_, layer);
  if (heads <= 0) return refuse("import-gguf-missing-key", key("attention.head_count"));
  const double rope = down->rows() - kv_rank_;
  if (rope < 0 || rope > max_number) return contradiction(*down, down->rows(), key("attention.kv_lora_rank"), kv_rank_);
  x.kind = MixerKind::latent;
  x.num_heads = heads;
  x.kv_lora_rank = kv_rank_;
  x.qk_rope_head_dim = int(rope);
  x.head_dim = latent_key_ > 0 ? latent_key_ : int(std::min(max_number, q->rows() / heads));
  x.v_head_dim = latent_value_ > 0 ? latent_value_ : int(std::min(max_number, out->cols() / heads));
  if (const GgufTensor* qa = l.weight(R::attn_q_a)) {
    x.q_lora_rank = int(std::min(max_number, qa->rows()));
    int rank = 0;
    if (!optional_number("attention.q_lora_rank", rank)) return false;
    if (rank > 0 && !expect_rows(qa, rank, "attention.q_lora_rank", rank)) return false;
  }
  if (!expect_rows(q, double(heads) * x.head_dim, "attention.key_length_mla", double(heads) * x.head_dim) ||
      !expect_cols(out, double(heads) * x.v_head_dim, "attention.value_length_mla", double(heads) * x.v_head_dim))
    return false;
  const double up = double(heads) * (x.head_dim - x.qk_rope_head_dim) * kv_rank_;
  if (const GgufTensor* kb = l.weight(R::attn_k_b); kb && kb->elements() != up)
    return contradiction(*kb, kb->elements(), key("attention.key_length_mla"), up);
  if (const GgufTensor* vb = l.weight(R::attn_v_b); vb && vb->elements() != double(heads) * x.v_head_dim * kv_rank_)
    return contradiction(*vb, vb->elements(), key("attention.value_length_mla"), double(heads) * x.v_head_dim * kv_rank_);
  x.output_gate = l.has(R::attn_gate);
  return indexer(l, x);
}

bool GgufModel::compressed(int layer, const GgufLayer& l, Mixer& x) {
  const GgufTensor *q = l.weight(R::attn_q_b), *down = l.weight(R::attn_q_a), *kv = l.weight(R::attn_kv),
                   *out = l.weight(R::attn_output_b);
  if (!q || !down || !kv || !out) return refuse("import-gguf-missing-tensor", "blk." + digits(layer) + ".attn_kv.weight");
  const int heads = at(heads_, layer);
  if (heads <= 0) return refuse("import-gguf-missing-key", key("attention.head_count"));
  const int ratio = at(compress_ratios_, layer);
  if (ratio < 0) return refuse("import-gguf-missing-key", key("attention.compress_ratios"));
  if (window_ <= 0) return refuse("import-gguf-missing-key", key("attention.sliding_window"));
  if (rope_ < 0) return refuse("import-gguf-missing-key", key("rope.dimension_count"));
  x.kind = MixerKind::compressed;
  x.num_heads = heads;
  x.head_dim = x.v_head_dim = int(std::min(max_number, kv->rows()));
  x.q_lora_rank = int(std::min(max_number, down->rows()));
  x.qk_rope_head_dim = rope_;
  x.window = window_;
  x.compress_ratio = ratio;
  if (!required_number("attention.output_group_count", x.o_groups) ||
      !required_number("attention.output_lora_rank", x.o_lora_rank))
    return false;
  if (!expect_rows(q, double(heads) * x.head_dim, "attention.head_count", double(heads) * x.head_dim) ||
      !expect_cols(out, double(x.o_groups) * x.o_lora_rank, "attention.output_lora_rank", double(x.o_groups) * x.o_lora_rank))
    return false;
  if ((ratio > 0) != l.has(R::compressor_matrix))
    return refuse("import-gguf-contradiction", kv->name, digits(ratio), key("attention.compress_ratios"), ratio);
  return indexer(l, x);
}

bool GgufModel::gated_delta_net(const GgufLayer& l, Mixer& x) {
  int inner = 0;
  if (!required_number("ssm.time_step_rank", x.num_heads) || !required_number("ssm.group_count", x.num_key_heads) ||
      !required_number("ssm.state_size", x.head_dim) || !required_number("ssm.inner_size", inner) ||
      !required_number("ssm.conv_kernel", x.conv_kernel))
    return false;
  if (inner % x.num_heads != 0) return refuse("import-gguf-value", key("ssm.inner_size"), digits(inner), {}, x.num_heads);
  x.kind = MixerKind::gated_delta_net;
  x.v_head_dim = inner / x.num_heads;
  x.state_fp32 = architecture_.state_fp32;
  const double keys = double(x.num_key_heads) * x.head_dim;
  return expect_cols(l.weight(R::ssm_conv), x.conv_kernel, "ssm.conv_kernel", x.conv_kernel) &&
         expect_rows(l.weight(R::ssm_conv), 2 * keys + inner, "ssm.inner_size", 2 * keys + inner) &&
         expect_rows(l.weight(R::attn_qkv), 2 * keys + inner, "ssm.inner_size", 2 * keys + inner) &&
         expect_rows(l.weight(R::ssm_in), 2 * keys + 2.0 * inner, "ssm.inner_size", 2 * keys + 2.0 * inner) &&
         expect_cols(l.weight(R::ssm_out), inner, "ssm.inner_size", inner);
}

bool GgufModel::kimi_delta(int layer, const GgufLayer& l, Mixer& x) {
  const int heads = at(heads_, layer);
  if (heads <= 0) return refuse("import-gguf-missing-key", key("attention.head_count"));
  if (!required_number("kda.head_dim", x.head_dim) || !required_number("ssm.conv_kernel", x.conv_kernel)) return false;
  x.kind = MixerKind::kimi_delta;
  x.num_heads = x.num_key_heads = heads;
  x.v_head_dim = x.head_dim;
  x.full_rank_gate = l.has(R::attn_gate) && !l.has(R::ssm_g_a);
  x.state_fp32 = architecture_.state_fp32;
  const double width = double(heads) * x.head_dim;
  return expect_rows(l.weight(R::attn_q), width, "kda.head_dim", width) &&
         expect_rows(l.weight(R::attn_k), width, "kda.head_dim", width) &&
         expect_rows(l.weight(R::attn_v), width, "kda.head_dim", width) &&
         expect_cols(l.weight(R::attn_output), width, "kda.head_dim", width) &&
         expect_cols(l.weight(R::ssm_conv_q), x.conv_kernel, "ssm.conv_kernel", x.conv_kernel);
}

bool GgufModel::mamba1(const GgufLayer& l, Mixer& x) {
  if (!required_number("ssm.inner_size", x.inner_size) || !required_number("ssm.state_size", x.state_size) ||
      !required_number("ssm.conv_kernel", x.conv_kernel) || !required_number("ssm.time_step_rank", x.dt_rank))
    return false;
  x.kind = MixerKind::mamba1;
  x.extra_norm_width = int(std::min(l.inner_norms, max_number));
  return expect_rows(l.weight(R::ssm_in), 2.0 * x.inner_size, "ssm.inner_size", 2.0 * x.inner_size) &&
         expect_cols(l.weight(R::ssm_conv), x.conv_kernel, "ssm.conv_kernel", x.conv_kernel) &&
         expect_rows(l.weight(R::ssm_x), x.dt_rank + 2.0 * x.state_size, "ssm.time_step_rank", x.dt_rank + 2.0 * x.state_size) &&
         expect_cols(l.weight(R::ssm_a), x.state_size, "ssm.state_size", x.state_size) &&
         expect_cols(l.weight(R::ssm_out), x.inner_size, "ssm.inner_size", x.inner_size);
}

bool GgufModel::mamba2(const GgufLayer& l, Mixer& x) {
  if (!required_number("ssm.inner_size", x.inner_size) || !required_number("ssm.state_size", x.state_size) ||
      !required_number("ssm.conv_kernel", x.conv_kernel) || !required_number("ssm.time_step_rank", x.num_heads) ||
      !required_number("ssm.group_count", x.num_groups))
    return false;
  x.kind = MixerKind::mamba2;
  x.state_fp32 = architecture_.state_fp32;
  const double conv = x.inner_size + 2.0 * x.num_groups * x.state_size;
  return expect_rows(l.weight(R::ssm_in), x.inner_size + conv + x.num_heads, "ssm.inner_size",
                     x.inner_size + conv + x.num_heads) &&
         expect_cols(l.weight(R::ssm_conv), x.conv_kernel, "ssm.conv_kernel", x.conv_kernel) &&
         expect_rows(l.weight(R::ssm_conv), conv, "ssm.state_size", conv) &&
         expect_cols(l.weight(R::ssm_out), x.inner_size, "ssm.inner_size", x.inner_size);
}

bool GgufModel::short_conv(const GgufLayer& l, Mixer& x) {
  const GgufTensor *in = l.weight(R::shortconv_in), *out = l.weight(R::shortconv_out);
  if (!in || !out) return refuse("import-gguf-missing-tensor", l.weight(R::shortconv_conv)->name);
  if (!required_number("shortconv.l_cache", x.conv_kernel)) return false;
  x.kind = MixerKind::short_conv;
  x.inner_size = int(std::min(max_number, out->cols()));
  return expect_cols(l.weight(R::shortconv_conv), x.conv_kernel, "shortconv.l_cache", x.conv_kernel) &&
         (in->rows() == 3.0 * x.inner_size || contradiction(*in, in->rows(), std::string(out->name), 3.0 * x.inner_size));
}

bool GgufModel::layer_feed_forward(int layer, const GgufLayer& l, FeedForward& f) {
  const GgufTensor *up = l.weight(R::ffn_up), *gate = l.weight(R::ffn_gate), *down = l.weight(R::ffn_down);
  const GgufTensor *up_exps = l.weight(R::ffn_up_exps), *gate_exps = l.weight(R::ffn_gate_exps),
                   *down_exps = l.weight(R::ffn_down_exps);
  const GgufTensor* fused_exps = l.weight(R::ffn_gate_up_exps);
  const bool dense = up || down, mixture = up_exps || fused_exps || down_exps;
  const std::string layer_name = "blk." + digits(layer);
  f.kind = dense && mixture ? FeedForwardKind::dense_and_mixture
           : mixture        ? FeedForwardKind::mixture
           : dense          ? FeedForwardKind::dense
                            : FeedForwardKind::none;
  if (dense) {
    if (!up || !down) return refuse("import-gguf-missing-tensor", layer_name + (up ? ".ffn_down.weight" : ".ffn_up.weight"));
    if (down->cols() > max_number) return refuse("import-gguf-tensor-shape", down->name);
    f.intermediate_size = int(down->cols());
    const bool fused = !gate && up->rows() == 2.0 * f.intermediate_size;
    f.gated = gate || fused;
    f.joined_gate_up = fused;
    if (up->rows() != (fused ? 2.0 : 1.0) * f.intermediate_size)
      return contradiction(*up, up->rows(), std::string(down->name), f.intermediate_size);
    if (gate && gate->rows() != f.intermediate_size)
      return contradiction(*gate, gate->rows(), std::string(down->name), f.intermediate_size);
    f.bias = l.bias(R::ffn_up) && l.bias(R::ffn_down) && (!gate || l.bias(R::ffn_gate));
    const int stated = at(feed_forward_lengths_, layer) / (architecture_.half_feed_forward ? 2 : 1);
    if (!mixture && stated > 0 && stated != f.intermediate_size)
      return contradiction(*down, f.intermediate_size, key("feed_forward_length"), stated);
  }
  if (!mixture) return true;

  if (!down_exps || !(up_exps || fused_exps))
    return refuse("import-gguf-missing-tensor", layer_name + (down_exps ? ".ffn_up_exps.weight" : ".ffn_down_exps.weight"));
  if (!l.has(R::ffn_gate_inp)) return refuse("import-gguf-missing-tensor", layer_name + ".ffn_gate_inp.weight");
  const double experts = l.experts > 0 ? l.experts : down_exps->stack();
  if (experts > max_number || down_exps->cols() > max_number) return refuse("import-gguf-tensor-shape", down_exps->name);
  f.num_experts = int(experts);
  f.moe_intermediate_size = int(down_exps->cols());
  const bool gated = gate_exps || fused_exps;
  if (dense && gated != f.gated) return refuse("import-gguf-layer-kind", down_exps->name);
  f.gated = gated;
  const GgufTensor* in = fused_exps ? fused_exps : up_exps;
  if (in->rows() != (fused_exps ? 2.0 : 1.0) * f.moe_intermediate_size || (l.experts == 0 && in->stack() != experts))
    return contradiction(*in, in->rows(), std::string(down_exps->name), f.moe_intermediate_size);
  int stated = 0;
  if (!optional_number("expert_count", stated)) return false;
  if (stated > 0 && stated != f.num_experts) return contradiction(*down_exps, f.num_experts, key("expert_count"), stated);
  if (const int length = at(expert_lengths_, layer); length > 0 && length != f.moe_intermediate_size)
    return contradiction(*down_exps, f.moe_intermediate_size, key("expert_feed_forward_length"), length);
  if (const GgufTensor* router = l.weight(R::ffn_gate_inp); router->rows() != f.num_experts)
    return contradiction(*router, router->rows(), key("expert_count"), f.num_experts);
  f.experts_per_token = at(experts_used_, layer);
  if (f.experts_per_token <= 0 || f.experts_per_token > f.num_experts)
    return refuse(f.experts_per_token <= 0 ? "import-gguf-missing-key" : "import-gguf-value", key("expert_used_count"),
                  digits(std::max(f.experts_per_token, 0)), {}, f.num_experts);

  if (const GgufTensor* t = l.weight(R::latent_down)) {
    f.latent_size = int(std::min(max_number, t->rows()));
    const GgufTensor* norm = l.weight(R::latent_norm);
    f.latent_norm = norm && norm->elements() == f.latent_size;
  }
  if (const GgufTensor* t = l.weight(R::ffn_up_shexp)) f.shared_intermediate_size = int(std::min(max_number, t->rows()));
  f.shared_gate = f.shared_intermediate_size > 0 && l.has(R::ffn_gate_inp_shexp);
  f.router_bias = l.has(R::exp_probs_b) || l.bias(R::ffn_gate_inp);
  f.expert_bias = l.bias(R::ffn_down_exps) && (l.bias(R::ffn_up_exps) || l.bias(R::ffn_gate_up_exps));
  f.experts_fp4 = ggml_type(down_exps->type).format == Format::ggml_mxfp4;
  return true;
}

}  // namespace vramfit::importer
