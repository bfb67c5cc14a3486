// An Inputs with its ids looked up: what the methods compute from.
#pragma once

#include <vector>

#include "vramfit/catalog.h"
#include "vramfit/fields.h"
#include "vramfit/formats.h"
#include "vramfit/price_list.h"
#include "vramfit/result.h"

namespace vramfit {

struct CandidateGpu {
  int gpu = 0;
  std::optional<GpuPrice> price;
};

enum class Split : std::uint8_t {
  tensor,  // every layer cut across the GPUs
  layer,   // whole layers dealt out (llama.cpp)
  shard,   // training states cut evenly
};

struct Request {
  const Inputs& in;
  Model model;
  bool has_cache_shape = false;  // enough of a shape for the KV cache
  bool has_layers = false;       // enough of a shape for everything
  ModelSummary summary;
  WeightBytes weight_bytes;  // in `recipe`; zeros without exact tensors
  const Recipe* recipe = nullptr;
  const KvFormat* kv = nullptr;
  int group_size = 128;
  Split split = Split::tensor;
  std::vector<CandidateGpu> candidates;
  int chosen_gpu = -1;
  // What the engine method has worked out for a layout, kept while many cards are held against it; null: nothing is kept.
  mutable struct EngineMemo* memo = nullptr;

  double stated_params() const { return summary.stated_params; }
  double context() const { return in.number(FieldId::context); }
  double sequences() const { return in.training() ? in.number(FieldId::micro_batch) : in.number(FieldId::sequences); }
  bool ggml() const { return recipe->kind == RecipeKind::ggml_mix; }
};

// Looks everything up; unknown ids become error notices. `list`: the only price book, unless null.
Request resolve(const Inputs& inputs, std::vector<Notice>& notices, const PriceList* list);

// Why `count` GPUs cannot share the model, or an empty reason.
struct SplitCheck {
  Id reason;
  double number = 0;
};
SplitCheck check_split(const Request& request, int count);

}  // namespace vramfit
