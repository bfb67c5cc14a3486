#include "messages.h"

#include <algorithm>
#include <cmath>

namespace vramfit::shell {
namespace {

constexpr double not_counted = std::numeric_limits<double>::quiet_NaN();

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_'; }

// The {placeholder} that starts at `at`: its length with braces, 0 when the brace is just a brace.
std::size_t placeholder_length(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  const bool figure = end < text.size() && is_digit(text[end]);
  while (end < text.size() && (is_word(text[end]) || (figure && (text[end] == '.' || text[end] == '%')))) ++end;
  if (end == at + 1) return 0;
  if (end < text.size() && text[end] == ':') end = text.find('}', end);
  return end < text.size() && text[end] == '}' ? end + 1 - at : 0;
}

}  // namespace

void Filling::append_to(std::string& out) const {
  if (in_digits) out += plain_digits(number);
  out += text;
  out += gap;
  out += unit;
}

Plural plural_of(Language language, double number) {
  // Three decimals are looked at, as many as are usually written.
  const double n = std::floor(std::fabs(number) * 1000 + 0.5) / 1000;
  if (std::isnan(n)) return Plural::other;
  if (language == Language::pt_br ? n < 2 : n == 1) return Plural::one;
  return language != Language::en && n > 0 && std::fmod(n, 1e6) == 0 ? Plural::many : Plural::other;
}

Messages::Messages(std::string table, Language language) : table_(std::move(table)), language_(language) {
  std::string_view rest = table_;
  entries_ = std::vector<Entry>(static_cast<std::size_t>(std::count(rest.begin(), rest.end(), '\t')));
  std::size_t known = 0;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) continue;
    const Entry entry{line.substr(0, tab), line.substr(tab + 1)};
    // The table comes sorted, so that most lines are in their place.
    std::size_t place = known++;
    for (; place > 0 && entry.key < entries_[place - 1].key; --place) entries_[place] = entries_[place - 1];
    entries_[place] = entry;
  }
  while (entries_.size() > known) entries_.pop_back();  // where a text has tabs of its own
}

const Messages::Entry* Messages::find(std::string_view wanted) const {
  std::size_t first = 0;
  std::size_t end = entries_.size();
  while (first < end) {
    const std::size_t middle = (first + end) / 2;
    const int order = entries_[middle].key.compare(wanted);
    if (order == 0) return &entries_[middle];
    if (order < 0) first = middle + 1;
    else end = middle;
  }
  return nullptr;
}

const Messages::Entry* Messages::find_form(std::string_view wanted, double count) const {
  static constexpr std::string_view forms[] = {"#one", "#many", "#other"};
  const Entry* form = find(concat({wanted, forms[static_cast<int>(plural_of(language_, count))]}));
  return form ? form : find(concat({wanted, forms[static_cast<int>(Plural::other)]}));
}

bool Messages::has(std::string_view wanted) const { return find(wanted) || find_form(wanted, not_counted); }

std::string_view Messages::text(std::string_view key) const {
  const Entry* entry = find(key);
  return entry ? entry->text : std::string_view{};
}

std::string Messages::say(std::string_view wanted, std::span<const Filling> fillings) const {
  const auto filling = [&](std::string_view name) -> const Filling* {
    for (const Filling& f : fillings)
      if (f.name == name) return &f;
    return nullptr;
  };
  const Entry* entry = find(wanted);
  if (!entry) {
    const Filling* count = filling("count");
    entry = find_form(wanted, count ? count->number : not_counted);
  }
  if (!entry) return std::string(wanted.substr(wanted.rfind('.') + 1));

  const std::string_view text = entry->text;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = text[at] == '{' ? placeholder_length(text, at) : 0;
    if (length == 0) {
      const std::size_t next = std::min(text.find('{', at + 1), text.size());
      out += text.substr(at, next - at);
      at = next;
      continue;
    }
    const std::string_view inside = text.substr(at + 1, length - 2);
    at += length;
    if (is_digit(inside.front())) {
      const bool percent = inside.back() == '%';
      const std::size_t point = std::min(inside.find('.'), inside.size() - percent);
      std::string digits(inside.substr(0, point));
      if (point < inside.size() - percent) (digits += this->text("marks.decimal")) += inside.substr(point + 1);
      const Filling n[] = {{"n", digits}};
      out += percent ? say("marks.percent", n) : digits;
      continue;
    }
    const std::size_t colon = inside.find(':');
    const Filling* given = filling(inside.substr(0, colon));
    if (colon == std::string_view::npos) {
      if (given) given->append_to(out);
      continue;
    }
    const std::string_view words = inside.substr(colon + 1);
    const std::size_t bar = words.find('|');
    const bool one = given && plural_of(language_, given->number) == Plural::one;
    if (one) out += words.substr(0, bar);
    else if (bar != std::string_view::npos) out += words.substr(bar + 1);
  }
  return out;
}

}  // namespace vramfit::shell
