// The one table of inputs. The share string, the page's form, the terminal and the reference page are all driven by it: adding an
// input is adding a row here (and its label in the locale files).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vramfit/model.h"

namespace vramfit {

enum class FieldId : std::uint8_t {
  task,
  model,
  shape,
  name,
  formats,
  params,
  num_layers,
  hidden_size,
  intermediate_size,
  vocab_size,
  num_heads,
  num_kv_heads,
  head_dim,
  weights,
  group_size,
  kv,
  context,
  sequences,
  states,
  checkpointing,
  micro_batch,
  lora_rank,
  method,
  situation,
  headroom,
  batched_tokens,
  gpus,
  gpu,
  count,
  prices,
  // Knobs of the engine method, under the engines' own names; each applies to the engines that have it.
  engine,
  vllm_version,
  llama_cpp_build,
  sglang_version,
  transformers_version,
  gpu_memory_utilization,
  mem_fraction_static,
  free_gpu_memory_fraction,
  pipeline_parallel,
  data_parallel,
  expert_parallel,
  decode_context_parallel,
  attention_dp,
  max_num_seqs,
  max_running_requests,
  max_batch_size,
  max_num_batched_tokens,
  chunked_prefill_size,
  max_num_tokens,
  enforce_eager,
  disable_cuda_graph,
  block_size,
  page_size,
  tokens_per_block,
  enable_prefix_caching,
  disable_hybrid_kv_cache_manager,
  mamba_ssm_cache_dtype,
  mamba_full_memory_ratio,
  max_mamba_cache_size,
  swa_full_tokens_ratio,
  quantize_at_load,
  speculative,
  num_speculative_tokens,
  draft_model,
  language_model_only,
  max_loras,
  max_lora_rank,
  cpu_offload_gb,
  kv_cache_memory_gib,
  attn_implementation,
  prompt_tokens,
  do_fuse,
  n_gpu_layers,
  n_cpu_moe,
  n_batch,
  n_ubatch,
  n_parallel,
  kv_unified,
  flash_attn,
  swa_full,
  kv_offload,
  mmproj,
  split_mode,
  host_memory_gib,
  other_programs_gib,
  // What a start-up log printed, in place of what the engine method would predict.
  measured_total_gib,
  measured_weights_gib,
  measured_activations_gib,
  measured_other_gib,
  measured_graphs_gib,
};
inline constexpr int num_fields = 90;

enum class FieldKind : std::uint8_t {
  choice,    // one id of a fixed or catalogue list
  number,    // a plain number
  tokens,    // a whole number of tokens; k = 1024, m = 1024 * 1024
  params,    // a parameter count; k, m, b, t = powers of 1000
  text,      // kept as typed, capitals too
  gpu_list,  // named sets, GPU ids and id:usd_per_hour prices, comma-separated
};

enum class FieldGroup : std::uint8_t { model, precision, workload, training, method, hardware, engine };

struct Inputs;

struct Field {
  Id key;  // in the share string
  FieldKind kind;
  FieldGroup group;
  Id unit;         // unit id: empty, tokens, params, percent, ...
  double minimum;  // of numbers
  double maximum;
  double default_number;
  bool whole;                      // no fraction
  Id default_text;                 // of choices and lists
  bool optional;                   // may be left to the program: empty text, or number 0
  std::span<const Id> choices;     // of fixed lists; empty for catalogue lists
  bool (*applies)(const Inputs&);  // whether it matters, given the others
  bool common = false;             // what most people set: forms show these first and fold the others away

  constexpr bool numeric() const { return kind != FieldKind::choice && kind < FieldKind::text; }
};

const Field& field(FieldId id);
std::span<const Field> fields();
const Field* find_field(Id key);  // null when unknown

// Every choice of a field, those of the catalogue's lists among them; empty for what is searched, as models and GPUs are.
std::vector<Id> choices_of(const Field& field);

// Every field's value: a number, or for choices and lists the text as typed (checked when used, so that a link is never
// rewritten).
struct Inputs {
  struct Value {
    double number = 0;
    std::string text;
    bool operator==(const Value&) const = default;
  };
  std::array<Value, num_fields> values;

  Inputs();  // the defaults
  double number(FieldId id) const { return values[static_cast<int>(id)].number; }
  Id text(FieldId id) const { return values[static_cast<int>(id)].text; }
  bool is(FieldId id, Id choice) const { return text(id) == choice; }
  void set(FieldId id, double number) { values[static_cast<int>(id)].number = number; }
  void set(FieldId id, Id text) { values[static_cast<int>(id)].text.assign(text); }
  bool is_default(FieldId id) const;
  bool training() const { return !is(FieldId::task, "serve"); }
  Id engine() const;              // the engine meant; `auto` is llama.cpp for GGUF weights and vLLM for the rest
  bool llama_cpp_family() const;  // llama.cpp and the programs that run it
  bool imported() const { return !text(FieldId::shape).empty(); }  // a model of the reader's own: `model` says nothing
  // No model of either kind: `params` and the shape fields speak.
  bool bare_size() const { return text(FieldId::model).empty() && !imported(); }
  bool gguf() const;  // weights for llama.cpp and its family
  bool operator==(const Inputs&) const = default;
};

}  // namespace vramfit
