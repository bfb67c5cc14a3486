// A small JSON writer: a general library costs more in wasm than the whole result is worth, and nothing is parsed here. It fills
// one buffer through a bare cursor; the standard string's checks per character made writing dearer than estimating.
#pragma once

#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "vramfit/share_string.h"

namespace vramfit {

class JsonWriter {
 public:
  void open(char bracket) {
    separate();
    put(bracket);
    fresh_ = true;
  }
  void close(char bracket) {
    room(1);
    put(bracket);
    fresh_ = false;
  }

  // Keys and ids are our own and need no escaping; text may be anything that is UTF-8.
  void key(std::string_view k) {
    id(k);
    put(':');
    fresh_ = true;
  }
  void id(std::string_view s) {
    separate(s.size() + 3);
    put('"');
    put(s);
    put('"');
  }
  void text(std::string_view s) {
    separate(2 * s.size() + 3);
    put('"');
    for (const char c : s) {
      if (c == '"' || c == '\\') put('\\');
      put(static_cast<unsigned char>(c) < 0x20 ? ' ' : c);
    }
    put('"');
  }
  void number(double v) {
    separate(32);
    if (!(std::fabs(v) < 1e27)) return put("null");
    if (v < 0) put('-'), v = -v;
    // Digits end at 1e18; what is larger is written in whole billions.
    const bool large = v >= 1e18;
    used_ += write_decimal(&buffer_[used_], large ? std::floor(v / 1e9) : v);
    if (large) put("e9");
  }
  void boolean(bool b) {
    separate(8);
    put(b ? std::string_view("true") : std::string_view("false"));
  }
  void null() {
    separate(8);
    put("null");
  }

  void member(std::string_view k, Id v) { key(k), id(v); }
  void member(std::string_view k, const std::string& v) { key(k), text(v); }
  void member(std::string_view k, const char* v) = delete;  // would be taken for a boolean
  void member(std::string_view k, double v) { key(k), number(v); }
  void member(std::string_view k, int v) { key(k), number(v); }
  void member(std::string_view k, bool v) { key(k), boolean(v); }

  std::string_view written() const { return {buffer_.get(), used_}; }

 private:
  void room(std::size_t more) {
    if (used_ + more <= capacity_) return;
    capacity_ = 2 * (used_ + more) + 16384;
    std::unique_ptr<char[]> larger(new char[capacity_]);
    if (used_ > 0) std::memcpy(larger.get(), buffer_.get(), used_);
    buffer_ = std::move(larger);
  }
  // Makes room for `more` bytes beside the comma.
  void separate(std::size_t more = 1) {
    room(more + 2);
    if (!fresh_) put(',');
    fresh_ = false;
  }
  void put(char c) { buffer_[used_++] = c; }
  void put(std::string_view s) {
    char* const to = &buffer_[used_];
    for (std::size_t i = 0; i < s.size(); ++i) to[i] = s[i];
    used_ += s.size();
  }

  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
  bool fresh_ = true;
};

}  // namespace vramfit
