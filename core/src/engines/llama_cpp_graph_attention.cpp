// Attention in llama.cpp's graph: scores over the cached cells, plain heads and the latent.
#include "llama_cpp_graph.h"

namespace vramfit {

int LlamaGraph::mask_for(bool window, double cells) {
  int& mask = window ? window_mask_ : mask_;
  int& cast = window ? window_mask16_ : mask16_;
  if (!s_.flash || s_.mask16) return mask;
  if (cast < 0) cast = g_.op(attended(cells) * u_ * 2, d_, {mask});
  return cast;
}

int LlamaGraph::scores(int q, const LlamaLayerCache& cache, double heads, double value_width, int mask) {
  const int where = s_.kv_on_host ? llama_host : p_.device_of[il_];
  const int device = s_.kv_on_host ? llama_host : d_;
  const double cells = attended(cache.cells);
  const int keys = foreign(cells * cache.key_bytes * s_.streams, where, device, false);
  const int values = cache.value_bytes > 0 ? foreign(cells * cache.value_bytes * s_.streams, where, device, false) : -1;
  if (s_.flash) return g_.op(f32(heads * value_width), device, {q, keys, values, mask});
  const int kq = g_.op(4 * cells * u_ * heads, device, {keys, q});
  const int soft = g_.in_place(g_.bytes_of(kq), device, {kq, mask});
  return g_.op(f32(heads * value_width), device, {values, soft});
}

void LlamaGraph::store(int what, bool transposed) {
  const int where = s_.kv_on_host ? llama_host : p_.device_of[il_];
  g_.store(where, {what, transposed ? value_ids_ : -1});
}

int LlamaGraph::attention(const Mixer& x, int in) {
  const double q_width = double(x.num_heads) * x.head_dim;
  LlamaLayerCache cache = llama_layer_cache(c_, s_, x);
  const bool window = windowed(x);
  if (x.shares_kv) cache.cells = window ? window_cells() : s_.cells;
  int gate = -1, q = mm(q_width * (x.output_gate ? 2 : 1), in, TensorClass::attention_query);
  if (x.output_gate) {
    const int both = q;
    q = g_.view(both, f32(q_width));
    gate = g_.view(both, f32(q_width));
  }
  q = biased(q, x.q_bias);
  if (!x.output_gate) q = reshape(q);
  if (x.qk_norm != QkNorm::none) q = norm(q);
  q = g_.in_place(f32(q_width), d_, {q, positions_});
  if (!x.shares_kv) {
    const auto key = [&] {
      int k = reshape(biased(mm(double(x.num_kv_heads) * x.head_dim, in, TensorClass::attention_key), x.k_bias));
      if (x.qk_norm != QkNorm::none) k = norm(k);
      return g_.in_place(g_.bytes_of(k), d_, {k, positions_});
    };
    const auto value = [&] {
      return reshape(biased(mm(double(x.num_kv_heads) * x.v_head_dim, in, TensorClass::attention_value), x.v_bias));
    };
    const int k = key(), v = value();
    store(k, false);
    store(v, !s_.flash);
  }
  const int mask = mask_for(window, cache.cells);
  int out = scores(reshape(q), cache, x.num_heads, x.v_head_dim, mask);
  if (!s_.flash) out = g_.op(g_.bytes_of(out), d_, {g_.view(out)});
  else out = reshape(out);
  if (gate >= 0) {
    const int opened = g_.op(f32(q_width), d_, {gate});
    const int sigmoid = g_.in_place(f32(q_width), d_, {opened});
    out = g_.in_place(f32(q_width), d_, {out, sigmoid});
  }
  return biased(mm(m_.hidden_size, out, TensorClass::attention_output), x.o_bias);
}

int LlamaGraph::latent(const Mixer& x, int in) {
  const double heads = x.num_heads, rope = x.qk_rope_head_dim, rank = x.kv_lora_rank, nope = x.head_dim - rope;
  const LlamaLayerCache cache = llama_layer_cache(c_, s_, x);
  int q = in;
  if (x.q_lora_rank > 0) q = norm(mm(x.q_lora_rank, in, TensorClass::attention_down));
  q = mm(heads * x.head_dim, q, TensorClass::attention_query);
  const int q_nope = g_.view(q, f32(heads * nope)), q_rope = g_.view(q, f32(heads * rope));
  const int both = mm(rank + rope, in, TensorClass::attention_down);
  const int k_rope_raw = g_.view(both, f32(rope)), latent_raw = g_.view(both, f32(rank));
  const int q_turned = g_.op(f32(heads * rope), d_, {q_rope, positions_});
  const int k_turned = g_.op(f32(rope), d_, {k_rope_raw, positions_});
  const int latent_normed = g_.in_place(f32(rank), d_, {g_.op(f32(rank), d_, {latent_raw})});
  int out;
  if (s_.latent_keys) {
    const int absorbed = g_.op(f32(heads * rank), d_, {q_nope, weight(TensorClass::attention_up)});
    const int query = g_.op(f32(heads * (rank + rope)), d_, {g_.view(absorbed), q_turned});
    const int key = g_.op(f32(rank + rope), d_, {latent_normed, k_turned});
    store(key, false);
    out = scores(g_.view(query), cache, heads, rank, mask_for(false, cache.cells));
    out = g_.op(f32(heads * x.v_head_dim), d_, {g_.view(out), weight(TensorClass::attention_up)});
    out = g_.op(f32(heads * x.v_head_dim), d_, {g_.view(out)});
  } else {
    const int expanded = g_.op(f32(heads * (nope + x.v_head_dim)), d_, {latent_normed, weight(TensorClass::attention_up)});
    const int k_nope = g_.view(expanded, f32(heads * nope)), v_part = g_.view(expanded, f32(heads * x.v_head_dim));
    const int query = g_.op(f32(heads * x.head_dim), d_, {q_nope, q_turned});
    const int repeated = g_.op(f32(heads * rope), d_, {k_turned});
    const int key = g_.op(f32(heads * x.head_dim), d_, {k_nope, repeated});
    const int value = g_.op(f32(heads * x.v_head_dim), d_, {v_part});
    store(key, false);
    store(value, !s_.flash);
    out = scores(g_.view(query), cache, heads, x.v_head_dim, mask_for(false, cache.cells));
    if (!s_.flash) out = g_.op(g_.bytes_of(out), d_, {g_.view(out)});
  }
  return mm(m_.hidden_size, out, TensorClass::attention_output);
}

}  // namespace vramfit
