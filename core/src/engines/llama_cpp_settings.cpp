// What each program sets when the user does not, by era. Source id llama-cpp-eras: the mask in 16 bits and few logits came with
// pull requests 23764 and 23861 (May 2026); the output layer goes to a GPU first, latent caches have no values and the server has
// four slots since the turn of 2025/26; window caches since pull request 13194 (May 2025).
#include <algorithm>
#include <cmath>

#include "llama_cpp.h"

namespace vramfit {
namespace {

double ceil_to(double value, double unit) { return std::ceil(value / unit) * unit; }

LlamaEra era_of(const Request& r) {
  const Id build = r.in.text(FieldId::llama_cpp_build);
  if (build == "2024") return LlamaEra::early;
  if (build == "2025-05") return LlamaEra::windows;
  return build == "2026-01" ? LlamaEra::output_first : LlamaEra::few_outputs;
}

double default_slots(const LlamaSettings& s) {
  if (s.ollama || s.koboldcpp) return 1;
  return s.era >= LlamaEra::output_first ? 4 : 1;
}

bool default_flash(const LlamaSettings& s) {
  if (s.era >= LlamaEra::output_first) return !s.koboldcpp;
  return s.era == LlamaEra::windows && !s.lm_studio && !s.koboldcpp;
}

}  // namespace

LlamaSettings llama_settings(const EngineContext& c, double context, int gpu_layers) {
  const Request& r = c.r;
  const auto number = [&](FieldId id) { return r.in.number(id); };
  LlamaSettings s;
  s.era = era_of(r);
  s.ollama = c.engine == "ollama";
  s.lm_studio = c.engine == "lm-studio";
  s.koboldcpp = c.engine == "koboldcpp";
  s.num_devices = c.count;
  s.rows = r.in.is(FieldId::split_mode, "row") && c.count > 1;
  s.gpu_layers = gpu_layers >= 0 ? gpu_layers : static_cast<int>(number(FieldId::n_gpu_layers));
  s.cpu_moe_layers = static_cast<int>(number(FieldId::n_cpu_moe));

  s.sequences = r.sequences();
  const double typed_slots = number(FieldId::n_parallel);
  s.slots = typed_slots > 0 ? typed_slots : std::max(s.sequences, default_slots(s));
  // The server left to itself shares one cache; told a number it splits, since the split exists. Ollama always splits.
  const Id unified = r.in.text(FieldId::kv_unified);
  s.unified = unified == "yes" || (unified == "auto" && (s.era == LlamaEra::early || (typed_slots == 0 && !s.ollama)));
  if (s.slots == 1) s.unified = true;
  s.streams = s.unified ? 1 : s.slots;

  const Id flash = r.in.text(FieldId::flash_attn);
  s.flash = flash == "on" || (flash == "auto" && default_flash(s));
  s.pad = s.flash || s.era >= LlamaEra::output_first ? 256 : 32;
  const double length = context >= 0 ? context : r.context();
  const double asked = s.unified ? length * s.sequences : length;
  s.cells = ceil_to(asked, s.pad);

  s.batch = number(FieldId::n_batch);
  s.micro_batch = std::min({number(FieldId::n_ubatch), s.batch, s.cells * s.streams});
  s.outputs = s.micro_batch;
  const bool few = (s.era == LlamaEra::few_outputs && !s.lm_studio && !s.koboldcpp) || (s.ollama && s.era >= LlamaEra::windows);
  if (few) s.outputs = std::min(s.slots, s.micro_batch);
  s.mask16 = s.era == LlamaEra::few_outputs && s.flash;

  const Id full = r.in.text(FieldId::swa_full);
  s.full_windows = full == "yes" || s.era == LlamaEra::early ||
                   (full == "auto" && (s.lm_studio || (s.koboldcpp && s.era < LlamaEra::few_outputs)));
  s.latent_keys = s.era >= LlamaEra::windows;
  s.latent_values = s.era == LlamaEra::windows;
  s.kv_on_host = r.in.is(FieldId::kv_offload, "no");
  if (!r.in.is(FieldId::speculative, "none")) s.rollback_states = static_cast<int>(number(FieldId::num_speculative_tokens));
  if (r.in.is(FieldId::speculative, "mtp")) s.mtp_layers = r.model.num_mtp_layers;
  return s;
}

}  // namespace vramfit
