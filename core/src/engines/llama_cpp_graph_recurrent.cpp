// Recurrent layers in llama.cpp's graph: convolution windows, states, delta rules.
#include "llama_cpp_graph.h"

namespace vramfit {

int LlamaGraph::short_conv(const Mixer& x, int in) {
  const double window = llama_layer_cache(c_, s_, x).conv_bytes * s_.slots;
  const int old_window = g_.op(window, d_, {positions_});
  const int parts = mm(3.0 * x.inner_size, in, TensorClass::recurrent);
  const int gated = g_.op(f32(x.inner_size), d_, {g_.view(parts)});
  const int joined = g_.op(f32(x.inner_size) + window, d_, {g_.view(old_window), g_.view(gated)});
  g_.store(d_, {g_.view(joined, window)});
  const int conv = g_.op(f32(x.inner_size), d_, {joined});
  const int out = g_.op(f32(x.inner_size), d_, {g_.view(parts), conv});
  return mm(m_.hidden_size, out, TensorClass::recurrent);
}

int LlamaGraph::recurrent(const Mixer& x, int in) {
  if (x.kind == MixerKind::short_conv) return short_conv(x, in);
  const LlamaLayerCache cache = llama_layer_cache(c_, s_, x);
  const double slots = s_.slots;
  const bool state_space = x.kind == MixerKind::mamba1 || x.kind == MixerKind::mamba2;
  const double key = double(x.num_key_heads) * x.head_dim;
  const double value = state_space ? x.inner_size : double(x.num_heads) * x.v_head_dim;
  const double conv_width = x.kind == MixerKind::mamba1            ? x.inner_size
                            : x.kind == MixerKind::mamba2          ? x.inner_size + 2.0 * x.num_groups * x.state_size
                            : x.kind == MixerKind::gated_delta_net ? 2 * key + value
                                                                   : 3 * value;
  const int old_window = cache.conv_bytes > 0 ? g_.op(cache.conv_bytes * slots, d_, {positions_}) : -1;
  const int mixed = mm(conv_width, in, TensorClass::recurrent);
  int conv = mixed;
  if (old_window >= 0) {
    const int joined = g_.op(f32(conv_width) + cache.conv_bytes * slots, d_, {g_.view(old_window), g_.view(mixed)});
    g_.store(d_, {g_.view(joined, cache.conv_bytes * slots)});
    conv = g_.op(f32(conv_width), d_, {joined});
    conv = g_.in_place(f32(conv_width), d_, {conv});
  }
  const int state = g_.op(cache.state_bytes * slots, d_, {positions_});
  int out;
  if (state_space) {
    const int scanned = g_.op(f32(value) + cache.state_bytes * slots, d_, {state, conv});
    g_.store(d_, {g_.view(scanned, cache.state_bytes * slots)});
    out = g_.view(scanned, f32(value));
  } else {
    const int q = g_.op(f32(key), d_, {g_.view(conv, f32(key))});
    const int k = g_.op(f32(key), d_, {g_.view(conv, f32(key))});
    const int v = g_.view(conv, f32(value));
    const int gates = g_.op(f32(2.0 * x.num_heads), d_, {in});
    const int result = s_.era == LlamaEra::few_outputs ? fused_delta(cache, q, k, v, gates, state, value)
                                                       : chunked_delta(x, cache, q, k, v, gates, state, value);
    out = g_.view(result, f32(value));
  }
  const int normed = norm(out);
  const int z = g_.view(mm(value, in, TensorClass::recurrent));
  const int gated = g_.in_place(f32(value), d_, {normed, g_.op(f32(value), d_, {z})});
  return reshape(mm(m_.hidden_size, g_.view(gated), TensorClass::recurrent));
}

int LlamaGraph::fused_delta(const LlamaLayerCache& cache, int q, int k, int v, int gates, int state, double value) {
  const int result = g_.op(f32(value) + cache.state_bytes * s_.slots * (1 + s_.rollback_states), d_, {q, k, v, gates, state});
  g_.store(d_, {g_.view(result, cache.state_bytes * s_.slots)});
  return result;
}

// Chunks of 64 tokens, each step an operation of its own.
int LlamaGraph::chunked_delta(const Mixer& x, const LlamaLayerCache& cache, int q, int k, int v, int gates, int state,
                              double value) {
  const double chunk = 64;
  const double square = f32(chunk * x.num_heads);
  const int key_rows = g_.op(f32(value), d_, {k}), query_rows = g_.op(f32(value), d_, {q});  // repeated per value head
  const int pq = g_.op(f32(value), d_, {g_.view(query_rows)}), pk = g_.op(f32(value), d_, {g_.view(key_rows)});
  const int pv = g_.op(f32(value), d_, {v});
  const int vb = g_.in_place(f32(value), d_, {pv, gates}), kb = g_.op(f32(value), d_, {pk, gates});
  const int decay = g_.in_place(square, d_, {g_.op(square, d_, {gates})});
  const int kk = g_.in_place(square, d_, {g_.op(square, d_, {pk, kb}), decay});
  const int kq = g_.op(square, d_, {g_.in_place(square, d_, {g_.op(square, d_, {pk, pq}), decay})});
  const int lower = g_.op(square, d_, {kk});
  const int left = g_.op(square, d_, {lower});
  const int solved = g_.in_place(square, d_, {g_.op(square, d_, {left, g_.in_place(square, d_, {lower})})});
  const int v_new = g_.op(f32(value), d_, {g_.op(f32(value), d_, {vb}), solved});
  const int kbg = g_.in_place(f32(value), d_, {g_.op(f32(value), d_, {kb})});
  const int k_decayed = g_.op(f32(value), d_, {kbg, solved});
  const int q_gated = g_.in_place(f32(value), d_, {pq, gates});
  const int k_gated = g_.op(f32(value), d_, {g_.in_place(f32(value), d_, {pk, gates})});
  const int v_turned = g_.op(f32(value), d_, {v_new});
  const int result = g_.in_place(f32(value), d_, {v_new, v_turned, kq, k_decayed, q_gated, k_gated});
  const int new_state = g_.in_place(cache.state_bytes * s_.slots, d_, {state, result});
  g_.store(d_, {new_state});
  return g_.view(result);
}

}  // namespace vramfit
