#include "import/remarks.h"

#include <cmath>
#include <cstring>

#include "vramfit/share_string.h"

namespace vramfit::importer {

std::string cut(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  std::size_t end = limit - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

std::string digits(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  char text[max_decimal_length];
  const bool negative = value < 0;
  double size = negative ? -value : value;
  int zeros = 0;
  if (size >= 1e18)
    for (; size >= 10; size /= 10) ++zeros;
  const std::string number(text, write_decimal(text, size));
  return (negative ? "-" : "") + number + (zeros > 0 ? "e" + std::to_string(zeros) : std::string());
}

void Remarks::add(Severity severity, const char* id, std::string_view file, std::string_view where, std::string_view value,
                  std::string_view wanted, double number) {
  has_error_ |= severity == Severity::error;
  Kind* kind = nullptr;
  for (Kind& k : kinds_)
    if (std::strcmp(k.id, id) == 0) kind = &k;
  if (!kind) kind = &kinds_.emplace_back(Kind{id, severity, 0});
  if (++kind->count > shown) return;
  list_.push_back({severity, id, cut(file), cut(where), cut(value), cut(wanted), number});
}

void Remarks::move_to(std::vector<ImportRemark>& out) {
  for (ImportRemark& r : list_) out.push_back(std::move(r));
  for (const Kind& k : kinds_)
    if (k.count > shown) out.push_back({k.severity, "import-more", {}, {}, k.id, {}, double(k.count - shown)});
  list_.clear();
  kinds_.clear();
}

}  // namespace vramfit::importer
