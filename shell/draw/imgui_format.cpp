// The two text functions that draw/imgui_config.h takes from ImGui.
#include "imgui.h"
#include "imgui_internal.h"

#if defined(__EMSCRIPTEN__)
// musl's variant that knows no floating numbers: ImGui's own names and lists hold none.
extern "C" int vsniprintf(char* out, std::size_t size, const char* format, std::va_list arguments);
#else
#define vsniprintf std::vsnprintf
#endif

int ImFormatStringV(char* buf, std::size_t buf_size, const char* fmt, std::va_list args) {
  const int wanted = vsniprintf(buf, buf_size, fmt, args);
  if (!buf) return wanted;
  const int last = static_cast<int>(buf_size) - 1;
  const int written = wanted < 0 || wanted > last ? last : wanted;
  buf[written] = 0;
  return written;
}

int ImFormatString(char* buf, std::size_t buf_size, const char* fmt, ...) {
  std::va_list args;
  va_start(args, fmt);
  const int written = ImFormatStringV(buf, buf_size, fmt, args);
  va_end(args);
  return written;
}

namespace vramfit::shell {
int no_scan(const char*, const char*, ...) { return 0; }
}  // namespace vramfit::shell
