// Reads JSON in place: texts are unescaped where they stand, and ids point into them. What is not as expected is passed over;
// what is no JSON ends the reading, and `failed` says so.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace vramfit::shell {

class JsonReader {
 public:
  explicit JsonReader(std::vector<char>& text) : at_(text.data()), end_(text.data() + text.size()) {}
  bool failed = false;

  // Calls f(key) for each member; `f` takes the value or leaves it.
  template <class F>
  void object(F&& f) {
    if (!enter('{')) return;
    for (bool first = true; next(first, '}');) {
      const std::string_view key = text();
      if (take() != ':') failed = true;
      const char* const value = at_;
      f(key);
      if (at_ == value) skip();
    }
    --depth_;
  }
  // Calls f(index) for each element.
  template <class F>
  void array(F&& f) {
    if (!enter('[')) return;
    int index = 0;
    for (bool first = true; next(first, ']');) {
      const char* const value = at_;
      f(index++);
      if (at_ == value) skip();
    }
    --depth_;
  }

  // Empty where there is none.
  std::string_view text() {
    if (peek() != '"') return skip(), std::string_view();
    char* const start = ++at_;
    char* to = start;
    while (at_ < end_ && *at_ != '"') {
      if (*at_ != '\\') *to++ = *at_++;
      else unescape(to);
    }
    if (at_ == end_) failed = true;
    else ++at_;
    return {start, static_cast<std::size_t>(to - start)};
  }

  // 0 where there is none.
  double number() {
    const char c = peek();
    if (c != '-' && !(c >= '0' && c <= '9')) return skip(), 0;
    const bool negative = c == '-';
    if (negative) ++at_;
    double mantissa = 0;
    digits(mantissa);
    int exponent = 0;
    if (at_ < end_ && *at_ == '.') ++at_, exponent = -digits(mantissa);
    if (at_ < end_ && (*at_ == 'e' || *at_ == 'E')) {
      ++at_;
      const bool down = at_ < end_ && *at_ == '-';
      if (at_ < end_ && (*at_ == '-' || *at_ == '+')) ++at_;
      double power = 0;
      digits(power);
      exponent += static_cast<int>(down ? -std::fmin(power, 400) : std::fmin(power, 400));
    }
    // A division by a power of ten rounds once, where a multiplication by its inverse would twice.
    double scale = 1;
    for (int i = 0; i < std::abs(exponent); ++i) scale *= 10;
    // No figure of the calculator's is larger.
    const double value = std::fmin(exponent < 0 ? mantissa / scale : mantissa * scale, 1e27);
    return negative ? -value : value;
  }

  bool boolean() {
    const bool yes = peek() == 't';
    skip();
    return yes;
  }
  bool null() { return peek() == 'n'; }

 private:
  static constexpr int most_depth = 16;

  char peek() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
    return at_ < end_ && !failed ? *at_ : '\0';
  }
  char take() {
    const char c = peek();
    if (c != '\0') ++at_;
    return c;
  }
  bool enter(char bracket) {
    if (peek() != bracket) return skip(), false;
    if (++depth_ > most_depth) failed = true;
    ++at_;
    return !failed;
  }
  bool next(bool& first, char bracket) {
    char c = peek();
    if (c == bracket) return ++at_, false;
    if (!first && take() != ',') failed = true;
    first = false;
    c = peek();
    if (c == '\0') failed = true;
    return !failed;
  }
  int digits(double& value) {
    int n = 0;
    for (; at_ < end_ && *at_ >= '0' && *at_ <= '9'; ++at_, ++n) value = value * 10 + (*at_ - '0');
    return n;
  }
  void unescape(char*& to) {
    ++at_;
    const char c = at_ < end_ ? *at_++ : '\0';
    if (c != 'u') {
      *to++ = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == 'b' ? '\b' : c == 'f' ? '\f' : c;
      return;
    }
    std::uint32_t code = 0;
    for (int i = 0; i < 4 && at_ < end_; ++i, ++at_) {
      const char h = *at_;
      code = code * 16 + static_cast<std::uint32_t>(h <= '9' ? h - '0' : (h | 0x20) - 'a' + 10);
    }
    // JSON.stringify() writes so what is below a space, and halves of pairs, which stand for nothing.
    if (code < 0x80) *to++ = static_cast<char>(code);
    else *to++ = '?';
  }
  // Over any value; what is no value fails.
  void skip() {
    const char c = peek();
    if (c == '"') text();
    else if (c == '{') object([](std::string_view) {});
    else if (c == '[') array([](int) {});
    else if (c == 't' || c == 'f' || c == 'n')
      while (at_ < end_ && *at_ >= 'a' && *at_ <= 'z') ++at_;
    else if (c == '-' || (c >= '0' && c <= '9')) number();
    else failed = true;
  }

  char* at_;
  char* const end_;
  int depth_ = 0;
};

}  // namespace vramfit::shell
