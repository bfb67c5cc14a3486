// Reads lines and writes for each one line of JSON with what the canvas says: the native side of tests/web/words.test.mjs. Its
// argument is a price list as read_price_list() takes it.
//
//   table LANG TABLE             what to say everything in LANG with, lines separated by U+001F; before that, what is built in
//   words LANG UNITS SHARE       the description of a result
//   number LANG KIND VALUE ...   VALUE as `KIND` of a figure (number0 to number6, bytes-gb ...), one text a value
//   list LANG and|or ITEM ...    a list of items, separated by tabs
//   typed KEY TEXT ...           what a field makes of typed texts, separated by tabs
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "text/built_in.h"
#include "text/describe.h"
#include "text/field_text.h"
#include "text/nearest.h"
#include "vramfit/estimate.h"
#include "vramfit/share_string.h"

using namespace vramfit;
using namespace vramfit::shell;
using nlohmann::json;

namespace {

std::map<std::string, std::string> tables;
std::optional<PriceList> list;

const Text& text_in(const std::string& lang, const std::string& units) {
  static std::map<std::string, std::unique_ptr<Text>> texts;
  std::unique_ptr<Text>& text = texts[lang + ' ' + units];
  if (!text) {
    const Language language = match_language(lang, Language::en);
    text =
        std::make_unique<Text>(tables.count(lang) ? tables[lang] : built_in_table(language, lang), language, match_units(units));
  }
  return *text;
}

json words(const std::string& text) { return text.empty() ? json() : json(text); }
json words(const Figure& figure) { return words(figure.text()); }

std::string state_name(AnswerState state) {
  static const char* const names[] = {"fits", "tight", "none", "refused"};
  return names[static_cast<int>(state)];
}

json breakdown_json(const Breakdown& b) {
  json out = {{"count", b.count}, {"sum", b.bytes}, {"capacity", b.capacity_bytes}};
  out["need"] = words(b.need);
  out["needAll"] = words(b.need_all);
  out["title"] = words(b.title);
  out["split"] = words(b.split);
  out["free"] = b.free ? json{{"bytes", b.free->bytes}, {"figure", b.free->figure.text()}, {"share", b.free->share}} : json();
  out["rows"] = json::array();
  for (const CompartmentRow& row : b.rows) {
    json terms = json::array();
    for (const TermLine& term : row.terms)
      terms.push_back({{"text", term.text}, {"bytes", term.bytes.text()}, {"source", term.source}});
    out["rows"].push_back({{"id", row.id},
                           {"label", row.label},
                           {"bytes", row.bytes},
                           {"low", row.low_bytes},
                           {"high", row.high_bytes},
                           {"perGpu", row.per_gpu.text()},
                           {"all", row.all_gpus.text()},
                           {"range", words(row.range)},
                           {"share", row.share},
                           {"terms", terms}});
  }
  return out;
}

json row_json(const FitTable& table, const GpuRow& row, const Text& text) {
  json counts = json::array();
  for (int count = 1; count <= max_gpu_count; ++count) {
    const CountCell& cell = row.counts[count - 1];
    counts.push_back({{"count", count},
                      {"verdict", verdict_id(cell.verdict)},
                      {"reason", words(std::string(cell.reason))},
                      {"label", count_label(table, row, count, text)},
                      {"chosen", cell.chosen},
                      {"why", words(count_reason(table, row, count))}});
  }
  json smallest;
  if (const auto& s = row.smallest)
    smallest = {{"count", s->count},
                {"verdict", verdict_id(s->verdict)},
                {"gpus", s->gpus},
                {"room", words(s->room)},
                {"free", s->free},
                {"cost", words(s->cost)},
                {"share", s->free_bytes / row.capacity_bytes},
                {"usd", s->usd_per_hour == no_price ? json() : json(s->usd_per_hour)}};
  return {{"id", gpus()[row.gpu].id},
          {"name", row.name},
          {"short", row.short_name},
          {"vendor", gpus()[row.gpu].vendor},
          {"kind", form_id(gpus()[row.gpu].form)},
          {"gb", gpus()[row.gpu].marketed.value},
          {"form", row.form},
          {"marketed", row.marketed},
          {"usable", row.usable},
          {"price", row.price.empty() ? json() : json{{"perGpu", row.price.text()}, {"note", row.price_note}}},
          {"counts", counts},
          {"smallest", smallest},
          {"limit", words(row.limit)},
          {"why", words(row.why)},
          {"capacity", row.capacity_bytes}};
}

json inputs_json(const Inputs& inputs, const Text& text) {
  json out = json::object();
  for (int i = 0; i < num_fields; ++i) {
    const auto id = static_cast<FieldId>(i);
    const Field& f = field(id);
    json& entry = out[std::string(f.key)] = {
        {"label", field_label(f, text)}, {"help", words(field_help(f, text))}, {"unit", words(field_unit(f, text))}};
    entry["group"] = group_label(f.group, text);
    if (id == FieldId::model || id == FieldId::gpu || id == FieldId::draft_model)
      entry["shown"] = searched_text(id, inputs.text(id), text);
    else if (f.numeric()) entry["shown"] = number_text(f, inputs.number(id), text);
    else entry["shown"] = choice_label(f, inputs.text(id), text);
    for (const Id choice : choices_of(f)) entry["choices"].push_back(choice_label(f, choice, text));
  }
  return out;
}

json describe_json(const std::string& lang, const std::string& units, const std::string& share_string) {
  ShareResult share = parse_share(share_string);
  const Result result = estimate(share.inputs, std::move(share.notices), list ? &*list : nullptr);
  const Text& text = text_in(lang, units);
  const Description d = describe(share.inputs, result, text);
  json out = {
      {"state", state_name(d.answer.state)}, {"sentence", d.answer.sentence}, {"inputs", inputs_json(share.inputs, text)}};
  out["notices"] = json::array();
  for (const NoticeLine& n : d.notices)
    out["notices"].push_back({{"severity", severity_label(n.severity, text)}, {"field", n.field}, {"text", n.text}});
  if (result.refused) return out;
  out["model"] = model_name(result.model, text);
  out["group"] = weights_group(result.weights);
  out["incomplete"] = words(d.breakdown.incomplete);
  out["compartments"] = breakdown_json(d.breakdown);
  out["fit"] = json::array();
  for (const GpuRow& row : d.fit.rows) out["fit"].push_back(row_json(d.fit, row, text));
  out["layoutNotes"] = d.fit.layout_notes;
  out["cheapest"] = words(d.fit.cheapest);
  return out;
}

std::string figure_text(const Numbers& numbers, const std::string& kind, double value) {
  if (kind.starts_with("number")) return numbers.number(value, kind.back() - '0');
  if (kind.starts_with("plain")) return numbers.plain(value, kind.back() - '0');
  if (kind == "GB") return numbers.in(ByteUnit::gb, value).text();
  if (kind == "GiB") return numbers.in(ByteUnit::gib, value).text();
  if (kind == "params") return numbers.params(value);
  if (kind == "percent") return numbers.percent(value);
  if (kind == "share") return numbers.share(value);
  if (kind == "usd") return numbers.usd_per_hour(value).text();
  return "?";
}

std::string cut(std::string& line, char end) {
  const std::size_t at = std::min(line.find(end), line.size());
  std::string piece = line.substr(0, at);
  line.erase(0, at + 1);
  return piece;
}

std::vector<std::string> pieces_of(std::string line, char end) {
  std::vector<std::string> pieces;
  while (!line.empty()) pieces.push_back(cut(line, end));
  return pieces;
}

json answer_to(std::string line) {
  const std::string command = cut(line, ' ');
  if (command == "words") {
    const std::string lang = cut(line, ' ');
    const std::string units = cut(line, ' ');
    return describe_json(lang, units, line);
  }
  json out = json::array();
  if (command == "table") {
    const std::string lang = cut(line, ' ');
    std::replace(line.begin(), line.end(), '\x1f', '\n');
    tables[lang] = line;
    return out;
  }
  if (command == "typed") {
    const Field& f = *find_field(cut(line, ' '));
    for (const std::string& typed : pieces_of(line, '\t')) {
      const auto text = read_typed(f, typed);
      const auto number = read_number(f, typed);
      out.push_back({text ? json(*text) : json(), number ? json(*number) : json()});
    }
    return out;
  }
  if (command == "nearest") {
    for (const Id id : nearest_models(line)) out.push_back(id);
    for (const Id id : nearest_gpus(line)) out.push_back(id);
    return out;
  }
  const Numbers& numbers = text_in(cut(line, ' '), "auto").numbers;
  const std::string kind = cut(line, ' ');
  if (command == "list") return kind == "and" ? numbers.list_and(pieces_of(line, '\t')) : numbers.list_or(pieces_of(line, '\t'));
  for (const std::string& value : pieces_of(line, ' '))
    out.push_back(kind == "date" ? numbers.date(value) : figure_text(numbers, kind, std::stod(value)));
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) list = read_price_list(argv[1]);
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);)
    std::cout << answer_to(line).dump(-1, ' ', false, json::error_handler_t::replace) << '\n';
}
