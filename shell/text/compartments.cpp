#include "compartments.h"

#include "published.h"
#include "vramfit/catalog.h"

namespace vramfit::shell {
namespace {

// How a value in a formula is written. Sizes and counts not named here are plain whole numbers.
std::string value_text(const Value& value, ByteUnit own, const Numbers& numbers) {
  const double number = published(value.number);
  if (value.name == "params") return numbers.params(number);
  if (value.name == "percent") return numbers.percent(number);
  if (value.name == "bytes" || value.name == "state_bytes") return numbers.bytes(number, own).text();
  const int decimals = value.name == "bytes_per_param"     ? 3
                       : value.name == "bytes_per_element" ? 4
                       : value.name == "bytes_per_token"   ? 1
                                                           : 2;
  return numbers.number(number, decimals);
}

void describe_term(TermLine& line, const Term& term, ByteUnit own, const Text& text) {
  std::string values[Term::max_values];
  Filling fillings[Term::max_values];
  for (int i = 0; i < term.num_values; ++i) {
    const Value& value = term.values[i];
    values[i] = value_text(value, own, text.numbers);
    fillings[i] = Filling(value.name, values[i], published(value.number));
  }
  line.text = text.messages.say(concat({"formula.", term.formula}), {fillings, static_cast<std::size_t>(term.num_values)});
  line.bytes = text.numbers.bytes(published(term.bytes).likely, own);
  line.source = source_title(term.source, text);
  if (!term.format_source.empty()) line.source += concat({"; ", source_title(term.format_source, text)});
}

void describe_row(CompartmentRow& row, const Compartment& compartment, ByteUnit own, const Text& text) {
  const Range per_gpu = published(compartment.per_gpu);
  row.id = compartment.id;
  row.label = text.word("compartment.", compartment.id);
  row.bytes = per_gpu.likely;
  row.low_bytes = per_gpu.low;
  row.high_bytes = per_gpu.high;
  row.per_gpu = text.numbers.bytes(per_gpu.likely, own);
  row.all_gpus = text.numbers.bytes(published(compartment.total).likely, own);
  row.range = range_text(per_gpu, own, text);
  row.terms = std::vector<TermLine>(compartment.terms.size());
  for (std::size_t i = 0; i < row.terms.size(); ++i) describe_term(row.terms[i], compartment.terms[i], own, text);
}

std::string incomplete_text(const MethodResult& method, const Text& text) {
  if (method.missing.empty()) return {};
  std::vector<std::string> labels;
  for (const Id id : method.missing) labels.push_back(text.word("compartment.", id));
  return text.say("help.incomplete", {{"missing", text.numbers.list_and(labels)}});
}

}  // namespace

std::string range_text(const Range& bytes, ByteUnit own, const Text& text) {
  const std::string low = text.numbers.bytes(bytes.low, own).text();
  const std::string high = text.numbers.bytes(bytes.high, own).text();
  return low == high ? std::string() : text.say("page.range", {{"low", low}, {"high", high}});
}

std::string source_title(Id source, const Text& text) {
  return text.has_word("cite.", source) ? text.word("cite.", source) : text.say("cite.other", {{"id", source}});
}

namespace {

// How several GPUs share it, and where they do not hold the same, what each holds.
std::string split_text(const MethodResult& method, int count, ByteUnit own, const Text& text) {
  bool even = true;
  std::vector<std::string> figures;
  for (int rank = 0; rank < count; ++rank) {
    double bytes = 0;
    for (const Compartment& c : method.compartments) {
      bytes += published(c.ranks[rank]).likely;
      even = even && c.ranks[rank].likely == c.per_gpu.likely;
    }
    figures.push_back(text.numbers.bytes(bytes, own).text());
  }
  std::string out = text.word("split.", method.split);
  if (!even) out += " " + text.say("page.compartments.ranks", {{"list", text.numbers.list_and(figures)}});
  return out;
}

}  // namespace

Breakdown describe_compartments(const Inputs& inputs, const Result& result, const GpuNames& names, const Text& text) {
  const MethodResult& method = result.method(inputs.text(FieldId::method));
  const ByteUnit own = own_unit(method.id);
  const Numbers& numbers = text.numbers;
  Breakdown out;
  out.rows = std::vector<CompartmentRow>(method.compartments.size());
  double all_bytes = 0;
  for (std::size_t i = 0; i < out.rows.size(); ++i) {
    describe_row(out.rows[i], method.compartments[i], own, text);
    out.bytes += out.rows[i].bytes;
    all_bytes += published(method.compartments[i].total).likely;
  }
  for (CompartmentRow& row : out.rows) row.share = numbers.share(out.bytes > 0 ? row.bytes / out.bytes : 0);
  out.need = numbers.bytes(out.bytes, own);
  out.need_all = numbers.bytes(all_bytes, own);
  out.incomplete = incomplete_text(method, text);

  const Pick& chosen = result.chosen;
  if (chosen.gpu < 0) {
    out.title = text.say("page.compartments.alone", {{"need", out.need}});
    return out;
  }
  out.gpu = chosen.gpu;
  out.count = chosen.count;
  for (const FitRow& row : result.fit)
    if (row.gpu == chosen.gpu) out.capacity_bytes = published(row.capacity_bytes);
  const double free_bytes = out.capacity_bytes - out.bytes;
  if (free_bytes > 0) {
    FreeMemory& free = out.free.emplace();
    free.bytes = free_bytes;
    free.figure = numbers.bytes(free_bytes, own);
    free.share = numbers.share(free_bytes / out.capacity_bytes);
  }
  out.title = text.say(free_bytes < 0 ? "page.compartments.over" : "page.compartments.on",
                       {{"gpus", names.counted(chosen.count, chosen.gpu)},
                        {"need", out.need},
                        {"capacity", numbers.bytes(out.capacity_bytes, own)}});
  if (chosen.count > 1) out.split = split_text(method, chosen.count, own, text);
  return out;
}

}  // namespace vramfit::shell
