// Source of the layout: the reference implementation's README (eight bytes of length, a JSON header, the data without holes).
// Source of the packings: AutoGPTQ and AutoAWQ (int32, along the input or the output), compressed-tensors, bitsandbytes, gpt-oss
// (blocks of 32 and their exponents), ModelOpt's NVFP4.
#include "import/safetensors.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "import/sax.h"

namespace vramfit::importer {
namespace {

using C = TensorClass;
using std::string_view;

constexpr Dtype dtypes_known[] = {
    {"?", 0},           {"BOOL", 8}, {"U8", 8},   {"I8", 8},   {"F8_E4M3", 8}, {"F8_E5M2", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8},
    {"F8_E5M2FNUZ", 8}, {"I16", 16}, {"U16", 16}, {"F16", 16}, {"BF16", 16},   {"I32", 32},    {"U32", 32},    {"F32", 32},
    {"C64", 64},        {"F64", 64}, {"I64", 64}, {"U64", 64}, {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6},
};
constexpr int num_dtypes = sizeof dtypes_known / sizeof *dtypes_known;
enum : std::uint8_t {
  no_dtype,
  d_bool,
  d_u8,
  d_i8,
  d_e4m3,
  d_e5m2,
  d_e8m0,
  d_e4m3z,
  d_e5m2z,
  d_i16,
  d_u16,
  d_f16,
  d_bf16,
  d_i32,
  d_u32,
  d_f32,
  d_c64,
  d_f64,
  d_i64,
  d_u64,
  d_f4
};

constexpr double exact = 9007199254740992.0;  // whole numbers up to here
constexpr std::size_t max_shards = 2048;
constexpr int max_layer = 8191;
constexpr int max_nesting = 16;

int dtype_called(string_view id) {
  for (int d = 1; d < num_dtypes; ++d)
    if (id == dtypes_known[d].id) return d;
  return no_dtype;
}

bool is_8bit_float(int d) { return d >= d_e4m3 && d <= d_e5m2z && d != d_e8m0; }
double ceil_div(double a, double b) { return std::ceil(a / b); }
constexpr std::uint16_t bit(Part p) { return static_cast<std::uint16_t>(1u << static_cast<int>(p)); }

string_view last_of_path(string_view name) {
  const std::size_t slash = name.find_last_of("/\\");
  return slash == string_view::npos ? name : name.substr(slash + 1);
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

// --- a header --------------------------------------------------------------------------------------------------------------

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

Safetensors::Safetensors() : slots_(256), header_names_(256), index_names_(256) {}

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
  rapidjson::Reader reader;
  const rapidjson::ParseResult result = reader.Parse<sax_flags>(stream, handler);
  if (handler.error && *handler.error == 0) return;
  if (result.IsError() || stream.Tell() != text.size()) {
    const char* error = handler.error ? handler.error : result.IsError() ? sax_error(result.Code()) : "import-json-syntax";
    remarks.add(Severity::error, error, file.name, handler.entry.name, {}, {},
                double(result.IsError() ? result.Offset() : stream.Tell()) + 8);
    return;
  }
  check_spans(file, handler.spans, handler.data_bytes);
}

// --- an index ----------------------------------------------------------------------------------------------------------------

struct IndexHandler {
  Safetensors& reader;
  const ImportFile& file;
  enum Section { none, map, metadata } section = none;
  int depth = 0, skipping = 0;
  std::string name = {};
  bool size_next = false;
  bool has_map = false;
  std::vector<std::uint64_t> shard_hashes = {};
  std::size_t last_shard = 0;
  const char* error = nullptr;

  bool fail(const char* id) {
    error = id;
    return false;
  }
  bool wrong_kind() {
    reader.remarks.add(Severity::error, "import-bad-index", file.name, "weight_map." + name);
    return fail("");
  }
  bool number(double value) {
    if (skipping || depth != 2) return true;
    if (section == map) return wrong_kind();
    if (size_next && value >= 0 && value <= exact) reader.total_size_ = value;
    else if (size_next) reader.remarks.add(Severity::warning, "import-bad-total-size", file.name, "metadata.total_size");
    return true;
  }
  bool scalar() { return section == map && depth == 2 && !skipping ? wrong_kind() : true; }

  bool Null() { return scalar(); }
  bool Bool(bool) { return scalar(); }
  bool Int(int i) { return number(i); }
  bool Uint(unsigned i) { return number(i); }
  bool Int64(std::int64_t i) { return number(static_cast<double>(i)); }
  bool Uint64(std::uint64_t i) { return number(static_cast<double>(i)); }
  bool Double(double d) { return number(d); }
  bool RawNumber(const char*, std::size_t, bool) { return false; }
  bool Key(const char* text, std::size_t length, bool) {
    if (skipping) return true;
    const string_view key(text, length);
    if (depth == 1) section = key == "weight_map" ? map : key == "metadata" ? metadata : none;
    else if (section == map) name.assign(key);
    else size_next = key == "total_size";
    return true;
  }
  bool String(const char* text, std::size_t length, bool) {
    if (skipping || depth != 2 || section != map) return true;
    shard({text, length});
    tensor();
    return true;
  }
  bool StartObject() {
    if (!skipping && depth < 2 && (depth == 0 || section != none)) {
      has_map |= section == map;
      return ++depth, true;
    }
    return StartArray();
  }
  bool StartArray() {
    if (!skipping && section == map) return wrong_kind();
    return ++skipping <= max_nesting || fail("import-json-depth");
  }
  bool EndArray(std::size_t) { return --skipping, true; }
  bool EndObject(std::size_t) {
    if (skipping) return --skipping, true;
    if (--depth == 1) section = none;
    return true;
  }

  // Neighbours mostly lie in the same file.
  void shard(string_view shard_name) {
    const std::uint64_t hash = hash_of(shard_name);
    if (last_shard >= shard_hashes.size() || shard_hashes[last_shard] != hash) {
      last_shard = static_cast<std::size_t>(std::find(shard_hashes.begin(), shard_hashes.end(), hash) - shard_hashes.begin());
      if (last_shard == shard_hashes.size()) {
        if (last_shard == max_shards)
          return reader.remarks.add(Severity::error, "import-too-many-shards", file.name, shard_name, {}, digits(max_shards));
        shard_hashes.push_back(hash);
        reader.shards_.emplace_back(last_of_path(shard_name));
      }
    }
  }
  void tensor() {
    if (reader.seen(reader.index_names_, reader.index_count_, hash_of(name)))
      return reader.remarks.add(Severity::error, "import-duplicate-tensor", file.name, name);
    const TensorName read = reader.names_of_(name);
    if (read.classes == 0 && read.part != Part::bias)
      reader.remarks.add(Severity::info, "import-unknown-tensor", file.name, name);
    reader.index_mtp_ |= read.mtp;
    if (read.layer > max_layer) return;
    if (!read.mtp) reader.index_last_layer_ = std::max(reader.index_last_layer_, read.layer);
    auto& rows = reader.index_parts_;
    const auto row = static_cast<std::size_t>(read.mtp ? 0 : read.layer + 1);
    if (rows.size() <= row) rows.resize(row + 1);
    auto& parts = read.mtp ? reader.index_mtp_parts_ : rows[row];
    if (parts.empty()) parts.resize(num_tensor_classes);
    for (int c = 0; c < num_tensor_classes; ++c)
      if (read.classes >> c & 1) parts[static_cast<std::size_t>(c)] |= bit(read.part);
  }
};

void Safetensors::read_index(const ImportFile& file) {
  if (has_index_) return remarks.add(Severity::error, "import-two-indexes", file.name, {}, index_name_);
  has_index_ = true;
  index_name_ = std::string(file.name);
  if (double(file.head.size()) < file.total_bytes)
    return remarks.add(Severity::error, "import-truncated", file.name, {}, digits(double(file.head.size())),
                       digits(file.total_bytes));
  string_view text = file.head;
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  IndexHandler handler{*this, file};
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Reader reader;
  const rapidjson::ParseResult result = reader.Parse<sax_flags>(stream, handler);
  if (handler.error && *handler.error == 0) return;
  if (result.IsError() || stream.Tell() != text.size()) {
    const char* error = handler.error ? handler.error : result.IsError() ? sax_error(result.Code()) : "import-json-syntax";
    return remarks.add(Severity::error, error, file.name, handler.name, {}, {},
                       double(result.IsError() ? result.Offset() : stream.Tell()));
  }
  if (!handler.has_map) remarks.add(Severity::error, "import-bad-index", file.name, "weight_map");
}

// Of `model-00002-of-00004.safetensors` the 4; 0 of other names.
static double parts_named(string_view name) {
  constexpr string_view end = ".safetensors", of = "-of-";
  if (name.size() < end.size() || name.substr(name.size() - end.size()) != end) return 0;
  name.remove_suffix(end.size());
  const std::size_t at = name.rfind(of);
  if (at == string_view::npos || name.size() - at > 12) return 0;
  double parts = 0;
  for (const char c : name.substr(at + of.size())) {
    if (c < '0' || c > '9') return 0;
    parts = parts * 10 + (c - '0');
  }
  return parts;
}

void Safetensors::compare() {
  if (!has_headers()) return;
  if (!has_index_) {
    const double parts = parts_named(header_files_.front());
    missing_shard_ = num_headers_ < parts;
    if (missing_shard_)
      remarks.add(Severity::warning, "import-missing-shard", header_files_.front(), {}, digits(num_headers_), digits(parts),
                  parts - num_headers_);
    return;
  }
  for (const std::string& shard : shards_) {
    if (std::find(header_files_.begin(), header_files_.end(), shard) != header_files_.end()) continue;
    missing_shard_ = true;
    remarks.add(Severity::warning, "import-missing-shard", index_name_, "weight_map", shard, {}, 1);
  }
  for (const std::string& header : header_files_)
    if (std::find(shards_.begin(), shards_.end(), header) == shards_.end())
      remarks.add(Severity::warning, "import-unnamed-shard", header, {}, index_name_);
  if (missing_shard_) return;
  std::size_t unknown = header_count_;
  double absent = 0;
  for (const std::uint64_t hash : index_names_) {
    if (hash == 0) continue;
    std::size_t at = hash >> 9 & (header_names_.size() - 1);
    while (header_names_[at] != 0 && header_names_[at] != hash) at = (at + 1) & (header_names_.size() - 1);
    if (header_names_[at] == hash) --unknown;
    else ++absent;
  }
  if (absent > 0) remarks.add(Severity::warning, "import-index-absent", index_name_, "weight_map", {}, {}, absent);
  if (unknown > 0) remarks.add(Severity::warning, "import-index-unnamed", index_name_, "weight_map", {}, {}, double(unknown));
  if (total_size_ > 0 && total_size_ != tensor_bytes_)
    remarks.add(Severity::warning, "import-total-size", index_name_, "metadata.total_size", digits(total_size_),
                digits(tensor_bytes_));
}

std::uint16_t Safetensors::parts_of(TensorClass cls, int layer, bool mtp) const {
  const auto row = static_cast<std::size_t>(layer + 1);
  const std::vector<std::uint16_t>* parts = mtp ? &index_mtp_parts_ : row < index_parts_.size() ? &index_parts_[row] : nullptr;
  return parts && !parts->empty() ? (*parts)[static_cast<std::size_t>(cls)] : 0;
}

bool Safetensors::names_mtp(int num_layers) const { return index_mtp_ || index_last_layer_ >= num_layers; }

// --- what a matrix is stored in ------------------------------------------------------------------------------------------------

StoredTensor Safetensors::stored(const Matrix& m, const Model* model, const double* expected_cols) const {
  StoredTensor t;
  t.classes = m.classes;
  t.bytes = m.bytes;
  t.dtype = dtypes_known[m.dtype].id;
  t.count = m.shape.count;
  t.rows = m.shape.rows;
  t.cols = m.shape.cols;
  const bool alone = m.parts & (bit(Part::matrix) | bit(Part::packed) | bit(Part::bias));
  if (!alone) {  // its matrix lies in a file that is not here, or nowhere
    t.rows = t.cols = t.count = 0;
    t.sized = false;
    return t;
  }
  const bool has_scale = m.parts & (bit(Part::scale) | bit(Part::scale_rows));
  double cols = 0;  // as the shape has it; 0: not known
  if (model && expected_cols)
    for (int c = 0; c < num_tensor_classes && cols == 0; ++c)
      if (m.classes >> c & 1) cols = expected_cols[c];
  const auto of = [&](Format format, int group = 0) {
    t.format = format;
    t.group = group;
  };
  const auto group_of = [&](double width) {
    return m.scale.cols > 1 ? int(std::min(65535.0, ceil_div(width, m.scale.cols))) : 0;
  };
  switch (m.dtype) {
    case d_f32: of(Format::fp32); break;
    case d_f16: of(Format::fp16); break;
    case d_bf16: of(Format::bf16); break;
    case d_f4:
      if (has_scale && is_8bit_float(m.scale_dtype)) of(Format::nvfp4);
      else of(Format::mxfp4);
      break;
    case d_i8:
      if (has_scale && m.scale_dtype == d_e8m0 && m.scale.cols == ceil_div(t.cols, 16)) {  // two to a byte
        t.cols *= 2;
        of(Format::mxfp4);
        break;
      }
      of(m.parts & bit(Part::scale_rows) ? Format::int8_bnb : Format::int8);
      t.sized = has_scale;
      break;
    case d_u8:
      if (m.parts & bit(Part::absmax)) {
        t.rows *= t.cols * 2;
        t.cols = 1;
        of(m.parts & bit(Part::nested) ? Format::nf4_dq : Format::nf4);
        std::swap(t.rows, t.cols);
      } else if (has_scale && is_8bit_float(m.scale_dtype)) {
        t.cols *= 2;
        of(Format::nvfp4);
      } else if (has_scale && (m.scale_dtype == d_u8 || m.scale_dtype == d_e8m0)) {
        if (m.shape.cols == 16 && m.scale.elements() * 16 == m.shape.elements()) {  // blocks of their own dimension
          t.count = m.scale.count;
          t.rows = m.scale.rows;
          t.cols = m.scale.cols * 32;
        } else {
          t.cols *= 2;
        }
        of(Format::mxfp4);
      } else {
        t.sized = false;
      }
      break;
    case d_i32:
    case d_u32: {
      if (!has_scale) {
        t.sized = false;
        break;
      }
      // Packed along the input (GPTQ), or along the output (AWQ), or along the rows of [output, input] (compressed-tensors, MLX).
      double bits = 4;
      const auto possible = [](double b) { return b >= 1 && b <= 32 ? b : 4; };
      const bool module = m.scale.cols == m.shape.cols && m.scale.rows < m.shape.rows * 32;
      if (m.parts & bit(Part::zeros) && module && m.parts & bit(Part::packed)) {
        if (m.zeros_cols > 0) bits = std::round(32 * m.zeros_cols / m.shape.cols);
        if (m.order_length > 0) bits = std::round(32 * m.shape.rows / m.order_length);
        bits = possible(bits);
        t.rows = m.shape.cols;
        t.cols = std::round(m.shape.rows * 32 / bits);
        t.group = m.scale.rows > 1 ? int(std::min(65535.0, ceil_div(t.cols, m.scale.rows))) : 0;
        t.format = bits == 8 ? Format::int8_gptq : m.order_length > 0 ? Format::int4_gptq : Format::int4_awq;
      } else if (m.parts & bit(Part::zeros) && m.parts & bit(Part::packed) && m.scale.cols > m.shape.cols) {
        bits = std::round(32 * m.shape.cols / m.scale.cols);
        t.rows = m.scale.cols;
        t.cols = m.shape.rows;
        t.group = m.scale.rows > 1 ? int(std::min(65535.0, ceil_div(t.cols, m.scale.rows))) : 0;
        t.format = Format::int4_awq;
      } else {
        if (cols > 0) bits = std::round(32 * m.shape.cols / cols);
        bits = possible(bits);
        t.cols = std::round(m.shape.cols * 32 / bits);
        t.format = Format::int4_group;
        t.group = group_of(t.cols);
        if (bits == 8) t.format = Format::int8;
      }
      t.sized = bits == 4 || bits == 8;
      break;
    }
    default:
      if (!is_8bit_float(m.dtype)) {
        t.sized = false;
        break;
      }
      of(Format::fp8);
      if (has_scale && m.scale.count * m.scale.rows * m.scale.cols > m.shape.count) {
        if (m.scale.cols == ceil_div(t.cols, 128) && m.scale.rows == ceil_div(t.rows, 128)) of(Format::fp8_block);
        else if (m.scale.elements() == m.shape.count * m.shape.rows) of(Format::int8);  // one per row, as there
        else if (m.scale.cols > 1) of(Format::fp8_block);
      }
  }
  return t;
}

std::vector<StoredTensor> Safetensors::tensors(const Model* model) {
  const int num_layers = model ? model->num_layers() : 0;
  const int all_layers = num_layers + (model ? model->num_mtp_layers : 0) + 1;
  // Widths and elements that the shape has, by layer and class.
  std::vector<double> cols, elements;
  if (model) {
    cols.resize(static_cast<std::size_t>(all_layers) * num_tensor_classes);
    elements.resize(cols.size());
    for_each_tensor(*model, true, [&](const Tensor& t) {
      for (int i = 0; i < t.num_layers; ++i) {
        const auto at = static_cast<std::size_t>(std::min(t.first_layer + i, all_layers - 1)) * num_tensor_classes +
                        static_cast<std::size_t>(t.cls);
        cols[at] = std::max(cols[at], t.cols);
        elements[at] += t.rows * t.cols * t.count;
      }
    });
  }
  std::vector<StoredTensor> out;
  out.reserve(matrices_.size());
  constexpr ClassSet attention = class_set(C::attention_query, C::attention_key, C::attention_value, C::attention_output);
  constexpr ClassSet dense = class_set(C::ffn_gate, C::ffn_up, C::ffn_down);
  int last_layer = -1;
  double spare_head = 0, spare_mtp = 0;
  for (Matrix& m : matrices_) {
    int layer = m.layer;
    bool in_mtp = m.mtp;
    if (m.mtp) layer = num_layers + std::max(0, m.layer);
    else if (model && layer >= num_layers) in_mtp = true;
    if (!m.mtp) last_layer = std::max(last_layer, layer);
    if (m.classes == 0 && m.rank <= 1) m.classes = class_set(C::small);
    // What a name leaves open, the shape settles.
    const bool placed = model && layer >= 0 && layer < all_layers;
    const double* row = placed ? &elements[static_cast<std::size_t>(layer) * num_tensor_classes] : nullptr;
    const auto has = [&](ClassSet set) {
      for (int c = 0; c < num_tensor_classes; ++c)
        if (set >> c & 1 && row[c] > 0) return true;
      return false;
    };
    constexpr ClassSet recurrent = class_set(C::recurrent);
    if (row && m.classes & attention && !has(attention) && has(recurrent)) m.classes = recurrent;
    else if (row && m.classes == recurrent && !has(recurrent) && has(attention)) m.classes = class_set(C::attention_output);
    if (m.classes & dense && !(m.classes & ~dense) &&
        (m.shape.count > 1 || (row && !has(dense) && has(class_set(C::expert_up))))) {
      const ClassSet c = m.classes;
      m.classes = (c & class_set(C::ffn_gate) ? class_set(C::expert_gate) : 0) |
                  (c & class_set(C::ffn_up) ? class_set(C::expert_up) : 0) |
                  (c & class_set(C::ffn_down) ? class_set(C::expert_down) : 0);
    }
    StoredTensor t = stored(m, model, row ? &cols[static_cast<std::size_t>(layer) * num_tensor_classes] : nullptr);
    t.layer = layer > max_layer ? -1 : layer;
    t.in_mtp = in_mtp;
    if (model && in_mtp && model->num_mtp_layers == 0) {
      t.loaded = false;
      spare_mtp += t.bytes;
    } else if (model && !in_mtp && model->tied_embeddings && t.classes == class_set(C::output_head)) {
      t.loaded = false;
      spare_head += t.bytes;
    }
    if (t.classes == 0) {
      const std::string name = m.name >= 0 ? names_[static_cast<std::size_t>(m.name)] : std::string();
      remarks.add(Severity::warning, "import-unknown-tensor", header_files_.front(), name, t.dtype, {}, t.bytes);
    }
    out.push_back(t);
  }
  const string_view file = header_files_.empty() ? string_view() : string_view(header_files_.front());
  if (spare_head > 0) remarks.add(Severity::info, "import-tied-head", file, {}, {}, {}, spare_head);
  if (spare_mtp > 0) remarks.add(Severity::info, "import-mtp-unused", file, {}, {}, {}, spare_mtp);
  if (model && complete()) {
    const int named = last_layer + 1;
    if (named < num_layers || named > num_layers + std::max(model->num_mtp_layers, spare_mtp > 0 ? 1 : 0))
      remarks.add(Severity::error, "import-layer-count", file, {}, digits(named), digits(num_layers));
  }
  return out;
}

std::vector<ImportedDtype> Safetensors::dtypes(std::span<const StoredTensor> tensors) const {
  std::vector<ImportedDtype> out;
  for (int d = 0; d < num_dtypes; ++d) {
    double params = 0;
    for (const StoredTensor& t : tensors)
      if (t.dtype == dtypes_known[d].id) params += t.params();
    if (dtype_bytes_[d] > 0) out.push_back({dtypes_known[d].id, params, dtype_bytes_[d]});
  }
  std::sort(out.begin(), out.end(), [](const ImportedDtype& a, const ImportedDtype& b) { return a.bytes > b.bytes; });
  return out;
}

}  // namespace vramfit::importer
