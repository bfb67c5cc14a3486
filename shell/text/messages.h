// Sentences, looked up and filled in: what web/text/messages.mjs does.
//
// A message is a text with {names}, or one text per plural form chosen by the value `count`. Within a text, {name:one|other} is
// the word that goes with that name's number; {14.5} and {20%} are figures of the message's own, written as the region does.
#pragma once

#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numbers.h"

namespace vramfit::shell {

// What goes in for a {name}: a text, a figure or a whole number, and where a word or a plural form hangs on a text, its number.
// It only points to texts: write it where it is used, as in say(key, {{"need", figure}, {"count", 2}}).
struct Filling {
  std::string_view name;
  std::string_view text;
  std::string_view gap = {};
  std::string_view unit = {};
  double number = std::numeric_limits<double>::quiet_NaN();
  bool in_digits = false;  // the number is the text

  Filling() = default;
  Filling(std::string_view its_name, std::string_view its_text, double its_number = std::numeric_limits<double>::quiet_NaN())
      : name(its_name), text(its_text), number(its_number) {}
  Filling(std::string_view its_name, const Figure& figure) : Filling(its_name, std::string_view(figure.number)) {
    gap = figure.gap;
    unit = figure.unit;
  }
  Filling(std::string_view its_name, int whole_number) : Filling(its_name, std::string_view(), whole_number) { in_digits = true; }

  void append_to(std::string& out) const;
};

enum class Plural : std::uint8_t { one, many, other };
Plural plural_of(Language language, double number);

class Messages {
 public:
  // `table` as toTable() of web/text/table.mjs writes it: a line per message, `key<TAB>text`, plural forms as `key#one<TAB>text`.
  Messages(std::string table, Language language);
  Messages(const Messages&) = delete;  // the index points into the table
  Messages& operator=(const Messages&) = delete;

  Language language() const { return language_; }
  bool has(std::string_view key) const;
  std::string_view text(std::string_view key) const;  // as it stands in the table; empty where there is none

  // A key that has no message gives its last part. Names that nothing is given for become nothing.
  std::string say(std::string_view key, std::span<const Filling> fillings = {}) const;

 private:
  struct Entry {
    std::string_view key, text;
  };
  const Entry* find(std::string_view key) const;
  const Entry* find_form(std::string_view key, double count) const;  // of a message with plural forms

  std::string table_;
  Language language_;
  std::vector<Entry> entries_;  // by key
};

}  // namespace vramfit::shell
