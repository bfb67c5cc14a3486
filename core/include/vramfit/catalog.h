// The catalogue: models, GPUs and prices, generated at build time from assets/catalog/*.jsonl (one line a row, each with its
// source and date; the sources travel beside the core, not in it).
#pragma once

#include <cstdint>
#include <span>

#include "vramfit/model.h"
#include "vramfit/units.h"

namespace vramfit {

struct ModelEntry {
  Id id;
  Id name;
  Id family;
  Id shape;                         // see shape.h; checked by the compiler
  double stated_params = 0;         // the vendor's round size, which the rule of thumb counts
  Id native;                        // recipe the checkpoint was published in
  int max_position_embeddings = 0;  // 0 when not stated
};

enum class GpuForm : std::uint8_t { sxm, pcie, oam, superchip, workstation, consumer, laptop, unified };
enum class UsableBasis : std::uint8_t { driver, rule, assumed };

struct GpuEntry {
  Id id;
  Id name;
  Id vendor;
  GpuForm form = GpuForm::sxm;
  Gigabytes marketed;
  Mebibytes usable;  // what the driver reports, or what `basis` says
  UsableBasis basis = UsableBasis::driver;
  double bandwidth_gbs = 0;
  Id link;
  int max_per_node = 0;
  Id chip;                 // compute capability ("8.9") of NVIDIA's, ROCm target ("gfx942") of AMD's; empty for others
  double runtime_gib = 0;  // what a program's runtime reports, a little less than the driver; 0 where no log was found
  unsigned sets = 0;       // bit i: member of gpu_set_names()[i]
};

enum class PriceKind : std::uint8_t { on_demand, marketplace, spot, reference, publisher, own };

struct PriceEntry {
  int gpu = 0;  // index into gpus()
  double usd_per_hour = 0;
  Id book;
  Id provider;
  PriceKind kind = PriceKind::on_demand;
  Id date;  // ISO
};

struct GpuAlias {
  Id alias;
  int gpu;
  bool ambiguous;  // drops the exact part
};

// Dollars per GPU-hour that somebody may state.
constexpr bool valid_price(double usd) { return usd >= 0 && usd <= 1e6; }

std::span<const ModelEntry> models();
std::span<const GpuEntry> gpus();
std::span<const PriceEntry> prices();
std::span<const GpuAlias> gpu_aliases();
std::span<const Id> gpu_set_names();
std::span<const Id> price_books();
Id catalog_date();  // newest date of any row

const ModelEntry* find_model(Id id);
int find_gpu(Id id);                       // index, -1 when unknown; dashes do not matter
const GpuAlias* find_gpu_alias(Id alias);  // null when unknown
Id form_id(GpuForm form);
Id basis_id(UsableBasis basis);
Id price_kind_id(PriceKind kind);
std::span<const Id> price_kinds();  // ids, in the order of PriceKind

// The price of a GPU in a book; null when the book has none. Book "market": the lowest of the newest day's on-demand prices, or
// of its marketplace prices where no on-demand price is known; never spot, reference or publisher prices.
const PriceEntry* find_price(int gpu, Id book);

}  // namespace vramfit
