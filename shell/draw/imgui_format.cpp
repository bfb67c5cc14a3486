// The two text functions that draw/imgui_config.h takes from ImGui.
#include <cstdlib>
#include <cstring>

#include "imgui.h"
#include "imgui_internal.h"

// ImGui names its windows with %s, %d, %02d and %08X. The C library's printf would be 2 KB more to download. What else there may
// be in a format is copied as it stands.
namespace {

struct Writer {
  char* out;
  std::size_t room;
  int wanted = 0;

  void put(char c) {
    if (out && room > 1) *out++ = c, --room;
    ++wanted;
  }
  void put(const char* text) {
    while (*text) put(*text++);
  }
  void put(unsigned value, unsigned base, int digits) {
    char reversed[12];
    int length = 0;
    for (; value > 0 || length < digits; value /= base) reversed[length++] = "0123456789ABCDEF"[value % base];
    while (length > 0) put(reversed[--length]);
  }
};

}  // namespace

int ImFormatStringV(char* buf, std::size_t buf_size, const char* fmt, std::va_list args) {
  Writer writer{buf, buf_size};
  while (*fmt) {
    if (*fmt != '%') {
      writer.put(*fmt++);
      continue;
    }
    const char* letter = fmt + 1;
    int digits = 1;
    if (*letter == '0' && letter[1] >= '1' && letter[1] <= '9') digits = letter[1] - '0', letter += 2;
    if (*letter == 's') writer.put(va_arg(args, const char*));
    else if (*letter == 'd') writer.put(va_arg(args, unsigned), 10, digits);
    else if (*letter == 'X' || *letter == 'x') writer.put(va_arg(args, unsigned), 16, digits);
    else letter = fmt, writer.put('%');
    fmt = letter + 1;
  }
  if (buf) *writer.out = 0;
  // As ImGui's own: what was written, or without a buffer what would be.
  return buf && writer.wanted >= static_cast<int>(buf_size) ? static_cast<int>(buf_size) - 1 : writer.wanted;
}

int ImFormatString(char* buf, std::size_t buf_size, const char* fmt, ...) {
  std::va_list args;
  va_start(args, fmt);
  const int written = ImFormatStringV(buf, buf_size, fmt, args);
  va_end(args);
  return written;
}

namespace vramfit::shell {

// "#version 300 es" by "#version %d"; no other format.
int scan_version(const char* text, const char* format, int* version) {
  constexpr char prefix[] = "#version ";
  constexpr std::size_t length = sizeof prefix - 1;
  if (std::strncmp(format, prefix, length) != 0 || std::strncmp(text, prefix, length) != 0) return 0;
  *version = std::atoi(text + length);
  return 1;
}

}  // namespace vramfit::shell
