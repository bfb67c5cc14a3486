// Folds every double of many results into one number, bit by bit. Native and wasm builds print it; a Node test compares them.
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>

#include "support.h"

namespace {

using namespace vramfit;
using namespace vramfit::test;

constexpr unsigned char golden_bytes[] = {
#include "golden_json.inc"
};

struct Fingerprint {
  std::uint64_t hash = 14695981039346656037ull;  // FNV-1a
  std::uint64_t doubles = 0;

  void add(double value) {
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (const unsigned char b : bytes) hash = (hash ^ b) * 1099511628211ull;
    ++doubles;
  }
  void add(const Range& r) { add(r.low), add(r.likely), add(r.high); }
  void add(const MethodResult& m) {
    add(m.total);
    for (const Layout& l : m.layouts) add(l.need), add(l.floor), add(l.reason_number);
    for (const Compartment& c : m.compartments) {
      add(c.per_gpu), add(c.total);
      for (const Range& rank : c.ranks) add(rank);
      for (const Term& t : c.terms) {
        add(t.bytes);
        for (int i = 0; i < t.num_values; ++i) add(t.values[i].number);
      }
    }
  }
  void add(const Result& r) {
    add(r.rule), add(r.worksheet), add(r.engine);
    const EngineReport& e = r.engine_report;
    add(e.pool_bytes), add(e.tokens), add(e.max_concurrency), add(e.reported_bytes), add(e.host_bytes), add(e.longest_context);
    add(r.model.kv_bytes_per_token), add(r.model.exact.active);
    for (const FitRow& row : r.fit) {
      add(row.capacity_bytes), add(row.price ? row.price->usd_per_hour : 0);
      for (const Verdict v : row.verdicts) add(static_cast<double>(v));
    }
    for (const PrecisionStep& s : r.precision) add(s.total_bytes), add(s.pick.usd_per_hour.value_or(0));
  }
};

}  // namespace

TEST_CASE("fingerprint: golden cases and 1,500 random requests") {
  Fingerprint print;
  for (const auto& c : nlohmann::json::parse(golden_bytes, golden_bytes + sizeof golden_bytes - 1))
    for (const auto& share : c.at("share")) print.add(answer(share.get<std::string>()));
  const std::uint64_t golden_hash = print.hash;
  std::mt19937 random(31);
  for (int i = 0; i < 1500; ++i) {
    std::string share = "gpus=all&model=" + std::string(models()[random() % models().size()].id);
    share += "&weights=" + std::string(recipes()[random() % recipes().size()].id);
    share += "&kv=" + std::string(kv_formats()[random() % kv_formats().size()].id);
    share += "&context=" + std::to_string(random() % 300000 + 1);
    share += "&sequences=" + std::to_string(random() % 300 + 1);
    share += "&count=" + std::to_string(random() % 8 + 1) + "&gpu=h200";
    if (random() % 4 == 0) share += "&task=full&checkpointing=none";
    if (random() % 2 == 0) share += "&method=engine";
    print.add(answer(share));
  }
  CHECK(print.doubles > 500000);
  std::printf("fingerprint golden %016llx all %016llx\n", static_cast<unsigned long long>(golden_hash),
              static_cast<unsigned long long>(print.hash));
}
