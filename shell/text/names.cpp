#include "names.h"

#include "published.h"
#include "vramfit/catalog.h"

namespace vramfit::shell {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

bool drop_end(std::string_view& text, std::string_view end) {
  if (text.size() < end.size() || text.substr(text.size() - end.size()) != end) return false;
  text.remove_suffix(end.size());
  return true;
}

// Without the makers' series names that the rest of the name implies: "GeForce RTX 4090", "Instinct MI300X".
std::string_view without_series(std::string_view name) {
  for (const std::string_view series : {"GeForce ", "Radeon ", "Instinct "}) {
    if (!starts_with(name, series)) continue;
    const std::string_view rest = name.substr(series.size());
    for (const std::string_view start : {"RT ", "RX ", "RTX ", "RXX ", "MI"})
      if (starts_with(rest, start)) return rest;
  }
  return name;
}

// " 80GB", " 80 GB"
void drop_memory(std::string_view& name) {
  std::string_view rest = name;
  if (!drop_end(rest, "GB")) return;
  drop_end(rest, " ");
  const std::size_t with_digits = rest.size();
  while (!rest.empty() && is_digit(rest.back())) rest.remove_suffix(1);
  if (rest.size() < with_digits && drop_end(rest, " ")) name = rest;
}

// " SXM", " SXM5", " PCIe"
void drop_socket(std::string_view& name) {
  if (drop_end(name, " PCIe")) return;
  std::string_view rest = name;
  if (!rest.empty() && is_digit(rest.back())) rest.remove_suffix(1);
  if (drop_end(rest, " SXM") || drop_end(name, " SXM")) name = name.substr(0, rest.size());
}

// What a card is called where nothing else is meant by it.
std::string stem_of(std::string_view name) {
  std::string plain(name);
  const std::size_t aside = plain.find(" (");
  const std::size_t end = plain.find(')', aside);
  if (aside != std::string::npos && end != std::string::npos) plain.erase(aside, end + 1 - aside);
  std::string_view stem = without_series(plain);
  drop_memory(stem);
  drop_socket(stem);
  return std::string(stem);
}

// What it shares with cards that differ in socket and memory only. A name has one socket: what stem_of() left is NVL or none.
std::string family_of(std::string_view stem) {
  drop_end(stem, " NVL");
  return std::string(stem);
}

struct BriefName {
  std::string text;
  std::size_t first = 0;  // index of the first GPU called that
};

std::vector<BriefName> make_brief_names() {
  const auto all = gpus();
  std::vector<std::string> stems(all.size()), families(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    stems[i] = stem_of(all[i].name);
    families[i] = family_of(stems[i]);
  }
  std::vector<BriefName> names(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool several_sizes = false;
    for (std::size_t j = 0; j < all.size(); ++j)
      several_sizes = several_sizes || (families[j] == families[i] && all[j].marketed.value != all[i].marketed.value);
    const bool sized = several_sizes && stems[i] == families[i];
    names[i].text = sized ? concat({stems[i], " ", plain_digits(all[i].marketed.value), " GB"}) : stems[i];
    for (std::size_t& first = names[i].first; names[first].text != names[i].text;) ++first;
  }
  return names;
}

}  // namespace

std::string counted_name(int count, std::string_view name) { return concat({plain_digits(count), "x ", name}); }

GpuNames::GpuNames(std::span<const FitRow> compared) : names_(gpus().size()) {
  static const std::vector<BriefName> brief = make_brief_names();
  std::vector<int> uses(brief.size());
  for (const FitRow& row : compared) ++uses[brief[row.gpu].first];
  for (std::size_t i = 0; i < brief.size(); ++i)
    names_[i] = uses[brief[i].first] > 1 ? gpus()[i].name : std::string_view(brief[i].text);
}

std::string model_name(const ModelSummary& model, const Text& text) {
  if (!model.name.empty()) return std::string(model.name);
  return text.say("answer.bare", {{"params", text.numbers.params(published(model.stated_params))}});
}

Id weights_group(Id weights) {
  const auto numbered = [&](std::string_view start) {
    return starts_with(weights, start) && weights.size() > start.size() && is_digit(weights[start.size()]);
  };
  const auto starts_with_any = [&](std::initializer_list<std::string_view> starts) {
    for (const std::string_view start : starts)
      if (starts_with(weights, start)) return true;
    return false;
  };
  if (weights == "native") return "native";
  if (numbered("q") || numbered("iq") || numbered("tq") || weights == "f16" || weights == "mxfp4_moe") return "gguf";
  if (weights == "fp32" || weights == "bf16" || weights == "fp16") return "16";
  if (starts_with_any({"fp8", "int8"})) return "8";
  return starts_with_any({"int4", "nf4", "mxfp4", "nvfp4", "fp4"}) ? "4" : "other";
}

}  // namespace vramfit::shell
