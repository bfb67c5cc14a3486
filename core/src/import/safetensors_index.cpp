// The index of a sharded model: what it names, and whether that is what the headers have.
#include <algorithm>

#include "import/safetensors_parts.h"
#include "import/sax.h"

namespace vramfit::importer {
namespace {

using std::string_view;

constexpr std::size_t max_shards = 2048;

}  // namespace

std::string_view last_of_path(string_view name) {
  const std::size_t slash = name.find_last_of("/\\");
  return slash == string_view::npos ? name : name.substr(slash + 1);
}

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
  const rapidjson::ParseResult result = parse_events(stream, handler);
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

}  // namespace vramfit::importer
