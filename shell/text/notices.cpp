#include "notices.h"

#include "nearest.h"
#include "published.h"
#include "vramfit/catalog.h"

namespace vramfit::shell {
namespace {

// A count of parameters, bytes or the figure of a field, by what the notice is about.
std::string used_text(const Notice& notice, const Numbers& numbers) {
  const double used = published(notice.used);
  if (notice.id == "mixture-resident" || notice.field == "params") return numbers.params(used);
  if (notice.id == "tower-separate-file") return numbers.bytes(used).text();
  for (const Id told :
       {"encoder-profile", "little-beside-budget", "quantize-at-load", "start-varies", "cache-copy", "llama-full-windows"})
    if (notice.id == told) return numbers.bytes(used, ByteUnit::gib).text();
  return numbers.number(used, 2);
}

std::string_view gpu_name(std::string_view id) {
  for (const GpuEntry& gpu : gpus())
    if (gpu.id == id) return gpu.name;
  return id;
}

}  // namespace

std::string notice_text(const Notice& notice, const Text& text) {
  std::string out = text.say(text.has_word("notice.", notice.id) ? concat({"notice.", notice.id}) : "notice.other",
                             {{"id", notice.id},
                              {"field", text.word_or("field.", notice.field, notice.field)},
                              {"value", notice.value},
                              {"used", used_text(notice, text.numbers)},
                              {"gpu", gpu_name(notice.value)}});
  std::string ids;
  const auto add = [&](const std::vector<Id>& near) {
    for (const Id id : near) ids += concat({ids.empty() ? "" : ", ", id});
  };
  if (notice.id == "unknown-model") add(nearest_models(notice.value));
  if (notice.id == "unknown-gpu") add(nearest_gpus(notice.value));
  if (!ids.empty()) out += ' ' + text.say("notice_hint.nearest", {{"ids", ids}});
  return out;
}

std::string severity_label(Severity severity, const Text& text) {
  return text.say(severity == Severity::error     ? "severity.error"
                  : severity == Severity::warning ? "severity.warning"
                                                  : "severity.info");
}

}  // namespace vramfit::shell
