// What things are called: GPUs short and exact, models with or without a catalogue entry, weight formats by group.
#pragma once

#include <string>
#include <vector>

#include "text.h"
#include "vramfit/result.h"

namespace vramfit::shell {

// "2x H200"
std::string counted_name(int count, std::string_view name);

// Short names for the GPUs of one comparison. "H200 SXM" is "H200" as long as no other card in it is; "H100 SXM 80GB" keeps its
// size ("H100 80 GB") because the name comes in several. Where that leaves two cards of one name, both are given in full.
class GpuNames {
 public:
  explicit GpuNames(std::span<const FitRow> compared = {});
  const std::string& short_name(int gpu) const { return names_[gpu]; }  // gpu: index into gpus()
  std::string counted(int count, int gpu) const { return counted_name(count, names_[gpu]); }

 private:
  std::vector<std::string> names_;
};

std::string model_name(const ModelSummary& model, const Text& text);

// native, gguf, 16, 8, 4 or other; its heading is the message weights_group.<id>.
Id weights_group(Id weights);

}  // namespace vramfit::shell
