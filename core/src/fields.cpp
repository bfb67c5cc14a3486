#include "vramfit/fields.h"

#include "record.h"
#include "vramfit/catalog.h"
#include "vramfit/formats.h"
#include "vramfit/share_string.h"

namespace vramfit {
namespace {

constexpr Id tasks[] = {"serve", "full", "lora", "qlora"};
constexpr Id methods[] = {"rule", "worksheet", "engine"};
constexpr Id situations[] = {"auto", "batch1", "serving", "production", "long-context", "benchmark"};
constexpr Id state_recipes[] = {"18-byte", "16-byte", "8-byte"};
constexpr Id checkpointing_choices[] = {"full", "none"};
constexpr Id engines[] = {"auto",      "vllm",   "sglang",    "tensorrt-llm", "transformers",
                          "llama.cpp", "ollama", "lm-studio", "koboldcpp"};
// The release that began each era of memory accounting: V0 before and with latent-attention kernels, the V1 engine, its sampler
// of 0.17, and the graphs inside the budget of 0.21.
constexpr Id vllm_versions[] = {"0.21", "0.17", "0.8", "v0", "0.6"};
// The months that changed what llama.cpp reserves: mask in 16 bits and few logits (May 2026), output layer on the GPU first and
// four slots (turn of 2025/26), window caches (May 2025), before.
constexpr Id llama_cpp_builds[] = {"2026-05", "2026-01", "2025-05", "2024"};
// SGLang's default share: a table by ranks, and since 0.5 what prefill chunks and graphs are expected to need.
constexpr Id sglang_versions[] = {"0.5", "0.4"};
// What a cache of Transformers keeps: windows cut since 4.56, logits of the last token alone since 4.45, one growing cache
// since 4.36, an old and a new one side by side before.
constexpr Id transformers_versions[] = {"4.56", "4.45", "4.36", "4.0"};
constexpr Id no_yes[] = {"no", "yes"};
constexpr Id yes_no[] = {"yes", "no"};
constexpr Id auto_yes_no[] = {"auto", "yes", "no"};
constexpr Id auto_on_off[] = {"auto", "on", "off"};
constexpr Id state_dtypes[] = {"auto", "float32", "float16"};
constexpr Id speculative_methods[] = {"none", "mtp", "eagle3", "draft"};
constexpr Id attention_implementations[] = {"sdpa", "flash_attention_2", "eager"};
constexpr Id split_modes[] = {"layer", "row"};
constexpr Id group_sizes[] = {"32", "64", "128", "channel"};

bool always(const Inputs&) { return true; }
bool imported(const Inputs& in) { return in.imported(); }
bool bare(const Inputs& in) { return in.bare_size(); }
bool serving(const Inputs& in) { return !in.training(); }
bool training(const Inputs& in) { return in.training(); }
bool adapters(const Inputs& in) { return in.is(FieldId::task, "lora") || in.is(FieldId::task, "qlora"); }
bool full_training(const Inputs& in) { return in.is(FieldId::task, "full"); }
bool worksheet_serving(const Inputs& in) { return in.is(FieldId::method, "worksheet") && !in.training(); }
bool chunked_prefill(const Inputs& in) { return worksheet_serving(in) && !in.gguf(); }
bool worksheet(const Inputs& in) { return in.is(FieldId::method, "worksheet"); }
// The engine method's knobs apply to the engines that have them.
bool engine_method_on(const Inputs& in) { return in.is(FieldId::method, "engine") && !in.training(); }
bool runs(const Inputs& in, Id engine) { return engine_method_on(in) && in.engine() == engine; }
bool vllm(const Inputs& in) { return runs(in, "vllm"); }
bool sglang(const Inputs& in) { return runs(in, "sglang"); }
bool tensorrt(const Inputs& in) { return runs(in, "tensorrt-llm"); }
bool transformers(const Inputs& in) { return runs(in, "transformers"); }
bool fuses(const Inputs& in) { return transformers(in) && in.is(FieldId::weights, "int4-awq"); }
bool llama(const Inputs& in) { return engine_method_on(in) && in.llama_cpp_family(); }
bool paged(const Inputs& in) { return vllm(in) || sglang(in) || tensorrt(in); }
bool vllm_or_sglang(const Inputs& in) { return vllm(in) || sglang(in); }
bool sglang_or_tensorrt(const Inputs& in) { return sglang(in) || tensorrt(in); }
bool speculates(const Inputs& in) { return (vllm_or_sglang(in) || llama(in)) && !in.is(FieldId::speculative, "none"); }
bool drafts(const Inputs& in) { return speculates(in) && in.is(FieldId::speculative, "draft"); }
bool adapters_loaded(const Inputs& in) { return vllm_or_sglang(in) && in.number(FieldId::max_loras) > 0; }
// llama.cpp's cards hold different layers, of which a log's fullest tells nothing about the others.
bool measured(const Inputs& in) { return engine_method_on(in) && !(llama(in) && in.number(FieldId::count) > 1); }
bool measured_graphs(const Inputs& in) { return vllm(in) || sglang(in); }
bool offloads(const Inputs& in) { return llama(in) || vllm(in); }
bool speculation_known(const Inputs& in) { return vllm_or_sglang(in) || llama(in); }
bool grouped_format(const Inputs& in) {
  const Recipe* recipe = find_recipe(in.text(FieldId::weights));
  return !in.training() && recipe && recipe->takes_group_size;
}

using K = FieldKind;
using G = FieldGroup;

// In FieldId's order, which is also the canonical order of the share string.
constexpr Field rows[num_fields] = {
    {"task", K::choice, G::workload, "", 0, 0, 0, false, "serve", false, tasks, always, true},
    {"model", K::choice, G::model, "", 0, 0, 0, false, "llama-3.1-70b", true, {}, always, true},
    {"shape", K::text, G::model, "", 0, 0, 0, false, "", true, {}, imported},
    {"name", K::text, G::model, "", 0, 0, 0, false, "", true, {}, imported},
    {"formats", K::text, G::model, "", 0, 0, 0, false, "", true, {}, imported},
    {"params", K::params, G::model, "params", 1e6, 1e14, 7e9, false, "", false, {}, bare, true},
    {"num_layers", K::number, G::model, "layers", 1, 4096, 0, true, "", true, {}, bare},
    {"hidden_size", K::number, G::model, "", 1, 1 << 20, 0, true, "", true, {}, bare},
    {"intermediate_size", K::number, G::model, "", 1, 1 << 22, 0, true, "", true, {}, bare},
    {"vocab_size", K::number, G::model, "", 1, 1 << 24, 0, true, "", true, {}, bare},
    {"num_heads", K::number, G::model, "", 1, 4096, 0, true, "", true, {}, bare},
    {"num_kv_heads", K::number, G::model, "", 1, 4096, 0, true, "", true, {}, bare},
    {"head_dim", K::number, G::model, "", 1, 8192, 0, true, "", true, {}, bare},
    {"weights", K::choice, G::precision, "", 0, 0, 0, false, "fp8", false, {}, serving, true},
    {"group_size", K::choice, G::precision, "", 0, 0, 0, false, "128", false, group_sizes, grouped_format},
    {"kv", K::choice, G::precision, "", 0, 0, 0, false, "bf16", false, {}, serving},
    {"context", K::tokens, G::workload, "tokens", 1, 1 << 28, 4096, true, "", false, {}, always, true},
    {"sequences", K::number, G::workload, "sequences", 1, 65536, 1, true, "", false, {}, serving, true},
    {"states", K::choice, G::training, "", 0, 0, 0, false, "18-byte", false, state_recipes, full_training},
    {"checkpointing", K::choice, G::training, "", 0, 0, 0, false, "full", false, checkpointing_choices, training},
    {"micro_batch", K::number, G::training, "sequences", 1, 4096, 1, true, "", false, {}, training},
    {"lora_rank", K::number, G::training, "", 1, 4096, 16, true, "", false, {}, adapters},
    {"method", K::choice, G::method, "", 0, 0, 0, false, "rule", false, methods, always},
    {"situation", K::choice, G::method, "", 0, 0, 0, false, "auto", false, situations, worksheet_serving},
    {"headroom", K::number, G::method, "percent", 0.1, 95, 0, false, "", true, {}, worksheet},
    {"batched_tokens", K::tokens, G::method, "tokens", 1, 1 << 20, 8192, true, "", false, {}, chunked_prefill},
    {"gpus", K::gpu_list, G::hardware, "", 0, 0, 0, false, "article", false, {}, always, true},
    {"gpu", K::choice, G::hardware, "", 0, 0, 0, false, "", true, {}, always, true},
    {"count", K::number, G::hardware, "gpus", 1, 8, 0, true, "", true, {}, always},
    {"prices", K::choice, G::hardware, "", 0, 0, 0, false, "market", false, {}, always},
    {"engine", K::choice, G::engine, "", 0, 0, 0, false, "auto", false, engines, engine_method_on, true},
    {"vllm_version", K::choice, G::engine, "", 0, 0, 0, false, "0.21", false, vllm_versions, vllm, true},
    {"llama_cpp_build", K::choice, G::engine, "", 0, 0, 0, false, "2026-05", false, llama_cpp_builds, llama, true},
    {"sglang_version", K::choice, G::engine, "", 0, 0, 0, false, "0.5", false, sglang_versions, sglang, true},
    {"transformers_version", K::choice, G::engine, "", 0, 0, 0, false, "4.56", false, transformers_versions, transformers, true},
    {"gpu_memory_utilization", K::number, G::engine, "", 0.01, 1, 0, false, "", true, {}, vllm, true},
    {"mem_fraction_static", K::number, G::engine, "", 0.01, 1, 0, false, "", true, {}, sglang, true},
    {"free_gpu_memory_fraction", K::number, G::engine, "", 0.01, 1, 0.9, false, "", false, {}, tensorrt, true},
    {"pipeline_parallel", K::number, G::engine, "gpus", 1, 8, 1, true, "", false, {}, paged},
    {"data_parallel", K::number, G::engine, "gpus", 1, 8, 1, true, "", false, {}, vllm},
    {"expert_parallel", K::choice, G::engine, "", 0, 0, 0, false, "no", false, no_yes, paged},
    {"decode_context_parallel", K::number, G::engine, "gpus", 1, 8, 1, true, "", false, {}, vllm},
    {"attention_dp", K::choice, G::engine, "", 0, 0, 0, false, "no", false, no_yes, sglang_or_tensorrt},
    {"max_num_seqs", K::number, G::engine, "sequences", 1, 65536, 0, true, "", true, {}, vllm, true},
    {"max_running_requests", K::number, G::engine, "sequences", 1, 65536, 0, true, "", true, {}, sglang, true},
    {"max_batch_size", K::number, G::engine, "sequences", 1, 65536, 0, true, "", true, {}, tensorrt, true},
    {"max_num_batched_tokens", K::tokens, G::engine, "tokens", 1, 1 << 20, 0, true, "", true, {}, vllm, true},
    {"chunked_prefill_size", K::tokens, G::engine, "tokens", 1, 1 << 20, 0, true, "", true, {}, sglang, true},
    {"max_num_tokens", K::tokens, G::engine, "tokens", 1, 1 << 20, 8192, true, "", false, {}, tensorrt, true},
    {"enforce_eager", K::choice, G::engine, "", 0, 0, 0, false, "no", false, no_yes, vllm, true},
    {"disable_cuda_graph", K::choice, G::engine, "", 0, 0, 0, false, "no", false, no_yes, sglang, true},
    {"block_size", K::tokens, G::engine, "tokens", 1, 4096, 0, true, "", true, {}, vllm},
    {"page_size", K::tokens, G::engine, "tokens", 1, 4096, 1, true, "", false, {}, sglang},
    {"tokens_per_block", K::tokens, G::engine, "tokens", 1, 4096, 32, true, "", false, {}, tensorrt},
    {"enable_prefix_caching", K::choice, G::engine, "", 0, 0, 0, false, "yes", false, yes_no, vllm},
    {"disable_hybrid_kv_cache_manager", K::choice, G::engine, "", 0, 0, 0, false, "no", false, no_yes, vllm},
    {"mamba_ssm_cache_dtype", K::choice, G::engine, "", 0, 0, 0, false, "auto", false, state_dtypes, vllm_or_sglang},
    {"mamba_full_memory_ratio", K::number, G::engine, "", 0.01, 100, 0.9, false, "", false, {}, sglang},
    {"max_mamba_cache_size", K::number, G::engine, "sequences", 1, 1 << 20, 0, true, "", true, {}, sglang},
    {"swa_full_tokens_ratio", K::number, G::engine, "", 0.01, 1, 0.8, false, "", false, {}, sglang},
    {"quantize_at_load", K::choice, G::engine, "", 0, 0, 0, false, "no", false, no_yes, paged},
    {"speculative", K::choice, G::engine, "", 0, 0, 0, false, "none", false, speculative_methods, speculation_known},
    {"num_speculative_tokens", K::number, G::engine, "tokens", 1, 64, 3, true, "", false, {}, speculates},
    {"draft_model", K::choice, G::engine, "", 0, 0, 0, false, "", true, {}, drafts},
    {"language_model_only", K::choice, G::engine, "", 0, 0, 0, false, "no", false, no_yes, paged},
    {"max_loras", K::number, G::engine, "adapters", 1, 4096, 0, true, "", true, {}, vllm_or_sglang},
    {"max_lora_rank", K::number, G::engine, "", 1, 512, 16, true, "", false, {}, adapters_loaded},
    {"cpu_offload_gb", K::number, G::engine, "gib", 0.1, 4096, 0, false, "", true, {}, vllm_or_sglang},
    {"kv_cache_memory_gib", K::number, G::engine, "gib", 0.01, 4096, 0, false, "", true, {}, vllm},
    {"attn_implementation", K::choice, G::engine, "", 0, 0, 0, false, "sdpa", false, attention_implementations, transformers,
     true},
    {"prompt_tokens", K::tokens, G::engine, "tokens", 1, 1 << 28, 0, true, "", true, {}, transformers, true},
    {"do_fuse", K::choice, G::engine, "", 0, 0, 0, false, "no", false, no_yes, fuses},
    {"n_gpu_layers", K::number, G::engine, "layers", 0, 999, 999, true, "", false, {}, llama, true},
    {"n_cpu_moe", K::number, G::engine, "layers", 0, 999, 0, true, "", false, {}, llama},
    {"n_batch", K::tokens, G::engine, "tokens", 1, 1 << 20, 2048, true, "", false, {}, llama},
    {"n_ubatch", K::tokens, G::engine, "tokens", 1, 1 << 20, 512, true, "", false, {}, llama, true},
    {"n_parallel", K::number, G::engine, "sequences", 1, 65536, 0, true, "", true, {}, llama, true},
    {"kv_unified", K::choice, G::engine, "", 0, 0, 0, false, "auto", false, auto_yes_no, llama},
    {"flash_attn", K::choice, G::engine, "", 0, 0, 0, false, "auto", false, auto_on_off, llama, true},
    {"swa_full", K::choice, G::engine, "", 0, 0, 0, false, "auto", false, auto_yes_no, llama},
    {"kv_offload", K::choice, G::engine, "", 0, 0, 0, false, "yes", false, yes_no, llama},
    {"mmproj", K::choice, G::engine, "", 0, 0, 0, false, "no", false, no_yes, llama},
    {"split_mode", K::choice, G::engine, "", 0, 0, 0, false, "layer", false, split_modes, llama},
    {"host_memory_gib", K::number, G::engine, "gib", 0.1, 1 << 20, 0, false, "", true, {}, offloads},
    {"other_programs_gib", K::number, G::engine, "gib", 0.01, 4096, 0, false, "", true, {}, engine_method_on},
    {"measured_total_gib", K::number, G::engine, "gib", 0.1, 4096, 0, false, "", true, {}, engine_method_on},
    {"measured_weights_gib", K::number, G::engine, "gib", 0.001, 4096, 0, false, "", true, {}, measured},
    {"measured_activations_gib", K::number, G::engine, "gib", 0.001, 4096, 0, false, "", true, {}, measured},
    {"measured_other_gib", K::number, G::engine, "gib", 0.001, 4096, 0, false, "", true, {}, measured},
    {"measured_graphs_gib", K::number, G::engine, "gib", 0.001, 4096, 0, false, "", true, {}, measured_graphs},
};

// The program carries the rows as one text, a line each, which the compiler writes: as they are they cost the download 1 KB more.
constexpr double most_decimals = 1000;  // three

template <class Put>
constexpr void write_rows(Put put) {
  const auto text = [&](Id s) {
    for (const char c : s) put(c);
  };
  const auto whole = [&](auto& self, std::uint64_t n) -> void {
    if (n >= 10) self(self, n / 10);
    put(static_cast<char>('0' + n % 10));
  };
  const auto number = [&](double value) {
    const auto all = static_cast<std::uint64_t>(value * most_decimals + 0.5);
    const auto unit = static_cast<std::uint64_t>(most_decimals);
    whole(whole, all / unit);
    if (all % unit == 0) return put('\t');
    put('.');
    for (std::uint64_t place = unit / 10, rest = all % unit; rest > 0; rest %= place, place /= 10)
      put(static_cast<char>('0' + rest / place));
    put('\t');
  };
  for (const Field& f : rows) {
    put(static_cast<char>('0' + static_cast<int>(f.kind)));
    put(static_cast<char>('0' + static_cast<int>(f.group)));
    put(static_cast<char>('0' + f.whole + 2 * f.optional + 4 * f.common));
    text(f.key);
    put('\t');
    if (f.numeric()) {
      text(f.unit);
      put('\t');
      for (const double value : {f.minimum, f.maximum, f.default_number}) number(value);
    } else {
      text(f.default_text);
      put('\t');
      for (const Id choice : f.choices) text(choice), put(',');
    }
    put('\n');
  }
}

constexpr std::size_t rows_length = [] {
  std::size_t n = 0;
  write_rows([&](char) { ++n; });
  return n;
}();
constexpr auto rows_text = [] {
  std::array<char, rows_length> out{};
  std::size_t n = 0;
  write_rows([&](char c) { out[n++] = c; });
  return out;
}();
constexpr auto rows_apply = [] {
  std::array<bool (*)(const Inputs&), num_fields> out{};
  for (int i = 0; i < num_fields; ++i) out[i] = rows[i].applies;
  return out;
}();
constexpr std::size_t num_fixed_choices = [] {
  std::size_t n = 0;
  for (const Field& f : rows) n += f.choices.size();
  return n;
}();

// The rows again, made once.
struct Table {
  Field fields[num_fields] = {};
  std::array<Id, num_fixed_choices> choices;

  Table() {
    Record lines{{rows_text.data(), rows_text.size()}};
    Id* next = choices.data();
    for (int i = 0; i < num_fields; ++i) {
      Field& f = fields[i];
      Record row{lines.text('\n')};
      f.kind = static_cast<FieldKind>(row.rest[0] - '0');
      f.group = static_cast<FieldGroup>(row.rest[1] - '0');
      const int flags = row.rest[2] - '0';
      f.whole = flags & 1;
      f.optional = flags & 2;
      f.common = flags & 4;
      f.applies = rows_apply[i];
      row.rest.remove_prefix(3);
      f.key = row.text();
      if (f.numeric()) {
        f.unit = row.text();
        for (double* value : {&f.minimum, &f.maximum, &f.default_number}) parse_number(FieldKind::number, row.text(), *value);
      } else {
        f.default_text = row.text();
        Id* const first = next;
        while (!row.rest.empty()) *next++ = row.text(',');
        f.choices = {first, next};
      }
    }
  }
};

const Table& table() {
  static const Table all;
  return all;
}

}  // namespace

std::span<const Field> fields() { return table().fields; }
const Field& field(FieldId id) { return table().fields[static_cast<int>(id)]; }

const Field* find_field(Id key) {
  for (const Field& f : fields())
    if (f.key == key) return &f;
  return nullptr;
}

std::vector<Id> choices_of(const Field& f) {
  std::vector<Id> ids;
  const auto add_all = [&](std::span<const Id> list) {
    for (const Id id : list) ids.push_back(id);
  };
  add_all(f.choices);
  if (f.key == "weights")
    for (const Recipe& recipe : recipes()) ids.push_back(recipe.id);
  if (f.key == "kv")
    for (const KvFormat& format : kv_formats()) ids.push_back(format.id);
  if (f.key == "prices") add_all(price_books());
  if (f.key == "gpus") {
    ids.push_back("all");
    add_all(gpu_set_names());
  }
  return ids;
}

Inputs::Inputs() {
  for (int i = 0; i < num_fields; ++i) {
    const Field& f = fields()[i];
    values[i].number = f.default_number;
    values[i].text.assign(f.default_text);
  }
}

Id Inputs::engine() const {
  const Id chosen = text(FieldId::engine);
  if (chosen != "auto") return chosen;
  return gguf() ? "llama.cpp" : "vllm";
}

bool Inputs::gguf() const {
  if (is(FieldId::weights, "native")) return imported() && text(FieldId::formats).substr(0, 4) == "gguf";
  const Recipe* recipe = find_recipe(text(FieldId::weights));
  return recipe && recipe->kind == RecipeKind::ggml_mix;
}

bool Inputs::llama_cpp_family() const {
  const Id id = engine();
  return id == "llama.cpp" || id == "ollama" || id == "lm-studio" || id == "koboldcpp";
}

bool Inputs::is_default(FieldId id) const {
  const Field& f = field(id);
  const Value& v = values[static_cast<int>(id)];
  return v.number == f.default_number && v.text == f.default_text;
}

}  // namespace vramfit
