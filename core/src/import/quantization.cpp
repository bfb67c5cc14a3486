// Sources: what each method's checkpoints hold is in formats.cpp; which layers a section means, quantization-sections (the
// readers of Transformers, vLLM and compressed-tensors).
#include "import/quantization.h"

#include <algorithm>

#include "import/name_pattern.h"
#include "vramfit/format_table.h"

namespace vramfit::importer {
namespace {

constexpr Id sections_source = "quantization-sections";
constexpr int num_classes = static_cast<int>(TensorClass::tower) + 1;

// One of the ids of FormatInfo, as written below.
Format format_named(std::string_view id) {
  for (int f = 0; f <= static_cast<int>(Format::tq1_0); ++f)
    if (info(static_cast<Format>(f)).id == id) return static_cast<Format>(f);
  return Format::bf16;
}

// What a class's modules are called, behind "layers.N.". All model families' words; the first expert stands for all.
struct ModuleName {
  TensorClass cls;
  std::string_view name;
};
using T = TensorClass;
constexpr ModuleName layer_modules[] = {
    {T::attention_query, "self_attn.q_proj"},
    {T::attention_query, "self_attn.q_b_proj"},
    {T::attention_query, "self_attn.qkv_proj"},
    {T::attention_query, "self_attn.g_proj"},
    {T::attention_query, "attention.wq"},
    {T::attention_query, "attention.query_key_value"},
    {T::attention_query, "mixer.q_proj"},
    {T::attention_key, "self_attn.k_proj"},
    {T::attention_key, "self_attn.qkv_proj"},
    {T::attention_key, "attention.wk"},
    {T::attention_key, "attention.query_key_value"},
    {T::attention_key, "mixer.k_proj"},
    {T::attention_value, "self_attn.v_proj"},
    {T::attention_value, "self_attn.qkv_proj"},
    {T::attention_value, "attention.wv"},
    {T::attention_value, "attention.query_key_value"},
    {T::attention_value, "mixer.v_proj"},
    {T::attention_output, "self_attn.o_proj"},
    {T::attention_output, "self_attn.o_b_proj"},
    {T::attention_output, "attention.wo"},
    {T::attention_output, "attention.dense"},
    {T::attention_output, "mixer.o_proj"},
    {T::attention_group_output, "self_attn.o_a_proj"},
    {T::attention_down, "self_attn.q_a_proj"},
    {T::attention_down, "self_attn.kv_a_proj_with_mqa"},
    {T::attention_down, "self_attn.fused_qkv_a_proj_with_mqa"},
    {T::attention_up, "self_attn.kv_b_proj"},
    {T::attention_index, "self_attn.indexer.wq_b"},
    {T::attention_index, "self_attn.indexer.wk"},
    {T::recurrent, "linear_attn.in_proj_qkvz"},
    {T::recurrent, "linear_attn.in_proj_qkv"},
    {T::recurrent, "linear_attn.in_proj_z"},
    {T::recurrent, "linear_attn.out_proj"},
    {T::recurrent, "mixer.in_proj"},
    {T::recurrent, "mixer.out_proj"},
    {T::recurrent, "mamba.in_proj"},
    {T::recurrent, "mamba.out_proj"},
    {T::recurrent, "conv.in_proj"},
    {T::recurrent, "conv.out_proj"},
    {T::ffn_gate, "mlp.gate_proj"},
    {T::ffn_gate, "mlp.gate_up_proj"},
    {T::ffn_gate, "feed_forward.w1"},
    {T::ffn_gate, "feed_forward.gate_proj"},
    {T::ffn_up, "mlp.up_proj"},
    {T::ffn_up, "mlp.gate_up_proj"},
    {T::ffn_up, "mlp.fc1"},
    {T::ffn_up, "mlp.dense_h_to_4h"},
    {T::ffn_up, "feed_forward.w3"},
    {T::ffn_up, "feed_forward.up_proj"},
    {T::ffn_up, "mixer.up_proj"},
    {T::ffn_down, "mlp.down_proj"},
    {T::ffn_down, "mlp.fc2"},
    {T::ffn_down, "mlp.dense_4h_to_h"},
    {T::ffn_down, "feed_forward.w2"},
    {T::ffn_down, "feed_forward.down_proj"},
    {T::ffn_down, "mixer.down_proj"},
    {T::shared_gate, "mlp.shared_experts.gate_proj"},
    {T::shared_gate, "mlp.shared_expert.gate_proj"},
    {T::shared_gate, "feed_forward.shared_expert.gate_proj"},
    {T::shared_up, "mlp.shared_experts.up_proj"},
    {T::shared_up, "mlp.shared_expert.up_proj"},
    {T::shared_up, "mixer.shared_experts.up_proj"},
    {T::shared_up, "feed_forward.shared_expert.up_proj"},
    {T::shared_down, "mlp.shared_experts.down_proj"},
    {T::shared_down, "mlp.shared_expert.down_proj"},
    {T::shared_down, "mixer.shared_experts.down_proj"},
    {T::shared_down, "feed_forward.shared_expert.down_proj"},
    {T::expert_gate, "mlp.experts.0.gate_proj"},
    {T::expert_gate, "mlp.experts.gate_up_proj"},
    {T::expert_gate, "block_sparse_moe.experts.0.w1"},
    {T::expert_gate, "feed_forward.experts.0.gate_proj"},
    {T::expert_up, "mlp.experts.0.up_proj"},
    {T::expert_up, "mlp.experts.gate_up_proj"},
    {T::expert_up, "block_sparse_moe.experts.0.w3"},
    {T::expert_up, "mixer.experts.0.up_proj"},
    {T::expert_up, "feed_forward.experts.0.up_proj"},
    {T::expert_down, "mlp.experts.0.down_proj"},
    {T::expert_down, "mlp.experts.down_proj"},
    {T::expert_down, "block_sparse_moe.experts.0.w2"},
    {T::expert_down, "mixer.experts.0.down_proj"},
    {T::expert_down, "feed_forward.experts.0.down_proj"},
    {T::router, "mlp.gate"},
    {T::router, "mlp.router"},
    {T::router, "mlp.shared_expert_gate"},
    {T::router, "block_sparse_moe.gate"},
    {T::router, "mixer.gate"},
    {T::router, "feed_forward.router"},
};
constexpr ModuleName other_modules[] = {
    {T::output_head, "lm_head"},
    {T::output_head, "model.lm_head"},
    {T::output_head, "language_model.lm_head"},
    {T::output_head, "output_layer"},
    {T::token_embedding, "model.embed_tokens"},
    {T::token_embedding, "model.language_model.embed_tokens"},
};
constexpr std::string_view layer_prefixes[] = {
    "model.layers.",    "model.language_model.layers.", "language_model.model.layers.", "layers.",
    "backbone.layers.", "transformer.layers."};

// A stored format with its group; `wide` is what is not quantized.
struct Stored {
  std::string_view format;  // empty: wide
  int group = 0;
  bool operator==(const Stored&) const = default;
};

std::vector<std::string_view> segments(std::string_view name) {
  std::vector<std::string_view> out;
  while (!name.empty()) {
    const std::size_t dot = name.find('.');
    out.push_back(name.substr(0, dot));
    if (dot == std::string_view::npos) break;
    name.remove_prefix(dot + 1);
  }
  return out;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 6 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Which classes of which layers are stored how.
class Plan {
 public:
  explicit Plan(const Model& model) : layers_(model.num_layers()) {
    for (auto& row : present_) row.assign(layers_ + 1, false);
    for (auto& row : stored_) row.assign(layers_ + 1, {});
    for_each_tensor(model, false, [&](const Tensor& t) {
      const int cls = static_cast<int>(t.cls);
      const bool outside =
          t.cls == T::token_embedding || t.cls == T::output_head || t.cls == T::per_layer_embedding || t.cls == T::tower;
      if (outside) present_[cls][layers_] = true;
      else
        for (int l = t.first_layer; l < t.first_layer + t.num_layers && l < layers_; ++l) present_[cls][l] = true;
    });
  }

  void set(TensorClass cls, int layer, const Stored& stored) {
    stored_[static_cast<int>(cls)][layer < 0 ? layers_ : layer] = stored;
  }
  void set_linears(const Stored& stored) {
    for (int c = 0; c < num_classes; ++c)
      if (is_linear(static_cast<TensorClass>(c)))
        for (int l = 0; l < layers_; ++l) stored_[c][l] = stored;
  }
  void set_experts(const Stored& stored) {
    for (const TensorClass cls : {T::expert_gate, T::expert_up, T::expert_down})
      for (int l = 0; l < layers_; ++l) set(cls, l, stored);
  }
  void set_head(const Stored& stored) { set(T::output_head, -1, stored); }

  // Everything that a name in the section means. False: the name was understood to mean nothing here.
  bool apply(const NamePattern& pattern, const Stored& stored) {
    return pattern.kind() == NamePattern::Kind::plain ? apply_plain(pattern.text(), stored) : apply_matching(pattern, stored);
  }
  bool out_of_time() const { return budget_ <= 0; }

  // The format table: what is wide for all, then classes of one format throughout, then those of a part of the layers, classes of
  // equal layers together. False: there are more sections than a table can hold.
  bool written(std::string_view wide, std::string& text) const {
    struct Group {
      Stored stored;
      std::vector<StoredFormats::Span> spans;
      std::uint32_t classes;
    };
    std::vector<Group> groups;
    for (int c = 0; c < num_classes; ++c) {
      std::vector<Stored> kinds;
      for (int l = 0; l <= layers_; ++l)
        if (present_[c][l] && !stored_[c][l].format.empty() &&
            std::find(kinds.begin(), kinds.end(), stored_[c][l]) == kinds.end())
          kinds.push_back(stored_[c][l]);
      for (const Stored& kind : kinds) {
        const std::vector<StoredFormats::Span> spans = layers_of(c, kind);
        const auto same = [&](const Group& g) { return g.stored == kind && g.spans == spans; };
        const auto found = std::find_if(groups.begin(), groups.end(), same);
        const std::uint32_t bit = class_bit(static_cast<TensorClass>(c));
        if (found == groups.end()) groups.push_back({kind, spans, bit});
        else found->classes |= bit;
      }
    }
    text = wide == "bf16" ? "" : wide;
    if (groups.empty()) return true;
    StoredFormats out;
    std::stable_partition(groups.begin(), groups.end(), [](const Group& g) { return g.spans.empty(); });
    if (!add_section(out, format_named(wide), 0, all_classes)) return false;
    for (const Group& g : groups)
      if (!add_section(out, format_named(g.stored.format), g.stored.group, g.classes, g.spans)) return false;
    text = write_format_table(out);
    return true;
  }

  bool all_experts_are(std::string_view format) const {
    bool any = false;
    for (int l = 0; l < layers_; ++l) {
      if (!present_[static_cast<int>(T::expert_up)][l]) continue;
      any = true;
      if (stored_[static_cast<int>(T::expert_up)][l].format != format) return false;
    }
    return any;
  }

 private:
  // None: every layer that has the class.
  std::vector<StoredFormats::Span> layers_of(int c, const Stored& kind) const {
    std::vector<StoredFormats::Span> out;
    bool all = true;
    for (int l = 0; l < layers_; ++l) {
      if (!present_[c][l]) continue;
      if (!(stored_[c][l] == kind)) {
        all = false;
        continue;
      }
      // Layers between that lack the class do not matter.
      int last = l;
      for (int next = l + 1; next < layers_ && (!present_[c][next] || stored_[c][next] == kind); ++next)
        if (present_[c][next]) last = next;
      out.push_back({static_cast<std::uint16_t>(l), static_cast<std::uint16_t>(last)});
      l = last;
    }
    if (all) out.clear();
    return out;
  }

  // "lm_head", "model.layers.0.mlp", "self_attn": by whole words between the dots.
  bool apply_plain(std::string_view name, const Stored& stored) {
    std::vector<std::string_view> parts = segments(name);
    int layer = -1;
    bool in_layer = false;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      if ((parts[i] != "layers" && parts[i] != "h" && parts[i] != "blocks") || !is_number(parts[i + 1])) continue;
      layer = 0;
      for (const char digit : parts[i + 1]) layer = layer * 10 + (digit - '0');
      parts.erase(parts.begin(), parts.begin() + i + 2);
      in_layer = true;
      break;
    }
    if (in_layer && layer >= layers_) return true;  // a multi-token-prediction layer
    bool any = false;
    for (std::string_view& part : parts)
      if (is_number(part)) part = "0";
    const auto same = [&](std::size_t n, const std::vector<std::string_view>& module, std::size_t from) {
      for (std::size_t i = 0; i < n; ++i)
        if (parts[i] != module[from + i]) return false;
      return true;
    };
    for (const ModuleName& m : layer_modules) {
      const std::vector<std::string_view> module = segments(m.name);
      bool hit = false;
      if (in_layer) hit = parts.size() <= module.size() && same(parts.size(), module, 0);
      else
        for (std::size_t from = 0; from + parts.size() <= module.size() && !hit; ++from) hit = same(parts.size(), module, from);
      if (!hit) continue;
      any = true;
      if (in_layer) set(m.cls, layer, stored);
      else
        for (int l = 0; l < layers_; ++l) set(m.cls, l, stored);
    }
    if (in_layer) return any;
    for (const ModuleName& m : other_modules) {
      if (m.name != name && m.name.substr(m.name.rfind('.') + 1) != name) continue;
      set(m.cls, -1, stored);
      any = true;
    }
    return any;
  }

  bool apply_matching(const NamePattern& pattern, const Stored& stored) {
    bool any = false;
    for (const ModuleName& m : other_modules) {
      if (!pattern.matches(m.name, budget_)) continue;
      set(m.cls, -1, stored);
      any = true;
    }
    std::string name;
    const auto hits = [&](const ModuleName& m, int layer) {
      for (const std::string_view prefix : layer_prefixes) {
        name.assign(prefix);
        name += std::to_string(layer);
        name += '.';
        name += m.name;
        if (budget_ > 0 && pattern.matches(name, budget_)) return true;
      }
      return false;
    };
    // A pattern without a digit means every layer or none.
    const bool by_layer = pattern.text().find_first_of("0123456789") != std::string::npos;
    const int only = pattern.only_layer();
    const int from = std::max(only, 0), to = only < 0 ? layers_ : std::min(only + 1, layers_);
    for (const ModuleName& m : layer_modules) {
      bool hit = !by_layer && hits(m, 0);
      for (int l = from; l < to && budget_ > 0; ++l) {
        if (!present_[static_cast<int>(m.cls)][l]) continue;
        if (by_layer) hit = hits(m, l);
        if (!hit) continue;
        set(m.cls, l, stored);
        any = true;
      }
    }
    return any;
  }

  int layers_;
  long budget_ = 20'000'000;  // steps of matching: a second at worst
  std::vector<bool> present_[num_classes];
  std::vector<Stored> stored_[num_classes];
};

struct Reader {
  Imported& out;
  std::string file;
  Plan plan;
  std::string_view wide;

  void warn(std::string_view id, std::string where, std::string value) {
    constexpr std::size_t most = 64;
    if (out.remarks.size() < most)
      out.remarks.push_back({Severity::warning, std::string(id), file, std::move(where), std::move(value), {}, 0});
  }

  void name_applied(std::string_view name, const Stored& stored) {
    const NamePattern pattern(name);
    if (!pattern.ok()) return warn("import-pattern-unknown", "quantization_config", std::string(name.substr(0, 80)));
    plan.apply(pattern, stored);
    if (plan.out_of_time()) warn("import-patterns-too-many", "quantization_config", std::string(name.substr(0, 80)));
  }
  void names_applied(const Fields& f, std::string_view lists, const Stored& stored) {
    std::string field;
    const JsonValue value = f.find(lists, &field);
    if (value.is_null()) return;
    if (!value.is_array()) return f.error("import-not-list", field, value);
    value.elements([&](JsonValue v) {
      if (!v.is_string()) return f.error("import-not-text", field, v);
      if (!plan.out_of_time()) name_applied(v.string(), stored);
    });
  }

  // -1 and absence mean one group for a whole row.
  int group(const Fields& f, std::string_view names) {
    const JsonValue value = f.find(names);
    if (value.is_null() || (value.is_number() && value.number() == -1)) return 0;
    return f.count(names);
  }

  bool unsized(const Fields& f, std::string_view name, std::string_view method) {
    warn("import-quantization-unsized", f.path(name), std::string(method.substr(0, 80)));
    return false;
  }

  // Bits, grouping and the like of one set of weights; returns false when it has no format here.
  bool of_bits(const Fields& f, std::string_view bits_names, std::string_view group_names, bool gptq, Stored& stored) {
    const int bits = f.need(bits_names);
    stored.group = group(f, group_names);
    if (bits == 4) stored.format = gptq ? "int4-gptq" : "int4-awq";
    else if (bits == 8 && gptq) stored.format = "int8-gptq";
    else if (bits == 8) stored.format = "int8", stored.group = 0;
    else return unsized(f, bits_names.substr(0, bits_names.find('|')), std::to_string(bits) + " bit");
    return true;
  }

  bool compressed_weights(const Fields& w, std::string_view format, Stored& stored) {
    const int bits = w.need("num_bits");
    const std::string_view type = w.text("type"), strategy = w.text("strategy");
    const int size = group(w, "group_size");
    const bool symmetric = !w.has("symmetric") || w.stated("symmetric");
    if (type == "float" && bits == 4)
      stored = {format.find("mxfp4") != std::string_view::npos || size == 32 ? "mxfp4" : "nvfp4", 0};
    else if (type == "float" && bits == 8)
      stored = {strategy == "block" ? "fp8-block" : strategy == "channel" ? "int8" : "fp8", 0};
    else if (type == "int" && bits == 8) stored = {"int8", 0};
    else if (type == "int" && bits == 4) stored = {symmetric ? "int4-group" : "int4-awq", size};
    else return unsized(w, "num_bits", std::string(type) + std::to_string(bits));
    return true;
  }

  // The head is a linear layer like any other, unless the list of ignored ones has it.
  void every_linear(const Stored& stored) {
    plan.set_linears(stored);
    plan.set_head(stored);
  }

  void compressed_tensors(const Fields& f) {
    const Fields groups = f.inside("config_groups");
    if (!groups.object().is_object()) return f.missing("config_groups");
    groups.object().members([&](std::string_view name, JsonValue value) {
      const Fields g(out, file, value, f.path("config_groups.") + std::string(name.substr(0, 40)) + '.');
      const Fields weights = g.inside("weights");
      if (!weights.object().is_object()) return;  // activations only
      const std::string_view format = g.has("format") ? g.text("format") : f.text("format");
      Stored stored;
      if (!compressed_weights(weights, format, stored)) return;
      const std::vector<std::string_view> targets = g.texts("targets");
      if (targets.empty() || std::find(targets.begin(), targets.end(), "Linear") != targets.end()) every_linear(stored);
      for (const std::string_view target : targets)
        if (target != "Linear" && !plan.out_of_time()) name_applied(target, stored);
    });
    names_applied(f, "ignore", {});
  }

  static bool modelopt_format(std::string_view algorithm, int size, Stored& stored) {
    struct Row {
      std::string_view algorithm, format;
      bool grouped;
    };
    static constexpr Row rows[] = {
        {"FP8", "fp8", false},
        {"FP8_PER_CHANNEL_PER_TOKEN", "int8", false},
        {"FP8_PB_WO", "fp8-block", false},
        {"FP8_BLOCK_SCALES", "fp8-block", false},
        {"NVFP4", "nvfp4", false},
        {"NVFP4_AWQ", "nvfp4", false},
        {"W4A8_NVFP4_FP8", "nvfp4", false},
        {"W4A16_NVFP4", "nvfp4", false},
        {"MXFP4", "mxfp4", false},
        {"W4A8_MXFP4_FP8", "mxfp4", false},
        {"W4A16_AWQ", "int4-group", true},
        {"W4A8_AWQ", "int4-group", true},
        {"INT8_SQ", "int8", false},
        {"W8A8_SQ_PER_CHANNEL", "int8", false},
        {"W8A16", "int8", false},
    };
    for (const Row& row : rows) {
      if (row.algorithm != algorithm) continue;
      stored = {row.format, row.grouped ? size : 0};
      return true;
    }
    return false;
  }

  void modelopt(const Fields& outer) {
    const Fields f = outer.find("quantization").is_object() ? outer.inside("quantization") : outer;
    // Newer files write config groups like compressed-tensors do.
    const std::string_view algorithm = f.text("quant_algo");
    if (algorithm.empty() && f.has("config_groups")) return compressed_tensors(f);
    if (algorithm == "MIXED_PRECISION") {
      const Fields layers = f.inside("quantized_layers");
      if (!layers.object().is_object()) return f.missing("quantized_layers");
      layers.object().members([&](std::string_view name, JsonValue value) {
        if (plan.out_of_time()) return;
        const Fields one(out, file, value, f.path("quantized_layers.") + std::string(name.substr(0, 60)) + '.');
        Stored stored;
        const std::string_view own = one.text("quant_algo");
        if (modelopt_format(own, group(one, "group_size"), stored)) name_applied(name, stored);
        else unsized(one, "quant_algo", own);
      });
    } else {
      Stored stored;
      if (algorithm.empty()) return f.missing("quant_algo");
      if (!modelopt_format(algorithm, group(f, "group_size"), stored)) return void(unsized(f, "quant_algo", algorithm));
      every_linear(stored);
    }
    names_applied(f, "exclude_modules|ignore", {});
  }

  void gptq(const Fields& f) {
    Stored stored;
    if (!of_bits(f, "bits|w_bit", "group_size", true, stored)) return;
    plan.set_linears(stored);
    if (f.stated("lm_head")) plan.set_head(stored);
    const Fields dynamic = f.inside("dynamic");
    dynamic.object().members([&](std::string_view name, JsonValue value) {
      if (plan.out_of_time()) return;
      const bool off = name.substr(0, 2) == "-:";
      if (off || name.substr(0, 2) == "+:") name.remove_prefix(2);
      Stored own = stored;
      const Fields one(out, file, value, f.path("dynamic.") + std::string(name.substr(0, 60)) + '.');
      if (!off && one.has("bits") && !of_bits(one, "bits", "group_size", true, own)) return;
      if (!off && one.has("group_size")) own.group = group(one, "group_size");
      name_applied("re:" + std::string(name), off ? Stored() : own);
    });
    names_applied(f, "modules_to_not_convert", {});
  }

  void awq(const Fields& f) {
    Stored stored;
    if (!of_bits(f, "bits|w_bit", "group_size|q_group_size", false, stored)) return;
    plan.set_linears(stored);
    if (f.stated("lm_head")) plan.set_head(stored);
    names_applied(f, "modules_to_not_convert", {});
  }

  void auto_round(const Fields& f) {
    Stored stored;
    const std::string_view packing = f.text("packing_format|backend");
    if (!of_bits(f, "bits", "group_size", packing.find("awq") == std::string_view::npos, stored)) return;
    plan.set_linears(stored);
    const Fields own = f.inside("extra_config");
    own.object().members([&](std::string_view name, JsonValue value) {
      if (plan.out_of_time()) return;
      const Fields one(out, file, value, f.path("extra_config.") + std::string(name.substr(0, 60)) + '.');
      if (!one.has("bits")) return;
      Stored other = stored;
      if (one.need("bits") >= 16) name_applied(name, {});
      else if (of_bits(one, "bits", "group_size", true, other)) name_applied(name, other);
    });
    names_applied(f, "modules_to_not_convert", {});
  }

  void bitsandbytes(const Fields& f) {
    if (f.stated("load_in_8bit|_load_in_8bit")) plan.set_linears({"int8-bnb", 0});
    else if (f.stated("load_in_4bit|_load_in_4bit"))
      plan.set_linears({f.stated("bnb_4bit_use_double_quant") ? "nf4-dq" : "nf4", 0});
    else return f.missing("load_in_4bit", "load_in_8bit");
    names_applied(f, "llm_int8_skip_modules", {});
  }

  void fp8(const Fields& f, std::string_view expert_dtype) {
    bool block = false;
    const JsonValue size = f.find("weight_block_size");
    if (size.is_array()) {
      block = true;
      size.elements([&](JsonValue v) {
        if (!v.is_number() || v.number() != 128) warn("import-quantization-unsized", f.path("weight_block_size"), size.written());
      });
    } else if (!size.is_null()) {
      f.error("import-not-list", "weight_block_size", size);
    }
    plan.set_linears({block ? "fp8-block" : "fp8", 0});
    if (expert_dtype == "fp4") plan.set_experts({"mxfp4", 0});
    names_applied(f, "modules_to_not_convert|ignored_layers", {});
  }

  void quark(const Fields& f) {
    const Fields global = f.inside("global_quant_config");
    const Fields weight = global.inside("weight");
    if (!weight.object().is_object()) return f.missing("global_quant_config.weight");
    const std::string_view dtype = weight.text("dtype"), scheme = weight.text("qscheme");
    const int size = group(weight, "group_size");
    Stored stored;
    if (dtype.substr(0, 3) == "fp8") stored = {scheme == "per_channel" ? "int8" : "fp8", 0};
    else if (dtype == "fp4") stored = {"mxfp4", 0};
    else if (dtype == "int8") stored = {"int8", 0};
    else if (dtype == "int4") stored = {"int4-group", size};
    else if (dtype == "uint4") stored = {"int4-awq", size};
    else return void(unsized(weight, "dtype", dtype));
    plan.set_linears(stored);
    names_applied(f, "exclude", {});
  }

  void section(const Fields& f, std::string_view expert_dtype) {
    std::string_view method = f.text("quant_method");
    if (method.empty()) {
      if (f.has("quant_algo") || f.has("quantization")) method = "modelopt";
      else if (f.has("config_groups")) method = "compressed-tensors";
      else if (f.has("load_in_4bit|_load_in_4bit|load_in_8bit|_load_in_8bit")) method = "bitsandbytes";
      else if (f.has("bits") && f.has("group_size")) return void(unsized(f, "bits", "mlx"));
      else if (f.has("qformat_weight")) method = f.text("qformat_weight") == "fp8_e4m3" ? "fp8" : f.text("qformat_weight");
      else return f.missing("quant_method");
    }
    out.inferred.push_back({"import-rule-quantization", std::string(method.substr(0, 40)), sections_source});
    if (method == "gptq" || method == "gptq_marlin") return gptq(f);
    if (method == "awq" || method == "awq_marlin") return awq(f);
    if (method == "auto-round" || method == "intel/auto-round" || method == "inc") return auto_round(f);
    if (method == "bitsandbytes") return bitsandbytes(f);
    if (method == "fp8") return fp8(f, expert_dtype);
    if (method == "fbgemm_fp8") return plan.set_linears({"int8", 0}), names_applied(f, "modules_to_not_convert", {});
    if (method == "compressed-tensors" || method == "compressed_tensors") return compressed_tensors(f);
    if (method == "mxfp4") return plan.set_experts({"mxfp4", 0}), names_applied(f, "modules_to_not_convert", {});
    if (method == "modelopt" || method == "modelopt_fp4" || method == "modelopt_mixed") return modelopt(f);
    if (method == "quark") return quark(f);
    unsized(f, "quant_method", method);  // torchao, hqq, aqlm and others
  }
};

std::string_view wide_format(Imported& out, std::string_view file, std::string_view dtype) {
  if (dtype.substr(0, 6) == "torch.") dtype.remove_prefix(6);
  if (dtype == "float16" || dtype == "half") return "fp16";
  if (dtype == "float32" || dtype == "float") return "fp32";
  if (dtype.empty()) out.inferred.push_back({"import-rule-dtype", "bf16", classes_source});
  else if (dtype != "bfloat16" && dtype != "auto")
    out.remarks.push_back(
        {Severity::warning, "import-dtype-unknown", std::string(file), "dtype", std::string(dtype.substr(0, 80)), {}, 0});
  return "bf16";
}

}  // namespace

std::string quantization_formats(Imported& out, std::string_view file, JsonValue section, JsonValue beside,
                                 std::string_view beside_file, std::string_view dtype, std::string_view expert_dtype) {
  const std::string_view wide = wide_format(out, file, dtype);
  Reader reader{out, std::string(file), Plan(out.model), wide};
  if (section.is_object()) {
    const Fields f(out, std::string(file), section, "quantization_config.");
    reader.section(f, expert_dtype);
  } else if (!section.is_null()) {
    add_error(out, "import-not-object", file, "quantization_config", section.written(), {});
  } else if (beside.is_object()) {
    reader.file = beside_file;
    const Fields f(out, std::string(beside_file), beside, {});
    reader.section(f, {});
  }
  if (expert_dtype.empty() && reader.plan.all_experts_are("mxfp4"))
    for (int i = 0; i < out.model.num_feed_forwards; ++i)
      if (out.model.feed_forwards[i].num_experts > 0) out.model.feed_forwards[i].experts_fp4 = true;
  std::string text;
  if (!reader.plan.written(wide, text))
    add_error(out, "import-limit", file, "quantization_config", {}, {}, StoredFormats::max_sections);
  return text;
}

}  // namespace vramfit::importer
