// The answer: numbers and ids, nothing for people to read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vramfit/catalog.h"
#include "vramfit/notice.h"
#include "vramfit/tensors.h"
#include "vramfit/units.h"

namespace vramfit {

inline constexpr int max_gpu_count = 8;  // of one host

struct Value {
  Id name;
  double number = 0;
};

// One line of an explanation: the formula's id, the figures put into it, and where the formula comes from. `bytes` is what it
// gives for one whole copy of the model, before any split over GPUs.
struct Term {
  static constexpr int max_values = 8;
  Id formula;
  Id source;
  Value values[max_values] = {};
  int num_values = 0;
  Range bytes;
  Id format_source = {};  // of the number format's block metadata, where that has a source of its own
};

struct Compartment {
  Id id;                     // weights, kv_cache, state, activations, margin, gradients, optimizer, adapters, reserve, headroom;
                             // by the engine method also communication, graphs, encoder, draft
  Range per_gpu;             // of the fullest GPU
  Range total;               // over all GPUs of the layout, copies included: the sum of `ranks`
  std::vector<Range> ranks;  // of each GPU of the itemised count, the fullest first
  std::vector<Term> terms;
  Id place = {};  // by the engine method: `inside` its budget, `beside` it, or `before` it looks
};

// What one GPU of `count` must hold.
struct Layout {
  int count = 1;
  Id reason;                 // empty: usable; else why the model cannot be split this way
  double reason_number = 0;  // the number that does not divide
  Range need;                // bytes per GPU with headroom
  Range floor;               // bytes per GPU without headroom: below this it cannot run
};

struct MethodResult {
  Id id;
  std::vector<Id> missing;                // compartments that could not be computed; the total is then a lower bound
  std::vector<Compartment> compartments;  // for the chosen count
  Range total;                            // one copy on one GPU
  Id split;                               // tensor, layer or shard: how several GPUs would share it
  Id split_source;                        // whose rules say which counts can; empty for shard, where any can
  Layout layouts[max_gpu_count];
};

enum class Verdict : std::uint8_t { fits, tight, does_not_fit, unusable };
Id verdict_id(Verdict verdict);

struct GpuPrice {
  double usd_per_hour = 0;
  Id book, provider, date;
  PriceKind kind = PriceKind::on_demand;
};

// What the engine does with the memory of one GPU of the chosen layout, as its own log would say it. Zeros where the engine has
// no such thing.
struct EngineReport {
  Id engine;  // `auto` resolved
  Id era;     // version era in use; empty where the engine has only one here
  int tensor_parallel = 1, pipeline_parallel = 1, data_parallel = 1;
  double usable_bytes = 0;  // of one GPU: what the driver reports, or what was measured
  double budget_bytes = 0;  // what the engine allows itself
  double memory_share = 0;  // in use, the engine's default resolved: of the card, or of what is free
  Range pool_bytes;         // room for cache and state on the tightest rank
  Range tokens;             // of the pool, counted as the engine prints them
  Range max_concurrency;    // requests of `context` tokens that the pool holds
  double num_blocks = 0;
  double block_tokens = 0;
  double longest_context = 0;  // of one request, with the likely pool
  double max_num_seqs = 0;     // in use, the engine's default resolved
  double max_num_batched_tokens = 0;
  Id limits_source;      // of the two, where one is the engine's default for the card
  Range reported_bytes;  // of the process on one GPU once it runs, as nvidia-smi shows it
  Range host_bytes;      // host memory that weights, caches and buffers left there take
  int gpu_layers = 0;    // llama.cpp: most repeating and output layers that the GPUs hold with this context
};

struct FitRow {
  int gpu = 0;  // index into gpus()
  double capacity_bytes = 0;
  std::optional<GpuPrice> price;
  int max_per_node = 0;  // more GPUs than that are unusable; other unusable counts have their layout's reason
  Verdict verdicts[max_gpu_count] = {};
  // By the engine method: why it is not `fits`. Empty by the others, whose reasons are the layouts'.
  Id causes[max_gpu_count] = {};
  double cause_numbers[max_gpu_count] = {};  // what does not divide, where a cause is about a number
  double need_bytes[max_gpu_count] = {};     // per GPU of this kind, likely; by the others the layouts say it for all kinds
};

struct Pick {
  int gpu = -1;  // -1: none
  int count = 0;
  Verdict verdict = Verdict::does_not_fit;
  std::optional<double> usd_per_hour;
};

// The same request at another precision: what the bill would be.
struct PrecisionStep {
  Id weights;
  double total_bytes = 0;
  Pick pick;
};

struct ModelSummary {
  Id id;  // empty for a bare size
  Id name;
  double stated_params = 0;
  bool has_layers = false;
  ParameterCount exact;           // zeros without layers
  double kv_bytes_per_token = 0;  // one token more of one sequence, windows not yet full; 0 when unknown
  int num_layers = 0;
  int num_heads = 0;  // of the first attention layer
  int num_kv_heads = 0;
  int max_position_embeddings = 0;
};

struct Result {
  std::vector<Notice> notices;
  bool refused = false;  // an error notice says why; only notices and model are then meaningful
  ModelSummary model;
  Id weights;  // recipe in use, `native` resolved
  MethodResult rule;
  MethodResult worksheet;
  MethodResult engine;  // without compartments when training or without layers
  EngineReport engine_report;
  std::vector<FitRow> fit;  // by the chosen method
  Pick best;                // fewest GPUs, then smallest memory, then lowest price
  Pick cheapest;            // lowest hourly price of what fits
  Pick chosen;              // the user's gpu and count, else best
  std::vector<PrecisionStep> precision;

  const MethodResult& method(Id id) const { return id == "engine" ? engine : id == "worksheet" ? worksheet : rule; }
};

}  // namespace vramfit
