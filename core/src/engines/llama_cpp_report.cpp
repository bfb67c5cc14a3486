// What the program would say of itself, the most layers and the longest context that the GPUs hold, and remarks on the settings.
#include <algorithm>
#include <cmath>

#include "llama_cpp_run.h"

namespace vramfit {

void llama_cpp_report(const EngineContext& c, EngineReport& report) {
  static constexpr Id eras[] = {"2024", "2025-05", "2026-01", "2026-05"};
  const LlamaRun run(c);
  report.era = eras[static_cast<int>(run.s.era)];
  report.max_num_seqs = run.s.slots;
  report.max_num_batched_tokens = run.s.micro_batch;
  if (!by_engine(c.r)) return;  // the searches are for who looks at them
  const double usable = c.usable_bytes() - c.r.in.number(FieldId::other_programs_gib) * bytes_per_gib;
  const auto fits = [&](const LlamaRun& tried) {
    for (int d = 0; d < c.count; ++d)
      if (tried.device_needs(d).likely > usable) return false;
    return true;
  };
  const int slots = static_cast<int>(run.placement().device_of.size());
  int low = -1, high = slots + 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (fits(LlamaRun(c, -1, middle)) ? low : high) = middle;
  }
  report.gpu_layers = std::max(0, low);
  double shortest = 0, longest = 1 << 24;
  while (longest - shortest >= 256) {
    const double middle = std::floor((shortest + longest) / 512) * 256;
    if (middle <= shortest) break;
    (fits(LlamaRun(c, middle, slots)) ? shortest : longest) = middle;
  }
  report.longest_context = shortest;
}

void llama_cpp_notices(const EngineContext& c, std::vector<Notice>& notices) {
  const LlamaRun run(c);
  const int left = static_cast<int>(std::count(run.placement().device_of.begin(), run.placement().device_of.end(), llama_host));
  if (left > 0) note(notices, Severity::info, "llama-layers-on-host", "n_gpu_layers", "", left);
  if (run.s.cpu_moe_layers > 0 && !c.is_moe()) note(notices, Severity::info, "llama-no-experts", "n_cpu_moe");
  if (c.r.in.is(FieldId::mmproj, "yes") && c.r.model.tower_params <= 0)
    note(notices, Severity::info, "llama-no-mmproj", "mmproj");
  if (run.s.full_windows) {
    double bytes = 0, windowed = 0;
    LlamaSettings small = run.s;
    small.full_windows = false;
    for (int d = 0; d < c.count; ++d) bytes += run.cache(run.s, d).kv, windowed += run.cache(small, d).kv;
    if (bytes > windowed) note(notices, Severity::info, "llama-full-windows", "swa_full", "", bytes - windowed);
  }
}

}  // namespace vramfit
