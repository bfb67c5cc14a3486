// What fills one GPU, with the arithmetic behind each use.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "names.h"
#include "text.h"
#include "vramfit/fields.h"
#include "vramfit/result.h"

namespace vramfit::shell {

// One line of arithmetic: "70.6B parameters in the format × 8 bits, scales included", what it gives, and where it is from.
struct TermLine {
  std::string text;
  Figure bytes;        // of one copy of the model, before any split
  std::string source;  // titles, joined with "; "
};

struct CompartmentRow {
  Id id;  // for its colour: weights, kv_cache, state, activations, margin, gradients, optimizer, adapters, reserve, headroom
  std::string label;
  double bytes = 0;  // of one GPU; likely, and between which
  double low_bytes = 0;
  double high_bytes = 0;
  Figure per_gpu;
  Figure all_gpus;
  std::string range;  // "1.2 GB to 3.4 GB"; empty where low and high read the same
  std::string share;  // of one GPU's sum
  std::vector<TermLine> terms;
};

struct FreeMemory {
  double bytes = 0;
  Figure figure;
  std::string share;  // of the capacity
};

struct Breakdown {
  std::vector<CompartmentRow> rows;
  int gpu = -1;               // index into gpus(); -1 when none is chosen: then the rows are for one GPU of unknown size
  int count = 1;              // GPUs that share the model
  double bytes = 0;           // of one GPU, all rows
  double capacity_bytes = 0;  // of one GPU; 0 when none is chosen
  Figure need;                // `bytes`
  Figure need_all;            // over all GPUs
  std::optional<FreeMemory> free;
  std::string title;       // "Per GPU on 1x H200: 84 GB of 141 GB"
  std::string split;       // how several GPUs share it, and what each holds where that differs; empty for one
  std::string incomplete;  // what could not be counted, so that this is a lower bound; empty when all was
};

Breakdown describe_compartments(const Inputs& inputs, const Result& result, const GpuNames& names, const Text& text);

// "1.2 GB to 3.4 GB"; empty where both read the same.
std::string range_text(const Range& bytes, ByteUnit own, const Text& text);

std::string source_title(Id source, const Text& text);

}  // namespace vramfit::shell
