#include "field_text.h"

#include <algorithm>
#include <cmath>

#include "vramfit/catalog.h"
#include "vramfit/share_string.h"

namespace vramfit::shell {

std::string field_label(const Field& field, const Text& text) { return text.word("field.", field.key); }
std::string field_help(const Field& field, const Text& text) { return text.word_or("help_field.", field.key, ""); }

std::string field_unit(const Field& field, const Text& text) {
  // Their fields are called by the unit already.
  for (const Id said : {"params", "layers", "sequences", "gpus"})
    if (field.unit == said) return {};
  return text.word_or("unit.", field.unit, "");
}

std::string group_label(FieldGroup group, const Text& text) {
  static constexpr Id ids[] = {"model", "precision", "workload", "training", "method", "hardware", "engine"};
  return text.word("group.", ids[static_cast<int>(group)]);
}

std::string choice_label(const Field& field, Id choice, const Text& text) {
  return text.word_or(concat({"choice.", field.key, "."}), choice, choice);
}

std::string searched_text(FieldId id, Id value, const Text& text) {
  if (value.empty())
    return text.say(id == FieldId::model ? "page.bare_model" : id == FieldId::gpu ? "page.none_chosen" : "page.by_program");
  if (id != FieldId::gpu) {
    const ModelEntry* entry = find_model(value);
    return std::string(entry ? entry->name : value);
  }
  for (const GpuEntry& gpu : gpus())
    if (gpu.id == value) return std::string(gpu.name);
  return std::string(value);
}

std::string number_text(const Field& field, double value, const Text& text) {
  constexpr int decimals = 6;
  if (field.optional && value == 0) return {};
  if (field.kind == FieldKind::params) {
    for (const auto& [suffix, factor] : {std::pair{'T', 1e12}, {'B', 1e9}, {'M', 1e6}}) {
      const double thousandths = value * 1000 / factor;
      if (value >= factor && thousandths == std::floor(thousandths)) return text.numbers.plain(value / factor, decimals) + suffix;
    }
  }
  return text.numbers.plain(value, decimals);
}

std::string not_a_number(const Field& field, const Text& text) {
  return text.say(field.kind == FieldKind::params ? "page.not_a_size" : "page.not_a_number");
}

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_mark(char c) { return c == '.' || c == ','; }

// What people put between digits and means nothing: spaces of every width, underscores and apostrophes.
std::string_view idle_character(std::string_view at) {
  const char c = at.front();
  if (c == ' ' || (c >= '\t' && c <= '\r') || c == '_' || c == '\'') return at.substr(0, 1);
  for (const std::string_view wide :
       {"\u00A0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007",
        "\u2008", "\u2009", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000", "\uFEFF", "\u2019"})
    if (at.substr(0, wide.size()) == wide) return wide;
  return {};
}

std::string without_idle_characters(std::string_view typed) {
  std::string out;
  while (!typed.empty()) {
    const std::size_t idle = idle_character(typed).size();
    if (idle == 0) out += typed.front() >= 'A' && typed.front() <= 'Z' ? static_cast<char>(typed.front() | 0x20) : typed.front();
    typed.remove_prefix(std::max<std::size_t>(idle, 1));
  }
  return out;
}

// One to three digits, then marks with three digits each.
bool grouped_in_threes(std::string_view digits) {
  const std::size_t first = std::min(digits.find_first_of(".,"), digits.size());
  if (first < 1 || first > 3) return false;
  for (std::size_t i = first; i < digits.size(); ++i)
    if (is_mark(digits[i]) != ((i - first) % 4 == 0)) return false;
  return (digits.size() - first) % 4 == 0;
}

bool takes_suffix(FieldKind kind, char suffix) {
  if (kind == FieldKind::tokens) return suffix == 'k' || suffix == 'm';
  return kind == FieldKind::params && (suffix == 'k' || suffix == 'm' || suffix == 'b' || suffix == 't');
}

}  // namespace

std::optional<std::string> read_typed(const Field& field, std::string_view typed) {
  const std::string plain = without_idle_characters(typed);
  std::string_view digits = plain;
  char suffix = 0;
  if (!digits.empty() && !is_digit(digits.back()) && !is_mark(digits.back())) {
    suffix = digits.back();
    digits.remove_suffix(1);
    if (!takes_suffix(field.kind, suffix)) return std::nullopt;
  }
  std::size_t num_marks = 0;
  std::size_t last_mark = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (is_mark(digits[i])) ++num_marks, last_mark = i;
    else if (!is_digit(digits[i])) return std::nullopt;
  }
  // A mark in front is a decimal mark, with nothing but digits behind it.
  if (digits.empty() || (is_mark(digits[0]) && (num_marks > 1 || digits.size() == 1))) return std::nullopt;

  std::string out;
  std::size_t whole_end = digits.size();
  if (num_marks > 0) {
    const auto same = static_cast<std::size_t>(std::count(digits.begin(), digits.end(), digits[last_mark]));
    const bool mixed = same < num_marks;
    if (mixed && same > 1) return std::nullopt;
    const bool one_group = num_marks == 1 && digits[0] >= '1' && digits[0] <= '9' && grouped_in_threes(digits);
    const bool only_whole = field.whole || field.kind == FieldKind::params;
    if (mixed || (num_marks == 1 && !(one_group && only_whole && suffix == 0))) whole_end = last_mark;
  }
  const std::string_view whole = digits.substr(0, whole_end);
  if (whole.find_first_of(".,") != std::string_view::npos && !grouped_in_threes(whole)) return std::nullopt;
  for (const char c : whole)
    if (is_digit(c)) out += c;
  if (out.empty()) out += '0';
  if (whole_end + 1 < digits.size()) (out += '.') += digits.substr(whole_end + 1);
  if (suffix != 0) out += suffix;
  return out;
}

std::optional<double> read_number(const Field& field, std::string_view typed) {
  if (field.optional && without_idle_characters(typed).empty()) return 0;
  const std::optional<std::string> text = read_typed(field, typed);
  if (!text) return std::nullopt;
  const ShareResult share = parse_share(concat({field.key, "=", *text}));
  for (const Notice& notice : share.notices)
    if (notice.severity == Severity::error) return std::nullopt;
  return share.inputs.number(static_cast<FieldId>(&field - fields().data()));
}

}  // namespace vramfit::shell
