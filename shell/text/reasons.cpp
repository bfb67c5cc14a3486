#include "reasons.h"

#include "published.h"

namespace vramfit::shell {

std::string reason_text(Id reason, double number, std::span<const int> counts, const Text& text) {
  std::vector<std::string> written;
  for (const int count : counts) written.push_back(text.numbers.number(count));
  return text.say(text.has_word("reason.", reason) ? concat({"reason.", reason}) : "reason.other",
                  {{"number", text.numbers.number(published(number))},
                   {"counts", text.numbers.list_or(written)},
                   {"count", static_cast<int>(counts.size())}});
}

std::string cause_text(Id cause, const Text& text) {
  if (cause.empty()) return {};
  return text.say(text.has_word("cause.", cause) ? concat({"cause.", cause}) : "cause.other", {{"id", cause}});
}

std::string host_limit_text(int max_per_node, const Text& text) {
  return text.say("reason.node-limit", {{"count", max_per_node}});
}

}  // namespace vramfit::shell
