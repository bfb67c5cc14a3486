// Numbers as people read them: what web/text/format.mjs says with Intl, to the letter. How the reader's region writes them stands
// in the table of messages under `marks` (see shell/canvas/marks.mjs). Text is UTF-8 and holds no-break spaces where the region
// wants them.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "language.h"

namespace vramfit::shell {

// Number and unit apart, for those who set them in different sizes.
struct Figure {
  std::string number;
  std::string_view unit;  // empty for a bare number
  std::string_view gap;   // between them: a space, or nothing as in "$2.99/h"

  std::string text() const;  // in one piece
  bool empty() const { return number.empty(); }
};

// Pieces in one text: concat({"choice.", field.key, ".", id}) is a message's key.
std::string concat(std::initializer_list<std::string_view> pieces);

// "1024", in no language; `value` from 0 to 1e18.
std::string plain_digits(double value);

class Messages;

class Numbers {
 public:
  explicit Numbers(const Messages& messages, Units units = Units::own);  // keeps pointing to them

  Units units() const { return units_; }

  // Grouped, with at most `max_decimals` (0 to 6), halves away from zero; to fifteen digits in all.
  std::string number(double value, int max_decimals = 0) const;
  // Not grouped: what a field shows and reads back.
  std::string plain(double value, int max_decimals) const;

  // In the reader's units, or in `own` where the reader has no wish. One decimal below a hundred, none above.
  Figure bytes(double bytes, ByteUnit own = ByteUnit::gb) const;
  // In that system whatever the reader's wish.
  Figure in(ByteUnit system, double bytes) const;

  std::string params(double count) const;     // 70.6B
  std::string percent(double percent) const;  // of 12.5: 12.5%
  std::string share(double fraction) const;   // of 0.125: 13%; "<1%" where it would be 0 and is not
  std::string usd(double usd) const;
  Figure usd_per_hour(double usd) const;
  std::string date(std::string_view iso) const;  // of "2026-03-09": Mar 9, 2026; other texts come back as they are

  std::string list_and(std::span<const std::string> items) const;
  std::string list_or(std::span<const std::string> items) const;

 private:
  std::string percent_of(double fraction, int max_decimals) const;

  const Messages& messages_;
  Units units_;
  std::string_view decimal_mark_, group_mark_;
  std::size_t least_grouped_;  // digits before the decimal mark from which on groups are set apart

  void append(std::string& out, double value, int shift, int max_decimals, int least_decimals, bool grouped) const;
  void append_digits(std::string& out, double whole, int decimals, int least_decimals, bool grouped) const;
};

}  // namespace vramfit::shell
