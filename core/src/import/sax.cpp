// UTF-8 as RapidJSON checks it: nothing longer than it has to be, no surrogates, nothing beyond U+10FFFF.
#include "import/sax.h"

namespace vramfit::importer {

bool valid_utf8(std::string_view text) {
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end) {
    if (end - p >= 8 && (eight_bytes(p) & top_bits) == 0) {
      p += 8;
      continue;
    }
    const auto first = static_cast<unsigned char>(*p++);
    if (first < 0x80) continue;
    if (first < 0xC2 || first > 0xF4) return false;
    const int more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    if (end - p < more) return false;
    const auto second = static_cast<unsigned char>(*p);
    const int low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const int high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (second < low || second > high) return false;
    for (int i = 1; i < more; ++i)
      if ((static_cast<unsigned char>(p[i]) & 0xC0) != 0x80) return false;
    p += more;
  }
  return true;
}

}  // namespace vramfit::importer
