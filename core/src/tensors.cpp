// Sources of the shapes: the published configurations and model classes named in assets/catalog/models.jsonl; the counts are
// checked there against each model's published total.
#include "vramfit/tensors.h"

namespace vramfit {
namespace {

struct Walk {
  const Model& model;
  TensorVisitor visit;
  void* context;
  int first_layer = 0;
  int num_layers = 1;
  bool in_mtp = false;

  void matrix(TensorClass cls, double rows, double cols, double count = 1) const {
    if (rows <= 0 || cols <= 0 || count <= 0) return;
    visit(context, Tensor{cls, rows, cols, count, first_layer, num_layers, in_mtp});
  }
  void small(double elements) const { matrix(TensorClass::small, 1, elements); }

  double norm_width(double width) const { return model.norm == NormKind::layer_norm ? 2 * width : width; }

  void qk_norm(const Mixer& x) const {
    switch (x.qk_norm) {
      case QkNorm::none: return;
      case QkNorm::per_head: return small(2.0 * x.head_dim);
      case QkNorm::full_width:
      case QkNorm::per_head_weights: return small(double(x.head_dim) * (x.num_heads + x.num_kv_heads));
    }
  }

  void attention(const Mixer& x) const {
    const double h = model.hidden_size;
    const double q_width = double(x.num_heads) * x.head_dim * (x.output_gate ? 2 : 1);
    const double k_width = double(x.num_kv_heads) * x.head_dim;
    const double v_width = double(x.num_kv_heads) * x.v_head_dim;
    matrix(TensorClass::attention_query, q_width, h);
    matrix(TensorClass::attention_key, k_width, h);
    if (!x.k_equals_v) matrix(TensorClass::attention_value, v_width, h);
    matrix(TensorClass::attention_output, h, double(x.num_heads) * x.v_head_dim);
    small((x.q_bias ? q_width : 0) + (x.k_bias ? k_width : 0) + (x.v_bias ? v_width : 0) + (x.o_bias ? h : 0));
    qk_norm(x);
    small((x.sinks ? x.num_heads : 0) + (x.cross_gates ? 2 : 0));
    if (x.index_num_heads > 0) {  // block-sparse index: queries per head, one key, a norm for each
      matrix(TensorClass::attention_index, double(x.index_num_heads) * x.index_head_dim, h);
      matrix(TensorClass::attention_index, x.index_head_dim, h);
      small(2.0 * x.index_head_dim);
    }
  }

  void latent(const Mixer& x) const {
    const double h = model.hidden_size;
    const double heads = x.num_heads;
    const double nope = x.head_dim - x.qk_rope_head_dim;
    if (x.q_lora_rank > 0) {
      matrix(TensorClass::attention_down, x.q_lora_rank, h);
      small(x.q_lora_rank);
      matrix(TensorClass::attention_query, heads * x.head_dim, x.q_lora_rank);
    } else {
      matrix(TensorClass::attention_query, heads * x.head_dim, h);
    }
    matrix(TensorClass::attention_down, x.kv_lora_rank + x.qk_rope_head_dim, h);
    small(x.kv_lora_rank);
    matrix(TensorClass::attention_up, heads * (nope + x.v_head_dim), x.kv_lora_rank);
    matrix(TensorClass::attention_output, h, heads * x.v_head_dim);
    if (x.output_gate) matrix(TensorClass::attention_query, heads * x.v_head_dim, h);
    if (x.index_num_heads > 0) {
      matrix(TensorClass::attention_index, double(x.index_num_heads) * x.index_head_dim, x.q_lora_rank);
      matrix(TensorClass::attention_index, x.index_head_dim, h);
      matrix(TensorClass::attention_index, x.index_num_heads, h);
      small(2.0 * x.index_head_dim);
    }
  }

  // Pools `ratio` tokens into one entry of `width`; ratio 4 keeps two overlapping halves.
  void compressor(double width, int ratio) const {
    const double halves = ratio == 4 ? 2 : 1;
    matrix(TensorClass::side, width * halves, model.hidden_size, 2);
    small(ratio * width * halves + width);
  }

  void compressed(const Mixer& x) const {
    const double h = model.hidden_size;
    const double heads = x.num_heads;
    matrix(TensorClass::attention_down, x.q_lora_rank, h);
    matrix(TensorClass::attention_query, heads * x.head_dim, x.q_lora_rank);
    matrix(TensorClass::attention_key, x.head_dim, h);
    matrix(TensorClass::attention_group_output, double(x.o_groups) * x.o_lora_rank, heads * x.head_dim / x.o_groups);
    matrix(TensorClass::attention_output, h, double(x.o_groups) * x.o_lora_rank);
    small(x.q_lora_rank + x.head_dim + heads);  // two norms and the sinks
    if (x.compress_ratio > 0) compressor(x.head_dim, x.compress_ratio);
    if (x.index_num_heads > 0) {
      matrix(TensorClass::attention_index, double(x.index_num_heads) * x.index_head_dim, x.q_lora_rank);
      matrix(TensorClass::attention_index, x.index_num_heads, h);
      compressor(x.index_head_dim, x.compress_ratio);
    }
  }

  void gated_delta_net(const Mixer& x) const {
    const double h = model.hidden_size;
    const double key = double(x.num_key_heads) * x.head_dim;
    const double value = double(x.num_heads) * x.v_head_dim;
    matrix(TensorClass::recurrent, 2 * key + 2 * value, h);  // q, k, v and the output gate
    matrix(TensorClass::side, 2.0 * x.num_heads, h);         // beta and decay
    small((2 * key + value) * x.conv_kernel + 2.0 * x.num_heads + x.v_head_dim);
    matrix(TensorClass::recurrent, h, value);
  }

  void kimi_delta(const Mixer& x) const {
    const double h = model.hidden_size;
    const double width = double(x.num_heads) * x.v_head_dim;
    matrix(TensorClass::recurrent, width, h, 3);
    matrix(TensorClass::side, x.num_heads, h);  // beta
    matrix(TensorClass::side, x.v_head_dim, h);
    matrix(TensorClass::side, width, x.v_head_dim);  // low-rank decay
    if (x.full_rank_gate) {
      matrix(TensorClass::recurrent, width, h);
    } else {
      matrix(TensorClass::side, x.v_head_dim, h);
      matrix(TensorClass::side, width, x.v_head_dim);
    }
    small(3 * width * x.conv_kernel + x.num_heads + width + x.v_head_dim);
    matrix(TensorClass::recurrent, h, width);
  }

  void lightning(const Mixer& x) const {
    const double h = model.hidden_size;
    const double width = double(x.num_heads) * x.v_head_dim;
    matrix(TensorClass::recurrent, 3 * width, h);
    matrix(TensorClass::recurrent, width, h);  // output gate
    matrix(TensorClass::recurrent, h, width);
    small(width);
  }

  void mamba2(const Mixer& x) const {
    const double h = model.hidden_size;
    const double inner = x.inner_size;
    const double conv_width = inner + 2.0 * x.num_groups * x.state_size;
    matrix(TensorClass::recurrent, inner + conv_width + x.num_heads, h);
    small(conv_width * x.conv_kernel + conv_width + 3.0 * x.num_heads + inner);
    matrix(TensorClass::recurrent, h, inner);
  }

  void mamba1(const Mixer& x) const {
    const double h = model.hidden_size;
    const double inner = x.inner_size;
    matrix(TensorClass::recurrent, 2 * inner, h);
    matrix(TensorClass::side, x.dt_rank + 2.0 * x.state_size, inner);
    matrix(TensorClass::side, inner, x.dt_rank);
    small(inner * x.conv_kernel + inner + inner + inner * x.state_size + inner + x.extra_norm_width);
    matrix(TensorClass::recurrent, h, inner);
  }

  void short_conv(const Mixer& x) const {
    const double h = model.hidden_size;
    const double inner = x.inner_size;
    matrix(TensorClass::recurrent, 3 * inner, h);  // the convolved value and a gate before and behind it
    small(inner * x.conv_kernel);
    matrix(TensorClass::recurrent, h, inner);
  }

  void mixer(const Mixer& x) const {
    switch (x.kind) {
      case MixerKind::none: return;
      case MixerKind::full:
      case MixerKind::sliding:
      case MixerKind::chunked:
      case MixerKind::cross: return attention(x);
      case MixerKind::latent: return latent(x);
      case MixerKind::compressed: return compressed(x);
      case MixerKind::gated_delta_net: return gated_delta_net(x);
      case MixerKind::kimi_delta: return kimi_delta(x);
      case MixerKind::lightning: return lightning(x);
      case MixerKind::mamba1: return mamba1(x);
      case MixerKind::mamba2: return mamba2(x);
      case MixerKind::short_conv: return short_conv(x);
    }
  }

  void dense(const FeedForward& f) const {
    const double h = model.hidden_size;
    if (f.gated) matrix(TensorClass::ffn_gate, f.intermediate_size, h);
    matrix(TensorClass::ffn_up, f.intermediate_size, h);
    matrix(TensorClass::ffn_down, h, f.intermediate_size);
    if (f.bias) small((f.gated ? 2.0 : 1.0) * f.intermediate_size + h);
  }

  void mixture(const FeedForward& f) const {
    const double h = model.hidden_size;
    const double width = f.latent_size > 0 ? f.latent_size : h;
    const double experts = f.num_experts;
    matrix(TensorClass::router, experts, h);
    if (f.router_bias) small(experts);
    if (f.gated) matrix(TensorClass::expert_gate, f.moe_intermediate_size, width, experts);
    matrix(TensorClass::expert_up, f.moe_intermediate_size, width, experts);
    matrix(TensorClass::expert_down, width, f.moe_intermediate_size, experts);
    if (f.expert_bias) matrix(TensorClass::expert_bias, 1, 2.0 * f.moe_intermediate_size + h, experts);
    if (f.latent_size > 0) {
      matrix(TensorClass::shared_up, f.latent_size, h);
      matrix(TensorClass::shared_down, h, f.latent_size);
      if (f.latent_norm) small(f.latent_size);
    }
    if (f.shared_intermediate_size > 0) {
      if (f.gated) matrix(TensorClass::shared_gate, f.shared_intermediate_size, h);
      matrix(TensorClass::shared_up, f.shared_intermediate_size, h);
      matrix(TensorClass::shared_down, h, f.shared_intermediate_size);
      if (f.shared_gate) matrix(TensorClass::router, 1, h);
    }
  }

  void feed_forward(const FeedForward& f) const {
    const double h = model.hidden_size;
    if (f.kind == FeedForwardKind::dense || f.kind == FeedForwardKind::dense_and_mixture) dense(f);
    if (f.kind == FeedForwardKind::mixture || f.kind == FeedForwardKind::dense_and_mixture) mixture(f);
    // Side by side, each path has norms of its own and the router a scale per input and per expert.
    if (f.kind == FeedForwardKind::dense_and_mixture) small(3 * h + h + f.num_experts);
  }

  void layer(const Mixer& x, const FeedForward& f) const {
    const double h = model.hidden_size;
    mixer(x);
    feed_forward(f);
    int norms = model.norms_per_layer;
    if (norms == 0) norms = (x.kind != MixerKind::none) + (f.kind != FeedForwardKind::none);
    small(norms * norm_width(h) + model.scalars_per_layer);
    if (model.per_layer_embedding_dim > 0) {
      matrix(TensorClass::side, model.per_layer_embedding_dim, h);
      matrix(TensorClass::side, h, model.per_layer_embedding_dim);
      small(h);
    }
    if (model.laurel_rank > 0) {
      matrix(TensorClass::side, model.laurel_rank, h);
      matrix(TensorClass::side, h, model.laurel_rank);
      small(h);
    }
    if (model.altup_inputs > 0) {
      const double a = model.altup_inputs;
      small(h + a * a * a + a * a + h * a + h);
    }
    if (model.hyper_connections > 0) {  // one mixing matrix before the mixer, one before the feed-forward
      const double n = model.hyper_connections;
      const double mixes = (2 + n) * n;
      matrix(TensorClass::side, mixes, n * h, 2);
      small(2 * (mixes + 3));
    }
  }

  void final_mixing() const {
    if (model.hyper_connections == 0) return;
    const double n = model.hyper_connections;
    matrix(TensorClass::side, n, n * model.hidden_size);
    small(n + 1);
  }

  void outside_layers_before() const {
    const double h = model.hidden_size;
    matrix(TensorClass::token_embedding, model.vocab_size, h);
    small(double(model.extra_embedding_params) + (model.embedding_norm ? norm_width(h) : 0));
    matrix(TensorClass::side, double(model.position_rows) + model.type_rows, h);
    if (model.per_layer_embedding_dim > 0) {
      const double width = double(model.num_layers()) * model.per_layer_embedding_dim;
      matrix(TensorClass::per_layer_embedding, model.per_layer_vocab_size, width);
      matrix(TensorClass::side, width, h);
      small(model.per_layer_embedding_dim);
    }
    if (model.altup_inputs > 0) matrix(TensorClass::side, h, h, 2.0 * (model.altup_inputs - 1));
    if (model.tower_params > 0) matrix(TensorClass::tower, 1, model.tower_params);
  }

  void outside_layers_after() const {
    const double h = model.hidden_size;
    if (!model.no_final_norm) small(norm_width(h));
    final_mixing();
    if (!model.tied_embeddings && !model.no_head) matrix(TensorClass::output_head, model.vocab_size, h);
    if (model.head_bias) small(model.vocab_size);
    if (model.pooler) {
      matrix(TensorClass::side, h, h);
      small(h);
    }
  }
};

}  // namespace

void visit_tensors(const Model& model, bool include_mtp, TensorVisitor visit, void* context) {
  Walk walk{model, visit, context};
  walk.outside_layers_before();
  for (int r = 0; r < model.num_runs; ++r) {
    const LayerRun& run = model.runs[r];
    walk.num_layers = run.count;
    walk.layer(model.mixers[run.mixer], model.feed_forwards[run.feed_forward]);
    walk.first_layer += run.count;
  }
  walk.num_layers = 1;
  walk.outside_layers_after();

  if (!include_mtp || model.num_mtp_layers == 0) return;
  const double h = model.hidden_size;
  walk.in_mtp = true;
  walk.num_layers = model.num_mtp_layers;
  walk.layer(model.mixers[model.mtp_mixer], model.feed_forwards[model.mtp_feed_forward]);
  walk.matrix(TensorClass::side, h, 2 * h);  // joins the hidden state with the next token's embedding
  walk.small(3 * h);
  walk.final_mixing();
  if (model.mtp_own_embedding) {
    walk.matrix(TensorClass::token_embedding, model.vocab_size, h);
    walk.matrix(TensorClass::output_head, model.vocab_size, h);
  }
}

ParameterCount count_parameters(const Model& model) {
  ParameterCount n;
  int run = 0;
  int run_end = model.num_runs > 0 ? model.runs[0].count : 0;
  for_each_tensor(model, true, [&](const Tensor& t) {
    const double elements = t.elements();
    if (t.in_mtp) {
      n.mtp += elements;
      return;
    }
    if (t.cls == TensorClass::token_embedding) n.embedding += elements;
    if (t.cls == TensorClass::output_head) n.head += elements;
    n.total += elements;
    if (t.cls == TensorClass::tower) return;
    n.text += elements;
    if (t.cls == TensorClass::per_layer_embedding) return;  // a token reads one row
    if (is_expert(t.cls) || t.cls == TensorClass::expert_bias) {
      while (t.first_layer >= run_end) run_end += model.runs[++run].count;
      const FeedForward& f = model.feed_forwards[model.runs[run].feed_forward];
      n.active += elements / f.num_experts * f.experts_per_token;
    } else {
      n.active += elements;
    }
  });
  return n;
}

}  // namespace vramfit
