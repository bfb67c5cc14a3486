// Start-up checks of the engines, in the order in which they refuse.
#include "checks.h"

namespace vramfit {

SplitCheck check_engine(const EngineContext& c) {
  if (const SplitCheck chip = check_chip(c); !chip.reason.empty()) return chip;
  if (const SplitCheck parallel = check_parallel(c); !parallel.reason.empty()) return parallel;
  if (format_on_chip(c) == FormatRun::refused) return {"chip-precision", compute_capability(c)};
  return check_blocks(c);
}

}  // namespace vramfit
