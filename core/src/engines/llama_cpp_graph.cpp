// The compute buffer: llama.cpp's worst-case graph of one micro-batch, laid out by ggml's allocator (source ids llama-cpp-graph,
// ggml-allocator). Only what takes memory is built, in the order of the builds that were read.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "ggml_graph.h"
#include "llama_cpp.h"

namespace vramfit {
namespace {

constexpr int longest_pattern = 8;  // layers
constexpr int patterns_kept = 4;    // of each stretch, in pairs

class Builder {
 public:
  Builder(const EngineContext& c, const LlamaSettings& s, const LlamaPlacement& p)
      : c_(c),
        m_(c.r.model),
        s_(s),
        p_(p),
        g_(s.num_devices, pipelined(c, s, p) ? 4 : 1),
        u_(s.micro_batch),
        tokens_(s.micro_batch) {}

  std::vector<double> run() {
    const double h = m_.hidden_size;
    const int ids = g_.input(4 * u_);
    positions_ = g_.input(4 * u_);
    if (attends(false)) mask_ = g_.input(mask_bytes(attended(s_.cells)));
    if (attends(true)) window_mask_ = g_.input(mask_bytes(window_cells()));
    out_ids_ = g_.input(4 * s_.outputs);
    // Older builds wrote values transposed, by an index per element.
    if (!s_.flash && s_.era >= LlamaEra::windows) value_ids_ = g_.input(8 * u_ * value_width());

    int x = g_.op(4 * u_ * h, llama_host, {ids});
    if (m_.per_layer_embedding_dim > 0) {
      const double width = double(m_.num_layers()) * m_.per_layer_embedding_dim;
      const int rows = g_.op(4 * u_ * width, llama_host, {ids});
      const int d = compute_device(0);
      const int projected = g_.op(4 * u_ * width, d, {x});
      per_layer_ = g_.in_place(4 * u_ * width, d, {projected, rows});
    }
    const int layers = m_.num_layers();
    const std::vector<bool> kept = layers_that_count();
    for (int il = 0; il < layers; ++il)
      if (kept[il]) x = layer(x, il, il == layers - 1);
    return finish(x);
  }

  // The drafting layers are a context of their own: they read the hidden state beside the token.
  std::vector<double> run_draft() {
    const double h = m_.hidden_size;
    const int ids = g_.input(4 * u_);
    const int hidden = g_.input(4 * u_ * h);
    positions_ = g_.input(4 * u_);
    mask_ = g_.input(mask_bytes(s_.cells));
    out_ids_ = g_.input(4 * s_.outputs);
    const int first = m_.num_layers(), last = first + s_.mtp_layers - 1;
    d_ = compute_device(first);
    int x = norm(g_.op(4 * u_ * h, llama_host, {ids}), d_);
    const int joined = g_.op(8 * u_ * h, d_, {x, norm(hidden, d_)});
    x = g_.op(4 * u_ * h, d_, {joined});
    for (int il = first; il <= last; ++il) x = layer(x, il, false);
    // Every token's hidden state is kept for the next draft; the rows that are asked for are taken behind the norm.
    tokens_ = s_.outputs;
    return finish(g_.op(f32(h), d_, {norm(x), out_ids_}), false);
  }

 private:
  std::vector<double> finish(int x, bool normalise = true) {
    const int d = output_compute_device();
    const int normed = normalise ? norm(x, d) : x;
    // An embedder has no output matrix: the hidden states are turned over to be pooled.
    if (m_.no_head) g_.op(g_.bytes_of(normed), d, {g_.view(normed)});
    else g_.op(4 * s_.outputs * m_.vocab_size, d, {normed, foreign(p_.tensors->head, p_.output_device(), d)});
    return g_.buffers();
  }

  // Equal layers leave the allocator as they found it, at the latest every other time: of a long stretch on one device an even
  // number of its patterns is left out.
  std::vector<bool> layers_that_count() const {
    const int n = m_.num_layers();
    std::vector<bool> kept(n, true);
    const auto kind = [&](int il) {
      return std::tuple(&llama_mixer(m_, il), &llama_feed_forward(m_, il), p_.device_of[il], p_.experts_on_host[il]);
    };
    for (int start = 0; start < n;) {
      int best_end = start + 1, best_period = 1;
      for (int period = 1; period <= longest_pattern; ++period) {
        int end = std::min(n, start + period);
        while (end < n && kind(end) == kind(end - period)) ++end;
        if (end - start >= 2 * period && end > best_end) best_end = end, best_period = period;
      }
      const int pattern = 2 * best_period;
      const int spare = (best_end - start) - patterns_kept * pattern;
      if (spare >= pattern)
        for (int i = 0; i < spare / pattern * pattern; ++i) kept[start + patterns_kept / 2 * pattern + i] = false;
      start = best_end;
    }
    return kept;
  }

  // Pipelining: several GPUs, everything on them.
  static bool pipelined(const EngineContext&, const LlamaSettings& s, const LlamaPlacement& p) {
    if (s.num_devices < 2 || s.rows || s.kv_on_host) return false;
    for (const int d : p.device_of)
      if (d == llama_host) return false;
    return std::find(p.experts_on_host.begin(), p.experts_on_host.end(), true) == p.experts_on_host.end();
  }

  // Matrices on the host are copied to the first GPU to be used, when the batch is large enough.
  int compute_device(int layer) const {
    const int d = p_.device_of[layer];
    return d != llama_host ? d : u_ >= 32 ? 0 : llama_host;
  }
  int output_compute_device() const {
    const int d = p_.output_device();
    return d != llama_host ? d : s_.outputs >= 32 ? 0 : llama_host;
  }

  double window_cells() const {
    double widest = 0;
    for (int i = 0; i < m_.num_mixers; ++i)
      if (windowed(m_.mixers[i])) widest = std::max(widest, llama_layer_cache(c_, s_, m_.mixers[i]).cells);
    return widest > 0 ? widest : s_.cells;
  }
  static bool windowed(const Mixer& x) { return x.kind == MixerKind::sliding || x.kind == MixerKind::chunked; }
  bool attends(bool in_window) const {
    for (int i = 0; i < m_.num_mixers; ++i) {
      const Mixer& x = m_.mixers[i];
      if (x.kind != MixerKind::none && !is_recurrent(x.kind) && windowed(x) == in_window) return true;
    }
    return false;
  }
  // An encoder attends to the micro-batch itself.
  double attended(double cells) const { return m_.encoder ? u_ : std::max(cells, 1.0); }
  double mask_bytes(double cells) const { return cells * u_ * (s_.mask16 ? 2 : 4); }
  double value_width() const {
    double widest = 0;
    for (int i = 0; i < m_.num_mixers; ++i)
      if (!is_recurrent(m_.mixers[i].kind))
        widest = std::max(widest, double(m_.mixers[i].num_kv_heads) * m_.mixers[i].v_head_dim);
    return widest;
  }

  // A matrix or cache that has to be brought to `device`; none when it is there.
  int foreign(double bytes, int where, int device, bool is_weight = true) {
    return where == device || bytes <= 0 ? -1 : g_.resident(bytes, where, is_weight);
  }
  int weight(TensorClass cls, bool on_host = false) {
    const int where = on_host ? llama_host : p_.device_of[il_];
    const int device = on_host ? expert_device() : d_;
    return foreign(p_.tensors->layers[il_].largest[static_cast<int>(cls)], where, device);
  }
  int expert_device() const { return u_ >= 32 ? 0 : llama_host; }

  double f32(double width) const { return 4 * tokens_ * width; }
  int mm(double width, int x, TensorClass cls) { return g_.op(f32(width), d_, {x, weight(cls)}); }
  // Norm and its weights.
  int norm(int x, int device) {
    const int n = g_.in_place(g_.bytes_of(x), device, {x});
    return g_.in_place(g_.bytes_of(x), device, {n});
  }
  int norm(int x) { return norm(x, d_); }
  int add(int a, int b) { return g_.in_place(g_.bytes_of(a), d_, {a, b}); }
  int biased(int x, bool has_bias) { return has_bias ? g_.in_place(g_.bytes_of(x), d_, {x}) : x; }
  int reshape(int x) { return g_.view(x); }

  int layer(int input, int il, bool last) {
    il_ = il;
    d_ = compute_device(il);
    tokens_ = u_;
    const Mixer& x = llama_mixer(m_, il);
    const FeedForward& f = llama_feed_forward(m_, il);
    int residual = input;
    int cur = input;
    if (x.kind != MixerKind::none) {
      const int normed = norm(cur);
      cur = is_recurrent(x.kind) ? recurrent(x, normed) : x.kind == MixerKind::latent ? latent(x, normed) : attention(x, normed);
      if (m_.norms_per_layer >= 4) cur = norm(cur);
    }
    if (last && !m_.no_head) {
      tokens_ = s_.outputs;
      if (x.kind != MixerKind::none) cur = g_.op(f32(m_.hidden_size), d_, {cur, out_ids_});
      residual = g_.op(f32(m_.hidden_size), d_, {residual, out_ids_});
      if (x.kind == MixerKind::none) cur = residual;
    }
    if (x.kind != MixerKind::none) residual = add(cur, residual);
    if (f.kind != FeedForwardKind::none) {
      cur = norm(residual);
      cur = feed_forward(f, cur);
      if (m_.norms_per_layer >= 4) cur = norm(cur);
      residual = add(cur, residual);
    }
    if (per_layer_ >= 0) {  // a gate on this layer's slice of the second table
      const double width = m_.per_layer_embedding_dim;
      const int gate = g_.op(f32(width), d_, {residual});
      const int gated = g_.in_place(f32(width), d_, {gate, g_.view(per_layer_, f32(width))});
      residual = add(g_.op(f32(m_.hidden_size), d_, {gated}), residual);
    }
    return residual;
  }

  // The mask as the attention of this build reads it: flash attention had it cast to 16 bits once.
  int mask_for(bool window, double cells) {
    int& mask = window ? window_mask_ : mask_;
    int& cast = window ? window_mask16_ : mask16_;
    if (!s_.flash || s_.mask16) return mask;
    if (cast < 0) cast = g_.op(attended(cells) * u_ * 2, d_, {mask});
    return cast;
  }

  // Softmax over the cached cells. `q` is per head; `value_width`: of what comes out of one head.
  int scores(int q, const LlamaLayerCache& cache, double heads, double value_width, int mask) {
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

  void store(int what, bool transposed) {
    const int where = s_.kv_on_host ? llama_host : p_.device_of[il_];
    g_.store(where, {what, transposed ? value_ids_ : -1});
  }

  int attention(const Mixer& x, int in) {
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

  int latent(const Mixer& x, int in) {
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

  int short_conv(const Mixer& x, int in) {
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

  int recurrent(const Mixer& x, int in) {
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

  int fused_delta(const LlamaLayerCache& cache, int q, int k, int v, int gates, int state, double value) {
    const int result = g_.op(f32(value) + cache.state_bytes * s_.slots * (1 + s_.rollback_states), d_, {q, k, v, gates, state});
    g_.store(d_, {g_.view(result, cache.state_bytes * s_.slots)});
    return result;
  }

  // Chunks of 64 tokens, each step an operation of its own.
  int chunked_delta(const Mixer& x, const LlamaLayerCache& cache, int q, int k, int v, int gates, int state, double value) {
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

  int gated(int gate, int up, double width, bool fused) {
    if (fused) return g_.op(f32(width), d_, {gate, up});
    return g_.in_place(f32(width), d_, {g_.in_place(f32(width), d_, {gate}), up});
  }
  bool fused_activation() const { return s_.era >= LlamaEra::windows; }

  int dense(double width, bool has_gate, bool joined, bool bias, int in, TensorClass gate_class, TensorClass up_class,
            TensorClass down_class) {
    int hidden;
    if (has_gate && joined) {
      const int both = g_.op(f32(2 * width), d_, {in, weight(up_class)});
      if (fused_activation()) {
        hidden = g_.op(f32(width), d_, {both});
      } else {
        const int gate = g_.op(f32(width), d_, {g_.view(both, f32(width))});
        const int opened = g_.in_place(f32(width), d_, {gate});
        hidden = g_.in_place(f32(width), d_, {opened, g_.op(f32(width), d_, {g_.view(both, f32(width))})});
      }
    } else if (has_gate) {
      const int gate = biased(mm(width, in, gate_class), bias);
      const int early = fused_activation() ? gate : g_.in_place(f32(width), d_, {gate});
      const int up = biased(mm(width, in, up_class), bias);
      hidden = fused_activation() ? g_.op(f32(width), d_, {early, up}) : g_.in_place(f32(width), d_, {early, up});
    } else {
      const int up = biased(mm(width, in, up_class), bias);
      hidden = g_.in_place(f32(width), d_, {up});
    }
    return biased(mm(m_.hidden_size, hidden, down_class), bias);
  }

  int mixture(const FeedForward& f, int in) {
    const double k = f.experts_per_token;
    const double experts = f.num_experts;
    const bool on_host = p_.experts_on_host[il_];
    const int here = d_;
    const int router = biased(g_.op(f32(experts), d_, {in}), f.router_bias && f.expert_bias);
    const int probabilities = g_.in_place(f32(experts), d_, {router});
    const int selection = f.router_bias && !f.expert_bias ? g_.op(f32(experts), d_, {probabilities}) : probabilities;
    const int sorted = g_.op(f32(experts), d_, {selection});
    const int chosen = g_.view(sorted, f32(k));
    const int weights = g_.view(g_.op(f32(k), d_, {g_.view(probabilities), chosen}));
    const int normalised = g_.op(f32(k), d_, {weights, g_.op(f32(1), d_, {weights})});
    int x = in;
    double width = m_.hidden_size;
    if (f.latent_size > 0) {
      width = f.latent_size;
      x = mm(width, in, TensorClass::shared_up);
    }
    if (on_host) d_ = expert_device();
    const double inner = k * f.moe_intermediate_size;
    const auto expert = [&](double out, int operand, TensorClass cls) {
      const int made = g_.op(f32(out), d_, {operand, chosen, weight(cls, on_host)});
      return biased(made, f.expert_bias);
    };
    int hidden;
    if (f.gated) {
      int gate = expert(inner, x, TensorClass::expert_gate);
      if (!fused_activation()) gate = g_.in_place(f32(inner), d_, {gate});
      const int up = expert(inner, x, TensorClass::expert_up);
      hidden = fused_activation() ? g_.op(f32(inner), d_, {gate, up}) : g_.in_place(f32(inner), d_, {gate, up});
    } else {
      hidden = g_.in_place(f32(inner), d_, {expert(inner, x, TensorClass::expert_up)});
    }
    int out = expert(k * width, hidden, TensorClass::expert_down);
    d_ = here;
    out = g_.in_place(f32(k * width), d_, {out, normalised});
    int views[64];
    const int n = std::min(static_cast<int>(k), 64);
    for (int i = 0; i < n; ++i) views[i] = g_.view(out, f32(width));
    int sum = views[0];
    if (n == 1) sum = g_.op(f32(width), d_, {views[0]});
    for (int i = 1; i < n; ++i) sum = g_.in_place(f32(width), d_, {sum, views[i]});
    if (f.latent_size > 0) sum = mm(m_.hidden_size, sum, TensorClass::shared_down);
    if (f.shared_intermediate_size > 0) {
      int shared = dense(f.shared_intermediate_size, f.gated, false, false, in, TensorClass::shared_gate, TensorClass::shared_up,
                         TensorClass::shared_down);
      if (f.shared_gate) shared = g_.in_place(g_.bytes_of(shared), d_, {shared, g_.op(f32(1), d_, {in})});
      sum = add(sum, shared);
    }
    return sum;
  }

  int feed_forward(const FeedForward& f, int in) {
    int out = -1;
    if (f.kind == FeedForwardKind::dense || f.kind == FeedForwardKind::dense_and_mixture)
      out = dense(f.intermediate_size, f.gated, f.joined_gate_up, f.bias, in, TensorClass::ffn_gate, TensorClass::ffn_up,
                  TensorClass::ffn_down);
    if (f.kind == FeedForwardKind::mixture || f.kind == FeedForwardKind::dense_and_mixture) {
      const int routed = mixture(f, in);
      out = out < 0 ? routed : add(routed, out);
    }
    return out;
  }

  const EngineContext& c_;
  const Model& m_;
  const LlamaSettings& s_;
  const LlamaPlacement& p_;
  GgmlGraph g_;
  double u_, tokens_;
  int il_ = 0, d_ = 0;
  int positions_ = -1, mask_ = -1, window_mask_ = -1, mask16_ = -1, window_mask16_ = -1, out_ids_ = -1, value_ids_ = -1;
  int per_layer_ = -1;
};

}  // namespace

std::vector<double> llama_compute_buffers(const EngineContext& c, const LlamaSettings& s, const LlamaPlacement& p) {
  return Builder(c, s, p).run();
}

std::vector<double> llama_draft_buffers(const EngineContext& c, const LlamaSettings& s, const LlamaPlacement& p) {
  if (s.mtp_layers == 0) return std::vector<double>(s.num_devices + 1);
  return Builder(c, s, p).run_draft();
}

}  // namespace vramfit
