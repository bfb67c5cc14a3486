#include "read_answers.h"

#include <algorithm>

#include "json_reader.h"

namespace vramfit::shell {
namespace {

// The enumerator that `name` calls so; the last of `count` when none is.
template <class E>
E named(Id id, int count, Id (*name)(E)) {
  int i = 0;
  while (i + 1 < count && name(static_cast<E>(i)) != id) ++i;
  return static_cast<E>(i);
}

int gpu_index(Id id) {
  const auto all = gpus();
  const auto at = std::find_if(all.begin(), all.end(), [&](const GpuEntry& gpu) { return gpu.id == id; });
  return at == all.end() ? -1 : static_cast<int>(at - all.begin());
}

struct Reader : JsonReader {
  using JsonReader::JsonReader;

  template <class F>
  void list(F&& f) {
    array([&](int) { f(); });
  }
  int whole() { return static_cast<int>(std::fmin(number(), 2e9)); }

  Range range() {
    Range out;
    object([&](Id key) {
      if (key == "low") out.low = number();
      else if (key == "likely") out.likely = number();
      else if (key == "high") out.high = number();
    });
    return out;
  }

  std::optional<double> optional_number() {
    if (null()) return {};
    return number();
  }

  Notice notice() {
    Notice out;
    object([&](Id key) {
      if (key == "severity") {
        const Id id = text();
        out.severity = id == "error" ? Severity::error : id == "info" ? Severity::info : Severity::warning;
      } else if (key == "id") out.id = text();
      else if (key == "field") out.field = text();
      else if (key == "value") out.value = text();
      else if (key == "used") out.used = number();
    });
    return out;
  }

  void model(ModelSummary& out) {
    object([&](Id key) {
      if (key == "id") out.id = text();
      else if (key == "name") out.name = text();
      else if (key == "stated_params") out.stated_params = number();
      else if (key == "params") out.exact.total = number();
      else if (key == "active_params") out.exact.active = number();
      else if (key == "num_layers") out.num_layers = whole();
      else if (key == "num_heads") out.num_heads = whole();
      else if (key == "num_kv_heads") out.num_kv_heads = whole();
      else if (key == "max_position_embeddings") out.max_position_embeddings = whole();
      else if (key == "kv_bytes_per_token") out.kv_bytes_per_token = number();
    });
  }

  Term term() {
    Term out;
    object([&](Id key) {
      if (key == "formula") out.formula = text();
      else if (key == "source") out.source = text();
      else if (key == "format_source") out.format_source = text();
      else if (key == "bytes") out.bytes = range();
      else if (key == "values")
        object([&](Id name) {
          if (out.num_values < Term::max_values) out.values[out.num_values++] = {name, number()};
        });
    });
    return out;
  }

  Compartment compartment() {
    Compartment out;
    object([&](Id key) {
      if (key == "id") out.id = text();
      else if (key == "per_gpu_bytes") out.per_gpu = range();
      else if (key == "total_bytes") out.total = range();
      else if (key == "rank_bytes") list([&] { out.ranks.push_back(Range::exact(number())); });
      else if (key == "terms") list([&] { out.terms.push_back(term()); });
    });
    return out;
  }

  void layout(Layout& out) {
    object([&](Id key) {
      if (key == "count") out.count = whole();
      else if (key == "reason") out.reason = text();
      else if (key == "reason_number") out.reason_number = number();
      else if (key == "need_bytes") out.need = range();
      else if (key == "floor_bytes") out.floor = Range::exact(number());
    });
  }

  void method(MethodResult& out, Id id) {
    out.id = id;
    object([&](Id key) {
      if (key == "total_bytes") out.total = range();
      else if (key == "split") out.split = text();
      else if (key == "split_source") out.split_source = null() ? Id() : text();
      else if (key == "missing") list([&] { out.missing.push_back(text()); });
      else if (key == "compartments") list([&] { out.compartments.push_back(compartment()); });
      else if (key == "layouts")
        array([&](int i) {
          if (i < max_gpu_count) layout(out.layouts[i]);
        });
    });
  }

  // As much of it as the canvas says.
  void report(EngineReport& out) {
    object([&](Id key) {
      if (key == "id") out.engine = text();
      else if (key == "era") out.era = text();
    });
  }

  Pick pick() {
    Pick out;
    object([&](Id key) {
      if (key == "gpu") out.gpu = gpu_index(text());
      else if (key == "count") out.count = std::clamp(whole(), 1, max_gpu_count);
      else if (key == "verdict") out.verdict = named(text(), 4, verdict_id);
      else if (key == "usd_per_hour") out.usd_per_hour = optional_number();
    });
    return out;
  }

  GpuPrice price() {
    GpuPrice out;
    object([&](Id key) {
      if (key == "usd_per_gpu_hour") out.usd_per_hour = number();
      else if (key == "book") out.book = text();
      else if (key == "provider") out.provider = text();
      else if (key == "kind") out.kind = named(text(), static_cast<int>(price_kinds().size()), price_kind_id);
      else if (key == "date") out.date = text();
    });
    return out;
  }

  FitRow fit_row() {
    FitRow out;
    out.gpu = -1;
    object([&](Id key) {
      if (key == "gpu") out.gpu = gpu_index(text());
      else if (key == "capacity_bytes") out.capacity_bytes = number();
      else if (key == "price" && !null()) out.price = price();
      else if (key == "verdicts")
        array([&](int i) {
          // All other words are the reasons why a count is of no use.
          if (i < max_gpu_count) out.verdicts[i] = named(text(), 4, verdict_id);
        });
      else if (key == "causes")
        array([&](int i) {
          if (i < max_gpu_count) out.causes[i] = text();
        });
      else if (key == "cause_numbers")
        array([&](int i) {
          if (i < max_gpu_count) out.cause_numbers[i] = number();
        });
      else if (key == "need_bytes")
        array([&](int i) {
          if (i < max_gpu_count) out.need_bytes[i] = number();
        });
    });
    if (out.gpu >= 0) out.max_per_node = gpus()[out.gpu].max_per_node;
    return out;
  }

  PrecisionStep precision_step() {
    PrecisionStep out;
    object([&](Id key) {
      if (key == "weights") out.weights = text();
      else if (key == "total_bytes") out.total_bytes = number();
      else if (key == "pick" && !null()) out.pick = pick();
    });
    return out;
  }

  void result(Result& out, std::array<bool, num_fields>& applies) {
    object([&](Id key) {
      if (key == "notices") list([&] { out.notices.push_back(notice()); });
      else if (key == "refused") out.refused = boolean();
      else if (key == "applies")
        list([&] {
          if (const Field* f = find_field(text())) applies[static_cast<std::size_t>(f - fields().data())] = true;
        });
      else if (key == "model") model(out.model);
      else if (key == "weights") out.weights = text();
      else if (key == "methods")
        object([&](Id id) {
          if (id == "rule") method(out.rule, id);
          else if (id == "worksheet") method(out.worksheet, id);
          else if (id == "engine") method(out.engine, id);
        });
      else if (key == "engine" && !null())
        object([&](Id about) {
          if (about == "id") out.engine_report.engine = text();
        });
      else if (key == "engine" && !null()) report(out.engine_report);
      else if (key == "best" && !null()) out.best = pick();
      else if (key == "cheapest" && !null()) out.cheapest = pick();
      else if (key == "chosen" && !null()) out.chosen = pick();
      else if (key == "fit")
        list([&] {
          FitRow row = fit_row();
          if (row.gpu >= 0) out.fit.push_back(std::move(row));
        });
      else if (key == "precision") list([&] { out.precision.push_back(precision_step()); });
    });
    // Where all hold the same it is said once.
    const auto count = static_cast<std::size_t>(std::max(1, out.chosen.count));
    for (MethodResult* m : {&out.rule, &out.worksheet, &out.engine})
      for (Compartment& c : m->compartments) c.ranks.resize(std::max(count, c.ranks.size()), c.per_gpu);
  }

  WhatIfCard card() {
    WhatIfCard out;
    object([&](Id key) {
      if (key == "gpu") out.gpu = std::max(0, gpu_index(text()));
      else if (key == "count") out.count = whole();
      else if (key == "capacity_bytes") out.capacity_bytes = number();
    });
    return out;
  }

  void bytes(std::vector<Range>& out, double Range::*bound, std::size_t count) {
    array([&](int i) {
      if (static_cast<std::size_t>(i) < count) out[i].*bound = number();
    });
  }

  WhatIfLine line(std::size_t num_values) {
    WhatIfLine out;
    out.need.resize(num_values);
    object([&](Id key) {
      if (key == "kv") out.kv = text();
      else if (key == "chosen") out.chosen = boolean();
      else if (key == "need_bytes") {
        bytes(out.need, &Range::likely, num_values);
        for (Range& r : out.need) r.low = r.high = r.likely;
      } else if (key == "low_bytes") bytes(out.need, &Range::low, num_values);
      else if (key == "high_bytes") bytes(out.need, &Range::high, num_values);
      else if (key == "limits")
        list([&] {
          WhatIfLimit limit;
          object([&](Id name) { (name == "fits" ? limit.fits : limit.runs) = number(); });
          out.limits.push_back(limit);
        });
    });
    return out;
  }

  WhatIfAxis axis() {
    WhatIfAxis out;
    object([&](Id key) {
      if (key == "field") {
        if (const Field* f = find_field(text())) out.field = static_cast<FieldId>(f - fields().data());
      } else if (key == "value") out.value = number();
      else if (key == "values") list([&] { out.values.push_back(number()); });
      else if (key == "lines") list([&] { out.lines.push_back(line(out.values.size())); });
    });
    return out;
  }

  void what_if(WhatIf& out) {
    object([&](Id key) {
      if (key == "refused") out.refused = boolean();
      else if (key == "count") out.count = whole();
      else if (key == "missing") list([&] { out.missing.push_back(text()); });
      else if (key == "cards") list([&] { out.cards.push_back(card()); });
      else if (key == "axes") list([&] { out.axes.push_back(axis()); });
    });
    // Every line says something of every card.
    for (WhatIfAxis& a : out.axes)
      for (WhatIfLine& l : a.lines) l.limits.resize(out.cards.size());
  }

  ModelEntry model_entry() {
    ModelEntry out;
    object([&](Id key) {
      if (key == "id") out.id = text();
      else if (key == "name") out.name = text();
      else if (key == "family") out.family = text();
      else if (key == "stated_params") out.stated_params = number();
      else if (key == "native") out.native = text();
      else if (key == "max_position_embeddings") out.max_position_embeddings = whole();
    });
    return out;
  }

  GpuEntry gpu_entry(const std::vector<Id>& sets) {
    GpuEntry out;
    object([&](Id key) {
      if (key == "id") out.id = text();
      else if (key == "name") out.name = text();
      else if (key == "vendor") out.vendor = text();
      else if (key == "form") out.form = named(text(), static_cast<int>(GpuForm::unified) + 1, form_id);
      else if (key == "link") out.link = text();
      else if (key == "marketed_gb") out.marketed = {number()};
      else if (key == "usable_mib") out.usable = {number()};
      else if (key == "usable_basis") out.basis = named(text(), static_cast<int>(UsableBasis::assumed) + 1, basis_id);
      else if (key == "bandwidth_gbs") out.bandwidth_gbs = number();
      else if (key == "max_per_node") out.max_per_node = whole();
      else if (key == "sets")
        list([&] {
          const auto at = std::find(sets.begin(), sets.end(), text());
          if (at != sets.end()) out.sets |= 1u << (at - sets.begin());
        });
    });
    return out;
  }
};

}  // namespace

void read_answers(Answers& answers) {
  Result& result = answers.result;
  result.refused = true;
  Reader reader(answers.estimate_text);
  reader.result(result, answers.applies);
  // What fits has a best.
  const bool fits = std::any_of(result.fit.begin(), result.fit.end(), [](const FitRow& row) {
    return std::find(std::begin(row.verdicts), std::end(row.verdicts), Verdict::fits) != std::end(row.verdicts);
  });
  if (reader.failed || (fits && result.best.gpu < 0)) result.refused = true;
  answers.what_if.refused = true;
  Reader what_if_reader(answers.what_if_text);
  what_if_reader.what_if(answers.what_if);
  if (what_if_reader.failed) answers.what_if = {.refused = true};
}

bool read_catalog(HostCatalog& catalog) {
  Reader reader(catalog.text);
  reader.object([&](Id key) {
    if (key == "sets") reader.list([&] { catalog.sets.push_back(reader.text()); });
    else if (key == "books") reader.list([&] { catalog.books.push_back(reader.text()); });
    else if (key == "models") reader.list([&] { catalog.models.push_back(reader.model_entry()); });
    else if (key == "gpus") reader.list([&] { catalog.gpus.push_back(reader.gpu_entry(catalog.sets)); });
  });
  return !reader.failed && !catalog.models.empty() && !catalog.gpus.empty() && catalog.sets.size() <= 32;
}

}  // namespace vramfit::shell
