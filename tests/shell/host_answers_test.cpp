// The canvas in a page reads its answers and its catalogue from the page's calculator: what it says of them is what it would say
// of its own, and whatever else comes in does no harm.
#include <nlohmann/json.hpp>
#include <random>

#include "app/answers.h"
#include "host/read_answers.h"
#include "result_json.h"
#include "support.h"
#include "text/describe.h"
#include "vramfit/share_string.h"

using namespace vramfit;
using namespace vramfit::shell;
using namespace vramfit::shell::test;
using nlohmann::json;

namespace {

std::vector<char> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

// As web/vramfit.mjs hands it on.
std::string spelled_out(const std::string& text) {
  json result = json::parse(text);
  if (result["refused"]) return result.dump();
  const json& layouts = result["methods"][result["method"].get<std::string>()]["layouts"];
  for (json& row : result["fit"]) {
    const std::string letters = row["verdicts"];
    json words = json::array();
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const char c = letters[i];
      const std::string cause = row.contains("causes") ? row["causes"][i].get<std::string>() : std::string();
      words.push_back(c == 'f'        ? "fits"
                      : c == 't'      ? "tight"
                      : c == 'n'      ? "does-not-fit"
                      : c == 'l'      ? "node-limit"
                      : cause.empty() ? layouts[i].value("reason", std::string())
                                      : cause);
    }
    row["verdicts"] = words;
  }
  return result.dump();
}

Answers read(const std::string& estimate, const std::string& what_if) {
  Answers out;
  out.estimate_text = bytes_of(estimate);
  out.what_if_text = bytes_of(what_if);
  read_answers(out);
  return out;
}

std::string said(const Answers& answers, const Inputs& inputs, const Text& text) {
  const Description d = describe(inputs, answers.result, text);
  std::string out = d.answer.sentence;
  const auto add = [&](const std::string& more) { out += "\n" + more; };
  for (const NoticeLine& n : d.notices) add(n.field + ": " + n.text);
  add(d.breakdown.title), add(d.breakdown.incomplete), add(d.breakdown.split), add(d.breakdown.need_all.text());
  for (const CompartmentRow& row : d.breakdown.rows) {
    add(row.label + " " + row.per_gpu.text() + " " + row.all_gpus.text() + " " + row.range + " " + row.share);
    for (const TermLine& term : row.terms) add(term.text + " = " + term.bytes.text() + ", " + term.source);
  }
  for (const GpuRow& row : d.fit.rows) {
    add(row.name + " " + row.price.text() + " " + row.price_note + " " + row.limit);
    if (row.smallest) add(row.smallest->gpus + " " + row.smallest->free + " " + row.smallest->cost.text());
    for (const CountCell& cell : row.counts) add(std::string(verdict_id(cell.verdict)) + (cell.chosen ? " chosen" : ""));
  }
  for (const std::string& note : d.fit.layout_notes) add(note);
  add(d.fit.cheapest);
  for (const bool matters : answers.applies) out += matters ? '1' : '0';
  const WhatIf& w = answers.what_if;
  add(std::to_string(w.count));
  for (const Id id : w.missing) add(std::string(id));
  for (const WhatIfCard& c : w.cards)
    add(std::to_string(c.gpu) + " " + std::to_string(c.count) + " " + std::to_string(std::round(c.capacity_bytes)));
  for (const WhatIfAxis& a : w.axes) {
    add(std::string(field(a.field).key) + " " + std::to_string(a.value));
    for (const double v : a.values) out += " " + std::to_string(v);
    for (const WhatIfLine& l : a.lines) {
      add(std::string(l.kv) + (l.chosen ? " chosen" : ""));
      for (const Range& r : l.need)
        out += " " + std::to_string(std::ceil(r.low)) + " " + std::to_string(std::ceil(r.likely)) + " " +
               std::to_string(std::ceil(r.high));
      for (const WhatIfLimit& limit : l.limits) out += " " + std::to_string(limit.fits) + " " + std::to_string(limit.runs);
    }
  }
  return out;
}

}  // namespace

TEST_CASE("host: what is read of the page's answers is what the calculator itself would say") {
  const Text text = text_in(Language::en);
  std::vector<std::string> shares = {"",
                                     "method=worksheet",
                                     "model=nope",
                                     "model=&params=8b&method=worksheet",
                                     "gpu=h100-sxm&count=3",
                                     "model=deepseek-v3&gpus=all&context=32k&method=worksheet",
                                     "model=qwen3-32b&task=qlora",
                                     "method=engine",
                                     "method=engine&model=llama-3.1-8b&gpus=all&gpu=h100-sxm&count=2",
                                     "method=engine&model=qwen3-32b&weights=q4_k_m&gpus=consumer&engine=ollama",
                                     "method=engine&model=deepseek-v3&gpus=datacenter&context=32k&sequences=8",
                                     "model=llama-3.1-70b&weights=q4_k_m&gpus=consumer&gpu=rtx-4090&count=3&method=worksheet",
                                     "gpus=h200:3.20,%22%5Cx%0a:1&foo=%22b%5Car%22",
                                     "context=99999999&sequences=4096&gpus=all",
                                     "model=qwen3-30b-a3b&method=worksheet&kv=fp8&prices=akash&gpus=datacenter"};
  std::mt19937 random(3);
  for (int i = 0; i < 60; ++i)
    shares.push_back("model=" + std::string(models()[random() % models().size()].id) +
                     "&context=" + std::to_string(1 + random() % 200000) + "&sequences=" + std::to_string(1 + random() % 32) +
                     (random() % 2   ? "&method=worksheet"
                      : random() % 2 ? "&method=engine"
                                     : "") +
                     (random() % 2 ? "&gpus=all" : "") + (random() % 3 ? "" : "&weights=native"));
  for (const std::string& share : shares) {
    CAPTURE(share);
    const Inputs inputs = parse_share(share).inputs;
    const Answers own = answers_to(share, {});
    const Answers host = read(spelled_out(estimate_json(share)), what_if_json(share));
    CHECK(host.result.refused == own.result.refused);
    CHECK(said(host, inputs, text) == said(own, inputs, text));
  }
}

TEST_CASE("host: the catalogue") {
  const json all = json::parse(catalog_json());
  json given = {{"sets", json::array()}, {"books", json::array()}, {"models", all["models"]}, {"gpus", all["gpus"]}};
  for (const Id set : gpu_set_names()) given["sets"].push_back(set);
  for (const Id book : price_books()) given["books"].push_back(book);
  // The order of keys in an object is nobody's promise, but lists of names come first.
  const std::string text = "{\"sets\":" + given["sets"].dump() + ",\"books\":" + given["books"].dump() +
                           ",\"models\":" + given["models"].dump() + ",\"gpus\":" + given["gpus"].dump() + "}";
  HostCatalog read{bytes_of(text), {}, {}, {}, {}};
  REQUIRE(read_catalog(read));
  REQUIRE(read.models.size() == models().size());
  for (std::size_t i = 0; i < read.models.size(); ++i) {
    const ModelEntry &a = read.models[i], &b = models()[i];
    CAPTURE(b.id);
    const bool same = a.id == b.id && a.name == b.name && a.family == b.family && a.stated_params == b.stated_params &&
                      a.native == b.native && a.max_position_embeddings == b.max_position_embeddings;
    CHECK(same);
  }
  REQUIRE(read.gpus.size() == gpus().size());
  for (std::size_t i = 0; i < read.gpus.size(); ++i) {
    const GpuEntry &a = read.gpus[i], &b = gpus()[i];
    CAPTURE(b.id);
    const bool same = a.id == b.id && a.name == b.name && a.vendor == b.vendor && a.form == b.form && a.link == b.link &&
                      a.marketed.value == b.marketed.value && a.usable.value == b.usable.value && a.basis == b.basis &&
                      a.bandwidth_gbs == b.bandwidth_gbs && a.max_per_node == b.max_per_node && a.sets == b.sets;
    CHECK(same);
  }
  CHECK(std::equal(read.sets.begin(), read.sets.end(), gpu_set_names().begin(), gpu_set_names().end()));
  CHECK(std::equal(read.books.begin(), read.books.end(), price_books().begin(), price_books().end()));
}

TEST_CASE("host: anything else is refused and does no harm") {
  const Text text = text_in(Language::en);
  for (const std::string junk :
       {"", "{", "[]", "{}", "null", "\"", "{\"refused\":false", "{\"refused\":false,\"fit\":[{\"gpu\":\"h200\"", "{\"a\":\"\\",
        "{\"a\":\"\\u12", "{\"refused\":tru", "<!doctype html>"}) {
    CAPTURE(junk);
    const Answers answers = read(junk, junk);
    CHECK(answers.result.refused);
    CHECK(answers.what_if.refused);
    CHECK(!said(answers, Inputs(), text).empty());
    HostCatalog catalog{bytes_of(junk), {}, {}, {}, {}};
    CHECK_FALSE(read_catalog(catalog));
  }
  CHECK(read(std::string(100000, '['), std::string(100000, '{')).result.refused);
  // Cut off anywhere, or with a letter changed.
  const std::string whole = spelled_out(estimate_json("gpu=h200&count=2&method=worksheet"));
  const std::string what_if = what_if_json("gpu=h200&count=2&method=worksheet");
  std::mt19937 random(9);
  for (int i = 0; i < 3000; ++i) {
    std::string changed = i % 2 ? whole : what_if;
    if (i % 4 < 2) changed.resize(random() % changed.size());
    else changed[random() % changed.size()] = "\"{}[],:\\0ex"[random() % 11];
    CAPTURE(changed);
    const Answers answers = i % 2 ? read(changed, what_if) : read(whole, changed);
    CHECK_NOTHROW(said(answers, Inputs(), text));
  }
}
