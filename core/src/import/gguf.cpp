// Layout: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, versions 2 and 3; ggml types from ggml.h (source id
// ggml-types).
#include "import/gguf.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace vramfit::importer {
namespace {

constexpr std::uint64_t max_safe_integer = std::uint64_t{1} << 53;
constexpr int max_nesting = 4;  // of arrays in arrays; today's files have none

constexpr GgmlType types[] = {
    {"F32", Format::fp32},
    {"F16", Format::fp16},
    {"Q4_0", Format::q4_0},
    {"Q4_1", Format::q4_1},
    {"Q4_2", Format::q4_0, true},
    {"Q4_3", Format::q4_1, true},
    {"Q5_0", Format::q5_0},
    {"Q5_1", Format::q5_1},
    {"Q8_0", Format::q8_0},
    {"Q8_1", Format::q8_1},
    {"Q2_K", Format::q2_k},
    {"Q3_K", Format::q3_k},
    {"Q4_K", Format::q4_k},
    {"Q5_K", Format::q5_k},
    {"Q6_K", Format::q6_k},
    {"Q8_K", Format::q8_k},
    {"IQ2_XXS", Format::iq2_xxs},
    {"IQ2_XS", Format::iq2_xs},
    {"IQ3_XXS", Format::iq3_xxs},
    {"IQ1_S", Format::iq1_s},
    {"IQ4_NL", Format::iq4_nl},
    {"IQ3_S", Format::iq3_s},
    {"IQ2_S", Format::iq2_s},
    {"IQ4_XS", Format::iq4_xs},
    {"I8", Format::i8},
    {"I16", Format::i16},
    {"I32", Format::i32},
    {"I64", Format::i64},
    {"F64", Format::fp64},
    {"IQ1_M", Format::iq1_m},
    {"BF16", Format::bf16},
    {"Q4_0_4_4", Format::q4_0, true},
    {"Q4_0_4_8", Format::q4_0, true},
    {"Q4_0_8_8", Format::q4_0, true},
    {"TQ1_0", Format::tq1_0},
    {"TQ2_0", Format::tq2_0},
    {"IQ4_NL_4_4", Format::iq4_nl, true},
    {"IQ4_NL_4_8", Format::iq4_nl, true},
    {"IQ4_NL_8_8", Format::iq4_nl, true},
    {"MXFP4", Format::ggml_mxfp4},
    {"NVFP4", Format::ggml_nvfp4},
    {"Q1_0", Format::q1_0},
    {"Q2_0", Format::q2_0},
};

constexpr int size_of(GgufKind kind) {
  switch (kind) {
    case GgufKind::u8:
    case GgufKind::i8:
    case GgufKind::boolean: return 1;
    case GgufKind::u16:
    case GgufKind::i16: return 2;
    case GgufKind::u32:
    case GgufKind::i32:
    case GgufKind::f32: return 4;
    case GgufKind::u64:
    case GgufKind::i64:
    case GgufKind::f64: return 8;
    case GgufKind::string:
    case GgufKind::array: return 0;
  }
  return 0;
}

// Files are little-endian, as is every machine that this runs on; wasm always is.
static_assert(std::endian::native == std::endian::little);
template <class T>
T stored(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

class Reader {
 public:
  Reader(const ImportFile& file, GgufHeader& out) : out_(out), head_(file.head) {
    const double total = file.total_bytes;
    total_ = total > double(head_.size()) && total < double(max_safe_integer) ? std::uint64_t(total) : head_.size();
  }

  void read() {
    if (!magic()) return;
    std::uint64_t num_tensors = 0, num_values = 0;
    if (!take(num_tensors, "tensor_count") || !take(num_values, "metadata_kv_count")) return;
    // The least that a value and a tensor's description take.
    if (!plausible(num_values, 8 + 4 + 1, "metadata_kv_count") || !plausible(num_tensors, 8 + 4 + 8 + 4 + 8, "tensor_count"))
      return;
    for (std::uint64_t i = 0; i < num_values; ++i)
      if (!value()) return;
    if (!sort_values() || !alignment()) return;
    for (std::uint64_t i = 0; i < num_tensors; ++i)
      if (!tensor()) return;
    check_tensors();
  }

 private:
  bool fault(const char* id, std::string_view where, std::string_view value = {}, std::string_view wanted = {},
             double number = 0) {
    out_.fault = {id, shown(where), shown(value), shown(wanted), number};
    out_.need = 0;
    return false;
  }

  // Whether `bytes` more are at hand. If not, the file ends before or its beginning is asked for again, longer.
  bool have(std::uint64_t bytes, std::string_view where) {
    if (bytes <= head_.size() - at_) return true;
    if (bytes > total_ - at_) return fault("import-gguf-truncated", where, {}, {}, double(total_));
    out_.need = at_ + bytes;
    return false;
  }

  template <class T>
  bool take(T& target, std::string_view where) {
    if (!have(sizeof(T), where)) return false;
    target = stored<T>(head_.data() + at_);
    at_ += sizeof(T);
    return true;
  }

  bool take_text(std::string_view& target, std::string_view where) {
    std::uint64_t length = 0;
    if (!take(length, where)) return false;
    if (length > total_ - at_) return fault("import-gguf-length", where, shown(length), {}, double(total_ - at_));
    if (!have(length, where)) return false;
    target = head_.substr(at_, length);
    at_ += length;
    return true;
  }

  bool plausible(std::uint64_t count, std::uint64_t least_bytes, std::string_view where) {
    if (count <= (total_ - at_) / least_bytes) return true;
    return fault("import-gguf-count", where, shown(count), {}, double((total_ - at_) / least_bytes));
  }

  bool magic() {
    if (!have(std::min<std::size_t>(4, total_), "magic")) return false;
    const std::string_view found = head_.substr(0, 4);
    if (found == "ggml" || found == "lmgg" || found == "tjgg" || found == "fmgg" || found == "algg")
      return fault("import-gguf-legacy", "magic", found);
    if (found != "GGUF") return fault("import-gguf-magic", "magic", found);
    at_ = 4;
    if (!take(out_.version, "version")) return false;
    const std::uint32_t v = out_.version;
    if (v == 2 || v == 3) return true;
    if (v == 1) return fault("import-gguf-old-version", "version", "1");
    if (v != 0 && (v & 0xFFFF) == 0) return fault("import-gguf-big-endian", "version", shown(std::uint64_t{v}));
    return fault(v == 0 ? "import-gguf-magic" : "import-gguf-future-version", "version", shown(std::uint64_t{v}));
  }

  bool take_kind(GgufKind& kind, std::string_view key) {
    std::uint32_t number = 0;
    if (!take(number, key)) return false;
    if (number > std::uint32_t(GgufKind::f64)) return fault("import-gguf-value-type", key, shown(std::uint64_t{number}));
    kind = GgufKind(number);
    return true;
  }

  bool value() {
    GgufValue v;
    if (!take_text(v.key, "metadata")) return false;
    if (v.key.empty()) return fault("import-gguf-name", "metadata");
    if (!take_kind(v.kind, v.key)) return false;
    const std::uint64_t start = at_;
    if (v.kind == GgufKind::string) {
      if (!take_text(v.bytes, v.key)) return false;
    } else if (v.kind == GgufKind::array) {
      if (!take_kind(v.element, v.key) || !take(v.count, v.key)) return false;
      const std::uint64_t elements = at_;
      if (!skip_elements(v.element, v.count, v.key, 1)) return false;
      v.bytes = head_.substr(elements, at_ - elements);
    } else {
      if (!have(size_of(v.kind), v.key)) return false;
      at_ += size_of(v.kind);
      v.bytes = head_.substr(start, at_ - start);
      if (v.kind == GgufKind::boolean && std::uint8_t(v.bytes[0]) > 1)
        return fault("import-gguf-boolean", v.key, shown(std::uint64_t(std::uint8_t(v.bytes[0]))));
    }
    out_.values.push_back(v);
    return true;
  }

  bool skip_elements(GgufKind kind, std::uint64_t count, std::string_view key, int depth) {
    const std::uint64_t least = kind == GgufKind::string ? 8 : kind == GgufKind::array ? 12 : size_of(kind);
    if (!plausible(count, least, key)) return false;
    if (kind == GgufKind::string) return skip_texts(count, key);
    if (kind != GgufKind::array) {
      if (!have(count * least, key)) return false;
      at_ += count * least;
      return true;
    }
    if (depth == max_nesting) return fault("import-gguf-nesting", key, {}, {}, max_nesting);
    for (std::uint64_t i = 0; i < count; ++i) {
      GgufKind inner = GgufKind::u8;
      std::uint64_t inner_count = 0;
      if (!take_kind(inner, key) || !take(inner_count, key) || !skip_elements(inner, inner_count, key, depth + 1)) return false;
    }
    return true;
  }

  // A vocabulary: hundreds of thousands of short texts.
  bool skip_texts(std::uint64_t count, std::string_view key) {
    const char* data = head_.data();
    const std::uint64_t end = head_.size();
    std::uint64_t at = at_;
    for (std::uint64_t i = 0; i < count; ++i) {
      const bool has_length = end - at >= 8;
      const std::uint64_t length = has_length ? stored<std::uint64_t>(data + at) : 0;
      if (has_length && length <= end - at - 8) {
        at += 8 + length;
        continue;
      }
      at_ = at;
      std::string_view text;  // says what is missing: the file's end, or more of its beginning
      return take_text(text, key);
    }
    at_ = at;
    return true;
  }

  bool sort_values() {
    std::sort(out_.values.begin(), out_.values.end(), [](const GgufValue& a, const GgufValue& b) { return a.key < b.key; });
    const auto twice = std::adjacent_find(out_.values.begin(), out_.values.end(),
                                          [](const GgufValue& a, const GgufValue& b) { return a.key == b.key; });
    return twice == out_.values.end() || fault("import-gguf-doubled-key", twice->key);
  }

  bool alignment() {
    const GgufValue* v = out_.find("general.alignment");
    if (!v) return true;
    const double n = v->is_array() ? 0 : v->number().value_or(0);
    if (!(n >= 1 && n <= 1 << 30) || n != std::floor(n) || !std::has_single_bit(std::uint64_t(n)))
      return fault("import-gguf-alignment", v->key, shown(n));
    out_.alignment = std::uint64_t(n);
    return true;
  }

  bool tensor() {
    GgufTensor t;
    if (!take_text(t.name, "tensor")) return false;
    if (t.name.empty()) return fault("import-gguf-name", "tensor");
    if (!take(t.num_dims, t.name)) return false;
    if (t.num_dims == 0 || t.num_dims > 4) return fault("import-gguf-dims", t.name, shown(std::uint64_t{t.num_dims}));
    std::uint64_t elements = 1;
    for (std::uint32_t d = 0; d < t.num_dims; ++d) {
      if (!take(t.dims[d], t.name)) return false;
      if (t.dims[d] == 0) return fault("import-gguf-dims", t.name, "0");
      if (__builtin_mul_overflow(elements, t.dims[d], &elements) || elements > max_safe_integer)
        return fault("import-gguf-too-many-elements", t.name, shown(t.dims[d]));
    }
    if (!take(t.type, t.name) || !take(t.offset, t.name)) return false;
    const GgmlType type = ggml_type(t.type);
    if (type.removed) return fault("import-gguf-removed-type", t.name, type.name, {}, t.type);
    if (!type.name) return fault("import-gguf-tensor-type", t.name, shown(std::uint64_t{t.type}), {}, t.type);
    const FormatInfo& f = info(type.format);
    if (t.dims[0] % f.block_elements != 0)
      return fault("import-gguf-block", t.name, shown(t.dims[0]), type.name, f.block_elements);
    t.bytes = elements / f.block_elements * f.block_bytes;  // below 2^53 elements of at most 8 bytes each
    out_.tensors.push_back(t);
    return true;
  }

  void check_tensors() {
    const std::uint64_t up = out_.alignment - 1;
    out_.data_start = (at_ + up) & ~up;
    const std::vector<GgufTensor>& all = out_.tensors;
    std::vector<std::uint32_t> order(all.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;

    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return all[a].name < all[b].name; });
    for (std::size_t i = 1; i < order.size(); ++i)
      if (all[order[i]].name == all[order[i - 1]].name) return void(fault("import-gguf-doubled-tensor", all[order[i]].name));

    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return all[a].offset < all[b].offset; });
    std::uint64_t end = 0;
    for (std::uint32_t i : order) {
      const GgufTensor& t = all[i];
      if (t.offset & up) return void(fault("import-gguf-offset", t.name, shown(t.offset), {}, double(out_.alignment)));
      if (t.offset < end) return void(fault("import-gguf-overlap", t.name, shown(t.offset), {}, double(end)));
      const std::uint64_t room = total_ > out_.data_start ? total_ - out_.data_start : 0;
      if (t.offset > room || t.bytes > room - t.offset)
        return void(
            fault("import-gguf-data-missing", t.name, {}, {}, double(out_.data_start) + double(t.offset) + double(t.bytes)));
      end = t.offset + t.bytes;
    }
  }

  GgufHeader& out_;
  std::string_view head_;
  std::uint64_t total_ = 0;
  std::uint64_t at_ = 0;  // never behind the beginning that is at hand
};

}  // namespace

GgmlType ggml_type(std::uint32_t number) { return number < std::size(types) ? types[number] : GgmlType{}; }

std::optional<double> GgufValue::number(std::uint64_t index) const {
  const GgufKind k = is_array() ? element : kind;
  const int size = size_of(k);
  if (size == 0 || index >= (is_array() ? count : 1)) return std::nullopt;
  const char* at = bytes.data() + index * size;
  switch (k) {
    case GgufKind::u8:
    case GgufKind::boolean: return stored<std::uint8_t>(at);
    case GgufKind::i8: return stored<std::int8_t>(at);
    case GgufKind::u16: return stored<std::uint16_t>(at);
    case GgufKind::i16: return stored<std::int16_t>(at);
    case GgufKind::u32: return stored<std::uint32_t>(at);
    case GgufKind::i32: return stored<std::int32_t>(at);
    case GgufKind::f32: return stored<float>(at);
    case GgufKind::u64: return double(stored<std::uint64_t>(at));
    case GgufKind::i64: return double(stored<std::int64_t>(at));
    case GgufKind::f64: return stored<double>(at);
    default: return std::nullopt;
  }
}

const GgufValue* GgufHeader::find(std::string_view key) const {
  const auto at =
      std::lower_bound(values.begin(), values.end(), key, [](const GgufValue& v, std::string_view k) { return v.key < k; });
  return at != values.end() && at->key == key ? &*at : nullptr;
}

bool is_gguf(std::string_view head) {
  const std::string_view magic = head.substr(0, 4);
  return magic == "GGUF" || magic == "ggml" || magic == "lmgg" || magic == "tjgg" || magic == "fmgg" || magic == "algg";
}

GgufHeader read_gguf_header(const ImportFile& file) {
  GgufHeader header;
  Reader(file, header).read();
  return header;
}

std::string shown(std::string_view text) {
  constexpr std::size_t limit = 80;
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = std::uint8_t(text[i]);
    std::size_t length = lead < 0x80                   ? 1
                         : lead >= 0xC2 && lead < 0xE0 ? 2
                         : (lead & 0xF0) == 0xE0       ? 3
                         : lead >= 0xF0 && lead < 0xF5 ? 4
                                                       : 0;
    for (std::size_t j = 1; j < length; ++j)
      if (i + j >= text.size() || (std::uint8_t(text[i + j]) & 0xC0) != 0x80) length = 0;
    if (length >= 3) {  // overlong, surrogates, behind the last code point
      const auto second = std::uint8_t(text[i + 1]);
      if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) || (lead == 0xF0 && second < 0x90) ||
          (lead == 0xF4 && second > 0x8F))
        length = 0;
    }
    const bool plain = length > 0 && !(length == 1 && (lead < 0x20 || lead == 0x7F));
    const std::string_view piece = plain ? text.substr(i, length) : std::string_view("\xEF\xBF\xBD");
    if (out.size() + piece.size() > limit) break;
    out += piece;
    i += length > 0 ? length : 1;
  }
  return out;
}

std::string shown(std::uint64_t number) {
  char text[20];
  char* at = std::end(text);
  do *--at = char('0' + number % 10);
  while (number /= 10);
  return std::string(at, std::end(text));
}

std::string shown(double number) {
  if (std::isnan(number)) return "NaN";
  if (!(std::fabs(number) < 1e15)) return number > 0 ? "1e15+" : "-1e15-";
  const double thousandths = std::round(std::fabs(number) * 1000);
  std::string out = number < 0 ? "-" : "";
  out += shown(std::uint64_t(thousandths / 1000));
  if (const std::uint64_t rest = std::uint64_t(std::fmod(thousandths, 1000)); rest > 0) {
    out += '.' + shown(1000 + rest).substr(1);
    while (out.back() == '0') out.pop_back();
  }
  return out;
}

HeadNeed gguf_head_need(const ImportFile& file) {
  const GgufHeader header = read_gguf_header(file);
  if (header.fault.id) return {double(file.head.size()), header.fault.id};
  if (header.need == 0) return {double(std::min<std::uint64_t>(header.data_start, file.head.size())), nullptr};
  // What is missing is mostly the vocabulary's end: twice as much spares asking for every text of it.
  const double more = std::max<double>({double(header.need), 2.0 * double(file.head.size()), 1 << 18});
  return {std::min(more, file.total_bytes), nullptr};
}

}  // namespace vramfit::importer
