// What somebody may have meant by an id that nobody knows.
#pragma once

#include <string_view>
#include <vector>

#include "vramfit/model.h"

namespace vramfit::shell {

// Up to three ids, the nearest first; none that is nothing like it.
std::vector<Id> nearest_models(std::string_view typed);
std::vector<Id> nearest_gpus(std::string_view typed);

}  // namespace vramfit::shell
