// What an engine does unless it is told otherwise, where that decides the answer; and room that is there at the start and may not
// be enough later.
#pragma once

#include "needs.h"

namespace vramfit {

void engine_warnings(const EngineContext& c, std::vector<Notice>& notices);

// Bytes on one GPU while a checkpoint of 16 bits is read that is quantized as it loads; 0 when it is not.
double load_peak_bytes(const EngineContext& c);

}  // namespace vramfit
