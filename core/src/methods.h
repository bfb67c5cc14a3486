// The estimating methods behind one interface: (request, GPUs to itemise for) -> compartments, layouts, terms.
#pragma once

#include "request.h"
#include "vramfit/kv_cache.h"
#include "vramfit/result.h"

namespace vramfit {

MethodResult rule_method(const Request& request, int itemised_count);
MethodResult worksheet_method(const Request& request, int itemised_count);
inline MethodResult chosen_method(const Request& request, int itemised_count) {
  return (request.in.is(FieldId::method, "worksheet") ? worksheet_method : rule_method)(request, itemised_count);
}

// A result with its id, split and the reasons against each count filled in.
MethodResult start_method(const Request& request, Id id);

// Bytes a trained parameter of full fine-tuning: master copies count where the source counts them.
struct StateBytes {
  Id recipe;
  double weights, gradients, optimizer;
  Id source;
  double total() const { return weights + gradients + optimizer; }
};
const StateBytes& state_bytes_for(Id recipe);

// Cache of all live sequences on one rank when `count` GPUs share the model; rank 0 is the fullest.
struct RankCache {
  double kv_bytes = 0;
  double state_low_bytes = 0;  // state in the checkpoint's own dtype
  double state_bytes = 0;      // state in float32, as most engines keep it
};
RankCache rank_cache(const Request& request, int count, int rank = 0);

// Terms that explain the cache of one whole copy; kv and state apart.
void explain_cache(const Request& request, std::vector<Term>& kv_terms, std::vector<Term>& state_terms);

inline Term make_term(Id formula, Id source, Range bytes, std::initializer_list<Value> values) {
  Term t{formula, source, {}, 0, bytes, {}};
  for (const Value& v : values) t.values[t.num_values++] = v;
  return t;
}

// Share of a whole copy that one of `count` GPUs holds. Layers that do not divide go one each to the first ranks, so that rank 0
// is the fullest.
double rank_share(const Request& request, int count, int rank);
inline double largest_share(const Request& request, int count) { return rank_share(request, count, 0); }

// A reference to a function or lambda that gives the bytes on rank `rank` of `count` GPUs; for the time of a call.
class RankBytes {
 public:
  template <class F>
  RankBytes(const F& f)
      : of_(&f), call_([](const void* of, int count, int rank) { return (*static_cast<const F*>(of))(count, rank); }) {}
  Range operator()(int count, int rank) const { return call_(of_, count, rank); }

 private:
  const void* of_;
  Range (*call_)(const void*, int, int);
};

// A compartment with the bytes of each of `count` GPUs.
Compartment itemise(const Request& request, Id id, int count, std::vector<Term> terms, RankBytes bytes);

}  // namespace vramfit
