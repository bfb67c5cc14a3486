// The module's whole border: three functions from text to JSON text. Text crosses as bytes in one piece: what comes in lies in
// Module.incoming, one text after the other, and what goes out is put into Module.outgoing, a view that holds until the next call.
// web/vramfit.mjs does both and parses the answer. (Embind would do the same for 7 KB of compressed script.)
#include <emscripten.h>

#include <string>

#include "result_json.h"

// clang-format off
EM_JS(void, take_incoming, (char* to), { HEAPU8.set(Module['incoming'], to); });
EM_JS(void, give_outgoing, (const char* from, int length), { Module['outgoing'] = HEAPU8.subarray(from, from + length); });
// clang-format on

namespace {

struct Question {
  std::string share_string;
  std::string prices;
};

Question incoming(int share_length, int prices_length) {
  std::string text(static_cast<std::size_t>(share_length + prices_length), '\0');
  take_incoming(text.data());
  const auto cut = static_cast<std::size_t>(share_length);
  return {text.substr(0, cut), text.substr(cut)};
}

void outgoing(std::string text) {
  static std::string held;
  held = std::move(text);
  give_outgoing(held.data(), static_cast<int>(held.size()));
}

}  // namespace

extern "C" {

// Lengths in bytes; no prices: those of the catalogue.
EMSCRIPTEN_KEEPALIVE void vramfit_estimate(int share_length, int prices_length) {
  const Question asked = incoming(share_length, prices_length);
  outgoing(vramfit::estimate_json(asked.share_string, asked.prices));
}

EMSCRIPTEN_KEEPALIVE void vramfit_what_if(int share_length, int prices_length) {
  const Question asked = incoming(share_length, prices_length);
  outgoing(vramfit::what_if_json(asked.share_string, asked.prices));
}

EMSCRIPTEN_KEEPALIVE void vramfit_catalog() { outgoing(vramfit::catalog_json()); }

}  // extern "C"
