#include "fit_table.h"

#include "published.h"
#include "reasons.h"
#include "vramfit/catalog.h"

namespace vramfit::shell {
namespace {

constexpr Id host_limit = "node-limit";

// Whose price, of which kind where it is not a plain on-demand offer, and when.
std::string price_note(const GpuPrice& price, const Text& text) {
  const std::string label = concat({"choice.prices.", price.book});
  std::string note = text.has(label) ? text.say(label) : std::string(price.provider.empty() ? price.book : price.provider);
  const bool plain = price.kind == PriceKind::on_demand || price.kind == PriceKind::publisher || price.kind == PriceKind::own;
  if (!plain && price.book != "reference") note += ", " + text.say(concat({"price_kind.", price_kind_id(price.kind)}));
  if (!price.date.empty()) note += ", " + text.numbers.date(price.date);
  return note;
}

std::string form_text(const GpuEntry& gpu, const Text& text) {
  std::string form = text.say(concat({"form.", form_id(gpu.form)}));
  const std::string link = text.say(concat({"interconnect.", gpu.link}));
  if (!form.empty() && !link.empty()) form += ", ";
  return form + link;
}

SmallestFit make_smallest(const GpuRow& row, int count, const Layout& layout, ByteUnit own, const GpuNames& names,
                          const Text& text) {
  const Numbers& numbers = text.numbers;
  SmallestFit out;
  out.count = count;
  out.verdict = row.counts[count - 1].verdict;
  out.gpus = names.counted(count, row.gpu);
  out.free_bytes = row.capacity_bytes - published(layout.need).likely;
  if (out.free_bytes > 0) {
    out.room = numbers.bytes(out.free_bytes, own);
    out.free =
        text.say("page.fit.headroom", {{"free", out.room}, {"percent", numbers.share(out.free_bytes / row.capacity_bytes)}});
  } else {
    out.free = text.say("verdict.tight");
  }
  if (!row.price.empty()) {
    out.usd_per_hour = row.usd_per_gpu_hour * count;
    out.cost = numbers.usd_per_hour(out.usd_per_hour);
  }
  return out;
}

GpuRow make_row(const FitRow& fit, const MethodResult& method, const Pick& chosen, ByteUnit own, const GpuNames& names,
                const Text& text) {
  const GpuEntry& gpu = gpus()[fit.gpu];
  const Numbers& numbers = text.numbers;
  GpuRow row;
  row.gpu = fit.gpu;
  row.capacity_bytes = published(fit.capacity_bytes);
  row.name = gpu.name;
  row.short_name = names.short_name(fit.gpu);
  row.form = form_text(gpu, text);
  row.marketed = text.say("page.fit.marketed", {{"memory", numbers.bytes(gpu.marketed.bytes(), ByteUnit::gb)}});
  row.usable = text.say("page.fit.usable", {{"memory", numbers.bytes(gpu.usable.bytes(), ByteUnit::gib)},
                                            {"basis", text.say(concat({"basis.", basis_id(gpu.basis)}))}});
  if (fit.price) {
    row.usd_per_gpu_hour = published(fit.price->usd_per_hour);
    row.price = numbers.usd_per_hour(row.usd_per_gpu_hour);
    row.price_note = price_note(*fit.price, text);
  }
  int fitting = 0;
  int tight = 0;
  for (int count = 1; count <= max_gpu_count; ++count) {
    CountCell& cell = row.counts[count - 1];
    cell.verdict = fit.verdicts[count - 1];
    cell.chosen = chosen.gpu == fit.gpu && chosen.count == count;
    if (cell.verdict == Verdict::unusable) {
      cell.reason = count > fit.max_per_node ? host_limit : method.layouts[count - 1].reason;
      if (cell.reason == host_limit && row.limit.empty()) row.limit = host_limit_text(gpu.max_per_node, text);
    }
    if (cell.verdict == Verdict::fits && fitting == 0) fitting = count;
    if (cell.verdict == Verdict::tight && tight == 0) tight = count;
  }
  if (const int first = fitting > 0 ? fitting : tight; first > 0)
    row.smallest = make_smallest(row, first, method.layouts[first - 1], own, names, text);
  return row;
}

bool before(const GpuRow& a, const GpuRow& b) {
  const auto rank = [](const GpuRow& row) { return !row.smallest ? 2 : row.smallest->verdict == Verdict::fits ? 0 : 1; };
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  if (a.smallest && a.smallest->count != b.smallest->count) return a.smallest->count < b.smallest->count;
  if (a.capacity_bytes != b.capacity_bytes) return a.capacity_bytes < b.capacity_bytes;
  return a.smallest && a.smallest->usd_per_hour < b.smallest->usd_per_hour;
}

// One sentence for all counts that have the same reason.
std::vector<std::string> layout_notes(const MethodResult& method, const Text& text) {
  std::vector<std::string> notes;
  bool said[max_gpu_count] = {};
  for (int i = 0; i < max_gpu_count; ++i) {
    const Layout& layout = method.layouts[i];
    if (layout.reason.empty() || said[i]) continue;
    std::vector<int> counts;
    for (int j = i; j < max_gpu_count; ++j) {
      const Layout& other = method.layouts[j];
      if (other.reason != layout.reason || published(other.reason_number) != published(layout.reason_number)) continue;
      said[j] = true;
      counts.push_back(other.count);
    }
    notes.push_back(reason_text(layout.reason, layout.reason_number, counts, text));
  }
  return notes;
}

}  // namespace

FitTable describe_fit(const Inputs& inputs, const Result& result, const GpuNames& names, const Text& text) {
  const MethodResult& method = result.method(inputs.text(FieldId::method));
  const ByteUnit own = own_unit(method.id);
  FitTable table;
  std::vector<GpuRow> rows;
  std::vector<int> order;
  rows.reserve(result.fit.size());
  for (const FitRow& fit : result.fit) {
    rows.push_back(make_row(fit, method, result.chosen, own, names, text));
    auto place = order.end();
    while (place != order.begin() && before(rows.back(), rows[*(place - 1)])) --place;
    order.insert(place, static_cast<int>(rows.size()) - 1);
  }
  table.rows.reserve(rows.size());
  for (const int i : order) table.rows.push_back(std::move(rows[i]));
  table.layout_notes = layout_notes(method, text);
  for (int i = 0; i < max_gpu_count; ++i) {
    const Layout& layout = method.layouts[i];
    if (!layout.reason.empty()) table.excluded[i] = reason_text(layout.reason, layout.reason_number, {&layout.count, 1}, text);
  }
  if (const Pick& cheapest = result.cheapest; cheapest.gpu >= 0 && cheapest.usd_per_hour)
    table.cheapest = text.say("page.fit.cheapest", {{"gpus", names.counted(cheapest.count, cheapest.gpu)},
                                                    {"cost", text.numbers.usd_per_hour(published(*cheapest.usd_per_hour))}});
  return table;
}

std::string count_label(const GpuRow& row, int count, const Text& text) {
  const Id verdict = verdict_id(row.counts[count - 1].verdict);
  return text.say("page.fit.choose",
                  {{"gpus", counted_name(count, row.short_name)}, {"verdict", text.say(concat({"verdict.", verdict}))}});
}

std::string count_reason(const FitTable& table, const GpuRow& row, int count) {
  const CountCell& cell = row.counts[count - 1];
  if (cell.verdict != Verdict::unusable) return {};
  return cell.reason == host_limit ? row.limit : table.excluded[count - 1];
}

}  // namespace vramfit::shell
