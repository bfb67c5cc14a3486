// llama.cpp and its relatives by the engine method, against what their logs print. Figures in MiB are of the published logs that
// the source ids llama-cpp-graph and llama-cpp-cache name; cells and bytes are worked out by hand beside them.
#include <algorithm>
#include <cmath>
#include <vector>

#include "engines/ggml_graph.h"
#include "support.h"

using namespace vramfit;
using namespace vramfit::test;

namespace {

constexpr double mib = bytes_per_mib;

// On one H100 with one slot and a cache of 16 bits, unless the share string says otherwise.
Result llama(std::string_view share) {
  std::string all = "method=engine&gpus=h100-sxm&gpu=h100-sxm&" + std::string(share);
  for (const char* preset : {"&kv=fp16", "&count=1", "&n_parallel=1"})
    if (all.find(std::string(preset).substr(0, std::string_view(preset).find('=') + 1)) == std::string::npos) all += preset;
  return answer(all);
}
double on_rank(const Result& r, Id id, int rank) {
  const Compartment* c = find(r.engine, id);
  return c ? c->ranks.at(rank).likely : 0;
}
// To the second decimal, as printed.
bool prints(double bytes, double printed) { return std::abs(bytes / mib - printed) < 0.00501; }

}  // namespace

TEST_CASE("ggml's allocator: the smallest hole that fits, operands reused in place") {
  GgmlGraph g(1, 1);
  const int a = g.op(1024, 0, {});
  const int b = g.op(512, 0, {});
  const int c = g.op(2048, 0, {a});           // a is gone behind this
  const int d = g.op(512, 0, {b});            // into a's hole
  const int e = g.in_place(2048, 0, {c, d});  // takes c's place
  g.op(128, 0, {e});
  // a 0-1024, b 1024-1536, c 1536-3584, d in a's hole, the last one in b's and d's.
  CHECK(g.buffers()[0] == 3584);
}

TEST_CASE("ggml's allocator: views keep their tensor, and hand nothing on") {
  GgmlGraph g(1, 1);
  const int a = g.op(1024, 0, {});
  const int v = g.view(a);
  const int b = g.in_place(1024, 0, {v});  // a view's memory is not taken over
  g.op(1024, 0, {b});                      // a is free by now
  CHECK(g.buffers()[0] == 2048);
}

TEST_CASE("ggml's scheduler: inputs are copied to the device, four times when pipelined, and matrices one at a time") {
  const auto with = [](int devices, int copies) {
    GgmlGraph g(devices, copies);
    const int mask = g.input(4096);
    const int x = g.op(1024, 0, {mask});
    g.op(1024, devices - 1, {x, mask});
    return g.buffers();
  };
  CHECK(with(1, 1)[0] == 4096 + 2048);
  CHECK(with(1, 1)[1] == 4096);  // the host's own
  CHECK(with(2, 4)[0] == 4 * 4096 + 1024);
  CHECK(with(2, 4)[1] == 4 * (4096 + 1024) + 1024);
  GgmlGraph g(1, 1);
  int x = g.op(128, 0, {});
  for (int i = 0; i < 5; ++i) x = g.op(128, 0, {x, g.resident(65536, GgmlGraph::host)});
  CHECK(g.buffers()[0] <= 65536 + 3 * 128);
}

TEST_CASE("llama.cpp: the token table stays on the host, a tied one is held twice") {
  const Result r = llama("model=llama-3.1-8b&weights=q4_k_m&context=8192");
  CHECK(prints(likely_bytes(r.engine, "weights"), 4403.49));
  CHECK(r.engine_report.host_bytes.likely > 281.81 * mib);  // the table and the host's buffer
  CHECK(r.engine_report.host_bytes.likely < 320 * mib);
  CHECK(likely_bytes(r.engine, "kv_cache") == 8192.0 * 32 * 1024 * 2 * 2);
  const Result tied = llama("model=qwen3-4b&weights=q4_k_m");
  CHECK(prints(likely_bytes(tied.engine, "weights"), 2375.91));
  CHECK(tied.engine_report.host_bytes.likely > 304.28 * mib);
  // Gemma's per-layer tables stay there too: 262144 rows of 35 x 256 elements.
  const double file = likely_bytes(llama("model=gemma-4-e2b&weights=q8_0").worksheet, "weights");
  const double table = 262144.0 * 35 * 256 * 34 / 32;
  CHECK(likely_bytes(llama("model=gemma-4-e2b&weights=q8_0").engine, "weights") == doctest::Approx(file - table).epsilon(1e-6));
}

TEST_CASE("llama.cpp: layers by slots, the output layer among them") {
  // 33 slots over four cards: 9, 8, 8 and 7 with the output; 16 MiB of cache a layer.
  const Result four = llama("model=mistral-7b-v0.3&weights=q4_k_m&count=4&llama_cpp_build=2024&context=4096");
  std::vector<double> layers;
  for (const Range& rank : find(four.engine, "kv_cache")->ranks) layers.push_back(rank.likely / (16 * mib));
  std::sort(layers.rbegin(), layers.rend());  // cards stand by all that they hold
  CHECK(layers == std::vector<double>{9, 8, 8, 7});
  // 26 of 65: the new way 25 layers with the output, of which 7 have a cache and 18 a state.
  const Result some = llama("model=qwen3.5-27b&weights=q4_k_s&context=131072&n_gpu_layers=26&llama_cpp_build=2026-01");
  CHECK(likely_bytes(some.engine, "kv_cache") == 7 * 512 * mib);
  CHECK(prints(likely_bytes(some.engine, "state"), 56.11));
  // The old way the output comes last: one layer of 62 is a layer.
  const Result one = llama("model=deepseek-v3&weights=q4_k_m&context=2048&n_gpu_layers=1&llama_cpp_build=2024&flash_attn=off");
  CHECK(likely_bytes(one.engine, "kv_cache") == 2048.0 * 40960 * 2);
  CHECK(likely_bytes(llama("model=llama-3.1-8b&weights=q4_k_m&n_gpu_layers=0").engine, "weights") == 0);
}

TEST_CASE("llama.cpp: experts of the first layers stay on the host") {
  const double all = likely_bytes(llama("model=gpt-oss-20b&weights=mxfp4_moe").engine, "weights");
  const double less = likely_bytes(llama("model=gpt-oss-20b&weights=mxfp4_moe&n_cpu_moe=14").engine, "weights");
  // 14 layers x 32 experts x three matrices of 2880 x 2880 in MXFP4, with float32 biases.
  CHECK(all - less == 14.0 * 32 * (3.0 * 2880 * 2880 * 17 / 32 + 3.0 * 2880 * 4));
  // 24 of 25 the old way, as logged: all repeating layers and no output.
  const Result logged = llama(
      "model=gpt-oss-20b&weights=mxfp4_moe&context=4096&llama_cpp_build=2025-05&flash_attn=off&n_gpu_layers=24&n_cpu_moe=14");
  CHECK(prints(likely_bytes(logged.engine, "weights"), 4699.90));
  CHECK(likely_bytes(logged.engine, "kv_cache") == (96 + 15) * mib);  // windows of 128 + 512 cells: in steps of 32 without flash
  CHECK(prints(likely_bytes(logged.engine, "activations"), 985.20));
}

TEST_CASE("llama.cpp: rows are cut evenly, and everything else is on the first card") {
  const Result r = llama("model=llama-3.1-8b&weights=q8_0&count=2&split_mode=row");
  CHECK(on_rank(r, "weights", 0) == doctest::Approx(on_rank(r, "weights", 1)).epsilon(0.001));
  CHECK(on_rank(r, "kv_cache", 1) == 0);
  CHECK(on_rank(r, "kv_cache", 0) == likely_bytes(r.engine, "kv_cache"));
}

TEST_CASE("llama.cpp: window caches by slots, micro-batch and era") {
  const std::string gpt = "model=gpt-oss-20b&weights=mxfp4_moe&context=131072&llama_cpp_build=2026-01";
  CHECK(likely_bytes(llama(gpt).engine, "kv_cache") == (3072 + 18) * mib);                            // 768 cells
  CHECK(likely_bytes(llama(gpt + "&n_parallel=4&kv_unified=yes").engine, "kv_cache") == 3096 * mib);  // 1024
  CHECK(likely_bytes(llama(gpt + "&swa_full=yes").engine, "kv_cache") == 2 * 3072 * mib);
  CHECK(likely_bytes(llama("model=gpt-oss-20b&weights=mxfp4_moe&context=131072&llama_cpp_build=2024&flash_attn=on").engine,
                     "kv_cache") == 2 * 3072 * mib);
  // LM Studio keeps windows full-size.
  CHECK(likely_bytes(llama("model=gpt-oss-120b&weights=mxfp4_moe&context=4096&engine=lm-studio").engine, "kv_cache") ==
        288 * mib);
  // 22 windows of 1024 cells and four global layers: 38.0 MiB.
  CHECK(likely_bytes(llama("model=gemma-3-1b&weights=q4_k_m&context=4096").engine, "kv_cache") == 38 * mib);
  CHECK(
      likely_bytes(answer("method=engine&model=gemma-4-12b&weights=q4_0&kv=q8_0&context=8192&n_parallel=4&kv_unified=yes").engine,
                   "kv_cache") == (68 + 765) * mib);
}

TEST_CASE("llama.cpp: cells come in steps, one cache for all slots or one for each") {
  const auto cells = [](std::string_view share) {
    return likely_bytes(llama("model=llama-3.1-8b&weights=q4_k_m&" + std::string(share)).engine, "kv_cache") / (32.0 * 1024 * 4);
  };
  CHECK(cells("context=150000") == 150016);
  CHECK(cells("context=65535") == 65536);
  CHECK(cells("context=1000&llama_cpp_build=2024&flash_attn=off") == 1024);
  CHECK(cells("context=1001&llama_cpp_build=2024&flash_attn=off") == 1024);
  CHECK(cells("context=1001&llama_cpp_build=2024&flash_attn=on") == 1024);
  CHECK(cells("context=1030&llama_cpp_build=2024&flash_attn=off") == 1056);
  CHECK(cells("context=1000&sequences=4&n_parallel=4&kv_unified=yes") == 4096);  // 4000
  CHECK(cells("context=1000&sequences=4&n_parallel=4&kv_unified=no") == 4 * 1024);
  CHECK(cells("context=1030&sequences=4&n_parallel=4&kv_unified=no") == 4 * 1280);
  CHECK(cells("context=1030&sequences=1&n_parallel=4&kv_unified=no") == 4 * 1280);  // a cache for every slot
  CHECK(cells("context=8192&kv_offload=no") == 0);
}

TEST_CASE("llama.cpp: latent caches have keys alone; builds before May 2025 keep full heads") {
  CHECK(likely_bytes(llama("model=deepseek-v3&weights=q4_k_m&context=32768").engine, "kv_cache") == 2196 * mib);
  CHECK(likely_bytes(llama("model=deepseek-v3&weights=q4_k_m&context=8192&llama_cpp_build=2024").engine, "kv_cache") ==
        39040 * mib);
  // In between some builds kept the latent twice: 512 of 576 more.
  const Result between = llama("model=deepseek-v3&weights=q4_k_m&context=32768&llama_cpp_build=2025-05");
  CHECK(find(between.engine, "kv_cache")->total.high == doctest::Approx(2196 * mib * (1 + 512 / 576.0)));
  // Gemma's shared layers have none: 4 global ones of 131072 cells in 2 heads of 512, 20 windows of 1024 cells.
  const double shared = likely_bytes(llama("model=gemma-4-e4b&weights=q4_k_m&context=131072").engine, "kv_cache");
  CHECK(shared == 2048 * mib + 20.0 * 1024 * 2 * 256 * 2 * 2);
}

TEST_CASE("llama.cpp: recurrent state in 32 bits, for every slot and every token that may be taken back") {
  CHECK(prints(likely_bytes(llama("model=qwen3.5-27b&weights=q4_k_m").engine, "state"), 149.625));
  CHECK(prints(likely_bytes(llama("model=qwen3.5-4b&weights=q4_k_m").engine, "state"), 50.25));
  CHECK(prints(likely_bytes(llama("model=qwen3-coder-next&weights=q4_k_m&n_parallel=4").engine, "state"), 301.5));
  const Result drafting = llama(
      "model=qwen3.6-27b&weights=q4_k_m&n_parallel=4&kv_unified=yes&context=32768&speculative=mtp&num_speculative_tokens=2");
  CHECK(prints(likely_bytes(drafting.engine, "state"), 1795.5));           // 4 x 3 x 149.625
  CHECK(likely_bytes(drafting.engine, "kv_cache") == (2048 + 128) * mib);  // the drafting layer has a cache of its own
  CHECK(likely_bytes(drafting.engine, "weights") > likely_bytes(llama("model=qwen3.6-27b&weights=q4_k_m").engine, "weights"));
}

TEST_CASE("llama.cpp: compute buffers to the second decimal, as logged") {
  const auto buffer = [](std::string_view share, int rank = 0) { return on_rank(llama(share), "activations", rank); };
  // Attention without flash, 2024.
  CHECK(prints(buffer("model=llama-3.1-8b&weights=q4_k_m&context=8192&llama_cpp_build=2024&flash_attn=off"), 560.00));
  CHECK(prints(buffer("model=llama-3.1-70b&weights=q4_0&context=4096&llama_cpp_build=2024&flash_attn=off"), 584.00));
  // Logits, with the attention mask of the micro-batch under them.
  CHECK(prints(buffer("model=llama-3.1-8b&weights=q4_0&context=16384&n_ubatch=1024&llama_cpp_build=2025-05&flash_attn=on"),
               613.01));
  CHECK(prints(buffer("model=gemma-3-27b&weights=q4_k_m&context=32768&llama_cpp_build=2024&flash_attn=on"), 522.62));
  CHECK(prints(buffer("model=gemma-3-4b&weights=q4_k_m&context=131072&llama_cpp_build=2026-01"), 517.12));
  // Gate and up as one matrix.
  CHECK(prints(buffer("model=glm-4-32b-0414&weights=iq4_xs&context=32768&llama_cpp_build=2024&flash_attn=on"), 353.00));
  // Experts on the host are brought over one matrix at a time, to the first card; the logits are on the last.
  const std::string qwen = "model=qwen3-235b-a22b&n_cpu_moe=94&flash_attn=on&llama_cpp_build=2024";
  CHECK(prints(buffer(qwen + "&weights=q6_k&context=16384&count=2"), 774.00));
  CHECK(prints(buffer(qwen + "&weights=q6_k&context=16384&count=2", 1), 304.75));
  CHECK(prints(buffer(qwen + "&weights=q8_0&context=32768"), 1024.00));
  // Inputs of pipelined cards are there four times; the second card gets the 16-bit mask.
  CHECK(buffer("model=qwen3-30b-a3b&weights=q4_k_m&context=32768&flash_attn=on&llama_cpp_build=2024&count=2") ==
        doctest::Approx(368.01 * mib).epsilon(0.02));
  // May 2026: few logits, and a mask of 16 bits.
  const std::string moe = "model=qwen3.6-35b-a3b&weights=q4_k_m&kv=q8_0&context=150000&n_ubatch=4096&n_batch=4096&n_cpu_moe=99";
  CHECK(buffer(moe + "&llama_cpp_build=2026-01") == doctest::Approx(3976 * mib).epsilon(1e-4));
  CHECK(buffer(moe + "&llama_cpp_build=2026-05") == doctest::Approx(1982 * mib).epsilon(2e-3));
  CHECK(prints(buffer("model=qwen3.5-27b&weights=q4_k_m&context=262144"), 378.00));
  // Drafting layers run in a context of their own: 520.06 beside the model's.
  const std::string mtp = "model=qwen3.6-27b&weights=q4_k_m&context=32768&n_ubatch=2048";
  CHECK(buffer(mtp + "&speculative=mtp&num_speculative_tokens=2") - buffer(mtp) == doctest::Approx(520.06 * mib).epsilon(1e-3));
  // Every card has its own.
  CHECK(buffer("model=llama-3.1-8b&weights=q4_k_m&context=8192&n_gpu_layers=2") > 100 * mib);
}

TEST_CASE("llama.cpp: the report's layers and context are the most that fit") {
  const std::string asked = "method=engine&model=llama-3.1-70b&weights=q4_k_m&context=8192&gpus=rtx-4090&gpu=rtx-4090&count=1";
  const auto fits = [&](const std::string& more) { return answer(asked + more).fit.at(0).verdicts[0] != Verdict::does_not_fit; };
  const int layers = answer(asked).engine_report.gpu_layers;
  CHECK(layers > 30);
  CHECK(layers < 60);
  CHECK(fits("&n_gpu_layers=" + std::to_string(layers)));
  CHECK_FALSE(fits("&n_gpu_layers=" + std::to_string(layers + 1)));
  CHECK_FALSE(fits(""));
  CHECK(find_notice(answer(asked + "&n_gpu_layers=20").notices, "llama-layers-on-host")->used == 61);

  const std::string small = "method=engine&model=llama-3.1-8b&weights=q4_k_m&gpus=rtx-4090&gpu=rtx-4090&count=1&context=";
  const auto longest = static_cast<long>(answer(small + "4096").engine_report.longest_context);
  CHECK(longest % 256 == 0);
  const auto holds = [&](long context) {
    const Result r = answer(small + std::to_string(context));
    return r.engine.layouts[0].floor.likely <= r.engine_report.usable_bytes;
  };
  CHECK(holds(longest));
  CHECK_FALSE(holds(longest + 256));
}

TEST_CASE("llama.cpp: quantised values need flash attention; remarks say what does not apply") {
  const Result off = answer("method=engine&model=llama-3.1-8b&weights=q4_k_m&kv=q8_0&flash_attn=off&gpus=rtx-4090&gpu=rtx-4090");
  CHECK(off.fit.at(0).verdicts[0] == Verdict::unusable);
  CHECK(off.fit.at(0).causes[0] == "values-need-flash-attention");
  CHECK(find_notice(llama("model=llama-3.1-8b&weights=q4_k_m&n_cpu_moe=3").notices, "llama-no-experts"));
  CHECK(find_notice(llama("model=llama-3.1-8b&weights=q4_k_m&mmproj=yes").notices, "llama-no-mmproj"));
  const Notice* full =
      find_notice(llama("model=gpt-oss-20b&weights=mxfp4_moe&swa_full=yes&context=131072").notices, "llama-full-windows");
  REQUIRE(full);
  CHECK(full->used == (3072 - 18) * mib);
  // A picture's encoder is a file of its own, on the first card, in 16 bits.
  const Result sees = llama("model=gemma-3-4b&weights=q4_k_m&mmproj=yes&count=2");
  CHECK(on_rank(sees, "encoder", 0) > 2 * 419816304.0);
  CHECK(on_rank(sees, "encoder", 1) == 0);
}

TEST_CASE("llama.cpp: a typed shape is answered like the model it describes") {
  const Result typed = answer(
      "method=engine&model=&params=8.03b&num_layers=32&hidden_size=4096&intermediate_size=14336&vocab_size=128256&num_heads=32"
      "&num_kv_heads=8&head_dim=128&weights=q4_k_m&kv=fp16&context=8192&gpus=rtx-4090&gpu=rtx-4090&count=1");
  CHECK_FALSE(typed.refused);
  CHECK(prints(likely_bytes(typed.engine, "weights"), 4403.49));
  CHECK(likely_bytes(typed.engine, "kv_cache") == 1024 * mib);
  CHECK(find_notice(typed.notices, "engine-weights-from-shape"));
}

TEST_CASE("llama.cpp: what a log printed of one card stands in place of the prediction") {
  const Result r = llama(
      "model=llama-3.1-8b&weights=q4_k_m&context=8192&measured_weights_gib=4.5&measured_activations_gib=0.25&measured_other_gib="
      "0.5");
  CHECK(likely_bytes(r.engine, "weights") == 4.5 * 1024 * mib);
  CHECK(likely_bytes(r.engine, "activations") == 256 * mib);
  CHECK(likely_bytes(r.engine, "reserve") == 512 * mib);
}

TEST_CASE("llama.cpp: every model of the catalogue is answered, and more of anything never takes less") {
  for (const ModelEntry& m : models()) {
    // Beside another method, which spares the search for the longest context.
    const std::string base = "engine=llama.cpp&weights=q4_k_m&gpus=h200&gpu=h200&count=2&model=" + std::string(m.id);
    const Result r = answer(base);
    CAPTURE(m.id);
    REQUIRE_FALSE(r.refused);
    REQUIRE(r.engine.compartments.size() >= 3);
    CHECK(likely_bytes(r.engine, "weights") > 0);
    CHECK(likely_bytes(r.engine, "activations") > 0);
    const auto total = [](const Result& x) {
      double sum = 0;
      for (const Compartment& c : x.engine.compartments) sum += c.total.likely;
      return sum;
    };
    for (const Compartment& c : r.engine.compartments) {
      CHECK(c.per_gpu.low <= c.per_gpu.likely);
      CHECK(c.per_gpu.likely <= c.per_gpu.high);
      CHECK(std::isfinite(c.total.high));
    }
    CHECK(total(answer(base + "&context=32768")) >= total(r));
    CHECK(total(answer(base + "&n_ubatch=1024")) >= total(r));
  }
}
