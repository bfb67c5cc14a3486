// What everything here is said with: one language's sentences and numbers in one reader's units. Make one and keep it until the
// language or the units change.
#pragma once

#include "messages.h"
#include "numbers.h"

namespace vramfit::shell {

struct Text {
  Messages messages;
  Numbers numbers;

  Text(std::string table, Language language, Units units) : messages(std::move(table), language), numbers(language, units) {}

  bool has(std::string_view key) const { return messages.has(key); }
  std::string say(std::string_view key, std::initializer_list<Filling> fillings = {}) const {
    return messages.say(key, fillings);
  }
};

}  // namespace vramfit::shell
