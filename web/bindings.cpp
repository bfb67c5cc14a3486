// The module's whole border: two functions from text to JSON text. Text crosses in one piece, where an object would cross key by
// key; web/vramfit.mjs parses it, so that callers get plain objects with nothing to delete. The answer leaves as a view of its
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

emscripten::val estimate(const std::string& share_string) { return bytes_of(vramfit::estimate_json(share_string)); }
emscripten::val catalog() { return bytes_of(vramfit::catalog_json()); }

}  // namespace

EMSCRIPTEN_BINDINGS(vramfit) {
  emscripten::function("estimate", &estimate);
  emscripten::function("catalog", &catalog);
}
