#include "llama_cpp_run.h"

#include <algorithm>
#include <cmath>

#include "memo.h"
#include "rank_weights.h"
#include "vramfit/shape.h"

namespace vramfit {
namespace {

// The draft model's weights, cache and buffers; it is on the GPUs whole.
std::vector<double> draft_model_bytes(const EngineContext& c) {
  std::vector<double> out(c.count);
  const ModelEntry* entry = c.r.in.is(FieldId::speculative, "draft") ? find_model(c.r.in.text(FieldId::draft_model)) : nullptr;
  if (!entry) return out;
  Request request = asked_with(c.r, c.r.in);
  request.model = parse_shape(entry->shape, true).model;
  const EngineContext draft{request, c.engine, c.gpu, c.count};
  LlamaSettings s = llama_settings(draft, -1, 999);
  s.rollback_states = s.cpu_moe_layers = s.mtp_layers = 0;
  const LlamaPlacement p = llama_placement(draft, s);
  const std::vector<double> compute = llama_compute_buffers(draft, s, p);
  for (int d = 0; d < c.count; ++d) out[d] = p.device_bytes[d] + compute[d];
  for (int il = 0; il < request.model.num_layers(); ++il) {
    const LlamaLayerCache one = llama_layer_cache(draft, s, llama_mixer(request.model, il));
    if (p.device_of[il] != llama_host) out[p.device_of[il]] += one.kv(s.streams) + (one.state_bytes + one.conv_bytes) * s.slots;
  }
  return out;
}

std::shared_ptr<const LlamaLayout> layout_of(const EngineContext& c, const LlamaSettings& s) {
  const std::array<double, 3> key{double(c.count), double(s.gpu_layers), s.cells};
  if (c.r.memo)
    for (const auto& known : c.r.memo->llama_layouts)
      if (known.first == key) return known.second;
  auto made = std::make_shared<LlamaLayout>();
  made->placement = llama_placement(c, s);
  made->compute = llama_compute_buffers(c, s, made->placement);
  const std::vector<double> draft = llama_draft_buffers(c, s, made->placement);
  for (std::size_t d = 0; d < draft.size(); ++d) made->compute[d] += draft[d];
  made->cached.resize(c.count + 1);
  for (int il = 0; il + 1 < static_cast<int>(made->placement.device_of.size()); ++il) {
    const int home = made->placement.device_of[il];
    const int where = s.kv_on_host ? llama_host : s.rows && home != llama_host ? 0 : home;
    ++made->cached[where == llama_host ? c.count : where][&llama_mixer(c.r.model, il) - c.r.model.mixers];
  }
  made->draft_bytes = draft_model_bytes(c);
  if (c.r.memo) c.r.memo->llama_layouts.emplace_back(key, made);
  return made;
}

// The encoder's own graph.
constexpr Range encoder_graph{0.1 * bytes_per_gib, 0.15 * bytes_per_gib, 1.0 * bytes_per_gib};

}  // namespace

LlamaRun::LlamaRun(const EngineContext& context, double length, int gpu_layers)
    : c(context),
      s(llama_settings(context, length, gpu_layers)),
      layout(layout_of(context, s)),
      as_asked(length < 0 && gpu_layers < 0) {}

double LlamaRun::measured_bytes(FieldId field) const {
  return as_asked && c.count == 1 ? c.r.in.number(field) * bytes_per_gib : 0;
}

LlamaCache LlamaRun::cache(const LlamaSettings& sizes, int device, std::vector<Term>* kv_terms,
                           std::vector<Term>* state_terms) const {
  LlamaCache sum;
  const Model& model = c.r.model;
  const auto& layers_of = layout->cached[device == llama_host ? c.count : device];
  for (int m = 0; m < model.num_mixers; ++m) {
    const double count = layers_of[m];
    if (count == 0) continue;
    const Mixer& x = model.mixers[m];
    const LlamaLayerCache one = llama_layer_cache(c, sizes, x);
    const double kv = count * one.kv(sizes.streams);
    const double copies = 1 + sizes.rollback_states;
    const double state = count * (one.state_bytes + one.conv_bytes) * sizes.slots * copies;
    sum.kv += kv;
    sum.state += state;
    if (x.kind == MixerKind::latent && sizes.latent_values)
      sum.latent_values += count * one.cells * sizes.streams * x.kv_lora_rank * c.r.kv->bits / 8;
    if (kv > 0 && kv_terms) {
      kv_terms->push_back(make_term("llama-cells", "llama-cpp-cache", Range::exact(kv),
                                    {{"cells", one.cells},
                                     {"streams", sizes.streams},
                                     {"layers", count},
                                     {"bytes_per_cell", one.key_bytes + one.value_bytes + one.index_bytes}}));
      if (c.r.kv->source != "dtype") kv_terms->back().format_source = c.r.kv->source;
    }
    if (state > 0 && state_terms)
      state_terms->push_back(make_term(
          "llama-state", "llama-cpp-state", Range::exact(state),
          {{"layers", count}, {"state_bytes", one.state_bytes + one.conv_bytes}, {"slots", sizes.slots}, {"copies", copies}}));
  }
  return sum;
}

LlamaSettings LlamaRun::alone() const {
  LlamaSettings one = s;
  if (s.streams == 1) one.cells = std::ceil(s.cells / s.sequences / s.pad) * s.pad;
  return one;
}

// Backends pad quantised tensors to rows of 512; some builds kept a second copy of the latent.
Range LlamaRun::cache_range(const LlamaCache& cache) const {
  const double padding = c.r.kv->bits < 16 && cache.kv > 0 ? 2.0 * c.r.summary.num_layers * 512 * c.r.kv->bits / 8 : 0;
  const double bytes = std::ceil(cache.kv + cache.state);
  return {bytes, bytes, std::ceil(bytes + cache.latent_values + padding)};
}

Range LlamaRun::weights(int device) const {
  if (const double typed = measured_bytes(FieldId::measured_weights_gib); typed > 0) return Range::exact(typed);
  const double bytes = std::ceil(placement().device_bytes[device]);
  const double change = placement().device_imatrix[device];
  return {std::floor(bytes + std::min(0.0, change)), bytes, std::ceil(bytes + std::max(0.0, change))};
}

// The allocator is followed to the byte on the builds that were looked at. Others order a few operations otherwise, and some
// backends move them about to run side by side: that shifts a few activations.
Range LlamaRun::compute_range(int device) const {
  if (const double typed = measured_bytes(FieldId::measured_activations_gib); typed > 0) return Range::exact(typed);
  const double bytes = layout->compute[device];
  const double width = 4 * s.micro_batch * c.r.model.hidden_size;
  return {std::max(0.0, std::ceil(bytes * 0.99 - width)), std::ceil(bytes),
          std::ceil(bytes * 1.01 + std::max(2 * width, 0.03 * bytes))};
}

// Driver context, kernels and library workspaces outside the printed buffers. On CUDA cards they grow with the chip: 154 MiB on a
// laptop's RTX 5070, 453 on an RTX 4090, 751 on an RTX PRO 6000, which is 0.42 MiB for each GB/s of these cards' memory.
Range LlamaRun::context_bytes() const {
  constexpr double mib = bytes_per_mib;
  if (c.gpu < 0) return Range{120, 450, 750} * mib;
  const GpuEntry& gpu = gpus()[c.gpu];
  if (gpu.form == GpuForm::unified) return Range{30, 150, 450} * mib;
  if (gpu.vendor != "nvidia") return Range{30, 250, 500} * mib;
  // Stacked memory says nothing about the chip: these have 108 to 148 processors of 4 MiB each.
  const bool stacked = gpu.form == GpuForm::sxm || gpu.form == GpuForm::superchip || gpu.bandwidth_gbs > 2000;
  const double likely = stacked ? 520 : std::clamp(0.42 * gpu.bandwidth_gbs, 120.0, 760.0);
  return stacked ? Range{400, likely, 640} * mib : Range{0.85, 1, 1.25} * (likely * mib);
}

// Flash attention over a quantised cache unpacks one layer of it to 16 bits while a prompt is read.
double LlamaRun::unpacked_bytes() const {
  if (!s.flash || c.r.kv->bits >= 16) return 0;
  double widest = 0;
  for (int m = 0; m < c.r.model.num_mixers; ++m)
    widest = std::max(widest, llama_layer_cache(c, s, c.r.model.mixers[m]).kv(1) * 16 / c.r.kv->bits);
  return std::ceil(widest);
}

// Copies that matrix products make of the widest activations of a micro-batch.
double LlamaRun::product_copies() const {
  double widest = 0;
  for (int f = 0; f < c.r.model.num_feed_forwards; ++f) {
    const FeedForward& ff = c.r.model.feed_forwards[f];
    const double routed = double(ff.experts_per_token) * std::max(c.r.model.hidden_size, ff.moe_intermediate_size);
    widest = std::max({widest, double(ff.intermediate_size), routed});
  }
  return std::ceil(5 * s.micro_batch * widest);
}

double LlamaRun::pool_bytes() const { return std::max(unpacked_bytes(), product_copies()); }

Range LlamaRun::overhead() const {
  if (const double typed = measured_bytes(FieldId::measured_other_gib); typed > 0) return Range::exact(typed);
  const double pool = pool_bytes();
  return context_bytes() + Range{0.3, 1, 1.5} * pool;
}

double LlamaRun::tower_bytes() const { return c.r.in.is(FieldId::mmproj, "yes") ? 2 * c.r.model.tower_params : 0; }

Range LlamaRun::encoder() const { return encoder_graph + Range::exact(tower_bytes()); }

double LlamaRun::host_bytes() const {
  const LlamaCache on_host = cache(s, llama_host);
  const double output = s.slots * c.r.model.vocab_size * 4;
  return std::ceil(placement().host_bytes + on_host.kv + on_host.state + layout->compute.back() + output);
}

Range LlamaRun::device_needs(int device) const {
  Range sum = cache_range(cache(s, device)) + compute_range(device) + overhead() + weights(device) +
              Range::exact(layout->draft_bytes[device]);
  if (device == 0 && tower_bytes() > 0) sum += encoder();
  return sum;
}

}  // namespace vramfit
