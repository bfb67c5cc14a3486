#include "built_in.h"

#include "numbers.h"

namespace vramfit::shell {
namespace {

// With a zero at the end, as an .inc file has it.
constexpr unsigned char en[] = {
#include "locale_en.inc"
};
constexpr unsigned char es[] = {
#include "locale_es.inc"
};
constexpr unsigned char pt_br[] = {
#include "locale_pt-BR.inc"
};

constexpr unsigned char marks[] = {
#include "locale_marks.inc"
};

template <std::size_t N>
std::string_view text_of(const unsigned char (&bytes)[N]) {
  return {reinterpret_cast<const char*>(bytes), N - 1};
}

std::string_view messages_in(Language language) {
  switch (language) {
    case Language::en: return text_of(en);
    case Language::es: return text_of(es);
    case Language::pt_br: return text_of(pt_br);
  }
  return {};
}

// The lines of a region; none where it is not among those built in.
std::string_view marks_of(std::string_view tag) {
  const std::string head = concat({"\n", tag, "\n"});
  const std::string_view all = text_of(marks);
  const std::size_t at = all.find(head);
  if (tag.empty() || at == std::string_view::npos) return {};
  const std::string_view lines = all.substr(at + head.size());
  return lines.substr(0, lines.find("\n\n") + 1);
}

}  // namespace

std::string built_in_table(Language language, std::string_view tag) {
  const std::string_view asked = match_language(tag, language) == language ? marks_of(tag) : std::string_view{};
  return concat({messages_in(language), asked.empty() ? marks_of(language_id(language)) : asked});
}

}  // namespace vramfit::shell
