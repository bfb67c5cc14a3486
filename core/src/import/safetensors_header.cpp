// Headers of safetensors files: their tensors, checked, and with their companions.
// Source of the layout: the reference implementation's README (eight bytes of length, a JSON header, the data without holes).
#include <algorithm>
#include <cmath>
#include <cstring>

#include "import/safetensors_parts.h"
#include "import/sax.h"

namespace vramfit::importer {
namespace {

using std::string_view;

int dtype_called(string_view id) {
  for (int d = 1; d < num_dtypes; ++d)
    if (id == dtypes_known[d].id) return d;
  return no_dtype;
}

double header_length(string_view head) {
  double length = 0;
  for (int i = 7; i >= 0; --i) length = length * 256 + static_cast<unsigned char>(head[static_cast<std::size_t>(i)]);
  return length;
}

}  // namespace

HeadNeed safetensors_head_need(const ImportFile& file) {
  if (file.head.size() < 8) {
    if (file.total_bytes < 8) return {double(file.head.size()), "import-truncated"};
    return {8};
  }
  const double length = header_length(file.head);
  if (length > max_safetensors_header) return {8, "import-header-length"};
  if (8 + length > file.total_bytes) return {8, "import-truncated"};
  return {8 + length};
}

struct HeaderHandler {
  Safetensors& reader;
  const ImportFile& file;
  double data_bytes;
  std::vector<Safetensors::Span> spans;
  Safetensors::Entry entry;
  enum Field { other, dtype, shape, offsets } field = other;
  int depth = 0;     // 1: names of tensors, 2: of one tensor, 3: in an array of it
  int skipping = 0;  // depth of what is passed over
  bool metadata = false;
  const char* error = nullptr;

  bool fail(const char* id) {
    error = id;
    return false;
  }
  bool out_of_place() {
    reader.remarks.add(Severity::error, "import-bad-header", file.name, depth >= 1 ? entry.name : string_view());
    return fail("");
  }
  bool number(double value, bool whole) {
    if (skipping || metadata) return true;
    if (depth < 2) return out_of_place();
    if (depth == 2) {
      if (field == shape) entry.bad_shape = true;
      if (field == offsets) entry.bad_offsets = true;
      return true;
    }
    if (field == shape) {
      if (!whole || value < 0) entry.bad_shape = true;
      else if (entry.rank < 8) entry.dims[entry.rank++] = value;
      else entry.bad_shape = true;
    } else if (field == offsets) {
      if (!whole || value < 0 || value > exact || entry.end >= 0) entry.bad_offsets = true;
      else (entry.begin < 0 ? entry.begin : entry.end) = value;
    }
    return true;
  }
  bool scalar() { return number(0, false); }

  bool Null() { return scalar(); }
  bool Bool(bool) { return scalar(); }
  bool Int(int i) { return number(i, true); }
  bool Uint(unsigned i) { return number(i, true); }
  bool Int64(std::int64_t i) { return number(static_cast<double>(i), true); }
  bool Uint64(std::uint64_t i) { return number(static_cast<double>(i), true); }
  bool Double(double) { return scalar(); }
  bool RawNumber(const char*, std::size_t, bool) { return false; }
  bool String(const char* text, std::size_t length, bool) {
    if (skipping || metadata) return true;
    if (depth != 2) return scalar();
    if (field != dtype) return scalar();
    entry.dtype = dtype_called({text, length});
    if (entry.dtype == no_dtype) entry.dtype_text = cut({text, length});
    return true;
  }
  bool Key(const char* text, std::size_t length, bool) {
    if (skipping) return true;
    const string_view key(text, length);
    if (depth == 1) {
      metadata = key == "__metadata__";
      entry = {};
      entry.name.assign(key);
    } else if (!metadata) {
      field = key == "dtype" ? dtype : key == "shape" ? shape : key == "data_offsets" ? offsets : other;
    }
    return true;
  }
  bool StartObject() {
    if (!skipping && depth < 2) return ++depth, true;
    return skip();
  }
  bool StartArray() {
    if (skipping || depth != 2 || metadata || field == other) return depth < 2 ? out_of_place() : skip();
    return ++depth, true;
  }
  bool skip() {
    if (!skipping && !metadata && field != other) return out_of_place();
    return ++skipping <= max_nesting || fail("import-json-depth");
  }
  bool EndArray(std::size_t) {
    if (skipping) --skipping;
    else --depth;
    return true;
  }
  bool EndObject(std::size_t) {
    if (skipping) return --skipping, true;
    if (--depth != 1) return true;
    if (!metadata) reader.add(file, entry, data_bytes, spans);
    metadata = false;
    field = other;
    return true;
  }
};

bool Safetensors::seen(std::vector<std::uint64_t>& table, std::size_t& used, std::uint64_t hash) {
  hash += hash == 0;
  std::size_t at = hash >> 9 & (table.size() - 1);
  for (; table[at] != 0; at = (at + 1) & (table.size() - 1))
    if (table[at] == hash) return true;
  table[at] = hash;
  if (++used * 2 > table.size()) {
    std::vector<std::uint64_t> old(table.size() * 2);
    old.swap(table);
    for (const std::uint64_t h : old) {
      if (h == 0) continue;
      std::size_t to = h >> 9 & (table.size() - 1);
      while (table[to] != 0) to = (to + 1) & (table.size() - 1);
      table[to] = h;
    }
  }
  return false;
}

Safetensors::Matrix& Safetensors::matrix(std::uint64_t hash) {
  std::size_t at = hash >> 9 & (slots_.size() - 1);
  for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1))
    if (matrices_[slots_[at] - 1].hash == hash) return matrices_[slots_[at] - 1];
  matrices_.emplace_back().hash = hash;
  slots_[at] = static_cast<std::uint32_t>(matrices_.size());
  if (matrices_.size() * 2 > slots_.size()) {
    slots_.assign(slots_.size() * 2, 0);
    for (std::size_t i = 0; i < matrices_.size(); ++i) {
      std::size_t to = matrices_[i].hash >> 9 & (slots_.size() - 1);
      while (slots_[to] != 0) to = (to + 1) & (slots_.size() - 1);
      slots_[to] = static_cast<std::uint32_t>(i + 1);
    }
  }
  return matrices_.back();
}

void Safetensors::add(const ImportFile& file, const Entry& e, double data_bytes, std::vector<Span>& spans) {
  const string_view name = e.name;
  const auto wrong = [&](const char* id, string_view value = {}, string_view wanted = {}) {
    remarks.add(Severity::error, id, file.name, name, value, wanted);
  };
  if (seen(header_names_, header_count_, hash_of(name))) return wrong("import-duplicate-tensor");
  if (e.bad_shape || e.dtype < 0) return wrong(e.dtype < 0 ? "import-no-dtype" : "import-bad-shape");
  double elements = 1;
  Stack shape;
  for (int i = 0; i < e.rank; ++i) {
    elements *= e.dims[i];
    (i == e.rank - 1 ? shape.cols : i == e.rank - 2 ? shape.rows : shape.count) *= e.dims[i];
    if (elements > exact || e.dims[i] > exact) return wrong("import-shape-overflow");
  }
  if (e.bad_offsets || e.end < 0) return wrong("import-bad-offsets");
  if (e.end < e.begin) return wrong("import-reversed-offsets", digits(e.begin), digits(e.end));
  const double bytes = e.end - e.begin;
  const double due = elements * dtypes_known[e.dtype].bits / 8;
  if (e.dtype == no_dtype) {
    remarks.add(Severity::warning, "import-unknown-dtype", file.name, name, e.dtype_text, {}, bytes);
  } else if (std::ceil(due) != bytes) {
    return wrong("import-size-mismatch", digits(bytes), digits(std::ceil(due)));
  }
  if (e.end > data_bytes)
    remarks.add(Severity::warning, "import-beyond-file", file.name, name, digits(e.end), digits(data_bytes));
  spans.push_back({e.begin, e.end});

  const TensorName read = names_of_(name);
  dtype_bytes_[e.dtype] += bytes;
  tensor_bytes_ += bytes;
  Matrix& m = matrix(hash_of(name.substr(0, read.base)) ^ (read.part == Part::bias ? 0x9E3779B97F4A7C15u : 0));
  m.bytes += bytes;
  const bool main = read.part == Part::matrix || read.part == Part::packed || read.part == Part::bias;
  if (m.parts == 0 || main) {
    m.classes = read.classes;
    m.layer = read.layer;
    m.mtp = read.mtp;
  }
  m.parts |= bit(read.part);
  if (main || m.parts == bit(read.part)) {  // until the matrix itself comes, its companion stands for it
    m.shape = shape;
    m.rank = static_cast<std::uint8_t>(e.rank);
    m.dtype = static_cast<std::uint8_t>(e.dtype);
    if (read.classes == 0 && m.name < 0 && names_.size() < 4096) {
      m.name = static_cast<std::int32_t>(names_.size());
      names_.emplace_back(cut(name));
    }
  }
  switch (read.part) {
    case Part::scale:
    case Part::scale_rows:
      m.scale = shape;
      m.scale_dtype = static_cast<std::uint8_t>(e.dtype);
      break;
    case Part::order: m.order_length = elements; break;
    case Part::zeros: m.zeros_cols = shape.cols; break;
    default: break;
  }
}

void Safetensors::check_spans(const ImportFile& file, std::vector<Span>& spans, double data_bytes) {
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.begin != b.begin ? a.begin < b.begin : a.end < b.end; });
  double at = 0;
  for (const Span& s : spans) {
    if (s.begin < at) remarks.add(Severity::error, "import-overlap", file.name, digits(s.begin), {}, {}, at - s.begin);
    else if (s.begin > at) remarks.add(Severity::warning, "import-hole", file.name, digits(at), {}, {}, s.begin - at);
    at = std::max(at, s.end);
  }
  if (at < data_bytes) remarks.add(Severity::warning, "import-hole", file.name, digits(at), {}, {}, data_bytes - at);
}

void Safetensors::read_header(const ImportFile& file) {
  ++num_headers_;
  header_files_.emplace_back(last_of_path(file.name));
  const HeadNeed need = safetensors_head_need(file);
  if (need.error || need.bytes > double(file.head.size())) {
    const string_view length = file.head.substr(0, 8);
    remarks.add(Severity::error, need.error ? need.error : "import-truncated", file.name, {},
                length.size() == 8 ? digits(header_length(length)) : std::string(), digits(file.total_bytes));
    return;
  }
  const string_view text = file.head.substr(8, static_cast<std::size_t>(need.bytes) - 8);
  HeaderHandler handler{*this, file, file.total_bytes - need.bytes, {}, {}};
  rapidjson::MemoryStream stream(text.data(), text.size());
  const rapidjson::ParseResult result = parse_events(stream, handler);
  if (handler.error && *handler.error == 0) return;
  if (result.IsError() || stream.Tell() != text.size()) {
    const char* error = handler.error ? handler.error : result.IsError() ? sax_error(result.Code()) : "import-json-syntax";
    remarks.add(Severity::error, error, file.name, handler.entry.name, {}, {},
                double(result.IsError() ? result.Offset() : stream.Tell()) + 8);
    return;
  }
  check_spans(file, handler.spans, handler.data_bytes);
}

}  // namespace vramfit::importer
