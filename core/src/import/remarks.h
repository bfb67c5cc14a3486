// Remarks of one reader: the first few of each kind are kept, the rest is counted, so that a file with a million faults is no
// longer than one with a few.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vramfit/import.h"

namespace vramfit::importer {

// At most `limit` bytes of UTF-8, cut between characters.
std::string cut(std::string_view text, std::size_t limit = 80);

class Remarks {
 public:
  static constexpr int shown = 5;

  void add(Severity severity, const char* id, std::string_view file, std::string_view where, std::string_view value = {},
           std::string_view wanted = {}, double number = 0);
  bool has_error() const { return has_error_; }
  // Adds all to `out`, of what was only counted one remark `import-more` a kind: `value` the id, `number` how many.
  void move_to(std::vector<ImportRemark>& out);

 private:
  struct Kind {
    const char* id;
    Severity severity;
    int count;
  };
  std::vector<Kind> kinds_;
  std::vector<ImportRemark> list_;
  bool has_error_ = false;
};

// A number as text: at most six decimals; from 1e18 on with an exponent.
std::string digits(double value);

}  // namespace vramfit::importer
