// Whether an engine takes a layout at all, before any byte is counted.
#pragma once

#include "needs.h"

namespace vramfit {

// Why the engine refuses this layout on this kind of GPU, or an empty reason.
SplitCheck check_engine(const EngineContext& c);

// --- its parts, each of one concept ---

// The engine on this maker's GPUs and this generation of them: engine-vendor, engine-chip.
SplitCheck check_chip(const EngineContext& c);

// The number format on this generation of GPUs.
enum class FormatRun : std::uint8_t {
  runs,
  varies,   // some releases refuse it, or do it at 16 bits
  refused,  // no release of the era has a kernel
};
FormatRun format_on_chip(const EngineContext& c);

// Compute capability of an NVIDIA GPU, 0 of others.
double compute_capability(const EngineContext& c);

// Heads, widths and vocabulary that do not divide; decode-context and pipeline parallelism.
SplitCheck check_parallel(const EngineContext& c);

// Widths of a rank that are no whole blocks or groups of a quantized format.
SplitCheck check_blocks(const EngineContext& c);

}  // namespace vramfit
