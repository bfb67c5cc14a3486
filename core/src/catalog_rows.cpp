// The rows of the catalogue, which the program carries as one text. The canvas takes them from its page instead.
#include <algorithm>
#include <iterator>

#include "catalog_data.inc"
#include "catalog_ids.h"
#include "record.h"
#include "vramfit/catalog.h"
#include "vramfit/share_string.h"

namespace vramfit {

namespace {

// A table, taken row by row: each takes the next line of every column. The generator has checked the fields.
struct Rows {
  static constexpr int most_columns = 15;
  Record columns[most_columns];
  int next = 0;

  explicit Rows(Id table) {
    Record* end = columns;
    for (Record all{table}; !all.rest.empty();) *end++ = {all.text()};
  }
  Id first() {
    next = 0;
    return text();
  }
  Id text() { return columns[next++].text('\n'); }
  double number() {
    double value = 0;
    parse_number(FieldKind::number, text(), value);
    return value;
  }
};

template <class E, std::size_t N>
E enumerator(Id id, const Id (&ids)[N]) {
  return static_cast<E>(std::find(ids, ids + N, id) - ids);
}

// The generated text, taken apart once; every Id points into it.
struct Tables {
  Id sets[catalog_data::num_sets];
  Id books[catalog_data::num_books];
  ModelEntry models[catalog_data::num_models];
  GpuEntry gpus[catalog_data::num_gpus];
  GpuAlias aliases[catalog_data::num_aliases];
  PriceEntry prices[catalog_data::num_prices];  // by GPU
  int first_price[catalog_data::num_gpus + 1];  // per GPU, and one past the last
  Id shape_parts[catalog_data::num_shape_parts];
  // What is made of codes: more than all the ids take, and the shapes.
  char made[catalog_data::models.size() + catalog_data::gpus.size() + catalog_data::size_of_shapes];
  char* end_of_made = made;

  Id shape_of(Id packed) {
    char* const shape = end_of_made;
    for (const char c : packed) {
      if (c & 128) {
        shape_of(shape_parts[c & 127]);
      } else {
        *end_of_made++ = c;
      }
    }
    return {shape, static_cast<std::size_t>(end_of_made - shape)};
  }

  // `code` as the generator has it: an id, or which words of the name are not in it.
  Id id_of(Id name, Id code) {
    if (code.size() > 1) return code;
    if (code == "+" || code == "*") name.remove_prefix(name.find(' ') + 1);
    if (code == "-" || code == "*") name = name.substr(0, name.rfind(' '));
    char* const id = end_of_made;
    for (const char c : name) *end_of_made++ = c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return {id, name.size()};
  }

  Tables() {
    Rows set_rows(catalog_data::sets), book_rows(catalog_data::books);
    for (Id& set : sets) set = set_rows.first();
    for (Id& book : books) book = book_rows.first();
    Record parts{catalog_data::shape_parts};
    for (Id& part : shape_parts) part = parts.text();
    Rows r(catalog_data::models);
    for (ModelEntry& m : models) {
      m.name = r.first();
      m.id = id_of(m.name, r.text());
      m.family = r.text();
      m.shape = shape_of(r.text());
      m.stated_params = r.number() * 1e7;
      m.native = r.text();
      if (m.native.empty()) m.native = "bf16";
      m.max_position_embeddings = static_cast<int>(r.number());
    }
    r = Rows(catalog_data::gpus);
    GpuAlias* alias = aliases;
    for (GpuEntry& g : gpus) {
      g.name = r.first();
      g.id = id_of(g.name, r.text());
      g.vendor = r.text();
      g.form = enumerator<GpuForm>(r.text(), form_ids);
      g.marketed = {r.number()};
      g.usable = {r.number()};
      g.basis = enumerator<UsableBasis>(r.text(), basis_ids);
      g.bandwidth_gbs = r.number();
      g.link = r.text();
      g.max_per_node = static_cast<int>(r.number());
      g.chip = r.text();
      g.runtime_gib = r.number();
      for (Record names{r.text()}; !names.rest.empty();)
        g.sets |= 1u << (std::find(sets, std::end(sets), names.text(',')) - sets);
      for (const bool ambiguous : {false, true})
        for (Record names{r.text()}; !names.rest.empty();) *alias++ = {names.text(','), static_cast<int>(&g - gpus), ambiguous};
    }
    r = Rows(catalog_data::prices);
    for (PriceEntry& p : prices) {
      p.date = r.first();
      p.gpu = static_cast<int>(r.number());
      p.usd_per_hour = r.number();
      p.book = r.text();
      p.provider = r.text();
      p.kind = enumerator<PriceKind>(r.text(), price_kind_ids);
    }
    int next = 0;
    for (int g = 0; g <= catalog_data::num_gpus; ++g) {
      while (next < catalog_data::num_prices && prices[next].gpu < g) ++next;
      first_price[g] = next;
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
