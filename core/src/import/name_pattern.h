// Names of modules as quantization sections write them: plain, with '*' and '?', or as a regular expression behind "re:".
// Matching takes time in proportion to pattern times name, whatever the pattern.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vramfit::importer {

class NamePattern {
 public:
  enum class Kind : std::uint8_t { plain, glob, regex };

  explicit NamePattern(std::string_view text);

  Kind kind() const { return kind_; }
  bool ok() const { return ok_; }  // false: uses what this reader does not know, such as lookahead
  const std::string& text() const { return text_; }
  // Globs: the whole name; expressions: from its start. Takes the steps that it took off `budget`.
  bool matches(std::string_view name, long& budget) const;
  // The one layer that the pattern names between dots, or -1.
  int only_layer() const;

 private:
  struct Step {
    enum Op : std::uint8_t { characters, split, jump, begin, end, match } op;
    std::bitset<256> set;
    int x = 0, y = 0;
  };
  friend struct PatternCompiler;

  void compile_glob();

  Kind kind_ = Kind::plain;
  bool ok_ = true;
  std::string text_;
  std::vector<Step> program_;
};

}  // namespace vramfit::importer
