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

TermLine term_line(const Term& term, ByteUnit own, const Text& text) {
  std::vector<Filling> values;
  for (int i = 0; i < term.num_values; ++i) {
    const Value& value = term.values[i];
    values.emplace_back(value.name, value_text(value, own, text.numbers), published(value.number));
  }
  TermLine line;
  line.text = text.messages.say(concat({"formula.", term.formula}), std::span<const Filling>(values));
  line.bytes = text.numbers.bytes(published(term.bytes).likely, own);
  for (const Id source : {term.source, term.format_source})
    if (!source.empty()) line.source += concat({line.source.empty() ? "" : "; ", source_title(source, text)});
  return line;
}

CompartmentRow make_row(const Compartment& compartment, ByteUnit own, const Text& text) {
  const Range per_gpu = published(compartment.per_gpu);
  CompartmentRow row;
  row.id = compartment.id;
  row.label = text.say(concat({"compartment.", compartment.id}));
  row.bytes = per_gpu.likely;
  row.low_bytes = per_gpu.low;
  row.high_bytes = per_gpu.high;
  row.per_gpu = text.numbers.bytes(per_gpu.likely, own);
  row.all_gpus = text.numbers.bytes(published(compartment.total).likely, own);
  row.range = range_text(per_gpu, own, text);
  for (const Term& term : compartment.terms) row.terms.push_back(term_line(term, own, text));
  return row;
}

std::string incomplete_text(const MethodResult& method, const Text& text) {
  if (method.missing.empty()) return {};
  std::vector<std::string> labels;
  for (const Id id : method.missing) labels.push_back(text.say(concat({"compartment.", id})));
  return text.say("help.incomplete", {{"missing", text.numbers.list_and(labels)}});
}

}  // namespace

std::string range_text(const Range& bytes, ByteUnit own, const Text& text) {
  const std::string low = text.numbers.bytes(bytes.low, own).text();
  const std::string high = text.numbers.bytes(bytes.high, own).text();
  return low == high ? std::string() : text.say("page.range", {{"low", low}, {"high", high}});
}

std::string source_title(Id source, const Text& text) {
  const std::string own = concat({"cite.", source});
  return text.has(own) ? text.say(own) : text.say("cite.other", {{"id", std::string(source)}});
}

Breakdown describe_compartments(const Inputs& inputs, const Result& result, const GpuNames& names, const Text& text) {
  const MethodResult& method = result.method(inputs.text(FieldId::method));
  const ByteUnit own = own_unit(method.id);
  const Numbers& numbers = text.numbers;
  Breakdown out;
  double all_bytes = 0;
  for (const Compartment& compartment : method.compartments) {
    out.rows.push_back(make_row(compartment, own, text));
    out.bytes += out.rows.back().bytes;
    all_bytes += published(compartment.total).likely;
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
  if (free_bytes > 0)
    out.free = FreeMemory{free_bytes, numbers.bytes(free_bytes, own), numbers.share(free_bytes / out.capacity_bytes)};
  out.title = text.say(free_bytes < 0 ? "page.compartments.over" : "page.compartments.on",
                       {{"gpus", names.counted(chosen.count, chosen.gpu)},
                        {"need", out.need},
                        {"capacity", numbers.bytes(out.capacity_bytes, own)}});
  if (chosen.count > 1) out.split = text.say(concat({"split.", method.split}));
  return out;
}

}  // namespace vramfit::shell
