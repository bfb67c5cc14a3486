// What everything here is said with: one language's sentences and numbers in one reader's units. Make one and keep it until the
// language or the units change.
#pragma once

#include "messages.h"
#include "numbers.h"

namespace vramfit::shell {

struct Text {
  Messages messages;
  Numbers numbers;

  Text(std::string table, Language language, Units units);

  std::string say(std::string_view key, std::initializer_list<Filling> fillings = {}) const;

  // The message of an id: word("verdict.", "fits").
  std::string word(std::string_view name_space, std::string_view id) const;
  // The same, or `otherwise` where the id has none.
  std::string word_or(std::string_view name_space, std::string_view id, std::string_view otherwise) const;
  bool has_word(std::string_view name_space, std::string_view id) const;
};

}  // namespace vramfit::shell
