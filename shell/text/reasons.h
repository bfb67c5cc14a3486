// Why a model cannot be split over some counts of GPUs.
#pragma once

#include <span>
#include <string>

#include "text.h"

namespace vramfit::shell {

// `number`: the one that does not divide, for instance of heads.
std::string reason_text(Id reason, double number, std::span<const int> counts, const Text& text);

// Why an engine does not hold it; empty where it does.
std::string cause_text(Id cause, const Text& text);

// "at most 4 per host"
std::string host_limit_text(int max_per_node, const Text& text);

}  // namespace vramfit::shell
