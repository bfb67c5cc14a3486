// Sentences, looked up and filled in: what web/text/messages.mjs does.
//
// A message is a text with {names}, or one text per plural form chosen by the value `count`. Within a text, {name:one|other} is
// the word that goes with that name's number.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numbers.h"

namespace vramfit::shell {

// What goes in for a {name}: its text, and where a word or a plural form hangs on it, its number.
struct Filling {
  std::string_view name;
  std::string text;
  double number;

  Filling(std::string_view its_name, std::string its_text);
  Filling(std::string_view its_name, const Figure& figure);
  Filling(std::string_view its_name, int count);  // its plain digits
  Filling(std::string_view its_name, std::string its_text, double its_number);
};

enum class Plural : std::uint8_t { one, many, other };
Plural plural_of(Language language, double number);

// Pieces in one: concat({"choice.", field.key, ".", id}) is a key.
std::string concat(std::initializer_list<std::string_view> pieces);

class Messages {
 public:
  // `table` as toTable() of web/text/table.mjs writes it: a line per message, `key<TAB>text`, plural forms as `key#one<TAB>text`.
  Messages(std::string table, Language language);
  Messages(const Messages&) = delete;  // the index points into the table
  Messages& operator=(const Messages&) = delete;

  Language language() const { return language_; }
  bool has(std::string_view key) const;

  // A key that has no message gives its last part. Names that nothing is given for become nothing.
  std::string say(std::string_view key, std::span<const Filling> fillings) const;
  std::string say(std::string_view key, std::initializer_list<Filling> fillings = {}) const {
    return say(key, std::span(fillings.begin(), fillings.size()));
  }

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
