#include "language.h"

namespace vramfit::shell {

Id language_id(Language language) {
  static constexpr Id ids[] = {"en", "es", "pt-BR"};
  return ids[static_cast<int>(language)];
}

Language match_language(std::string_view wanted, Language otherwise) {
  if (wanted.size() < 2 || (wanted.size() > 2 && wanted[2] != '-' && wanted[2] != '_')) return otherwise;
  const char lower[] = {static_cast<char>(wanted[0] | 0x20), static_cast<char>(wanted[1] | 0x20)};
  for (int i = 0; i < num_languages; ++i) {
    const auto language = static_cast<Language>(i);
    if (language_id(language).substr(0, 2) == std::string_view(lower, 2)) return language;
  }
  return otherwise;
}

Units match_units(std::string_view wanted) { return wanted == "GB" ? Units::gb : wanted == "GiB" ? Units::gib : Units::own; }

ByteUnit own_unit(Id method) { return method == "rule" ? ByteUnit::gb : ByteUnit::gib; }

}  // namespace vramfit::shell
