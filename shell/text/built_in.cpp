#include "built_in.h"

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

template <std::size_t N>
std::string_view text_of(const unsigned char (&bytes)[N]) {
  return {reinterpret_cast<const char*>(bytes), N - 1};
}

}  // namespace

std::string_view built_in_table(Language language) {
  switch (language) {
    case Language::en: return text_of(en);
    case Language::es: return text_of(es);
    case Language::pt_br: return text_of(pt_br);
  }
  return {};
}

}  // namespace vramfit::shell
