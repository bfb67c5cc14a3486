// A small JSON writer: a general library costs more in wasm than the whole result is worth, and nothing is parsed here.
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "vramfit/share_string.h"

namespace vramfit {

class JsonWriter {
 public:
  std::string text;

  void open(char bracket) { separate(); text += bracket; fresh_ = true; }
  void close(char bracket) { text += bracket; fresh_ = false; }
  void key(std::string_view k) { string(k); text += ':'; fresh_ = true; }

  void string(std::string_view s) {
    separate();
    text += '"';
    for (const char c : s) {
      if (c == '"' || c == '\\') text += '\\', text += c;
      else if (static_cast<unsigned char>(c) < 0x20) text += ' ';
      else text += c;
    }
    text += '"';
  }
  void number(double v) {
    separate();
    if (!(std::fabs(v) < 1e18)) { text += "null"; return; }
    if (v < 0) text += '-', v = -v;
    text += format_number(FieldKind::number, v);
  }
  void boolean(bool b) { separate(); text += b ? "true" : "false"; }
  void null() { separate(); text += "null"; }

  void member(std::string_view k, std::string_view v) { key(k); string(v); }
  void member(std::string_view k, const char* v) { key(k); string(v); }
  void member(std::string_view k, double v) { key(k); number(v); }
  void member(std::string_view k, int v) { key(k); number(v); }
  void member(std::string_view k, bool v) { key(k); boolean(v); }

 private:
  void separate() {
    if (!fresh_) text += ',';
    fresh_ = false;
  }
  bool fresh_ = true;
};

}  // namespace vramfit
