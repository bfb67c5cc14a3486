#include "numbers.h"

#include <cmath>

#include "messages.h"
#include "vramfit/share_string.h"

namespace vramfit::shell {
namespace {

constexpr double powers_of_ten[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
constexpr int max_places = 6;
constexpr double no_halves_from = 0x1p52;  // doubles this large are whole

// `magnitude` times ten to `places`, rounded to a whole number as Intl does: it takes the shortest decimal that stands for the
// double, and of that, halves go up. So 1.005 is a half at two places, though the double lies below it; and the shortest decimal
// reaches a half exactly when the double reaches the double nearest to it.
double scaled(double magnitude, int places) {
  const double power = powers_of_ten[places];
  const double down = std::floor(magnitude * power);
  if (down >= no_halves_from) return down;
  return magnitude >= (down + 0.5) / power ? down + 1 : down;
}

}  // namespace

std::string Figure::text() const { return concat({number, gap, unit}); }

std::string concat(std::initializer_list<std::string_view> pieces) {
  std::string out;
  for (const std::string_view piece : pieces) out += piece;
  return out;
}

std::string plain_digits(double value) {
  char digits[max_decimal_length];
  return std::string(digits, write_decimal(digits, value));
}

Numbers::Numbers(const Messages& messages, Units units)
    : messages_(messages),
      units_(units),
      decimal_mark_(messages.text("marks.decimal")),
      group_mark_(messages.text("marks.group")),
      least_grouped_(messages.text("marks.grouped") == "5" ? 5 : 4) {}

// Writes `whole` divided by ten to `decimals`, of which at least `least_decimals` are written and zeros beyond them are not.
void Numbers::append_digits(std::string& out, double whole, int decimals, int least_decimals, bool grouped) const {
  char digits[max_decimal_length + max_places];
  std::size_t length = 0;
  for (; length < static_cast<std::size_t>(decimals) && whole < powers_of_ten[decimals - length]; ++length) digits[length] = '0';
  length += write_decimal(digits + length, whole);

  const std::size_t before_mark = length - decimals;
  for (std::size_t i = 0; i < before_mark; ++i) {
    if (grouped && i > 0 && (before_mark - i) % 3 == 0 && before_mark >= least_grouped_) out += group_mark_;
    out += digits[i];
  }
  int shown = decimals;
  while (shown > least_decimals && digits[before_mark + shown - 1] == '0') --shown;
  if (shown > 0) {
    out += decimal_mark_;
    out.append(digits + before_mark, shown);
  }
}

// `value` times ten to `shift`, with at most `max_decimals`.
void Numbers::append(std::string& out, double value, int shift, int max_decimals, int least_decimals, bool grouped) const {
  if (std::isnan(value)) {
    out += "NaN";
    return;
  }
  if (std::signbit(value)) out += '-';
  const double magnitude = std::fabs(value);
  int decimals = max_decimals;
  // A double has no decimals to give beyond its own.
  while (decimals > least_decimals && magnitude * powers_of_ten[decimals + shift] >= no_halves_from) --decimals;
  const double whole = scaled(magnitude, decimals + shift);
  if (whole < 1e18) append_digits(out, whole, decimals, least_decimals, grouped);
  else out += "∞";
}

std::string Numbers::number(double value, int max_decimals) const {
  std::string out;
  append(out, value, 0, max_decimals, 0, true);
  return out;
}

std::string Numbers::plain(double value, int max_decimals) const {
  std::string out;
  append(out, value, 0, max_decimals, 0, false);
  return out;
}

Figure Numbers::in(ByteUnit system, double bytes) const {
  static constexpr std::string_view units[2][4] = {{"B", "kB", "MB", "GB"}, {"B", "KiB", "MiB", "GiB"}};
  const bool decimal = system == ByteUnit::gb;
  const double base = decimal ? 1000 : 1024;
  double size = base * base * base;
  int power = 3;
  while (power > 0 && bytes != 0 && std::fabs(bytes) < size * 0.095) size /= base, --power;
  const double value = bytes / size;
  return {number(value, std::fabs(value) < 100 ? 1 : 0), units[decimal ? 0 : 1][power], " "};
}

Figure Numbers::bytes(double bytes, ByteUnit own) const {
  return in(units_ == Units::own ? own : units_ == Units::gb ? ByteUnit::gb : ByteUnit::gib, bytes);
}

std::string Numbers::params(double count) const {
  if (count >= 1e12) return number(count / 1e12, 2) + 'T';
  if (count >= 1e9) return number(count / 1e9, 2) + 'B';
  if (count >= 1e6) return number(count / 1e6, 2) + 'M';
  return number(count);
}

std::string Numbers::percent_of(double fraction, int max_decimals) const {
  std::string digits;
  append(digits, fraction, 2, max_decimals, 0, true);
  const Filling n[] = {{"n", digits}};
  return messages_.say("marks.percent", n);
}

std::string Numbers::percent(double percent) const { return percent_of(percent / 100, 1); }

std::string Numbers::share(double fraction) const {
  if (fraction > 0 && fraction < 0.005) return concat({"<", percent_of(0.01, 0)});
  return percent_of(fraction, 0);
}

std::string Numbers::usd(double usd) const {
  std::string digits;
  append(digits, usd, 0, 2, 2, true);
  const Filling n[] = {{"n", digits}};
  return messages_.say("marks.usd", n);
}

Figure Numbers::usd_per_hour(double dollars) const { return {usd(dollars), "/h", ""}; }

std::string Numbers::date(std::string_view iso) const {
  if (iso.size() != 10) return std::string(iso);
  const std::string_view month = messages_.text(concat({"marks.month", iso.substr(5, 2)}));
  if (month.empty()) return std::string(iso);
  const std::size_t leading_zero = iso[8] == '0';
  const Filling parts[] = {
      {"day", iso.substr(8 + leading_zero)}, {"dd", iso.substr(8)}, {"month", month}, {"year", iso.substr(0, 4)}};
  return messages_.say("marks.date", parts);
}

namespace {

char lower(std::string_view s, std::size_t i) {
  if (i >= s.size()) return 0;
  return s[i] >= 'A' && s[i] <= 'Z' ? static_cast<char>(s[i] + ('a' - 'A')) : s[i];
}

// Spanish: "y" becomes "e" before the sound of i, "o" becomes "u" before that of o (ocho and once among them).
bool sounds_like_i(std::string_view next) {
  if (lower(next, 0) == 'h') return lower(next, 1) == 'i' && lower(next, 2) != 'a' && lower(next, 2) != 'e';
  return lower(next, 0) == 'i';
}
bool sounds_like_o(std::string_view next) {
  if (lower(next, 0) == 'h') return lower(next, 1) == 'o';
  return lower(next, 0) == 'o' || lower(next, 0) == '8' || (next.substr(0, 2) == "11" && (next.size() == 2 || next[2] == ' '));
}

std::string joined(std::span<const std::string> items, std::string_view last_joint) {
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += i + 1 < items.size() ? ", " : last_joint;
    out += items[i];
  }
  return out;
}

}  // namespace

std::string Numbers::list_and(std::span<const std::string> items) const {
  if (messages_.language() == Language::en) return joined(items, items.size() > 2 ? ", and " : " and ");
  if (messages_.language() == Language::pt_br) return joined(items, " e ");
  return joined(items, !items.empty() && sounds_like_i(items.back()) ? " e " : " y ");
}

std::string Numbers::list_or(std::span<const std::string> items) const {
  if (messages_.language() == Language::en) return joined(items, items.size() > 2 ? ", or " : " or ");
  if (messages_.language() == Language::pt_br) return joined(items, " ou ");
  return joined(items, !items.empty() && sounds_like_o(items.back()) ? " u " : " o ");
}

}  // namespace vramfit::shell
