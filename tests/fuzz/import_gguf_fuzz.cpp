// Whatever the beginning of a GGUF file says: no crash, no memory beyond what its length allows, and an answer that holds
// together.
//
// The input is one to three files: a byte of how many, then for each a length in two bytes (the last takes what is left) and how
// much longer than its beginning the file is, as a power of two.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "import/gguf.h"
#include "vramfit/format_table.h"
#include "vramfit/import.h"
#include "vramfit/shape.h"

using namespace vramfit;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

bool is_utf8(std::string_view s) {
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

void check(const Imported& imported) {
  bool error = false;
  for (const ImportRemark& r : imported.remarks) {
    error = error || r.severity == Severity::error;
    require(!r.id.empty());
    for (std::string_view text : {std::string_view(r.where), std::string_view(r.value), std::string_view(r.wanted)})
      require(text.size() <= 83 && is_utf8(text));
    require(std::isfinite(r.number));
  }
  require(imported.ok != error);
  require(imported.remarks.size() < 1000);
  require(is_utf8(imported.name) && is_utf8(imported.type));
  if (!imported.ok) return;
  const ShapeResult shape = parse_shape(imported.shape);
  require(shape.ok());
  require(write_shape(shape.model) == imported.shape);
  const FormatTableResult formats = parse_format_table(imported.formats);
  require(formats.ok());
  require(std::isfinite(imported.tensor_bytes) && imported.tensor_bytes >= 0);
  require(std::isfinite(imported.explained_bytes) && imported.explained_bytes >= 0);
  require(std::isfinite(formats.stored.rest_bytes));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const int count = 1 + static_cast<unsigned char>(rest[0]) % 3;
  rest.remove_prefix(1);
  std::vector<ImportFile> files;
  for (int i = 0; i < count && rest.size() >= 3; ++i) {
    std::size_t length = static_cast<unsigned char>(rest[0]) | static_cast<unsigned char>(rest[1]) << 8;
    const int more = static_cast<unsigned char>(rest[2]) % 64;
    rest.remove_prefix(3);
    if (i == count - 1 || length > rest.size()) length = rest.size();
    const std::string_view head = rest.substr(0, length);
    rest.remove_prefix(length);
    files.push_back({i == 0   ? "a.gguf"
                     : i == 1 ? "b.gguf"
                              : "c.gguf",
                     head, double(head.size()) + (more == 0 ? 0 : std::ldexp(1.0, more))});
    const HeadNeed need = importer::gguf_head_need(files.back());
    require(!std::isnan(need.bytes) && need.bytes >= 0 && need.bytes <= files.back().total_bytes);
  }
  check(importer::import_gguf(files));
  return 0;
}
