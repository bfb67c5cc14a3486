// What one GPU must hold at other context lengths and at other numbers of sequences, and how far each goes on a GPU. Made of the
// methods and the verdicts of estimate(), so that the two never disagree.
#pragma once

#include "vramfit/fields.h"
#include "vramfit/price_list.h"
#include "vramfit/result.h"

namespace vramfit {

struct WhatIfCard {
  int gpu = 0;  // index into gpus()
  int count = 1;
  double capacity_bytes = 0;  // of one GPU: FitRow::capacity_bytes
};

// Largest whole values of the field; 0: none, the field's maximum: no limit found.
struct WhatIfLimit {
  double fits = 0;  // with the verdict `fits`
  double runs = 0;  // with `fits` or `tight`
};

struct WhatIfLine {
  Id kv;                            // KV-cache format; empty where nothing is kept in one: training, encoders, no shape
  bool chosen = false;              // the input's own
  std::vector<Range> need;          // Layout::need at each of the axis' values
  std::vector<WhatIfLimit> limits;  // on each of the cards
};

struct WhatIfAxis {
  FieldId field = FieldId::context;
  double value = 0;            // the input's own
  std::vector<double> values;  // whole, rising, a quarter of an octave apart
  std::vector<WhatIfLine> lines;
};

struct WhatIf {
  std::vector<Notice> notices;
  bool refused = false;     // as Result::refused; the rest is then empty
  std::vector<Id> missing;  // compartments that no line counts, for want of the model's shape: needs are at least that much
  int count = 1;            // GPUs that share the model, everywhere in here
  // Result::chosen, then of the other GPUs considered the next smaller and the next larger, where there are any. Where nothing
  // can be chosen, the largest of all comes first.
  std::vector<WhatIfCard> cards;
  // Context, from 1,024 tokens (or from the input, if less) to all that the model was made for and to twice the input; then
  // sequences (micro-batch when training), from 1 to 256 and to twice the input. The other inputs stay as they are.
  std::vector<WhatIfAxis> axes;
};

// Never fails, as estimate().
WhatIf what_if(Inputs inputs, std::vector<Notice> notices = {}, const PriceList* list = nullptr);

}  // namespace vramfit
