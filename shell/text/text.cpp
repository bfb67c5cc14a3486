#include "text.h"

namespace vramfit::shell {

Text::Text(std::string table, Language language, Units units) : messages(std::move(table), language), numbers(messages, units) {}

std::string Text::say(std::string_view key, std::initializer_list<Filling> fillings) const {
  return messages.say(key, {fillings.begin(), fillings.size()});
}

bool Text::has_word(std::string_view name_space, std::string_view id) const { return messages.has(concat({name_space, id})); }

std::string Text::word(std::string_view name_space, std::string_view id) const { return say(concat({name_space, id})); }

std::string Text::word_or(std::string_view name_space, std::string_view id, std::string_view otherwise) const {
  return has_word(name_space, id) ? word(name_space, id) : std::string(otherwise);
}

}  // namespace vramfit::shell
