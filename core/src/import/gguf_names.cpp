// Names: llama.cpp's table of tensors (source id llama-cpp-architectures).
#include "import/gguf_names.h"

#include <algorithm>

namespace vramfit::importer {
namespace {

using R = GgufRole;
using C = TensorClass;

struct Row {
  std::string_view name;
  R role;
};

constexpr Row global_rows[] = {
    {"altup_proj", R::altup_proj},
    {"altup_unembd_proj", R::altup_proj},
    {"cls", R::cls},
    {"cls.norm", R::extra_vector},
    {"cls.output", R::extra_matrix},
    {"dense_2", R::extra_matrix},
    {"dense_3", R::extra_matrix},
    {"output", R::output},
    {"output_attn_res_norm", R::extra_vector},
    {"output_attn_res_proj", R::extra_vector},
    {"output_hc_base", R::output_hc_vector},
    {"output_hc_fn", R::output_hc_fn},
    {"output_hc_scale", R::output_hc_vector},
    {"output_norm", R::output_norm},
    {"per_layer_model_proj", R::per_layer_model_proj},
    {"per_layer_proj_norm", R::per_layer_proj_norm},
    {"per_layer_token_embd", R::per_layer_token_embd},
    {"position_embd", R::position_embd},
    {"rope_factors_long", R::rope_table},
    {"rope_factors_short", R::rope_table},
    {"rope_freqs", R::rope_table},
    {"token_embd", R::token_embd},
    {"token_embd_norm", R::token_embd_norm},
    {"token_types", R::token_types},
};

constexpr Row layer_rows[] = {
    {"altup_correct_coef", R::altup_vector},
    {"altup_correct_scale", R::altup_vector},
    {"altup_predict_coef", R::altup_vector},
    {"altup_router", R::altup_vector},
    {"altup_router_norm", R::altup_vector},
    {"attn_compressor_ape", R::compressor_vector},
    {"attn_compressor_gate", R::compressor_matrix},
    {"attn_compressor_kv", R::compressor_matrix},
    {"attn_compressor_norm", R::compressor_vector},
    {"attn_gate", R::attn_gate},
    {"attn_k", R::attn_k},
    {"attn_k_b", R::attn_k_b},
    {"attn_k_norm", R::attn_k_norm},
    {"attn_kv", R::attn_kv},
    {"attn_kv_a_mqa", R::attn_kv_a},
    {"attn_kv_a_norm", R::compressor_vector},
    {"attn_kv_b", R::attn_kv_b},
    {"attn_norm", R::norm},
    {"attn_norm_2", R::norm},
    {"attn_output", R::attn_output},
    {"attn_output_a", R::attn_output_a},
    {"attn_output_b", R::attn_output_b},
    {"attn_output_norm", R::norm},
    {"attn_post_norm", R::norm},
    {"attn_q", R::attn_q},
    {"attn_q_a", R::attn_q_a},
    {"attn_q_a_norm", R::compressor_vector},
    {"attn_q_b", R::attn_q_b},
    {"attn_q_norm", R::attn_q_norm},
    {"attn_qkv", R::attn_qkv},
    {"attn_res_norm", R::layer_vector},
    {"attn_res_proj", R::layer_vector},
    {"attn_rot_embd", R::rope_table},
    {"attn_sinks", R::attn_sinks},
    {"attn_sub_norm", R::norm},
    {"attn_v", R::attn_v},
    {"attn_v_b", R::attn_v_b},
    {"exp_probs_b", R::exp_probs_b},
    {"ffn.act", R::layer_vector},
    {"ffn_down", R::ffn_down},
    {"ffn_down_exps", R::ffn_down_exps},
    {"ffn_down_shexp", R::ffn_down_shexp},
    {"ffn_gate", R::ffn_gate},
    {"ffn_gate_exps", R::ffn_gate_exps},
    {"ffn_gate_inp", R::ffn_gate_inp},
    {"ffn_gate_inp_shexp", R::ffn_gate_inp_shexp},
    {"ffn_gate_shexp", R::ffn_gate_shexp},
    {"ffn_gate_tid2eid", R::hash_table},
    {"ffn_gate_up_exps", R::ffn_gate_up_exps},
    {"ffn_latent_down", R::latent_down},
    {"ffn_latent_norm", R::latent_norm},
    {"ffn_latent_up", R::latent_up},
    {"ffn_norm", R::norm},
    {"ffn_norm_exps", R::latent_norm},
    {"ffn_post_norm", R::norm},
    {"ffn_res_norm", R::layer_vector},
    {"ffn_res_proj", R::layer_vector},
    {"ffn_sub_norm", R::layer_vector},
    {"ffn_up", R::ffn_up},
    {"ffn_up_exps", R::ffn_up_exps},
    {"ffn_up_shexp", R::ffn_up_shexp},
    {"hc_attn_base", R::hc_vector},
    {"hc_attn_fn", R::hc_fn},
    {"hc_attn_scale", R::hc_vector},
    {"hc_ffn_base", R::hc_vector},
    {"hc_ffn_fn", R::hc_fn},
    {"hc_ffn_scale", R::hc_vector},
    {"indexer.attn_k", R::index_k},
    {"indexer.attn_q_b", R::index_q},
    {"indexer.k_norm", R::index_norm},
    {"indexer.k_proj", R::index_k},
    {"indexer.proj", R::index_proj},
    {"indexer.q_norm", R::index_norm},
    {"indexer.q_proj", R::index_q},
    {"indexer_compressor_ape", R::index_compressor_vector},
    {"indexer_compressor_gate", R::index_compressor_matrix},
    {"indexer_compressor_kv", R::index_compressor_matrix},
    {"indexer_compressor_norm", R::index_compressor_vector},
    {"inp_gate", R::ple_gate},
    {"laurel_l", R::laurel_l},
    {"laurel_post_norm", R::laurel_norm},
    {"laurel_r", R::laurel_r},
    {"layer_output_norm", R::norm},
    {"layer_output_scale", R::layer_scale},
    {"nextn.eh_proj", R::nextn_eh_proj},
    {"nextn.embed_tokens", R::nextn_embed},
    {"nextn.enorm", R::nextn_norm},
    {"nextn.hnorm", R::nextn_norm},
    {"nextn.shared_head_head", R::nextn_head},
    {"nextn.shared_head_norm", R::nextn_norm},
    {"post_attention_norm", R::norm},
    {"post_ffw_norm", R::norm},
    {"post_ffw_norm_1", R::moe_norm},
    {"post_ffw_norm_2", R::moe_norm},
    {"post_norm", R::ple_norm},
    {"pre_ffw_norm_2", R::moe_norm},
    {"proj", R::ple_proj},
    {"rope_freqs", R::rope_table},
    {"shortconv.conv", R::shortconv_conv},
    {"shortconv.in_proj", R::shortconv_in},
    {"shortconv.out_proj", R::shortconv_out},
    {"ssm_a", R::ssm_a},
    {"ssm_alpha", R::ssm_ba},
    {"ssm_b_norm", R::ssm_inner_norm},
    {"ssm_ba", R::ssm_ba},
    {"ssm_beta", R::ssm_ba},
    {"ssm_c_norm", R::ssm_inner_norm},
    {"ssm_conv1d", R::ssm_conv},
    {"ssm_conv1d_k", R::ssm_conv_other},
    {"ssm_conv1d_q", R::ssm_conv_q},
    {"ssm_conv1d_v", R::ssm_conv_other},
    {"ssm_d", R::ssm_d},
    {"ssm_dt", R::ssm_dt},
    {"ssm_dt_norm", R::ssm_inner_norm},
    {"ssm_f_a", R::ssm_f_a},
    {"ssm_f_b", R::ssm_low_rank},
    {"ssm_g", R::attn_gate},
    {"ssm_g_a", R::ssm_g_a},
    {"ssm_g_b", R::ssm_low_rank},
    {"ssm_in", R::ssm_in},
    {"ssm_norm", R::ssm_norm},
    {"ssm_out", R::ssm_out},
    {"ssm_x", R::ssm_x},
};

template <std::size_t N>
constexpr bool sorted(const Row (&rows)[N]) {
  for (std::size_t i = 1; i < N; ++i)
    if (!(rows[i - 1].name < rows[i].name)) return false;
  return true;
}
static_assert(sorted(global_rows) && sorted(layer_rows));

template <std::size_t N>
R find(const Row (&rows)[N], std::string_view name) {
  const Row* at = std::lower_bound(rows, rows + N, name, [](const Row& row, std::string_view n) { return row.name < n; });
  return at != rows + N && at->name == name ? at->role : R::unknown;
}

bool cut_end(std::string_view& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

// A whole number without leading zeros, up to 9999; cut off the front.
bool cut_number(std::string_view& text, int& number) {
  std::size_t n = 0;
  int value = 0;
  while (n < text.size() && n < 5 && text[n] >= '0' && text[n] <= '9') value = value * 10 + (text[n++] - '0');
  if (n == 0 || n == 5 || (n > 1 && text[0] == '0')) return false;
  text.remove_prefix(n);
  number = value;
  return true;
}

}  // namespace

GgufName parse_gguf_name(std::string_view text) {
  GgufName name;
  if (cut_end(text, ".bias")) name.part = GgufPart::bias;
  else if (cut_end(text, ".scale") || cut_end(text, ".input_scale")) name.part = GgufPart::scale;
  else cut_end(text, ".weight");

  if (text.starts_with("blk.")) {
    text.remove_prefix(4);
    if (!cut_number(text, name.layer) || !text.starts_with('.')) return {};
    text.remove_prefix(1);
    name.role = find(layer_rows, text);
    if (name.role != R::unknown) return name;
    const std::size_t dot = text.rfind('.');
    std::string_view number = dot == std::string_view::npos ? std::string_view() : text.substr(dot + 1);
    if (cut_number(number, name.expert) && number.empty()) {
      const R role = find(layer_rows, text.substr(0, dot));
      name.role = role == R::ffn_gate   ? R::ffn_gate_exps
                  : role == R::ffn_up   ? R::ffn_up_exps
                  : role == R::ffn_down ? R::ffn_down_exps
                                        : R::unknown;
    } else if (text.starts_with("time_mix") || text.starts_with("channel_mix")) {
      name.role = R::time_mix;
    }
    return name;
  }
  name.role = find(global_rows, text);
  if (name.role != R::unknown) return name;
  for (std::string_view begin : {"v.", "a.", "mm.", "resampler.", "model.", "adapter.", "glm."})
    if (text.starts_with(begin)) name.role = R::projector;
  for (std::string_view begin : {"enc.", "dec.", "conv1d", "convnext.", "posnet.", "nextn.", "fc", "d2t"})
    if (text.starts_with(begin)) name.role = R::foreign;
  return name;
}

TensorClass class_of(GgufRole role) {
  switch (role) {
    case R::token_embd:
    case R::nextn_embed: return C::token_embedding;
    case R::output:
    case R::nextn_head: return C::output_head;
    case R::per_layer_token_embd: return C::per_layer_embedding;
    case R::projector: return C::tower;
    case R::attn_q:
    case R::attn_q_b:
    case R::attn_gate: return C::attention_query;
    case R::attn_k:
    case R::attn_kv: return C::attention_key;
    case R::attn_v: return C::attention_value;
    case R::attn_output:
    case R::attn_output_b: return C::attention_output;
    case R::attn_output_a: return C::attention_group_output;
    case R::attn_q_a:
    case R::attn_kv_a: return C::attention_down;
    case R::attn_kv_b:
    case R::attn_k_b:
    case R::attn_v_b: return C::attention_up;
    case R::index_q:
    case R::index_k:
    case R::index_proj: return C::attention_index;
    case R::attn_qkv:
    case R::ssm_in:
    case R::ssm_out:
    case R::shortconv_in:
    case R::shortconv_out: return C::recurrent;
    case R::token_types:
    case R::position_embd:
    case R::cls:
    case R::extra_matrix:
    case R::per_layer_model_proj:
    case R::altup_proj:
    case R::output_hc_fn:
    case R::hc_fn:
    case R::compressor_matrix:
    case R::index_compressor_matrix:
    case R::ssm_x:
    case R::ssm_dt:
    case R::ssm_ba:
    case R::ssm_f_a:
    case R::ssm_g_a:
    case R::ssm_low_rank:
    case R::ple_gate:
    case R::ple_proj:
    case R::laurel_l:
    case R::laurel_r:
    case R::nextn_eh_proj: return C::side;
    case R::ffn_gate: return C::ffn_gate;
    case R::ffn_up: return C::ffn_up;
    case R::ffn_down: return C::ffn_down;
    case R::ffn_gate_inp:
    case R::ffn_gate_inp_shexp: return C::router;
    case R::ffn_gate_shexp: return C::shared_gate;
    case R::ffn_up_shexp:
    case R::latent_down: return C::shared_up;
    case R::ffn_down_shexp:
    case R::latent_up: return C::shared_down;
    case R::ffn_gate_exps: return C::expert_gate;
    case R::ffn_up_exps:
    case R::ffn_gate_up_exps: return C::expert_up;
    case R::ffn_down_exps: return C::expert_down;
    default: return C::small;
  }
}

}  // namespace vramfit::importer
