// The compute buffer: llama.cpp's worst-case graph of one micro-batch, laid out by ggml's allocator (source ids llama-cpp-graph,
// ggml-allocator).
#include "llama_cpp_graph.h"

#include <algorithm>
#include <tuple>

namespace vramfit {

namespace {

constexpr int longest_pattern = 8;  // layers
constexpr int patterns_kept = 4;    // of each stretch, in pairs

}  // namespace

std::vector<double> LlamaGraph::run() {
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

std::vector<double> LlamaGraph::run_draft() {
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

std::vector<double> LlamaGraph::finish(int x, bool normalise) {
  const int d = output_compute_device();
  const int normed = normalise ? norm(x, d) : x;
  // An embedder has no output matrix: the hidden states are turned over to be pooled.
  if (m_.no_head) g_.op(g_.bytes_of(normed), d, {g_.view(normed)});
  else g_.op(4 * s_.outputs * m_.vocab_size, d, {normed, foreign(p_.tensors->head, p_.output_device(), d)});
  return g_.buffers();
}

// Equal layers leave the allocator as they found it, at the latest every other time: of a long stretch on one device an even
// number of its patterns is left out.
std::vector<bool> LlamaGraph::layers_that_count() const {
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

bool LlamaGraph::pipelined(const LlamaSettings& s, const LlamaPlacement& p) {
  if (s.num_devices < 2 || s.rows || s.kv_on_host) return false;
  for (const int d : p.device_of)
    if (d == llama_host) return false;
  return std::find(p.experts_on_host.begin(), p.experts_on_host.end(), true) == p.experts_on_host.end();
}

double LlamaGraph::window_cells() const {
  double widest = 0;
  for (int i = 0; i < m_.num_mixers; ++i)
    if (windowed(m_.mixers[i])) widest = std::max(widest, llama_layer_cache(c_, s_, m_.mixers[i]).cells);
  return widest > 0 ? widest : s_.cells;
}

bool LlamaGraph::attends(bool in_window) const {
  for (int i = 0; i < m_.num_mixers; ++i) {
    const Mixer& x = m_.mixers[i];
    if (x.kind != MixerKind::none && !is_recurrent(x.kind) && windowed(x) == in_window) return true;
  }
  return false;
}

double LlamaGraph::value_width() const {
  double widest = 0;
  for (int i = 0; i < m_.num_mixers; ++i)
    if (!is_recurrent(m_.mixers[i].kind)) widest = std::max(widest, double(m_.mixers[i].num_kv_heads) * m_.mixers[i].v_head_dim);
  return widest;
}

int LlamaGraph::layer(int input, int il, bool last) {
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

std::vector<double> llama_compute_buffers(const EngineContext& c, const LlamaSettings& s, const LlamaPlacement& p) {
  return LlamaGraph(c, s, p).run();
}

std::vector<double> llama_draft_buffers(const EngineContext& c, const LlamaSettings& s, const LlamaPlacement& p) {
  if (s.mtp_layers == 0) return std::vector<double>(s.num_devices + 1);
  return LlamaGraph(c, s, p).run_draft();
}

}  // namespace vramfit
