// The engine method: layouts, verdicts and compartments from what the chosen engine needs on each rank.
#include <algorithm>
#include <cmath>

#include "../fit.h"
#include "checks.h"
#include "memo.h"
#include "needs.h"
#include "warnings.h"

namespace vramfit {
namespace {

constexpr double default_runtime_gib = 79.18;  // of an H100 of 80 GB, where no GPU is named

double measured(const Request& r, FieldId id) { return r.in.number(id) * bytes_per_gib; }

}  // namespace

EngineContext context_of(const Request& r, int gpu, int count) {
  EngineContext c{r, r.in.engine(), gpu, count};
  const auto number = [&](FieldId id) { return static_cast<int>(r.in.number(id)); };
  if (c.engine == "vllm" || c.engine == "sglang" || c.engine == "tensorrt-llm") {
    c.pipeline_parallel = number(FieldId::pipeline_parallel);
    if (c.engine == "vllm") c.data_parallel = number(FieldId::data_parallel);
    c.tensor_parallel = std::max(1, count / (c.pipeline_parallel * c.data_parallel));
    if (r.in.is(FieldId::expert_parallel, "yes")) c.expert_parallel = c.tensor_parallel * c.data_parallel;
  }
  return c;
}

RankNeeds needs_of(const EngineContext& c, int rank, bool explain) {
  if (c.engine == "vllm") return vllm_needs(c, rank, explain);
  if (c.engine == "sglang") return sglang_needs(c, rank, explain);
  if (c.engine == "tensorrt-llm") return tensorrt_llm_needs(c, rank, explain);
  if (c.engine == "transformers") return transformers_needs(c, rank, explain);
  return llama_cpp_needs(c, rank, explain);
}

namespace {

// Ranks that may differ: pipeline stages, or the cards that whole layers are dealt out to.
int different_ranks(const EngineContext& c) {
  if (c.engine == "transformers" || c.r.in.llama_cpp_family()) return c.count;
  return c.pipeline_parallel;
}

// Memory of the card that is not the engine's: what was stated; where processor and GPU share the memory, the operating system's
// part of it (source id unified-memory); on cards that may drive a display, what a desktop takes at most (source id
// desktop-memory).
Others others_of(const EngineContext& c) {
  if (const double stated = measured(c.r, FieldId::other_programs_gib); stated > 0) return {Range::exact(stated)};
  if (c.gpu < 0) return {};
  const GpuEntry& gpu = *c.card();
  // Apple's figure is the GPU's share already.
  if (gpu.form == GpuForm::unified && gpu.vendor != "apple")
    return {Range{0.02, 0.05, 0.15} * c.usable_bytes(), "unified-memory"};
  if (gpu.form == GpuForm::consumer || gpu.form == GpuForm::laptop) return {Range{0, 0, 0.6} * bytes_per_gib};
  return {};
}

// The tightest rank decides.
Held hold_layout(const EngineContext& c) {
  Held worst;
  const double usable = c.usable_bytes();
  const Others others = others_of(c);
  double host = 0;
  for (int rank = 0; rank < different_ranks(c); ++rank) {
    const RankNeeds needs = needs_of(c, rank, false);
    Held held = hold(needs, usable, others);
    host += needs.host_bytes * std::max(1, c.count / different_ranks(c));
    held.layout.count = c.count;
    if (!needs.reason.empty()) {
      held.verdict = Verdict::unusable;
      held.cause = held.layout.reason = needs.reason;
      held.layout.reason_number = needs.reason_number;
      return held;
    }
    if (rank == 0 || held.layout.floor.likely > worst.layout.floor.likely) {
      const Range pool = rank == 0 ? held.pool
                                   : Range{std::min(held.pool.low, worst.pool.low), std::min(held.pool.likely, worst.pool.likely),
                                           std::min(held.pool.high, worst.pool.high)};
      worst = std::move(held);
      worst.pool = pool;
    } else {
      worst.pool = {std::min(held.pool.low, worst.pool.low), std::min(held.pool.likely, worst.pool.likely),
                    std::min(held.pool.high, worst.pool.high)};
    }
  }
  if (worst.verdict != Verdict::does_not_fit) {
    if (const double memory = measured(c.r, FieldId::host_memory_gib); memory > 0 && host > memory)
      worst.verdict = Verdict::does_not_fit, worst.cause = "host-memory";
    else if (const double peak = load_peak_bytes(c); peak > 0) {
      // Before anything else is there, a larger card is needed for what is read than for what is kept.
      for (Range* each : {&worst.layout.floor, &worst.layout.need}) {
        each->low = std::max(each->low, peak + others.bytes.low);
        each->likely = std::max(each->likely, peak + others.bytes.likely);
        each->high = std::max(each->high, peak + others.bytes.high);
      }
      if (peak + others.bytes.low > usable) worst.verdict = Verdict::does_not_fit, worst.cause = "quantize-at-load";
      else if (peak + others.bytes.high > usable && worst.verdict == Verdict::fits)
        worst.verdict = Verdict::tight, worst.cause = "quantize-at-load";
    }
  }
  return worst;
}

}  // namespace

Request asked_with(const Request& r, const Inputs& in) {
  Request out{in,       r.model, r.has_cache_shape, r.has_layers, r.summary, r.weight_bytes,
              r.recipe, r.kv,    r.group_size,      r.split,      {},        r.chosen_gpu};
  out.memo = r.memo;
  return out;
}

Held judge_engine(const EngineContext& c) {
  const SplitCheck check = check_engine(c);
  Held out;
  if (check.reason.empty()) {
    out = hold_layout(c);
    // One state for each of a default of many sequences: the engine refuses, and starts when it is told of fewer.
    if (out.cause == "state-blocks" && out.verdict == Verdict::does_not_fit && c.r.in.number(FieldId::max_num_seqs) == 0) {
      Inputs fewer = c.r.in;
      fewer.set(FieldId::max_num_seqs, c.r.sequences());
      const Request request = asked_with(c.r, fewer);
      const Held told = hold_layout(context_of(request, c.gpu, c.count));
      if (told.verdict != Verdict::does_not_fit) out.verdict = Verdict::tight;
      out.layout.floor.low = std::min(out.layout.floor.low, told.layout.floor.low);
      if (!told.cause.empty() && told.cause != "many-requests") out.cause = told.cause;  // what telling it does not cure
    }
    return out;
  }
  out.layout.count = c.count;
  out.verdict = Verdict::unusable;
  out.cause = out.layout.reason = check.reason;
  out.layout.reason_number = check.number;
  return out;
}

namespace {

// Orders the ranks of all compartments by what they hold together.
void fullest_first(std::vector<Compartment>& compartments, int count) {
  std::vector<std::pair<double, int>> ranks(count);
  for (int i = 0; i < count; ++i) {
    ranks[i].second = i;
    for (const Compartment& c : compartments) ranks[i].first -= c.ranks[i].likely;
  }
  std::sort(ranks.begin(), ranks.end());
  for (Compartment& c : compartments) {
    std::vector<Range> ordered;
    for (const auto& [bytes, i] : ranks) ordered.push_back(c.ranks[i]);
    c.ranks = std::move(ordered);
  }
}

}  // namespace

double EngineContext::usable_bytes() const {
  if (const double total = measured(r, FieldId::measured_total_gib); total > 0) return total;
  if (gpu < 0) return default_runtime_gib * bytes_per_gib;
  // A runtime reports a little less than the driver; where no log shows it, as much less as the logs of other cards of the maker
  // do (source id runtime-total).
  const GpuEntry& card = gpus()[gpu];
  if (card.runtime_gib > 0) return card.runtime_gib * bytes_per_gib;
  const double driver = card.usable.bytes();
  return card.vendor == "nvidia" && card.form != GpuForm::unified ? driver * 0.997 - 0.4 * bytes_per_gib : driver;
}

bool EngineContext::is_moe() const {
  for (int f = 0; f < r.model.num_feed_forwards; ++f)
    if (r.model.feed_forwards[f].num_experts > 0) return true;
  return false;
}

Layout engine_layout(const Request& request, int gpu, int count) {
  if (request.memo) return judge_engine(context_of(request, gpu, count)).layout;
  const MemoScope memo(request);  // the ranks share what is the same for all
  return judge_engine(context_of(request, gpu, count)).layout;
}

std::vector<FitRow> engine_fit(const Request& request) {
  const MemoScope memo(request);
  std::vector<FitRow> rows(request.candidates.size());
  FitRow* row = rows.data();
  for (const CandidateGpu& candidate : request.candidates) {
    const GpuEntry& gpu = gpus()[candidate.gpu];
    row->gpu = candidate.gpu;
    row->capacity_bytes = EngineContext{request, request.in.engine(), candidate.gpu}.usable_bytes();
    row->price = candidate.price;
    row->max_per_node = gpu.max_per_node;
    for (int n = 1; n <= max_gpu_count; ++n) {
      // Who names the card and the count has them, in one host or several.
      const bool named = candidate.gpu == request.chosen_gpu && n == request.in.number(FieldId::count);
      if (n > gpu.max_per_node && !named) {
        row->verdicts[n - 1] = Verdict::unusable;
        continue;
      }
      const Held held = judge_engine(context_of(request, candidate.gpu, n));
      row->verdicts[n - 1] = held.verdict;
      row->causes[n - 1] = held.cause;
      row->cause_numbers[n - 1] = held.layout.reason_number;
      row->need_bytes[n - 1] = held.layout.need.likely;
    }
    ++row;
  }
  return rows;
}

MethodResult engine_method(const Request& request, int gpu, int count, EngineReport& report) {
  MethodResult out;
  out.id = "engine";
  const EngineContext c = context_of(request, gpu, count);
  const bool layers = request.in.llama_cpp_family() || c.engine == "transformers";
  out.split = layers ? "layer" : c.pipeline_parallel > 1 ? "pipeline" : "tensor";
  out.split_source = layers ? "llama-cpp-layers" : "vllm-splits";
  if (request.in.training() || !request.has_layers) {
    for (int n = 1; n <= max_gpu_count; ++n) out.layouts[n - 1].count = n;
    out.missing = {"weights", "kv_cache", "activations"};
    return out;
  }
  const MemoScope memo(request);
  for (int n = 1; n <= max_gpu_count; ++n) out.layouts[n - 1] = engine_layout(request, gpu, n);

  // Compartments by rank; equal ranks are computed once.
  const int different = different_ranks(c);
  const int copies = std::max(1, count / different);
  for (int rank = 0; rank < different; ++rank) {
    RankNeeds needs = needs_of(c, rank, true);
    for (Part& p : needs.cache) needs.parts.push_back(std::move(p));
    report.host_bytes += Range::exact(needs.host_bytes);
    for (Part& p : needs.parts) {
      Compartment* found = nullptr;
      for (Compartment& each : out.compartments)
        if (each.id == p.id) found = &each;
      if (!found) {
        out.compartments.push_back({p.id, {}, {}, std::vector<Range>(count), {}});
        found = &out.compartments.back();
        found->place = p.where == Where::budget ? "inside" : p.where == Where::outside ? "beside" : "before";
      }
      for (int k = 0; k < copies && rank * copies + k < count; ++k) found->ranks[rank * copies + k] = p.bytes;
      if (p.bytes.likely > found->per_gpu.likely || found->terms.empty()) {
        found->per_gpu = p.bytes;
        found->terms = std::move(p.terms);
      }
    }
  }
  if (different > 1) fullest_first(out.compartments, count);
  for (Compartment& each : out.compartments) {
    each.total = {};
    for (const Range& rank : each.ranks) each.total += rank;
  }
  EngineContext one = context_of(request, gpu, 1);
  one.pipeline_parallel = one.data_parallel = 1;
  const RankNeeds whole = needs_of(one, 0, false);
  out.total = whole.sum(Where::budget) + whole.sum(Where::outside) + whole.sum(Where::before) + whole.all_requests;

  const Held held = judge_engine(c);
  report.engine = c.engine;
  report.tensor_parallel = c.tensor_parallel;
  report.pipeline_parallel = c.pipeline_parallel;
  report.data_parallel = c.data_parallel;
  report.usable_bytes = c.usable_bytes();
  report.budget_bytes = held.budget_bytes;
  report.memory_share = whole.rule == PoolRule::exact ? 0 : whole.share;
  report.pool_bytes = held.pool;
  if (c.engine == "vllm") vllm_report(c, held, report);
  else if (c.engine == "sglang") sglang_report(c, held, report);
  else if (c.engine == "tensorrt-llm") tensorrt_llm_report(c, held, report);
  else if (by_engine(request) && c.is("transformers")) transformers_report(c, report);  // these two search
  else if (by_engine(request)) llama_cpp_report(c, report);
  const RankNeeds first = needs_of(c, 0, false);
  const Range before = first.sum(Where::before) + first.sum(Where::outside);
  report.reported_bytes = first.sum(Where::budget) + before + (first.rule == PoolRule::exact ? first.all_requests : held.pool);
  return out;
}

bool has_engine_method() { return true; }
bool reads_imported_models() { return true; }

void engine_errors(const Request& request, std::vector<Notice>& notices) {
  if (request.in.training()) return note(notices, Severity::error, "engine-serves-only", "method");
  // A typed shape is as good as a catalogue's: the weights then follow from it.
  if (!request.has_layers) return note(notices, Severity::error, "engine-needs-model", "model");
  const bool gguf = request.in.llama_cpp_family();
  const bool plain = request.recipe->kind == RecipeKind::uniform && request.recipe->nominal_bits == 16;
  if (gguf && !request.ggml() && !plain) note(notices, Severity::error, "engine-needs-gguf", "weights", request.recipe->id);
  if (!gguf && request.ggml()) note(notices, Severity::error, "engine-reads-no-gguf", "weights", request.recipe->id);
  const bool block_cache = request.kv->source == "ggml-types";
  if (request.in.is(FieldId::speculative, "draft") && !find_model(request.in.text(FieldId::draft_model)))
    note(notices, Severity::error, "unknown-model", "draft_model", request.in.text(FieldId::draft_model));
  if (request.in.is(FieldId::speculative, "mtp") && request.model.num_mtp_layers == 0)
    note(notices, Severity::error, "engine-no-mtp", "speculative", "mtp");
  if (gguf ? !block_cache && request.kv->bits != 16 : block_cache)
    note(notices, Severity::error, "engine-kv-format", "kv", request.kv->id);
}

void engine_notices(const Request& request, int gpu, int count, Id cause, const EngineReport& report,
                    std::vector<Notice>& notices) {
  if (cause == "one-request") note(notices, Severity::warning, "engine-one-request", "context", "", report.longest_context);
  if (cause == "many-requests")
    note(notices, Severity::info, "engine-requests-queue", "sequences", "", std::floor(report.max_concurrency.likely));
  if (gpu >= 0 && needs_of(context_of(request, gpu, count), 0, false).one_request_cause == "state-blocks" &&
      report.num_blocks < report.max_num_seqs)
    note(notices, Severity::warning, "engine-state-blocks", "max_num_seqs", "", report.num_blocks);
  if (report.max_num_seqs > 0 && request.sequences() > report.max_num_seqs)
    note(notices, Severity::warning, "engine-sequence-limit", "sequences", "", report.max_num_seqs);
  const EngineContext c = context_of(request, gpu, count);
  if (request.in.bare_size())
    note(notices, Severity::info, "engine-weights-from-shape", "params", "", count_parameters(request.model).total);
  engine_warnings(c, notices);
  if (c.engine == "sglang") sglang_notices(c, notices);
  else if (request.in.llama_cpp_family()) llama_cpp_notices(c, notices);
}

}  // namespace vramfit
