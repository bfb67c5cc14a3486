// llama.cpp's worst-case graph of one micro-batch as it is built, layer by layer. Only what takes memory is built, in the order
// of the builds that were read (source id llama-cpp-graph). Attention, recurrent layers and feed-forwards have files of their
// own.
#pragma once

#include <algorithm>

#include "ggml_graph.h"
#include "llama_cpp.h"

namespace vramfit {

class LlamaGraph {
 public:
  LlamaGraph(const EngineContext& c, const LlamaSettings& s, const LlamaPlacement& p)
      : c_(c),
        m_(c.r.model),
        s_(s),
        p_(p),
        g_(s.num_devices, pipelined(s, p) ? 4 : 1),
        u_(s.micro_batch),
        tokens_(s.micro_batch) {}

  // Bytes of each device's buffer; the host's come last.
  std::vector<double> run();
  // The drafting layers are a context of their own: they read the hidden state beside the token.
  std::vector<double> run_draft();

 private:
  std::vector<double> finish(int x, bool normalise = true);
  std::vector<bool> layers_that_count() const;
  // Pipelining: several GPUs, everything on them.
  static bool pipelined(const LlamaSettings& s, const LlamaPlacement& p);

  // Matrices on the host are copied to the first GPU to be used, when the batch is large enough.
  int compute_device(int layer) const {
    const int d = p_.device_of[layer];
    return d != llama_host ? d : u_ >= 32 ? 0 : llama_host;
  }
  int output_compute_device() const {
    const int d = p_.output_device();
    return d != llama_host ? d : s_.outputs >= 32 ? 0 : llama_host;
  }

  double window_cells() const;
  static bool windowed(const Mixer& x) { return x.kind == MixerKind::sliding || x.kind == MixerKind::chunked; }
  bool attends(bool in_window) const;
  // An encoder attends to the micro-batch itself.
  double attended(double cells) const { return m_.encoder ? u_ : std::max(cells, 1.0); }
  double mask_bytes(double cells) const { return cells * u_ * (s_.mask16 ? 2 : 4); }
  double value_width() const;

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

  int layer(int input, int il, bool last);

  // --- attention ---
  // The mask as the attention of this build reads it: flash attention had it cast to 16 bits once.
  int mask_for(bool window, double cells);
  // Softmax over the cached cells. `q` is per head; `value_width`: of what comes out of one head.
  int scores(int q, const LlamaLayerCache& cache, double heads, double value_width, int mask);
  void store(int what, bool transposed);
  int attention(const Mixer& x, int in);
  int latent(const Mixer& x, int in);

  // --- recurrent layers ---
  int short_conv(const Mixer& x, int in);
  int recurrent(const Mixer& x, int in);
  int fused_delta(const LlamaLayerCache& cache, int q, int k, int v, int gates, int state, double value);
  // Chunks of 64 tokens, each step an operation of its own.
  int chunked_delta(const Mixer& x, const LlamaLayerCache& cache, int q, int k, int v, int gates, int state, double value);

  // --- feed-forwards ---
  // Families whose files hold gate and up as one matrix.
  bool one_gate_up_matrix() const;
  bool fused_activation() const { return s_.era >= LlamaEra::windows; }
  int dense(double width, bool has_gate, bool bias, int in, TensorClass gate_class, TensorClass up_class, TensorClass down_class);
  int mixture(const FeedForward& f, int in);
  int feed_forward(const FeedForward& f, int in);

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

}  // namespace vramfit
