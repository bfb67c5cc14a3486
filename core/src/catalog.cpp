#include "vramfit/catalog.h"

#include "catalog_ids.h"

namespace vramfit {

const ModelEntry* find_model(Id id) {
  for (const ModelEntry& m : models())
    if (m.id == id) return &m;
  return nullptr;
}

namespace {

// Equal but for dashes: rtx4090 is rtx-4090.
bool same_letters(Id a, Id b) {
  std::size_t i = 0, j = 0;
  while (true) {
    while (i < a.size() && a[i] == '-') ++i;
    while (j < b.size() && b[j] == '-') ++j;
    if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
    if (a[i++] != b[j++]) return false;
  }
}

}  // namespace

int find_gpu(Id id) {
  for (const GpuEntry& g : gpus())
    if (same_letters(g.id, id)) return static_cast<int>(&g - gpus().data());
  return -1;
}

const GpuAlias* find_gpu_alias(Id alias) {
  for (const GpuAlias& a : gpu_aliases())
    if (same_letters(a.alias, alias)) return &a;
  return nullptr;
}

Id form_id(GpuForm form) { return form_ids[static_cast<int>(form)]; }
Id basis_id(UsableBasis basis) { return basis_ids[static_cast<int>(basis)]; }
Id price_kind_id(PriceKind kind) { return price_kind_ids[static_cast<int>(kind)]; }
std::span<const Id> price_kinds() { return price_kind_ids; }

}  // namespace vramfit
