// The fit table in words: one row per GPU, best first, and once for all what excludes a count.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "names.h"
#include "text.h"
#include "vramfit/fields.h"
#include "vramfit/result.h"

namespace vramfit::shell {

inline constexpr double no_price = std::numeric_limits<double>::infinity();

// What becomes of `count` GPUs of one kind.
struct CountCell {
  Verdict verdict = Verdict::does_not_fit;
  Id reason;          // of unusable: the layout's reason, or node-limit
  std::string cause;  // by an engine, in words: why it is tight, does not fit or is unusable on this GPU
  bool chosen = false;
};

// The fewest GPUs of a kind that hold it: fitting where any count fits, else tight.
struct SmallestFit {
  int count = 1;
  Verdict verdict = Verdict::fits;
  double free_bytes = 0;  // per GPU; 0 or less when tight
  double usd_per_hour = no_price;
  std::string gpus;  // 2x H200
  Figure room;       // free bytes; empty when there are none
  std::string free;  // "57 GB free per GPU (40%)", or the word for tight
  Figure cost;       // per hour; empty without a price
};

struct GpuRow {
  int gpu = 0;                // index into gpus(), which has vendor, form and marketed size to filter by
  double capacity_bytes = 0;  // of one GPU, as the method counts it
  double usd_per_gpu_hour = no_price;
  std::string name;
  std::string short_name;
  std::string form;                 // "SXM, NVLink"
  std::string marketed;             // "141 GB on the box"
  std::string usable;               // "139.8 GiB reported by the driver"
  Figure price;                     // per GPU and hour; empty without one
  std::string price_note;           // whose, of which kind, and when
  CountCell counts[max_gpu_count];  // of 1, 2 ... GPUs
  std::optional<SmallestFit> smallest;
  std::string limit;  // "at most 4 per host" where a host's limit excludes a count
  std::string why;    // by an engine: of the smallest that is only tight, or of the largest that does not hold it
};

struct FitTable {
  std::vector<GpuRow> rows;               // best first: fits, tight, neither; fewest GPUs, least memory, lowest price
  std::vector<std::string> layout_notes;  // what excludes counts whatever the GPU, one sentence a reason
  std::string excluded[max_gpu_count];    // the same for each count by itself; empty where it is usable
  std::string cheapest;                   // "Cheapest that fits: 1x H200, $2.99/h"; empty without prices
};

FitTable describe_fit(const Inputs& inputs, const Result& result, const GpuNames& names, const Text& text);

// "2x H200: fits", and where they cannot be used, why.
std::string count_label(const FitTable& table, const GpuRow& row, int count, const Text& text);

// Why `count` of them is no plain fit: "80 attention heads do not divide by 3", or an engine's cause; empty where nothing is
// told.
std::string count_reason(const FitTable& table, const GpuRow& row, int count);

}  // namespace vramfit::shell
