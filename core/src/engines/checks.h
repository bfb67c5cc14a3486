// Whether an engine takes a layout at all, before any byte is counted.
#pragma once

#include "needs.h"

namespace vramfit {

// Why the engine refuses this layout on this kind of GPU, or an empty reason.
SplitCheck check_engine(const EngineContext& c);

}  // namespace vramfit
