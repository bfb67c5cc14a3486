// llama.cpp's names of tensors: what each is, and of which layer.
#pragma once

#include <string_view>

#include "vramfit/tensors.h"

namespace vramfit::importer {

enum class GgufRole : std::uint8_t {
  unknown,
  // Of no layer.
  token_embd,
  token_embd_norm,
  token_types,
  position_embd,
  output,
  output_norm,
  output_hc_fn,
  output_hc_vector,
  cls,
  rope_table,
  per_layer_token_embd,
  per_layer_model_proj,
  per_layer_proj_norm,
  altup_proj,
  projector,     // of a vision or audio tower
  extra_matrix,  // behind the model: a classifier, an embedder's dense layers
  extra_vector,
  foreign,  // of an encoder-decoder, a draft model and the like
  // Of a layer.
  norm,      // as wide as the model; which one does not matter
  moe_norm,  // one of the three that dense feed-forward and experts side by side need
  attn_q,
  attn_k,
  attn_v,
  attn_qkv,
  attn_output,
  attn_gate,
  attn_q_norm,
  attn_k_norm,
  attn_sinks,
  attn_q_a,
  attn_q_b,
  attn_kv_a,
  attn_kv_b,
  attn_k_b,
  attn_v_b,
  attn_kv,
  attn_output_a,
  attn_output_b,
  compressor_matrix,
  compressor_vector,
  index_q,
  index_k,
  index_proj,
  index_norm,
  index_compressor_matrix,
  index_compressor_vector,
  ssm_in,
  ssm_conv,
  ssm_conv_q,
  ssm_conv_other,
  ssm_x,
  ssm_dt,
  ssm_a,
  ssm_d,
  ssm_norm,
  ssm_inner_norm,
  ssm_out,
  ssm_ba,
  ssm_f_a,
  ssm_low_rank,
  ssm_g_a,
  shortconv_conv,
  shortconv_in,
  shortconv_out,
  time_mix,  // RWKV
  ffn_gate,
  ffn_up,
  ffn_down,
  ffn_gate_inp,
  ffn_gate_inp_shexp,
  ffn_gate_shexp,
  ffn_up_shexp,
  ffn_down_shexp,
  ffn_gate_exps,
  ffn_up_exps,
  ffn_gate_up_exps,
  ffn_down_exps,
  exp_probs_b,
  latent_down,
  latent_up,
  latent_norm,
  hash_table,
  layer_scale,
  ple_gate,
  ple_proj,
  ple_norm,
  laurel_l,
  laurel_r,
  laurel_norm,
  altup_vector,
  layer_vector,  // small, and nothing that the shape knows
  hc_fn,
  hc_vector,
  nextn_eh_proj,
  nextn_norm,
  nextn_embed,
  nextn_head,
  count,
};

enum class GgufPart : std::uint8_t { weight, bias, scale };

struct GgufName {
  GgufRole role = GgufRole::unknown;
  GgufPart part = GgufPart::weight;
  int layer = -1;   // -1: of none
  int expert = -1;  // files of 2023 store each expert by itself
};

GgufName parse_gguf_name(std::string_view name);

// Of the weight itself, where its layer attends; biases and scales are vectors.
TensorClass class_of(GgufRole role);

}  // namespace vramfit::importer
