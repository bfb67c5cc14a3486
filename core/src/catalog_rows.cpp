// The rows of the catalogue, which the program carries as one text. The canvas takes them from its page instead.
#include <algorithm>
#include <vector>

#include "catalog_data.inc"
#include "catalog_ids.h"
#include "record.h"
#include "vramfit/catalog.h"
#include "vramfit/share_string.h"

namespace vramfit {

namespace {

// Fields of one row, in order. The generator has checked them.
struct Row : Record {
  double number() {
    double value = 0;
    parse_number(FieldKind::number, text(), value);
    return value;
  }
  template <class F>
  void each_in_list(F&& f) {
    for (Row list{text()}; !list.rest.empty();) f(list.text(','));
  }
};

template <class E, std::size_t N>
E enumerator(Id id, const Id (&ids)[N]) {
  return static_cast<E>(std::find(ids, ids + N, id) - ids);
}

// The generated text, taken apart once; every Id points into it.
struct Tables {
  std::vector<Id> sets, books;
  std::vector<ModelEntry> models;
  std::vector<GpuEntry> gpus;
  std::vector<GpuAlias> aliases;
  std::vector<PriceEntry> prices;  // by GPU
  std::vector<int> first_price;    // per GPU, and one past the last

  template <class F>
  static void each_row(Id text, F&& f) {
    for (Row all{text}; !all.rest.empty();) {
      Row row{all.text('\n')};
      f(row);
    }
  }

  Tables() {
    each_row(catalog_data::sets, [&](Row& r) { sets.push_back(r.text()); });
    each_row(catalog_data::books, [&](Row& r) { books.push_back(r.text()); });
    each_row(catalog_data::models, [&](Row& r) {
      ModelEntry m;
      m.id = r.text();
      m.name = r.text();
      m.family = r.text();
      m.shape = r.text();
      m.stated_params = r.number();
      m.native = r.text();
      m.max_position_embeddings = static_cast<int>(r.number());
      models.push_back(m);
    });
    each_row(catalog_data::gpus, [&](Row& r) {
      GpuEntry g;
      g.id = r.text();
      g.name = r.text();
      g.vendor = r.text();
      g.form = enumerator<GpuForm>(r.text(), form_ids);
      g.marketed = {r.number()};
      g.usable = {r.number()};
      g.basis = enumerator<UsableBasis>(r.text(), basis_ids);
      g.bandwidth_gbs = r.number();
      g.link = r.text();
      g.max_per_node = static_cast<int>(r.number());
      r.each_in_list([&](Id set) { g.sets |= 1u << (std::find(sets.begin(), sets.end(), set) - sets.begin()); });
      const int index = static_cast<int>(gpus.size());
      r.each_in_list([&](Id alias) { aliases.push_back({alias, index, false}); });
      r.each_in_list([&](Id alias) { aliases.push_back({alias, index, true}); });
      gpus.push_back(g);
    });
    each_row(catalog_data::prices, [&](Row& r) {
      PriceEntry p;
      p.gpu = static_cast<int>(r.number());
      p.usd_per_hour = r.number();
      p.book = r.text();
      p.provider = r.text();
      p.kind = enumerator<PriceKind>(r.text(), price_kind_ids);
      p.date = r.text();
      prices.push_back(p);
    });
    int next = 0;
    for (int g = 0; g <= static_cast<int>(gpus.size()); ++g) {
      while (next < static_cast<int>(prices.size()) && prices[next].gpu < g) ++next;
      first_price.push_back(next);
    }
  }
};

const Tables& tables() {
  static const Tables all;
  return all;
}

}  // namespace

std::span<const ModelEntry> models() { return tables().models; }
std::span<const GpuEntry> gpus() { return tables().gpus; }
std::span<const PriceEntry> prices() { return tables().prices; }
std::span<const GpuAlias> gpu_aliases() { return tables().aliases; }
std::span<const Id> gpu_set_names() { return tables().sets; }
std::span<const Id> price_books() { return tables().books; }
Id catalog_date() { return catalog_data::date; }

const PriceEntry* find_price(int gpu, Id book) {
  const PriceEntry* best = nullptr;
  for (int i = tables().first_price[gpu]; i < tables().first_price[gpu + 1]; ++i) {
    const PriceEntry& p = tables().prices[i];
    if (book != "market") {
      if (p.book == book) return &p;
      continue;
    }
    if (p.kind != PriceKind::on_demand && p.kind != PriceKind::marketplace) continue;
    const bool better =
        !best || p.kind < best->kind ||
        (p.kind == best->kind && (p.date > best->date || (p.date == best->date && p.usd_per_hour < best->usd_per_hour)));
    if (better) best = &p;
  }
  return best;
}

}  // namespace vramfit
