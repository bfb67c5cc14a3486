#include "vramfit/format_table.h"

#include <algorithm>

namespace vramfit {
namespace {

constexpr double largest_number = 1e15;  // exact in a double

// Reads a table from the left.
struct Reader {
  std::string_view text;
  FormatTableResult& out;
  std::size_t at = 0;

  bool fail(const char* error, std::size_t where) {
    out.error = error;
    out.offset = where;
    return false;
  }

  bool take(char c) {
    if (at == text.size() || text[at] != c) return false;
    ++at;
    return true;
  }

  // Letters, digits, '_' and '-': nothing else is in an id.
  std::string_view word() {
    const std::size_t start = at;
    const auto is_part = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
    while (at < text.size() && is_part(text[at])) ++at;
    return text.substr(start, at - start);
  }

  bool number(double limit, double& value) {
    const std::size_t start = at;
    value = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && value <= limit; ++at) value = value * 10 + (text[at] - '0');
    return (at > start && value <= limit) || fail("formats-number", start);
  }

  bool rest() {
    const bool negative = take('-');
    if (!number(largest_number, out.stored.rest_bytes)) return false;
    if (negative) out.stored.rest_bytes = -out.stored.rest_bytes;
    return at == text.size() || fail("formats-order", at);
  }

  bool classes(std::uint32_t& bits) {
    do {
      const std::size_t start = at;
      const auto* const end = std::end(tensor_class_codes);
      const auto* const code = std::find(std::begin(tensor_class_codes), end, word());
      if (code == end) return fail("formats-name", start);
      bits |= std::uint32_t{1} << (code - tensor_class_codes);
    } while (take('.'));
    return true;
  }

  bool layers(StoredFormats::Span* spans, std::size_t& num_spans) {
    do {
      const std::size_t start = at;
      double first = 0;
      if (!number(last_layer, first)) return false;
      double last = first;
      if (take('-') && !number(last_layer, last)) return false;
      if (last < first) return fail("formats-number", start);
      if (num_spans == max_spans_of_section) return fail("formats-limit", start);
      spans[num_spans++] = {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(last)};
    } while (take(','));
    return true;
  }

  bool section() {
    StoredFormats& stored = out.stored;
    const std::size_t start = at;
    const auto formats = format_infos();
    const std::string_view id = word();
    if (id == "gguf" && start == 0) return stored.gguf = true;
    if (id.substr(0, 4) == "rest" && stored.num_sections > 0) return at = start + 4, rest();
    const auto found = std::find_if(formats.begin(), formats.end(), [&](const FormatInfo& f) { return f.id == id; });
    if (found == formats.end()) return fail("formats-name", start);
    const auto format = static_cast<Format>(found - formats.begin());
    if (stored.gguf ? !is_ggml(format) && format > Format::fp16 : is_ggml(format)) return fail("formats-gguf", start);
    double group = has_groups(format) ? default_group : 0;
    if (has_groups(format) && take('(')) {
      if (!number(0xFFFF, group)) return false;
      if (!take(')')) return fail("formats-name", at);
    }
    std::uint32_t bits = all_classes;
    StoredFormats::Span spans[max_spans_of_section];
    std::size_t num_spans = 0;
    if (stored.num_sections > 0) {
      if (!take(':')) return fail(at == text.size() || text[at] == ';' ? "formats-order" : "formats-name", at);
      bits = 0;
      if (!classes(bits) || (take('~') && !layers(spans, num_spans))) return false;
    } else if (at < text.size() && text[at] != ';') {
      return fail(text[at] == ':' ? "formats-order" : "formats-name", at);
    }
    return add_section(stored, format, static_cast<int>(group), bits, {spans, num_spans}) || fail("formats-limit", start);
  }

  void table() {
    do {
      if (!section()) return;
    } while (take(';'));
    if (at < text.size()) fail("formats-name", at);
    else if (out.stored.num_sections == 0) fail("formats-order", at);
  }
};

}  // namespace

FormatTableResult parse_format_table(std::string_view text) {
  FormatTableResult out;
  Reader{text, out}.table();
  return out;
}

bool add_section(StoredFormats& stored, Format format, int group, std::uint32_t classes,
                 std::span<const StoredFormats::Span> spans) {
  if (stored.num_sections == StoredFormats::max_sections || spans.size() > max_spans_of_section ||
      stored.num_spans + spans.size() > StoredFormats::max_spans)
    return false;
  stored.sections[stored.num_sections++] = {format, static_cast<std::uint8_t>(spans.size()), static_cast<std::uint16_t>(group),
                                            classes};
  for (const StoredFormats::Span& span : spans) stored.spans[stored.num_spans++] = span;
  return true;
}

const StoredFormats::Section& section_of(const StoredFormats& stored, TensorClass cls, int layer) {
  const StoredFormats::Section* found = stored.sections;
  const StoredFormats::Span* span = stored.spans;
  for (int i = 0; i < stored.num_sections; ++i) {
    const StoredFormats::Section& s = stored.sections[i];
    bool here = s.num_spans == 0;
    for (const auto* const end = span + s.num_spans; span < end; ++span) here |= layer >= span->first && layer <= span->last;
    if (here && s.classes & class_bit(cls)) found = &s;
  }
  return *found;
}

}  // namespace vramfit
