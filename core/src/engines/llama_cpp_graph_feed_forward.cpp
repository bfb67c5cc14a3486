// Feed-forwards in llama.cpp's graph: dense ones and mixtures of experts.
#include <algorithm>

#include "llama_cpp_graph.h"

namespace vramfit {

bool LlamaGraph::one_gate_up_matrix() const {
  const Id id = c_.r.summary.id;
  const auto starts = [&](Id family) { return id.substr(0, family.size()) == family; };
  return starts("glm-4-") || ((starts("phi-3") || starts("phi-4")) && id.find("moe") == Id::npos);
}

int LlamaGraph::dense(double width, bool has_gate, bool bias, int in, TensorClass gate_class, TensorClass up_class,
                      TensorClass down_class) {
  int hidden;
  if (has_gate && one_gate_up_matrix() && gate_class == TensorClass::ffn_gate) {
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

int LlamaGraph::mixture(const FeedForward& f, int in) {
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
    int shared = dense(f.shared_intermediate_size, f.gated, false, in, TensorClass::shared_gate, TensorClass::shared_up,
                       TensorClass::shared_down);
    if (f.shared_gate) shared = g_.in_place(g_.bytes_of(shared), d_, {shared, g_.op(f32(1), d_, {in})});
    sum = add(sum, shared);
  }
  return sum;
}

int LlamaGraph::feed_forward(const FeedForward& f, int in) {
  int out = -1;
  if (f.kind == FeedForwardKind::dense || f.kind == FeedForwardKind::dense_and_mixture)
    out = dense(f.intermediate_size, f.gated, f.bias, in, TensorClass::ffn_gate, TensorClass::ffn_up, TensorClass::ffn_down);
  if (f.kind == FeedForwardKind::mixture || f.kind == FeedForwardKind::dense_and_mixture) {
    const int routed = mixture(f, in);
    out = out < 0 ? routed : add(routed, out);
  }
  return out;
}

}  // namespace vramfit
