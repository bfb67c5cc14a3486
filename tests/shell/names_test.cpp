#include "text/names.h"

#include "support.h"
#include "text/nearest.h"
#include "vramfit/catalog.h"

using namespace vramfit;
using namespace vramfit::shell;
using namespace vramfit::shell::test;

namespace {

std::string short_name(const GpuNames& names, Id id) { return names.short_name(find_gpu(id)); }

}  // namespace

TEST_CASE("names: as short as the comparison allows") {
  std::vector<FitRow> both(2);
  both[0].gpu = find_gpu("h100-sxm");
  both[1].gpu = find_gpu("h100-pcie");
  REQUIRE(both[0].gpu >= 0);
  REQUIRE(both[1].gpu >= 0);
  const GpuNames alone({both.data(), 1});
  const GpuNames compared(both);
  CHECK(short_name(alone, "h200") == "H200");
  CHECK(short_name(alone, "rtx-4090") == "RTX 4090");
  CHECK(alone.counted(2, find_gpu("h200")) == "2x H200");
  CHECK(short_name(compared, "h100-sxm") != short_name(compared, "h100-pcie"));
}

TEST_CASE("names: weight formats by group") {
  CHECK(weights_group("native") == "native");
  CHECK(weights_group("bf16") == "16");
  CHECK(weights_group("fp8-block") == "8");
  CHECK(weights_group("int4-awq") == "4");
  CHECK(weights_group("mxfp4") == "4");
  CHECK(weights_group("mxfp4_moe") == "gguf");
  CHECK(weights_group("q4_k_m") == "gguf");
  CHECK(weights_group("iq2_xs") == "gguf");
  CHECK(weights_group("f16") == "gguf");
  CHECK(weights_group("q") == "other");
}

TEST_CASE("names: near to what was typed") {
  REQUIRE_FALSE(nearest_models("llama3.1-70").empty());
  CHECK(nearest_models("llama3.1-70").front() == "llama-3.1-70b");
  CHECK(nearest_models("llama3.1-70").size() <= 3);
  CHECK(nearest_gpus("xyzzy").empty());
  CHECK(nearest_gpus("").empty());
}
