// The module's whole border: three functions from text to JSON text. Text crosses in one piece, where an object would cross key
// by key; web/vramfit.mjs parses it, so that callers get plain objects with nothing to delete. The answer leaves as a view of its
// bytes, since Embind's own string conversion looks at each one; the view holds until the next call.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <string>

#include "result_json.h"

namespace {

emscripten::val bytes_of(std::string text) {
  static std::string held;
  held = std::move(text);
  return emscripten::val(emscripten::typed_memory_view(held.size(), reinterpret_cast<const unsigned char*>(held.data())));
}

emscripten::val estimate(const std::string& share_string, const std::string& prices) {
  return bytes_of(vramfit::estimate_json(share_string, prices));
}
emscripten::val what_if(const std::string& share_string, const std::string& prices) {
  return bytes_of(vramfit::what_if_json(share_string, prices));
}
emscripten::val catalog() { return bytes_of(vramfit::catalog_json()); }

}  // namespace

// Embind names an unbound type by its address, and for that alone the C library's whole formatting would be linked: 2 KB gzipped.
// No type here is unbound.
extern "C" int siprintf(char* out, const char*, ...) {
  *out = 0;
  return 0;
}

EMSCRIPTEN_BINDINGS(vramfit) {
  emscripten::function("estimate", &estimate);
  emscripten::function("what_if", &what_if);
  emscripten::function("catalog", &catalog);
}
