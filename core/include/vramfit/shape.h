// The shape string: a model's layers as one short, URL-safe line. The catalogue is written in it, and the compiler itself checks
// every catalogue row with this parser.
//
//   hidden8192,vocab128256;full,q64,kv8,dim128;dense,i28672;80aA
//
// Sections are split by ';', a section's fields by ','. A field is a name with a whole number behind it, or a bare flag. The
// first section is the model. Each mixer section takes the next small letter (a, b, ...), each feed-forward section the next
// capital. The layer section writes pairs of them with counts: `80aA`, or in groups, `12(3aAbA)`. The names are those of the
// tables and set_..._field functions below.
#pragma once

#include <array>
#include <iterator>
#include <string_view>
#include <type_traits>

#include "vramfit/model.h"

namespace vramfit {

struct ShapeResult {
  Model model;
  const char* error = nullptr;  // null when the whole text was understood, else an error id:
                                // shape-empty, shape-name, shape-number, shape-layers, shape-limit, shape-missing
  std::size_t offset = 0;       // where in the text the error was found

  constexpr bool ok() const { return error == nullptr; }
};

namespace shape_detail {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_small(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

struct ShapeField {
  std::string_view name;
  double number = 0;
  bool has_number = false;
};

// Splits `name123`; the number may be missing. A name is letters, except that the kinds mamba1 and mamba2 end in a digit.
constexpr bool split(std::string_view text, ShapeField& out) {
  std::size_t n = 0;
  while (n < text.size() && is_small(text[n])) ++n;
  if (n == 0) return false;
  if (text.substr(0, n) == "mamba" && n < text.size()) ++n;
  out.name = text.substr(0, n);
  out.number = 0;
  out.has_number = n < text.size();
  if (text.size() - n > 15) return false;  // stays exact in a double
  for (; n < text.size(); ++n) {
    if (!is_digit(text[n])) return false;
    out.number = out.number * 10 + (text[n] - '0');
  }
  return true;
}

constexpr double largest_number = 1 << 24;  // sums of several stay whole numbers that an int can hold

constexpr bool set_int(int& target, const ShapeField& f) {
  if (!f.has_number || f.number > largest_number) return false;
  target = static_cast<int>(f.number);
  return true;
}
constexpr bool set_flag(bool& target, const ShapeField& f) {
  if (f.has_number) return false;
  target = true;
  return true;
}

// Each returns 1 when the field was taken, 0 when the name is unknown, -1 when the number is missing, misplaced or too large.
constexpr int outcome(bool ok) { return ok ? 1 : -1; }

// Fields that are nothing but a number or a flag of their owner.
template <class Owner, class Value>
struct NamedMember {
  std::string_view name;
  Value Owner::*member;
};

// Such a table as programs carry it: the names as one text, each with a comma behind it, and the members apart. As it is, it
// costs the download more.
template <const auto& table>
struct Packed {
  static constexpr std::size_t length = [] {
    std::size_t n = 0;
    for (const auto& each : table) n += each.name.size() + 1;
    return n;
  }();
  static constexpr std::array<char, length> names = [] {
    std::array<char, length> out{};
    std::size_t n = 0;
    for (const auto& each : table) {
      for (const char c : each.name) out[n++] = c;
      out[n++] = ',';
    }
    return out;
  }();
  static constexpr auto members = [] {
    std::array<std::remove_cvref_t<decltype(table[0].member)>, std::size(table)> out{};
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = table[i].member;
    return out;
  }();
};

// Which of `names` `name` is; `count` when none.
constexpr std::size_t place_of(std::string_view name, std::string_view names, std::size_t count) {
  for (std::size_t place = 0; place < count; ++place) {
    const std::size_t end = names.find(',');
    if (names.substr(0, end) == name) return place;
    names.remove_prefix(end + 1);
  }
  return count;
}

template <const auto& numbers, const auto& flags, class Owner>
constexpr int set_named(Owner& owner, const ShapeField& f) {
  using Numbers = Packed<numbers>;
  using Flags = Packed<flags>;
  const std::size_t number = place_of(f.name, {Numbers::names.data(), Numbers::length}, Numbers::members.size());
  if (number < Numbers::members.size()) return outcome(set_int(owner.*Numbers::members[number], f));
  const std::size_t flag = place_of(f.name, {Flags::names.data(), Flags::length}, Flags::members.size());
  return flag < Flags::members.size() ? outcome(set_flag(owner.*Flags::members[flag], f)) : 0;
}

constexpr NamedMember<Model, int> model_numbers[] = {
    {"hidden", &Model::hidden_size},
    {"vocab", &Model::vocab_size},
    {"norms", &Model::norms_per_layer},
    {"scalars", &Model::scalars_per_layer},
    {"positions", &Model::position_rows},
    {"types", &Model::type_rows},
    {"extraembed", &Model::extra_embedding_params},
    {"pledim", &Model::per_layer_embedding_dim},
    {"plevocab", &Model::per_layer_vocab_size},
    {"altup", &Model::altup_inputs},
    {"laurel", &Model::laurel_rank},
    {"hyper", &Model::hyper_connections},
    {"imagetokens", &Model::max_image_tokens},
    {"ropetable", &Model::rope_table_factor},
    {"maxpos", &Model::max_position_embeddings},
};
constexpr NamedMember<Model, bool> model_flags[] = {
    {"tied", &Model::tied_embeddings},
    {"nohead", &Model::no_head},
    {"encoder", &Model::encoder},
    {"headbias", &Model::head_bias},
    {"nofinalnorm", &Model::no_final_norm},
    {"embednorm", &Model::embedding_norm},
    {"pooler", &Model::pooler},
};

constexpr int set_model_field(Model& m, const ShapeField& f) {
  if (f.name == "layernorm") return m.norm = NormKind::layer_norm, outcome(!f.has_number);
  if (f.name == "layernormnobias") return m.norm = NormKind::layer_norm_no_bias, outcome(!f.has_number);
  if (f.name == "stated") return m.stated_params = f.number, outcome(f.has_number);
  if (f.name == "tower") return m.tower_params = f.number, outcome(f.has_number);
  return set_named<model_numbers, model_flags>(m, f);
}

// In the order of MixerKind.
constexpr std::string_view mixer_kinds[] = {"nomix", "full", "slide",     "chunk",  "cross",  "latent",   "compressed",
                                            "gdn",   "kda",  "lightning", "mamba1", "mamba2", "shortconv"};

constexpr bool mixer_kind_of(const ShapeField& f, Mixer& x) {
  std::size_t kind = 0;
  while (kind < std::size(mixer_kinds) && f.name != mixer_kinds[kind]) ++kind;
  if (kind == std::size(mixer_kinds) || f.number > largest_number) return false;
  x.kind = static_cast<MixerKind>(kind);
  if (x.kind == MixerKind::none) return true;
  if (x.kind == MixerKind::compressed) x.compress_ratio = static_cast<int>(f.number);
  else if (f.has_number) x.window = static_cast<int>(f.number);
  return true;
}

constexpr NamedMember<Mixer, int> mixer_numbers[] = {
    {"q", &Mixer::num_heads},
    {"kv", &Mixer::num_kv_heads},
    {"dim", &Mixer::head_dim},
    {"vdim", &Mixer::v_head_dim},
    {"window", &Mixer::window},
    {"qrank", &Mixer::q_lora_rank},
    {"kvrank", &Mixer::kv_lora_rank},
    {"rope", &Mixer::qk_rope_head_dim},
    {"ogroups", &Mixer::o_groups},
    {"orank", &Mixer::o_lora_rank},
    {"indexq", &Mixer::index_num_heads},
    {"indexdim", &Mixer::index_head_dim},
    {"keyheads", &Mixer::num_key_heads},
    {"inner", &Mixer::inner_size},
    {"state", &Mixer::state_size},
    {"groups", &Mixer::num_groups},
    {"conv", &Mixer::conv_kernel},
    {"dtrank", &Mixer::dt_rank},
    {"extranorms", &Mixer::extra_norm_width},
};
constexpr NamedMember<Mixer, bool> mixer_flags[] = {
    {"gate", &Mixer::output_gate},        {"obias", &Mixer::o_bias},     {"sinks", &Mixer::sinks},
    {"keqv", &Mixer::k_equals_v},         {"shared", &Mixer::shares_kv}, {"gates", &Mixer::cross_gates},
    {"fullgate", &Mixer::full_rank_gate},
};

constexpr int set_mixer_field(Mixer& x, const ShapeField& f) {
  if (f.name == "qknorm") return x.qk_norm = QkNorm::per_head, outcome(!f.has_number);
  if (f.name == "qknormfull") return x.qk_norm = QkNorm::full_width, outcome(!f.has_number);
  if (f.name == "qknormheads") return x.qk_norm = QkNorm::per_head_weights, outcome(!f.has_number);
  if (f.name == "qkvbias") return x.q_bias = x.k_bias = x.v_bias = true, outcome(!f.has_number);
  if (f.name == "qvbias") return x.q_bias = x.v_bias = true, outcome(!f.has_number);
  if (f.name == "fp") return x.state_fp32 = true, outcome(f.number == 32);
  return set_named<mixer_numbers, mixer_flags>(x, f);
}

constexpr bool feed_forward_kind_of(const ShapeField& f, FeedForward& x) {
  x.kind = f.name == "dense"  ? FeedForwardKind::dense
           : f.name == "moe"  ? FeedForwardKind::mixture
           : f.name == "both" ? FeedForwardKind::dense_and_mixture
                              : FeedForwardKind::none;
  return !f.has_number && (x.kind != FeedForwardKind::none || f.name == "noffn");
}

constexpr NamedMember<FeedForward, int> feed_forward_numbers[] = {
    {"moei", &FeedForward::moe_intermediate_size}, {"experts", &FeedForward::num_experts},
    {"top", &FeedForward::experts_per_token},      {"shared", &FeedForward::shared_intermediate_size},
    {"latent", &FeedForward::latent_size},
};
constexpr NamedMember<FeedForward, bool> feed_forward_flags[] = {
    {"latentnorm", &FeedForward::latent_norm},
    {"sharedgate", &FeedForward::shared_gate},
    {"routerbias", &FeedForward::router_bias},
    {"expertbias", &FeedForward::expert_bias},
    {"bias", &FeedForward::bias},
    {"joined", &FeedForward::joined_gate_up},
};

constexpr int set_feed_forward_field(FeedForward& x, const ShapeField& f) {
  if (f.name == "i")
    return outcome(set_int(x.kind == FeedForwardKind::mixture ? x.moe_intermediate_size : x.intermediate_size, f));
  if (f.name == "fp") return x.experts_fp4 = true, outcome(f.number == 4);
  if (f.name == "two") return x.gated = false, outcome(!f.has_number);
  return set_named<feed_forward_numbers, feed_forward_flags>(x, f);
}

// The layer section. Groups nest one deep.
constexpr const char* parse_layers(std::string_view text, Model& m, std::size_t& at) {
  int group_start = -1;
  double group_count = 1;
  std::size_t i = 0;
  auto fail = [&](const char* error) { return at = i, error; };
  while (i < text.size()) {
    double count = 0;
    const std::size_t number_start = i;
    while (i < text.size() && is_digit(text[i]) && count < 1e6) count = count * 10 + (text[i++] - '0');
    if (i == number_start) count = 1;
    if (count < 1 || count > 4096 || i == text.size()) return fail("shape-layers");
    if (text[i] == '(') {
      if (group_start >= 0) return fail("shape-layers");
      group_start = m.num_runs;
      group_count = count;
      ++i;
    } else if (text[i] == ')') {
      if (group_start < 0 || i != number_start || group_start == m.num_runs) return fail("shape-layers");
      const int length = m.num_runs - group_start;
      if (m.num_runs + length * (group_count - 1) > Model::max_runs) return fail("shape-limit");
      for (int repeat = 1; repeat < group_count; ++repeat)
        for (int r = 0; r < length; ++r) m.runs[m.num_runs++] = m.runs[group_start + r];
      group_start = -1;
      ++i;
    } else {
      if (i + 1 >= text.size() || !is_small(text[i]) || !is_capital(text[i + 1])) return fail("shape-layers");
      const int mixer = text[i] - 'a';
      const int feed_forward = text[i + 1] - 'A';
      if (mixer >= m.num_mixers || feed_forward >= m.num_feed_forwards) return fail("shape-layers");
      if (m.num_runs == Model::max_runs) return fail("shape-limit");
      m.runs[m.num_runs++] = {static_cast<std::uint8_t>(mixer), static_cast<std::uint8_t>(feed_forward),
                              static_cast<std::uint16_t>(count)};
      i += 2;
    }
  }
  return group_start >= 0 || m.num_runs == 0 || m.num_layers() > 4096 ? fail("shape-layers") : nullptr;
}

// `mtp1aA` with `,own` when the extra layers bring their own embedding and head.
constexpr bool parse_mtp(std::string_view section, Model& m) {
  std::string_view text = section.substr(3);
  if (text.size() > 4 && text.substr(text.size() - 4) == ",own") {
    m.mtp_own_embedding = true;
    text.remove_suffix(4);
  }
  if (text.size() != 3 || !is_digit(text[0]) || !is_small(text[1]) || !is_capital(text[2])) return false;
  m.num_mtp_layers = text[0] - '0';
  m.mtp_mixer = text[1] - 'a';
  m.mtp_feed_forward = text[2] - 'A';
  return m.mtp_mixer < m.num_mixers && m.mtp_feed_forward < m.num_feed_forwards;
}

// What a kind cannot do without. Returns false when a number that a formula divides by or multiplies with is missing.
constexpr bool complete(const Mixer& x) {
  switch (x.kind) {
    case MixerKind::none: return true;
    case MixerKind::full: return x.num_heads > 0 && x.num_kv_heads > 0 && x.head_dim > 0;
    case MixerKind::sliding:
    case MixerKind::chunked:
    case MixerKind::cross: return x.num_heads > 0 && x.num_kv_heads > 0 && x.head_dim > 0 && x.window > 0;
    case MixerKind::latent: return x.num_heads > 0 && x.kv_lora_rank > 0 && x.head_dim > x.qk_rope_head_dim && x.v_head_dim > 0;
    case MixerKind::compressed: return x.num_heads > 0 && x.head_dim > 0 && x.q_lora_rank > 0 && x.window > 0 && x.o_groups > 0;
    case MixerKind::gated_delta_net:
    case MixerKind::kimi_delta:
    case MixerKind::lightning: return x.num_heads > 0 && x.num_key_heads > 0 && x.head_dim > 0 && x.v_head_dim > 0;
    case MixerKind::mamba1: return x.inner_size > 0 && x.state_size > 0 && x.conv_kernel > 0 && x.dt_rank > 0;
    case MixerKind::mamba2:
      return x.inner_size > 0 && x.state_size > 0 && x.conv_kernel > 0 && x.num_heads > 0 && x.num_groups > 0;
    case MixerKind::short_conv: return x.inner_size > 0 && x.conv_kernel > 0;
  }
  return false;
}

constexpr bool complete(const FeedForward& x) {
  const bool dense = x.kind == FeedForwardKind::dense || x.kind == FeedForwardKind::dense_and_mixture;
  const bool mixture = x.kind == FeedForwardKind::mixture || x.kind == FeedForwardKind::dense_and_mixture;
  if (dense && x.intermediate_size <= 0) return false;
  return !mixture ||
         (x.num_experts > 0 && x.moe_intermediate_size > 0 && x.experts_per_token > 0 && x.experts_per_token <= x.num_experts);
}

}  // namespace shape_detail

// `checked`: a row of the catalogue, which the compiler has read already, so that it lacks nothing.
constexpr ShapeResult parse_shape(std::string_view text, bool checked = false) {
  using namespace shape_detail;
  ShapeResult result;
  Model& m = result.model;
  auto fail = [&](const char* error, std::size_t offset) {
    result.error = error;
    result.offset = offset;
    return result;
  };
  if (!checked && text.empty()) return fail("shape-empty", 0);

  bool layers_seen = false;
  std::size_t section_start = 0;
  for (int section_number = 0; section_start <= text.size(); ++section_number) {
    std::size_t section_end = text.find(';', section_start);
    if (section_end == std::string_view::npos) section_end = text.size();
    const std::string_view section = text.substr(section_start, section_end - section_start);
    if (!checked && section.empty()) return fail("shape-name", section_start);

    if (is_digit(section[0]) || section[0] == '(' || (section.size() >= 2 && is_small(section[0]) && is_capital(section[1]))) {
      if (!checked && layers_seen) return fail("shape-layers", section_start);
      layers_seen = true;
      std::size_t at = 0;
      if (const char* error = parse_layers(section, m, at); error && !checked) return fail(error, section_start + at);
    } else if (section.substr(0, 3) == "mtp") {
      if (!parse_mtp(section, m) && !checked) return fail("shape-layers", section_start);
    } else {
      enum { model_section, mixer_section, feed_forward_section } kind = model_section;
      Mixer mixer;
      FeedForward feed_forward;
      std::size_t field_start = 0;
      for (int field_number = 0; field_start <= section.size(); ++field_number) {
        std::size_t field_end = section.find(',', field_start);
        if (field_end == std::string_view::npos) field_end = section.size();
        ShapeField field;
        const std::size_t offset = section_start + field_start;
        if (!split(section.substr(field_start, field_end - field_start), field) && !checked) return fail("shape-name", offset);
        int taken = 0;
        if (section_number == 0) taken = set_model_field(m, field);
        else if (field_number == 0) {
          if (mixer_kind_of(field, mixer)) kind = mixer_section, taken = 1;
          else if (feed_forward_kind_of(field, feed_forward)) kind = feed_forward_section, taken = 1;
        } else taken = kind == mixer_section ? set_mixer_field(mixer, field) : set_feed_forward_field(feed_forward, field);
        if (!checked && taken == 0) return fail("shape-name", offset);
        if (!checked && taken < 0) return fail("shape-number", offset);
        field_start = field_end + 1;
      }
      if (kind == mixer_section) {
        if (mixer.v_head_dim == 0) mixer.v_head_dim = mixer.head_dim;
        if (!checked && !complete(mixer)) return fail("shape-missing", section_start);
        if (!checked && m.num_mixers == Model::max_kinds) return fail("shape-limit", section_start);
        m.mixers[m.num_mixers++] = mixer;
      } else if (kind == feed_forward_section) {
        if (!checked && !complete(feed_forward)) return fail("shape-missing", section_start);
        if (!checked && m.num_feed_forwards == Model::max_kinds) return fail("shape-limit", section_start);
        m.feed_forwards[m.num_feed_forwards++] = feed_forward;
      }
    }
    section_start = section_end + 1;
  }
  if (checked) return result;
  if (!layers_seen || m.hidden_size <= 0 || m.vocab_size <= 0) return fail("shape-missing", text.size());
  return result;
}

}  // namespace vramfit
