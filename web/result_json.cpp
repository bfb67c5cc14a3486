#include "result_json.h"

#include <algorithm>

#include "json_writer.h"
#include "vramfit/estimate.h"
#include "vramfit/share_string.h"

namespace vramfit {
namespace {

Id severity_id(Severity s) { return s == Severity::error ? "error" : s == Severity::warning ? "warning" : "info"; }
// `u`: the layout's own reason or the engine's cause says why; `l`: the host's limit.
char verdict_letter(const FitRow& row, int count) {
  const Verdict v = row.verdicts[count - 1];
  if (v == Verdict::unusable) return count > row.max_per_node && row.causes[count - 1].empty() ? 'l' : 'u';
  return v == Verdict::fits ? 'f' : v == Verdict::tight ? 't' : 'n';
}

struct Writer : JsonWriter {
  void range(std::string_view k, const Range& r) {
    key(k);
    open('{');
    member("low", r.low < 0 ? 0 : std::ceil(r.low));
    member("likely", std::ceil(r.likely));
    member("high", std::ceil(r.high));
    close('}');
  }

  void ids(std::string_view k, const std::vector<Id>& list) {
    key(k);
    open('[');
    for (const Id each : list) id(each);
    close(']');
  }

  void notices(const std::vector<Notice>& list) {
    key("notices");
    open('[');
    for (const Notice& n : list) {
      open('{');
      member("severity", severity_id(n.severity));
      member("id", n.id);
      member("field", n.field);
      member("value", n.value);
      member("used", n.used);
      close('}');
    }
    close(']');
  }

  void inputs(const Inputs& in, bool listed_prices) {
    key("inputs");
    open('{');
    for (int i = 0; i < num_fields; ++i) {
      const Field& f = fields()[i];
      const auto id = static_cast<FieldId>(i);
      if (f.group == FieldGroup::engine && !applies(f, in, listed_prices) && in.is_default(id)) continue;
      key(f.key);
      if (!f.numeric()) text(in.text(id));
      else if (f.optional && in.number(id) == 0) null();
      else number(in.number(id));
    }
    close('}');
    key("applies");
    open('[');
    for (const Field& f : fields())
      if (applies(f, in, listed_prices)) id(f.key);
    close(']');
  }

  void model(const ModelSummary& m) {
    key("model");
    open('{');
    member("id", m.id);
    member("name", m.name);
    member("stated_params", m.stated_params);
    member("params", m.exact.total);
    member("active_params", m.exact.active);
    member("num_layers", m.num_layers);
    member("num_heads", m.num_heads);
    member("num_kv_heads", m.num_kv_heads);
    member("max_position_embeddings", m.max_position_embeddings);
    member("kv_bytes_per_token", m.kv_bytes_per_token);
    close('}');
  }

  void terms(const std::vector<Term>& list) {
    key("terms");
    open('[');
    for (const Term& t : list) {
      open('{');
      member("formula", t.formula);
      member("source", t.source);
      if (!t.format_source.empty()) member("format_source", t.format_source);
      key("values");
      open('{');
      for (int i = 0; i < t.num_values; ++i) member(t.values[i].name, t.values[i].number);
      close('}');
      range("bytes", t.bytes);
      close('}');
    }
    close(']');
  }

  void method(const MethodResult& m) {
    key(m.id);
    open('{');
    range("total_bytes", m.total);
    member("split", m.split);
    key("split_source");
    m.split_source.empty() ? null() : id(m.split_source);
    ids("missing", m.missing);
    key("compartments");
    open('[');
    for (const Compartment& c : m.compartments) {
      open('{');
      member("id", c.id);
      if (!c.place.empty()) member("place", c.place);
      range("per_gpu_bytes", c.per_gpu);
      range("total_bytes", c.total);
      const auto other = [&](const Range& rank) { return rank.likely != c.per_gpu.likely; };
      if (std::any_of(c.ranks.begin(), c.ranks.end(), other)) {
        key("rank_bytes");
        open('[');
        for (const Range& rank : c.ranks) number(std::ceil(rank.likely));
        close(']');
      }
      terms(c.terms);
      close('}');
    }
    close(']');
    key("layouts");
    open('[');
    for (const Layout& l : m.layouts) {
      open('{');
      member("count", l.count);
      member("usable", l.reason.empty());
      if (!l.reason.empty()) {
        member("reason", l.reason);
        member("reason_number", l.reason_number);
      }
      range("need_bytes", l.need);
      member("floor_bytes", std::ceil(l.floor.likely));
      close('}');
    }
    close(']');
    close('}');
  }

  // What the engine would print on the chosen GPUs.
  void report(const EngineReport& e) {
    key("engine");
    if (!has_engine_method() || e.engine.empty()) return null();
    open('{');
    member("id", e.engine);
    member("era", e.era);
    member("tensor_parallel", e.tensor_parallel);
    member("pipeline_parallel", e.pipeline_parallel);
    member("data_parallel", e.data_parallel);
    member("usable_bytes", e.usable_bytes);
    member("budget_bytes", std::ceil(e.budget_bytes));
    member("memory_share", e.memory_share);
    range("pool_bytes", e.pool_bytes);
    range("tokens", e.tokens);
    key("max_concurrency");
    open('{');
    member("low", e.max_concurrency.low);
    member("likely", e.max_concurrency.likely);
    member("high", e.max_concurrency.high);
    close('}');
    member("num_blocks", e.num_blocks);
    member("block_tokens", e.block_tokens);
    member("longest_context", e.longest_context);
    member("max_num_seqs", e.max_num_seqs);
    member("max_num_batched_tokens", e.max_num_batched_tokens);
    member("limits_source", e.limits_source);
    range("reported_bytes", e.reported_bytes);
    range("host_bytes", e.host_bytes);
    member("gpu_layers", e.gpu_layers);
    close('}');
  }

  void pick(std::string_view k, const Pick& p) {
    key(k);
    if (p.gpu < 0) return null();
    open('{');
    member("gpu", gpus()[p.gpu].id);
    member("name", gpus()[p.gpu].name);
    member("count", p.count);
    member("verdict", verdict_id(p.verdict));
    key("usd_per_hour");
    p.usd_per_hour ? number(*p.usd_per_hour) : null();
    close('}');
  }

  void fit(const std::vector<FitRow>& rows, bool engine) {
    key("fit");
    open('[');
    const GpuEntry* const all = gpus().data();
    for (const FitRow& row : rows) {
      open('{');
      member("gpu", all[row.gpu].id);
      member("capacity_bytes", row.capacity_bytes);
      key("price");
      if (row.price) {
        open('{');
        member("usd_per_gpu_hour", row.price->usd_per_hour);
        member("book", row.price->book);
        key("provider");
        text(row.price->provider);  // anybody's
        member("kind", price_kind_id(row.price->kind));
        member("date", row.price->date);
        close('}');
      } else {
        null();
      }
      if (has_engine_method() && engine) {
        key("causes");
        open('[');
        for (const Id cause : row.causes) id(cause);
        close(']');
        key("cause_numbers");
        open('[');
        for (const double about : row.cause_numbers) number(about);
        close(']');
        key("need_bytes");
        open('[');
        for (const double need : row.need_bytes) number(std::ceil(need));
        close(']');
      }
      // One letter a count: a table of all GPUs holds a thousand of them, and web/vramfit.mjs spells them out.
      char letters[max_gpu_count];
      for (int n = 1; n <= max_gpu_count; ++n) letters[n - 1] = verdict_letter(row, n);
      member("verdicts", Id(letters, max_gpu_count));
      close('}');
    }
    close(']');
  }
};

}  // namespace

std::string estimate_json(std::string_view share_string, std::string_view prices) {
  ShareResult share = parse_share(share_string);
  const std::string canonical = format_share(share.inputs, share.unknown);
  const auto list = read_price_list(prices);
  const Result r = estimate(share.inputs, std::move(share.notices), list ? &*list : nullptr);
  Writer w;
  w.open('{');
  w.member("schema", 1);
  w.member("version", Id(VRAMFIT_VERSION));
  w.member("catalog_date", catalog_date());
  w.member("share", canonical);
  w.key("view");
  w.open('{');
  for (const auto& [key, value] : share.view) w.member(key, value);
  w.close('}');
  w.notices(r.notices);
  w.member("refused", r.refused);
  w.inputs(share.inputs, list.has_value());
  w.model(r.model);
  w.member("weights", r.weights);
  if (!r.refused) {
    w.member("method", share.inputs.text(FieldId::method));
    w.key("methods");
    w.open('{');
    w.method(r.rule);
    w.method(r.worksheet);
    if (has_engine_method() && !r.engine_report.engine.empty()) w.method(r.engine);
    w.close('}');
    w.report(r.engine_report);
    w.pick("best", r.best);
    w.pick("cheapest", r.cheapest);
    w.pick("chosen", r.chosen);
    w.fit(r.fit, share.inputs.is(FieldId::method, "engine"));
    w.key("precision");
    w.open('[');
    for (const PrecisionStep& s : r.precision) {
      w.open('{');
      w.member("weights", s.weights);
      w.member("total_bytes", std::ceil(s.total_bytes));
      w.pick("pick", s.pick);
      w.close('}');
    }
    w.close(']');
  }
  w.close('}');
  return std::string(w.written());
}

}  // namespace vramfit
