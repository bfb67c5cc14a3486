#include "vramfit/share_string.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace vramfit {
namespace {

// The page's own keys, with what is known of their values: all of it, or for a language what stands before the region.
constexpr Id languages[] = {"en", "es", "pt"};
constexpr Id themes[] = {"auto", "light", "dark"};
constexpr Id unit_choices[] = {"auto", "GB", "GiB"};
struct ViewKey {
  Id key;
  std::span<const Id> known;
};
constexpr ViewKey view_keys[] = {{"lang", languages}, {"theme", themes}, {"units", unit_choices}, {"embed", {}}, {"view", {}}};

bool unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' ||
         c == '~' || c == ',' || c == ':' || c == '(' || c == ')' || c == ';';
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Length of the well-formed UTF-8 sequence at `at`, 0 when there is none.
std::size_t utf8_length(std::string_view s, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned lead = byte(at);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7F ? 1 : 0;
  if (lead >= 0xC2 && lead <= 0xDF) return tail(at + 1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (!tail(at + 1) || !tail(at + 2)) return 0;
    if (lead == 0xE0 && byte(at + 1) < 0xA0) return 0;
    if (lead == 0xED && byte(at + 1) > 0x9F) return 0;  // surrogates
    return 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (!tail(at + 1) || !tail(at + 2) || !tail(at + 3)) return 0;
    if ((lead == 0xF0 && byte(at + 1) < 0x90) || (lead == 0xF4 && byte(at + 1) > 0x8F)) return 0;
    return 4;
  }
  return 0;
}

// Percent-decodes; false, with `out` left as typed (and made printable), when an escape or the text it makes is malformed.
bool decode(std::string_view text, std::string& out) {
  out.clear();
  bool good = true;
  for (std::size_t i = 0; i < text.size() && good; ++i) {
    if (text[i] == '+') {
      out += ' ';
    } else if (text[i] == '%') {
      const int high = i + 1 < text.size() ? hex_digit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
      good = high >= 0 && low >= 0;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += text[i];
    }
  }
  for (std::size_t i = 0; i < out.size() && good;) {
    const std::size_t n = utf8_length(out, i);
    good = n > 0;
    i += n;
  }
  if (good) return true;
  out.clear();
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t n = utf8_length(text, i);
    if (n == 0) out += '?', ++i;
    else out += text.substr(i, n), i += n;
  }
  return false;
}

void encode(std::string_view text, std::string& out) {
  static constexpr char digits[] = "0123456789ABCDEF";
  for (const char c : text) {
    if (unreserved(c)) {
      out += c;
    } else {
      out += '%';
      out += digits[static_cast<unsigned char>(c) >> 4];
      out += digits[static_cast<unsigned char>(c) & 15];
    }
  }
}

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return s;
}

// Ids have no capitals, people type them. Lists have no spaces beside their marks ("h200, l40s : 0.97"): a link would escape
// them.
std::string as_kept(std::string_view typed, bool list) {
  const auto mark = [&](char c) { return list && (c == ',' || c == ':'); };
  std::string out;
  for (const char c : typed) {
    while (mark(c) && !out.empty() && out.back() == ' ') out.pop_back();
    if (c == ' ' && !out.empty() && mark(out.back())) continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

double suffix_factor(FieldKind kind, char c) {
  if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  const bool tokens = kind == FieldKind::tokens;
  if (kind == FieldKind::number) return 0;
  if (c == 'k') return tokens ? 1024 : 1e3;
  if (c == 'm') return tokens ? 1024 * 1024 : 1e6;
  if (c == 'b' && !tokens) return 1e9;
  if (c == 't' && !tokens) return 1e12;
  return 0;
}

// Hands a key of the page's on; false when `key` is none.
bool set_view(ShareResult& result, Id key, std::string_view value) {
  const ViewKey* found = nullptr;
  for (const ViewKey& v : view_keys)
    if (v.key == key) found = &v;
  if (!found) return false;
  for (const auto& other : result.view) {
    if (other.first != key) continue;
    note(result.notices, Severity::warning, "duplicate-key", key, value);
    return true;
  }
  result.view.emplace_back(key, value);
  std::string known = as_kept(value, false);
  known.resize(std::min(known.find('-'), known.size()));
  const std::string_view meant = key == "lang" ? std::string_view(known) : value;
  if (!found->known.empty() && std::find(found->known.begin(), found->known.end(), meant) == found->known.end() && !value.empty())
    note(result.notices, Severity::warning, "unknown-view", key, value);
  return true;
}

void set_number(ShareResult& result, FieldId id, std::string_view typed) {
  const Field& f = field(id);
  double number = 0;
  if (typed.empty() && f.optional) return result.inputs.set(id, 0.0);
  if (!parse_number(f.kind, typed, number)) {
    note(result.notices, Severity::error, "not-a-number", f.key, typed, f.default_number);
    return;
  }
  double used = std::clamp(number, f.minimum, f.maximum);
  if (used != number) {
    note(result.notices, Severity::warning, "out-of-range", f.key, typed, used);
  } else if (f.whole && used != std::floor(used)) {
    used = std::floor(used);
    note(result.notices, Severity::warning, "not-whole", f.key, typed, used);
  }
  if (f.kind == FieldKind::params) used = std::floor(used);
  // Kept to what the canonical form can write.
  parse_number(f.kind, format_number(f.kind, used), used);
  result.inputs.set(id, used);
}

}  // namespace

bool parse_number(FieldKind kind, std::string_view text, double& out) {
  text = trimmed(text);
  bool negative = false;
  if (!text.empty() && text.front() == '-') negative = true, text.remove_prefix(1);
  if (text.empty()) return false;
  const double factor = suffix_factor(kind, text.back());
  if (factor > 0) text.remove_suffix(1);
  if (text.empty() || text.size() > 40) return false;

  // Fifteen significant digits are exact in a double, and so is their division by a power of ten up to 1e22, correctly rounded.
  double mantissa = 0;
  double scale = 1;
  int digits = 0;
  bool point = false;
  bool any = false;
  for (const char c : text) {
    if (c == '.') {
      if (point) return false;
      point = true;
    } else if (c >= '0' && c <= '9') {
      any = true;
      if (digits > 0 || c != '0') ++digits;
      if (digits > 15) {
        if (!point) mantissa *= 10;  // beyond every field's range: only the magnitude matters
        continue;
      }
      mantissa = mantissa * 10 + (c - '0');
      if (point) scale *= 10;
    } else {
      return false;
    }
  }
  if (!any || scale > 1e22) return false;
  const double value = factor > 0 ? mantissa * factor / scale : mantissa / scale;
  out = negative ? -value : value;
  return true;
}

std::string format_number(FieldKind kind, double value) {
  char digits[max_decimal_length];
  if (kind == FieldKind::params) {
    for (const auto& [suffix, factor] : {std::pair{'t', 1e12}, {'b', 1e9}, {'m', 1e6}}) {
      const double thousandths = value / (factor / 1e3);
      if (value < factor || thousandths != std::floor(thousandths)) continue;
      std::size_t n = write_decimal(digits, value / factor);
      digits[n++] = suffix;
      return std::string(digits, n);
    }
  }
  return std::string(digits, write_decimal(digits, value));
}

std::size_t write_decimal(char* out, double value) {
  double whole = std::floor(value);
  auto micro = static_cast<std::uint32_t>((value - whole) * 1e6 + 0.5);
  if (micro >= 1000000) whole += 1, micro = 0;

  // Nine digits at a time, since 64-bit division is dear. A double below 2^53 splits exactly; the quotient may round up by one.
  constexpr double billion = 1e9;
  char reversed[20];
  std::size_t n = 0;
  while (whole >= billion) {
    double rest = std::floor(whole / billion);
    if (rest * billion > whole) rest -= 1;
    auto low = static_cast<std::uint32_t>(whole - rest * billion);
    for (int i = 0; i < 9; ++i, low /= 10) reversed[n++] = static_cast<char>('0' + low % 10);
    whole = rest;
  }
  auto high = static_cast<std::uint32_t>(whole);
  do reversed[n++] = static_cast<char>('0' + high % 10);
  while (high /= 10);
  char* to = out;
  while (n > 0) *to++ = reversed[--n];

  if (micro > 0) {
    int places = 6;
    for (; micro % 10 == 0; micro /= 10) --places;
    *to = '.';
    for (int i = places; i > 0; --i, micro /= 10) to[i] = static_cast<char>('0' + micro % 10);
    to += places + 1;
  }
  return static_cast<std::size_t>(to - out);
}

ShareResult parse_share(std::string_view text) {
  ShareResult result;
  if (!text.empty() && (text.front() == '?' || text.front() == '#')) text.remove_prefix(1);
  // Escaped, a character takes three.
  constexpr std::size_t max_typed = 4 * max_share_length;
  bool too_long = text.size() > max_typed;
  if (too_long) {
    const std::size_t end = text.rfind('&', max_typed);
    text = text.substr(0, end == std::string_view::npos ? 0 : end);
  }
  std::size_t room = max_share_length;

  bool seen[num_fields] = {};
  bool model_seen = false;
  std::string key, value;
  for (std::size_t start = 0; start <= text.size();) {
    std::size_t end = text.find('&', start);
    if (end == std::string_view::npos) end = text.size();
    const std::string_view pair = text.substr(start, end - start);
    start = end + 1;
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const bool key_good = decode(pair.substr(0, equals), key);
    const bool value_good = decode(equals < pair.size() ? pair.substr(equals + 1) : std::string_view{}, value);
    const bool good = key_good && value_good;
    const Field* f = find_field(key);
    const std::size_t length = f ? f->numeric() ? 0 : value.size() : key.size() + value.size() + 1;
    if (length > room) {
      too_long = true;
      break;
    }
    if (!good) note(result.notices, Severity::warning, "bad-encoding", key, value);
    if (key == "v") {
      if (value == "1") continue;
      // It stays in the string, which means something else without it.
      note(result.notices, Severity::error, "unsupported-version", "v", value, 1);
      result.unknown.emplace_back(key, value);
      room -= length;
      continue;
    }
    if (set_view(result, key, value)) continue;
    if (!f) {
      room -= length;
      if (good) note(result.notices, Severity::warning, "unknown-key", key, value);
      result.unknown.emplace_back(key, value);
      continue;
    }
    const auto id = static_cast<FieldId>(f - fields().data());
    if (seen[static_cast<int>(id)]) {
      note(result.notices, Severity::warning, "duplicate-key", key, value);
      continue;
    }
    seen[static_cast<int>(id)] = true;
    room -= length;
    model_seen = model_seen || id == FieldId::model;
    if (f->numeric()) {
      set_number(result, id, trimmed(value));
    } else {
      std::string_view typed = trimmed(value);
      if (typed.empty() && !f->optional) typed = f->default_text;
      if (f->kind == FieldKind::text) result.inputs.set(id, typed);
      else result.inputs.set(id, as_kept(typed, f->kind == FieldKind::gpu_list));
    }
  }
  if (too_long) note(result.notices, Severity::warning, "too-long", "", "", double(max_share_length));
  // A bare size stands for a model of its own, so `params=70b` alone does not mean the default model.
  if (!model_seen && seen[static_cast<int>(FieldId::params)] && !result.inputs.imported()) result.inputs.set(FieldId::model, "");
  return result;
}

std::string format_share(const Inputs& inputs, const std::vector<std::pair<std::string, std::string>>& unknown) {
  std::string out;
  auto add = [&](std::string_view key, std::string_view value) {
    if (!out.empty()) out += '&';
    encode(key, out);
    out += '=';
    encode(value, out);
  };
  for (int i = 0; i < num_fields; ++i) {
    const auto id = static_cast<FieldId>(i);
    const Field& f = field(id);
    // A bare size is named by `params`, at its default too, and needs no model key; beside a stale size the model must be named.
    const bool bare = inputs.bare_size();
    const bool size_given = !inputs.is_default(FieldId::params);
    const bool write = id == FieldId::params  ? bare || size_given
                       : id == FieldId::model ? !bare && ((size_given && !inputs.imported()) || !inputs.is_default(id))
                                              : !inputs.is_default(id);
    if (!write) continue;
    if (f.numeric()) add(f.key, inputs.number(id) == 0 && f.optional ? std::string() : format_number(f.kind, inputs.number(id)));
    else add(f.key, inputs.text(id));
  }
  for (const auto& [key, value] : unknown) add(key, value);
  return out;
}

}  // namespace vramfit
