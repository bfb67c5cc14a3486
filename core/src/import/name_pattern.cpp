#include "import/name_pattern.h"

namespace vramfit::importer {

// Recursive descent over the expression; depth and program length are bounded.
struct PatternCompiler {
  using Step = NamePattern::Step;
  static constexpr std::size_t max_steps = 2048;
  static constexpr int max_depth = 32;

  std::string_view text;
  std::vector<Step>& out;
  std::size_t at = 0;
  int depth = 0;
  bool ok = true;

  bool more() const { return at < text.size(); }
  int emit(Step::Op op) {
    if (out.size() >= max_steps) return ok = false, 0;
    out.push_back({op, {}, 0, 0});
    return static_cast<int>(out.size()) - 1;
  }

  void alternatives() {
    if (++depth > max_depth) ok = false;
    std::vector<int> jumps;
    while (ok) {
      const int start = static_cast<int>(out.size());
      sequence();
      if (!more() || text[at] != '|') break;
      ++at;
      // A split goes in front of what was just written: everything behind it moves by one.
      insert(start, Step::split);
      out[start].x = start + 1;
      jumps.push_back(emit(Step::jump));
      out[start].y = static_cast<int>(out.size());
    }
    for (const int j : jumps) out[j].x = static_cast<int>(out.size());
    --depth;
  }

  void insert(int start, Step::Op op) {
    if (out.size() >= max_steps) {
      ok = false;
      return;
    }
    out.insert(out.begin() + start, Step{op, {}, 0, 0});
    for (std::size_t i = start + 1; i < out.size(); ++i) {
      if (out[i].op != Step::split && out[i].op != Step::jump) continue;
      if (out[i].x >= start) ++out[i].x;
      if (out[i].y >= start) ++out[i].y;
    }
  }

  void sequence() {
    while (ok && more() && text[at] != '|' && text[at] != ')') {
      const int start = static_cast<int>(out.size());
      atom();
      if (ok) quantifier(start);
    }
  }

  void quantifier(int start) {
    while (ok && more()) {
      int least, most;  // most -1: any number
      const char c = text[at];
      if (c == '*') least = 0, most = -1;
      else if (c == '+') least = 1, most = -1;
      else if (c == '?') least = 0, most = 1;
      else if (c == '{') {
        if (!bounds(least, most)) return;
        repeat(start, least, most);
        continue;
      } else return;
      ++at;
      if (more() && text[at] == '?') ++at;  // lazy: the same names match
      repeat(start, least, most);
    }
  }

  bool bounds(int& least, int& most) {
    std::size_t i = at + 1;
    const auto number = [&](int& n) {
      const std::size_t first = i;
      for (n = 0; i < text.size() && text[i] >= '0' && text[i] <= '9' && n < 1000; ++i) n = n * 10 + (text[i] - '0');
      return i > first;
    };
    if (!number(least)) return ok = false;
    most = least;
    if (i < text.size() && text[i] == ',') {
      ++i;
      if (!number(most)) most = -1;
    }
    if (i >= text.size() || text[i] != '}' || least > 64 || most > 64) return ok = false;
    at = i + 1;
    return true;
  }

  void append(const std::vector<Step>& piece, int from) {
    const int shift = static_cast<int>(out.size()) - from;
    if (out.size() + piece.size() > max_steps) {
      ok = false;
      return;
    }
    for (Step step : piece) {
      if (step.op == Step::split || step.op == Step::jump) step.x += shift, step.y += shift;
      out.push_back(step);
    }
  }

  void repeat(int start, int least, int most) {
    const std::vector<Step> piece(out.begin() + start, out.end());
    out.resize(start);
    for (int i = 0; ok && i < least; ++i) append(piece, start);
    if (!ok) return;
    if (most < 0) {
      const int split = emit(Step::split);
      append(piece, start);
      const int jump = emit(Step::jump);
      if (!ok) return;
      out[jump].x = split;
      out[split].x = split + 1;
      out[split].y = static_cast<int>(out.size());
      return;
    }
    std::vector<int> splits;
    for (int i = least; ok && i < most; ++i) {
      splits.push_back(emit(Step::split));
      append(piece, start);
    }
    if (!ok) return;
    for (const int s : splits) out[s].x = s + 1, out[s].y = static_cast<int>(out.size());
  }

  static void add_class(char c, std::bitset<256>& set) {
    for (int i = 0; i < 256; ++i) {
      const bool digit = i >= '0' && i <= '9';
      const bool word = digit || i == '_' || (i >= 'a' && i <= 'z') || (i >= 'A' && i <= 'Z');
      const bool space = i == ' ' || (i >= 9 && i <= 13);
      if ((c == 'd' && digit) || (c == 'D' && !digit) || (c == 'w' && word) || (c == 'W' && !word) || (c == 's' && space) ||
          (c == 'S' && !space))
        set.set(i);
    }
  }

  bool escape(std::bitset<256>& set) {
    if (!more()) return ok = false;
    const char c = text[at++];
    if (std::string_view("dDwWsS").find(c) != std::string_view::npos) return add_class(c, set), true;
    const bool letter_or_digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter_or_digit) return ok = false;  // back references, word boundaries
    set.set(static_cast<unsigned char>(c));
    return true;
  }

  void bracket(std::bitset<256>& set) {
    const bool negated = more() && text[at] == '^';
    if (negated) ++at;
    bool first = true;
    while (ok && more() && (text[at] != ']' || first)) {
      first = false;
      if (text[at] == '\\') {
        ++at;
        escape(set);
        continue;
      }
      const unsigned char low = text[at++];
      unsigned char high = low;
      if (at + 1 < text.size() && text[at] == '-' && text[at + 1] != ']') high = text[at + 1], at += 2;
      for (int c = low; c <= high; ++c) set.set(c);
    }
    if (!more()) {
      ok = false;
      return;
    }
    ++at;
    if (negated) set.flip();
  }

  void atom() {
    const char c = text[at++];
    switch (c) {
      case '^': emit(Step::begin); return;
      case '$': emit(Step::end); return;
      case '(':
        if (more() && text[at] == '?') {
          if (text.substr(at, 2) != "?:") {
            ok = false;
            return;
          }
          at += 2;
        }
        alternatives();
        if (!more() || text[at] != ')') ok = false;
        else ++at;
        return;
      case '*':
      case '+':
      case '?': ok = false; return;  // nothing to repeat
      default: break;
    }
    std::bitset<256> set;
    if (c == '.') set.set();
    else if (c == '[') bracket(set);
    else if (c == '\\') escape(set);
    else set.set(static_cast<unsigned char>(c));
    const int step = emit(Step::characters);
    if (ok) out[step].set = set;
  }
};

NamePattern::NamePattern(std::string_view text) : text_(text.substr(0, 512)) {
  if (text.size() > 512) ok_ = false;
  if (text.substr(0, 3) == "re:") {
    kind_ = Kind::regex;
    PatternCompiler compiler{std::string_view(text_).substr(3), program_};
    compiler.alternatives();
    ok_ = ok_ && compiler.ok && !compiler.more() && compiler.emit(Step::match) >= 0 && compiler.ok;
  } else if (text.find_first_of("*?[") != std::string_view::npos) {
    kind_ = Kind::glob;
    compile_glob();
  }
  if (!ok_) program_.clear();
}

void NamePattern::compile_glob() {
  PatternCompiler compiler{text_, program_};
  while (compiler.ok && compiler.more()) {
    const char c = text_[compiler.at++];
    std::bitset<256> set;
    if (c == '*') {
      const int split = compiler.emit(Step::split);
      const int any = compiler.emit(Step::characters);
      const int jump = compiler.emit(Step::jump);
      if (!compiler.ok) break;
      program_[any].set.set();
      program_[jump].x = split;
      program_[split].x = any;
      program_[split].y = jump + 1;
      continue;
    }
    if (c == '?') set.set();
    else if (c == '[') {
      if (compiler.more() && text_[compiler.at] == '!') text_[compiler.at] = '^';
      compiler.bracket(set);
    } else set.set(static_cast<unsigned char>(c));
    const int step = compiler.emit(Step::characters);
    if (compiler.ok) program_[step].set = set;
  }
  compiler.emit(Step::end);
  compiler.emit(Step::match);
  ok_ = ok_ && compiler.ok;
}

int NamePattern::only_layer() const {
  std::string_view rest = text_;
  const std::size_t word = rest.find("layers");
  if (word == std::string_view::npos || rest.find('|') != std::string_view::npos) return -1;
  rest.remove_prefix(word + 6);
  const auto dot = [&] {
    if (!rest.empty() && rest[0] == '\\') rest.remove_prefix(1);
    if (rest.empty() || rest[0] != '.') return false;
    rest.remove_prefix(1);
    return true;
  };
  if (!dot()) return -1;
  int layer = -1;
  for (; !rest.empty() && rest[0] >= '0' && rest[0] <= '9' && layer < 100000; rest.remove_prefix(1))
    layer = (layer < 0 ? 0 : layer) * 10 + (rest[0] - '0');
  const bool repeated = rest.size() > 1 && (rest[1] == '*' || rest[1] == '?' || rest[1] == '+' || rest[1] == '{');
  if (kind_ == Kind::regex && repeated && rest[0] == '.') return -1;
  return dot() ? layer : -1;
}

bool NamePattern::matches(std::string_view name, long& budget) const {
  if (!ok_) return false;
  if (kind_ == Kind::plain) return name == text_;
  // Every step that can be taken next, all at once.
  std::vector<int> now, next, stack;
  std::vector<std::size_t> seen(program_.size(), static_cast<std::size_t>(-1));
  bool matched = false;
  const auto follow = [&](std::vector<int>& list, int step, std::size_t at) {
    stack.push_back(step);
    while (!stack.empty()) {
      const int i = stack.back();
      stack.pop_back();
      if (seen[i] == at) continue;
      seen[i] = at;
      --budget;
      const Step& s = program_[i];
      switch (s.op) {
        case Step::characters: list.push_back(i); break;
        case Step::split: stack.push_back(s.y), stack.push_back(s.x); break;
        case Step::jump: stack.push_back(s.x); break;
        case Step::begin:
          if (at == 0) stack.push_back(i + 1);
          break;
        case Step::end:
          if (at == name.size()) stack.push_back(i + 1);
          break;
        case Step::match: matched = true; break;
      }
    }
  };
  budget -= 16;
  follow(now, 0, 0);
  for (std::size_t at = 0; at < name.size() && !matched && !now.empty(); ++at) {
    next.clear();
    for (const int i : now)
      if (program_[i].set[static_cast<unsigned char>(name[at])]) follow(next, i + 1, at + 1);
    now.swap(next);
  }
  return matched;
}

}  // namespace vramfit::importer
