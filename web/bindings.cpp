// The module's whole border: two functions from text to JSON text. Text crosses in one copy each way, where an object would cross
// key by key; web/vramfit.mjs parses it, so that callers get plain objects with nothing to delete.
#include <emscripten/bind.h>

#include <string>

#include "result_json.h"

namespace {
std::string estimate(const std::string& share_string) { return vramfit::estimate_json(share_string); }
std::string catalog() { return vramfit::catalog_json(); }
}  // namespace

EMSCRIPTEN_BINDINGS(vramfit) {
  emscripten::function("estimate", &estimate);
  emscripten::function("catalog", &catalog);
}
