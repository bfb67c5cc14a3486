// What must hold of whatever an importer answers.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string_view>

#include "vramfit/format_table.h"
#include "vramfit/import.h"
#include "vramfit/shape.h"

namespace vramfit_test {

inline void require(bool condition) {
  if (!condition) std::abort();
}

inline bool is_utf8(std::string_view s) {
  for (std::size_t i = 0; i < s.size();) {
    const auto c = static_cast<unsigned char>(s[i]);
    const std::size_t n = c < 0x80 ? 1 : (c & 0xE0) == 0xC0 ? 2 : (c & 0xF0) == 0xE0 ? 3 : (c & 0xF8) == 0xF0 ? 4 : 0;
    if (n == 0 || i + n > s.size()) return false;
    for (std::size_t j = 1; j < n; ++j)
      if ((static_cast<unsigned char>(s[i + j]) & 0xC0) != 0x80) return false;
    i += n;
  }
  return true;
}

inline void check_imported(const vramfit::Imported& imported) {
  bool error = false;
  for (const vramfit::ImportRemark& r : imported.remarks) {
    error = error || r.severity == vramfit::Severity::error;
    require(!r.id.empty());
    for (std::string_view text : {std::string_view(r.where), std::string_view(r.value), std::string_view(r.wanted)})
      require(text.size() <= 83 && is_utf8(text));
    require(std::isfinite(r.number));
  }
  require(imported.ok != error);
  require(imported.remarks.size() < 1000);
  require(is_utf8(imported.name) && is_utf8(imported.type));
  require(std::isfinite(imported.tensor_bytes) && imported.tensor_bytes >= 0);
  for (const vramfit::ImportedClass& c : imported.classes) require(std::isfinite(c.params) && std::isfinite(c.bytes) && c.bytes >= 0);
  for (const vramfit::ImportedDtype& d : imported.dtypes) require(std::isfinite(d.params) && std::isfinite(d.bytes) && d.bytes >= 0);
  if (!imported.ok) return;
  const vramfit::ShapeResult shape = vramfit::parse_shape(imported.shape);
  require(shape.ok());
  require(vramfit::write_shape(shape.model) == imported.shape);
  require(imported.formats.empty() || vramfit::parse_format_table(imported.formats).ok());
  require(std::isfinite(imported.explained_bytes) && imported.explained_bytes >= 0);
}

inline void check_need(const vramfit::ImportFile& file) {
  const vramfit::HeadNeed need = vramfit::head_need(file);
  require(!std::isnan(need.bytes) && need.bytes >= 0 && need.bytes <= file.total_bytes);
}

}  // namespace vramfit_test
