// Which engine runs on which GPU, and which number formats it has kernels for there. Source ids engine-platforms (the engines'
// installation pages) and vllm-quant-kernels, sglang-quant-kernels, tensorrt-llm-precisions, transformers-quantization (the least
// compute capability in each quantization method's source or support table).
#include "checks.h"
#include "vramfit/share_string.h"

namespace vramfit {
namespace {

// One release refuses what the next does with a weight-only kernel: at least `native`, or from `fallback` up by other means.
struct Needs {
  double refused_below;
  double varies_below;
};

FormatRun by_capability(double capability, const Needs& needs) {
  return capability < needs.refused_below  ? FormatRun::refused
         : capability < needs.varies_below ? FormatRun::varies
                                           : FormatRun::runs;
}

bool is_block_fp8(const Recipe& r) { return r.format == Format::fp8_block || r.kind == RecipeKind::experts_and_fp8; }
bool is_fp8(const Recipe& r) { return r.format == Format::fp8 || is_block_fp8(r); }

FormatRun vllm_on_nvidia(const EngineContext& c, double capability) {
  const Recipe& r = *c.r.recipe;
  const Id version = c.r.in.text(FieldId::vllm_version);
  const bool old = version == "v0" || version == "0.6";  // before Marlin took blocks of FP8 and 4-bit floats
  if (is_block_fp8(r)) return by_capability(capability, old ? Needs{8.9, 0} : Needs{7.5, 8.0});
  switch (r.format) {
    case Format::fp8: return by_capability(capability, old ? Needs{8.0, 0} : Needs{7.5, 8.0});
    case Format::nvfp4: return by_capability(capability, old ? Needs{10.0, 0} : Needs{7.5, 8.9});
    case Format::mxfp4: return old ? FormatRun::refused : by_capability(capability, {7.5, 8.0});
    case Format::int8: return capability >= 10 ? FormatRun::varies : by_capability(capability, {7.5, 0});
    case Format::int4_awq: return by_capability(capability, {7.5, 0});
    case Format::int4_group: return by_capability(capability, {7.5, 8.0});
    default: return FormatRun::runs;
  }
}

FormatRun sglang_on_nvidia(const Recipe& r, double capability) {
  if (is_block_fp8(r)) return by_capability(capability, {8.9, 0});
  switch (r.format) {
    case Format::fp8: return by_capability(capability, {8.0, 0});
    case Format::nvfp4: return by_capability(capability, {8.0, 10.0});
    case Format::mxfp4: return by_capability(capability, {8.0, 9.0});
    case Format::int8: return capability >= 10 ? FormatRun::varies : by_capability(capability, {7.5, 0});
    case Format::int4_awq:
    case Format::int4_group: return by_capability(capability, {7.5, 8.0});
    default: return FormatRun::runs;
  }
}

FormatRun tensorrt_llm(const Recipe& r, double capability) {
  if (is_fp8(r)) return by_capability(capability, {8.9, 0});
  switch (r.format) {
    case Format::nvfp4: return by_capability(capability, {8.9, 10.0});
    case Format::mxfp4: return by_capability(capability, {9.0, 0});
    default: return FormatRun::runs;
  }
}

FormatRun transformers(const EngineContext& c, double capability) {
  const Recipe& r = *c.r.recipe;
  if (!c.vendor("nvidia")) return is_fp8(r) || r.format == Format::nvfp4 ? FormatRun::varies : FormatRun::runs;
  if (is_fp8(r)) return by_capability(capability, {8.9, 0});
  if (r.format == Format::nvfp4) return FormatRun::varies;
  return r.format == Format::mxfp4 ? by_capability(capability, {0, 7.5}) : FormatRun::runs;
}

// FP8 needs the matrix units of CDNA 3 or RDNA 4, NVFP4 those of NVIDIA.
FormatRun on_amd(const EngineContext& c) {
  const Recipe& r = *c.r.recipe;
  const Id target = c.card()->chip;
  const bool eight_bit_floats = target == "gfx942" || target == "gfx950" || target.substr(0, 5) == "gfx12";
  if (r.format == Format::nvfp4) return FormatRun::refused;
  if (is_fp8(r) && !eight_bit_floats) return FormatRun::varies;
  return r.format == Format::mxfp4 && target.substr(0, 5) == "gfx11" ? FormatRun::varies : FormatRun::runs;
}

}  // namespace

double compute_capability(const EngineContext& c) {
  double capability = 0;
  if (c.vendor("nvidia")) parse_number(FieldKind::number, c.card()->chip, capability);
  return capability;
}

SplitCheck check_chip(const EngineContext& c) {
  if (c.gpu < 0 || c.is("transformers")) return {};
  const double capability = compute_capability(c);
  if (c.r.in.llama_cpp_family())
    return c.vendor("intel") && c.card()->form == GpuForm::oam ? SplitCheck{"engine-vendor"} : SplitCheck{};
  if (c.vendor("apple") || (c.is("tensorrt-llm") && capability == 0)) return {"engine-vendor"};
  const double least = c.is("tensorrt-llm") ? 8.0 : c.is("sglang") ? 7.5 : 7.0;
  return capability > 0 && capability < least ? SplitCheck{"engine-chip", least} : SplitCheck{};
}

FormatRun format_on_chip(const EngineContext& c) {
  if (c.gpu < 0 || c.r.in.llama_cpp_family()) return FormatRun::runs;
  const double capability = compute_capability(c);
  if (c.is("transformers")) return transformers(c, capability);
  if (c.vendor("amd")) return on_amd(c);
  if (capability == 0) return FormatRun::runs;
  if (c.is("sglang")) return sglang_on_nvidia(*c.r.recipe, capability);
  return c.is("vllm") ? vllm_on_nvidia(c, capability) : tensorrt_llm(*c.r.recipe, capability);
}

}  // namespace vramfit
