#include "fit_table.h"

#include <cmath>

#include "published.h"
#include "reasons.h"
#include "vramfit/catalog.h"

namespace vramfit::shell {
namespace {

constexpr Id host_limit = "node-limit";

// Whose price, of which kind where it is not a plain on-demand offer, and when.
std::string price_note(const GpuPrice& price, const Text& text) {
  std::string note = text.word_or("choice.prices.", price.book, price.provider.empty() ? price.book : price.provider);
  const bool plain = price.kind == PriceKind::on_demand || price.kind == PriceKind::publisher || price.kind == PriceKind::own;
  if (!plain && price.book != "reference") note += concat({", ", text.word("price_kind.", price_kind_id(price.kind))});
  if (!price.date.empty()) note += concat({", ", text.numbers.date(price.date)});
  return note;
}

std::string form_text(const GpuEntry& gpu, const Text& text) {
  const std::string form = text.word("form.", form_id(gpu.form));
  const std::string link = text.word("interconnect.", gpu.link);
  return concat({form, form.empty() || link.empty() ? "" : ", ", link});
}

// Where a GPU stands in the table.
struct Standing {
  const FitRow* fit = nullptr;
  int count = 0;  // the fewest that hold it; 0 when none do
  Verdict verdict = Verdict::does_not_fit;

  double usd_per_hour() const { return count > 0 && fit->price ? published(fit->price->usd_per_hour) * count : no_price; }

  bool before(const Standing& other) const {
    if (verdict != other.verdict) return verdict < other.verdict;
    if (count != other.count) return count < other.count;
    const double bytes = published(fit->capacity_bytes);
    const double other_bytes = published(other.fit->capacity_bytes);
    return bytes != other_bytes ? bytes < other_bytes : usd_per_hour() < other.usd_per_hour();
  }
};

Standing standing_of(const FitRow& fit) {
  for (const Verdict verdict : {Verdict::fits, Verdict::tight})
    for (int count = 1; count <= max_gpu_count; ++count)
      if (fit.verdicts[count - 1] == verdict) return {&fit, count, verdict};
  return {&fit};
}

std::vector<Standing> best_first(const std::vector<FitRow>& fit) {
  std::vector<Standing> standings(fit.size());
  for (std::size_t i = 0; i < fit.size(); ++i) {
    const Standing standing = standing_of(fit[i]);
    std::size_t place = i;
    for (; place > 0 && standing.before(standings[place - 1]); --place) standings[place] = standings[place - 1];
    standings[place] = standing;
  }
  return standings;
}

struct TableWriter {
  const MethodResult& method;
  const Pick& chosen;
  const GpuNames& names;
  const Text& text;
  const Numbers& numbers = text.numbers;
  ByteUnit own = own_unit(method.id);
  bool by_engine = method.id == "engine";

  // What an engine needs depends on the GPU.
  double need_bytes(const FitRow& fit, int count) const {
    return by_engine ? published(std::ceil(fit.need_bytes[count - 1])) : published(method.layouts[count - 1].need).likely;
  }

  void smallest(GpuRow& row, const Standing& standing) const {
    SmallestFit& out = row.smallest.emplace();
    out.count = standing.count;
    out.verdict = standing.verdict;
    out.gpus = names.counted(standing.count, row.gpu);
    out.free_bytes = row.capacity_bytes - need_bytes(*standing.fit, standing.count);
    if (out.free_bytes > 0) {
      out.room = numbers.bytes(out.free_bytes, own);
      out.free =
          text.say("page.fit.headroom", {{"free", out.room}, {"percent", numbers.share(out.free_bytes / row.capacity_bytes)}});
    } else {
      out.free = text.say("verdict.tight");
    }
    out.usd_per_hour = standing.usd_per_hour();
    if (out.usd_per_hour != no_price) out.cost = numbers.usd_per_hour(out.usd_per_hour);
  }

  void counts(GpuRow& row, const FitRow& fit) const {
    for (int count = 1; count <= max_gpu_count; ++count) {
      CountCell& cell = row.counts[count - 1];
      cell.verdict = fit.verdicts[count - 1];
      cell.chosen = chosen.gpu == fit.gpu && chosen.count == count;
      const Id cause = fit.causes[count - 1];
      if (cell.verdict != Verdict::unusable) {
        cell.cause = cause_text(cause, text);
        continue;
      }
      if (!cause.empty()) cell.cause = reason_text(cause, fit.cause_numbers[count - 1], {&count, 1}, text);
      cell.reason = !cause.empty() ? cause : count > fit.max_per_node ? host_limit : method.layouts[count - 1].reason;
      if (cell.reason == host_limit && row.limit.empty()) row.limit = host_limit_text(fit.max_per_node, text);
    }
  }

  void row(GpuRow& row, const Standing& standing) const {
    const FitRow& fit = *standing.fit;
    const GpuEntry& gpu = gpus()[fit.gpu];
    row.gpu = fit.gpu;
    row.capacity_bytes = published(fit.capacity_bytes);
    row.name = gpu.name;
    row.short_name = names.short_name(fit.gpu);
    row.form = form_text(gpu, text);
    row.marketed = text.say("page.fit.marketed", {{"memory", numbers.bytes(gpu.marketed.bytes(), ByteUnit::gb)}});
    row.usable = text.say("page.fit.usable", {{"memory", numbers.bytes(gpu.usable.bytes(), ByteUnit::gib)},
                                              {"basis", text.word("basis.", basis_id(gpu.basis))}});
    if (fit.price) {
      row.usd_per_gpu_hour = published(fit.price->usd_per_hour);
      row.price = numbers.usd_per_hour(row.usd_per_gpu_hour);
      row.price_note = price_note(*fit.price, text);
    }
    counts(row, fit);
    if (standing.count > 0) smallest(row, standing);
    int at = standing.count;
    if (at == 0)
      for (at = max_gpu_count; at > 0 && row.counts[at - 1].verdict == Verdict::unusable;) --at;
    if (at > 0) row.why = row.counts[at - 1].cause;
  }
};

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
  const TableWriter write{method, result.chosen, names, text};
  FitTable table;
  const std::vector<Standing> standings = best_first(result.fit);
  table.rows = std::vector<GpuRow>(standings.size());
  for (std::size_t i = 0; i < standings.size(); ++i) write.row(table.rows[i], standings[i]);
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

std::string count_reason(const FitTable& table, const GpuRow& row, int count) {
  const CountCell& cell = row.counts[count - 1];
  if (cell.verdict != Verdict::unusable || !cell.cause.empty()) return cell.cause;
  return cell.reason == host_limit ? row.limit : table.excluded[count - 1];
}

std::string count_label(const FitTable& table, const GpuRow& row, int count, const Text& text) {
  std::string verdict = text.word("verdict.", verdict_id(row.counts[count - 1].verdict));
  const std::string reason = count_reason(table, row, count);
  if (!reason.empty()) verdict += ", " + reason;
  return text.say("page.fit.choose", {{"gpus", counted_name(count, row.short_name)}, {"verdict", verdict}});
}

}  // namespace vramfit::shell
