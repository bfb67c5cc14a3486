// What an engine needs on one rank, and the rule by which it sizes its cache pool.
#pragma once

#include "../engine.h"

namespace vramfit {

// Layers [first, last) of a pipeline stage.
struct Stage {
  int first = 0;
  int last = 0;
  bool has_embedding = true;
  bool has_head = true;
};

// One engine on `count` GPUs of one kind.
struct EngineContext {
  const Request& r;
  Id engine;
  int gpu = -1;  // index into gpus(); -1: none, then a data-centre GPU of 80 GB is meant
  int count = 1;
  int tensor_parallel = 1;
  int pipeline_parallel = 1;
  int data_parallel = 1;
  int expert_parallel = 1;  // ranks that the experts are dealt out to; 1: every expert is cut

  double usable_bytes() const;  // of one GPU, as its runtime reports it
  bool is_moe() const;
  const GpuEntry* card() const { return gpu < 0 ? nullptr : &gpus()[gpu]; }
  bool is(Id id) const { return engine == id; }
  bool is(FieldId id, Id choice) const { return r.in.is(id, choice); }
  double number(FieldId id) const { return r.in.number(id); }
  bool attention_dp() const { return is(FieldId::attention_dp, "yes") && tensor_parallel > 1; }
  Stage stage(int rank) const;
  bool vendor(Id id) const { return gpu >= 0 && gpus()[gpu].vendor == id; }
};

enum class Where : std::uint8_t {
  budget,   // taken off the engine's budget before the pool is sized
  outside,  // beside the budget: must fit into what the budget leaves of the card
  before,   // there before the engine looks at what is free: lessens the card
};

struct Part {
  Id id;
  Range bytes;
  Where where = Where::budget;
  std::vector<Term> terms;
};

// How the cache pool follows from the card.
enum class PoolRule : std::uint8_t {
  share_of_total,  // share x total - budget parts (vLLM)
  share_of_free,   // share x free at start - budget parts; outside parts have the rest (SGLang)
  share_of_rest,   // share x (total - all parts) (TensorRT-LLM)
  exact,           // no pool: the cache is as large as it is asked to be (llama.cpp, Transformers)
};

struct RankNeeds {
  Id reason;  // the engine refuses this layout whatever the memory
  double reason_number = 0;
  std::vector<Part> parts;  // everything but the cache
  // Cache with state, in whole blocks: of one request of `context` tokens, and of all sequences of this rank.
  Range one_request;
  Range all_requests;
  Id one_request_cause = "one-request";  // why the pool is too small for one request
  std::vector<Part> cache;               // `all_requests` by compartment, for display: kv_cache, state
  double share = 1;                      // of PoolRule
  PoolRule rule = PoolRule::exact;
  double fixed_pool_bytes = 0;  // the user's own pool size; 0: by the rule
  double host_bytes = 0;

  Range sum(Where where) const;
  void add(Id id, Range bytes, Where where = Where::budget, std::vector<Term> terms = {});
};

struct Held {
  Layout layout;
  Verdict verdict = Verdict::does_not_fit;
  Id cause;    // empty when it fits; of `tight` what may fail
  Range pool;  // bytes
  double budget_bytes = 0;
};

// Memory of the card that is not the engine's.
struct Others {
  Range bytes;
  Id cause = "other-programs";  // what to blame when the engine would fit without them
};

// The request on `count` GPUs of kind `gpu`, by the parallel sizes that were typed.
EngineContext context_of(const Request& request, int gpu, int count);

// The same request with other inputs that leave the model and the formats as they are. `in` must outlive it.
Request asked_with(const Request& r, const Inputs& in);

// What its engine needs on `rank`.
RankNeeds needs_of(const EngineContext& c, int rank, bool explain);

// Verdict of one layout, by the engine's own checks first; the tightest rank decides.
Held judge_engine(const EngineContext& c);

// The needs of one rank against a GPU with `usable_bytes`. It does not fit when it does not even at the low ends of the ranges,
// and fits when it does at the high ends; between them it is tight.
Held hold(const RankNeeds& needs, double usable_bytes, const Others& others);

// Of the engines: needs of `rank`. With `explain` the parts get their terms.
RankNeeds vllm_needs(const EngineContext& c, int rank, bool explain);
RankNeeds sglang_needs(const EngineContext& c, int rank, bool explain);
RankNeeds tensorrt_llm_needs(const EngineContext& c, int rank, bool explain);
RankNeeds transformers_needs(const EngineContext& c, int rank, bool explain);
RankNeeds llama_cpp_needs(const EngineContext& c, int rank, bool explain);

// What a pool holds, for the report: `tokens` and `requests` say it of so many bytes.
template <class Tokens, class Requests>
void report_pool(const Range& pool, Tokens tokens, Requests requests, EngineReport& report) {
  report.tokens = {tokens(pool.low), tokens(pool.likely), tokens(pool.high)};
  report.max_concurrency = {requests(pool.low), requests(pool.likely), requests(pool.high)};
}

// Of the engines with a pool: its tokens, blocks and concurrency for the report.
void vllm_report(const EngineContext& c, const Held& held, EngineReport& report);
void sglang_report(const EngineContext& c, const Held& held, EngineReport& report);
void tensorrt_llm_report(const EngineContext& c, const Held& held, EngineReport& report);
void transformers_report(const EngineContext& c, EngineReport& report);
void llama_cpp_report(const EngineContext& c, EngineReport& report);

// Settings that an engine refuses or that change an answer, as notices.
void sglang_notices(const EngineContext& c, std::vector<Notice>& notices);
void llama_cpp_notices(const EngineContext& c, std::vector<Notice>& notices);

}  // namespace vramfit
