// The files of a model, in any order, put together: which is which, what settles the shape, what the weights are exactly.
#include "vramfit/import.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "import/config.h"
#include "import/gguf.h"
#include "import/remarks.h"
#include "import/safetensors.h"
#include "import/tensor_table.h"
#include "vramfit/format_table.h"

namespace vramfit {

using namespace importer;

namespace {

constexpr std::size_t max_name_bytes = 80;  // as a link carries it
constexpr double max_json = max_safetensors_header;
// Between an index's total and what the shape takes in the formats that are known; more is a contradiction and not a rest.
constexpr double total_tolerance = 0.03;

enum class FileKind { safetensors, index, config, quantization, unused, unknown, empty, pickle };

bool ends_with(std::string_view s, std::string_view with) {
  return s.size() >= with.size() && s.substr(s.size() - with.size()) == with;
}

std::string_view base_name(std::string_view name) {
  const std::size_t slash = name.find_last_of("/\\");
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

// Whether it begins as a JSON object does.
bool is_object(std::string_view head) {
  if (head.substr(0, 3) == "\xEF\xBB\xBF") head.remove_prefix(3);
  const std::size_t at = head.find_first_not_of(" \t\r\n");
  return at == std::string_view::npos ? false : head[at] == '{';
}

bool is_safetensors(const ImportFile& file) {
  if (ends_with(file.name, ".safetensors")) return true;
  // By its look: a length of at most 100 MB, then an object.
  const std::string_view h = file.head;
  return h.size() >= 9 && h[8] == '{' && h[7] == 0 && h[6] == 0 && h[5] == 0 && h[4] == 0 && !is_object(h.substr(0, 8));
}

// What lies beside a model's configuration and says nothing of memory.
bool is_beside(std::string_view name) {
  for (const std::string_view other : {"tokenizer.json", "tokenizer_config.json", "generation_config.json",
                                       "preprocessor_config.json", "special_tokens_map.json", "processor_config.json",
                                       "chat_template.json", "vocab.json", "added_tokens.json", "video_preprocessor_config.json"})
    if (name == other) return true;
  return false;
}

FileKind kind_of(const ImportFile& file) {
  if (file.total_bytes == 0 || file.head.empty()) return FileKind::empty;
  if (is_safetensors(file)) return FileKind::safetensors;
  if (file.head.substr(0, 2) == "PK" || file.head.substr(0, 2) == "\x80\x02") return FileKind::pickle;
  if (!is_object(file.head)) return FileKind::unknown;
  const std::string_view name = base_name(file.name);
  if (is_beside(name)) return FileKind::unused;
  if (name == "hf_quant_config.json") return FileKind::quantization;
  if (ends_with(name, ".index.json") || file.head.find("\"weight_map\"") != std::string_view::npos) return FileKind::index;
  return FileKind::config;
}

bool is_16_bits(Format f) { return f == Format::bf16 || f == Format::fp16 || f == Format::fp32; }

// An index has names and one sum: the configuration says the formats, the names which layers they apply to.
void describe_index(Imported& imported, const Safetensors& files, std::string_view index_name) {
  const Model& model = imported.model;
  StoredFormats said;
  if (!imported.formats.empty()) said = parse_format_table(imported.formats).stored;
  if (said.num_sections == 0) add_section(said, Format::bf16, 0, all_classes);
  const Format wide = is_16_bits(said.sections[0].format)                            ? said.sections[0].format
                      : said.num_sections > 1 && is_16_bits(said.sections[1].format) ? said.sections[1].format
                                                                                     : Format::bf16;
  Remarks remarks;
  const int num_layers = model.num_layers();
  if (files.last_layer() >= 0) {
    const int named = files.last_layer() + 1;
    if (named < num_layers || named > num_layers + std::max(1, model.num_mtp_layers))
      remarks.add(Severity::error, "import-layer-count", index_name, {}, digits(named), digits(num_layers));
  }
  const bool mtp = files.names_mtp(num_layers);
  std::vector<StoredTensor> tensors;
  std::uint32_t surprising = 0;
  for_each_tensor(model, mtp, [&](const Tensor& t) {
    for (int i = 0; i < t.num_layers; ++i) {
      const int layer = t.first_layer + i;
      const StoredFormats::Section& s = section_of(said, t.cls, layer);
      std::uint16_t parts = files.parts_of(t.cls, layer, false);
      if (parts == 0 && t.in_mtp) parts = files.parts_of(t.cls, 0, true);
      constexpr std::uint16_t whole = 1u << int(Part::matrix);
      const bool companions = parts & ~(whole | 1u << int(Part::bias) | 1u << int(Part::other_scale));
      Format format = s.format;
      if (!is_16_bits(format) && parts != 0 && !companions) format = wide;
      if (is_16_bits(format) && companions && t.cls != TensorClass::small) surprising |= class_bit(t.cls);
      StoredTensor stored;
      stored.classes = class_set(t.cls);
      stored.layer = layer;
      stored.in_mtp = t.in_mtp;
      stored.format = format;
      stored.group = format == s.format ? s.group : 0;
      stored.rows = t.rows;
      stored.cols = t.cols;
      stored.count = t.count;
      stored.bytes = tensor_bytes(format, t.rows, t.cols, stored.group) * t.count;
      tensors.push_back(stored);
    }
  });
  for (int c = 0; c < num_tensor_classes; ++c)
    if (surprising >> c & 1)
      remarks.add(Severity::warning, "import-index-quantized", index_name, class_id(TensorClass(c)), {}, "quantization_config");
  // A tied head that is there all the same is in the sum.
  double spare = 0;
  if (model.tied_embeddings && files.parts_of(TensorClass::output_head, -1, false))
    spare = tensor_bytes(section_of(said, TensorClass::output_head, 0).format, model.vocab_size, model.hidden_size, 0);
  describe_tensors(imported, tensors, false, index_name);
  imported.dtypes.clear();
  const double derived = imported.tensor_bytes + spare;
  const double total = files.total_size();
  if (total > 0) {
    StoredFormats& stored = imported.model.stored;
    if (std::fabs(total - derived) <= total_tolerance * total) {
      stored.rest_bytes = std::round(stored.rest_bytes + total - derived);
      imported.formats = write_format_table(stored);
      imported.tensor_bytes = total;
    } else {
      remarks.add(Severity::warning, "import-total-size", index_name, "metadata.total_size", digits(total), digits(derived),
                  total - derived);
    }
  }
  if (remarks.has_error()) imported.ok = false;
  remarks.move_to(imported.remarks);
}

Imported put_together(std::span<const ImportFile> files) {
  Remarks remarks;
  Safetensors weights;
  const ImportFile *config = nullptr, *quantization = nullptr, *index = nullptr, *header = nullptr;
  double file_bytes = 0;
  for (const ImportFile& file : files) {
    const FileKind kind = kind_of(file);
    if ((kind == FileKind::config || kind == FileKind::quantization) && double(file.head.size()) < file.total_bytes) {
      remarks.add(Severity::error, file.total_bytes > max_json ? "import-json-too-large" : "import-truncated", file.name, {},
                  digits(double(file.head.size())), digits(file.total_bytes));
      continue;
    }
    switch (kind) {
      case FileKind::safetensors:
        weights.read_header(file);
        file_bytes += file.total_bytes;
        if (!header) header = &file;
        break;
      case FileKind::index:
        weights.read_index(file);
        index = &file;
        break;
      case FileKind::quantization: quantization = &file; break;
      case FileKind::config:
        if (!config) {
          config = &file;
        } else if (base_name(file.name) == "config.json" && base_name(config->name) == "params.json") {
          remarks.add(Severity::info, "import-file-unused", config->name, {});
          config = &file;
        } else if (base_name(file.name) == "params.json" && base_name(config->name) == "config.json") {
          remarks.add(Severity::info, "import-file-unused", file.name, {});
        } else {
          remarks.add(Severity::error, "import-two-configs", file.name, {}, base_name(config->name));
        }
        break;
      case FileKind::unused: remarks.add(Severity::info, "import-file-unused", file.name, {}); break;
      case FileKind::empty: remarks.add(Severity::error, "import-empty-file", file.name, {}); break;
      case FileKind::pickle: remarks.add(Severity::error, "import-pickle", file.name, {}, {}, "model.safetensors"); break;
      case FileKind::unknown: remarks.add(Severity::error, "import-unknown-file", file.name, {}); break;
    }
  }
  weights.compare();

  Imported out;
  const auto as_config = [](const ImportFile* f) { return f ? ConfigFile{f->name, f->head} : ConfigFile{}; };
  if (config) {
    out = import_config(as_config(config), as_config(quantization));
  } else if (weights.has_headers() || weights.has_index() || quantization) {
    const ImportFile* first = header ? header : index ? index : quantization;
    remarks.add(Severity::error, "import-needs-config", first->name, {}, {}, "config.json");
  } else if (!remarks.has_error()) {
    remarks.add(Severity::error, "import-no-model", {}, {}, {}, "config.json");
  }
  const bool understood = config && out.ok;
  if (weights.has_headers() || weights.has_index()) out.origin = "safetensors";
  out.file_bytes = file_bytes;
  if (weights.has_headers()) {
    const std::vector<StoredTensor> tensors = weights.tensors(understood ? &out.model : nullptr);
    if (understood && weights.complete()) {
      describe_tensors(out, tensors, false, index ? index->name : header->name);
      out.dtypes = weights.dtypes(tensors);
    } else if (understood) {
      describe_index(out, weights, index ? index->name : header->name);
    } else {
      count_tensors(out, tensors);
      out.dtypes = weights.dtypes(tensors);
    }
  } else if (weights.has_index()) {
    if (understood) describe_index(out, weights, index->name);
    else out.tensor_bytes = weights.total_size();
  }
  if (weights.lies() || remarks.has_error() || !config) out.ok = false;
  weights.remarks.move_to(out.remarks);
  remarks.move_to(out.remarks);
  // What stands in the way comes first.
  std::stable_sort(out.remarks.begin(), out.remarks.end(),
                   [](const ImportRemark& a, const ImportRemark& b) { return a.severity > b.severity; });
  return out;
}

}  // namespace

HeadNeed head_need(const ImportFile& file) {
  if (file.total_bytes <= 0) return {0, "import-empty-file"};
  const double first = std::min(9.0, file.total_bytes);
  if (double(file.head.size()) < first) return {first};
  if (is_gguf(file.head)) return gguf_head_need(file);
  if (is_safetensors(file)) return safetensors_head_need(file);
  if (file.head.substr(0, 2) == "PK" || file.head.substr(0, 2) == "\x80\x02") return {first, "import-pickle"};
  const bool blank = file.head.find_first_not_of(" \t\r\n") == std::string_view::npos;
  if (!blank && !is_object(file.head)) return {first, "import-unknown-file"};
  if (file.total_bytes > max_json) return {first, "import-json-too-large"};
  return {file.total_bytes};
}

Imported import_model(std::span<const ImportFile> files) {
  // GGUF files say all of a model; what else is given is not needed.
  std::vector<ImportFile> ggufs;
  for (const ImportFile& file : files)
    if (is_gguf(file.head)) ggufs.push_back(file);
  Imported out = ggufs.empty() ? put_together(files) : import_gguf(ggufs);
  for (const ImportFile& file : files)
    if (!ggufs.empty() && !is_gguf(file.head)) out.remarks.push_back({Severity::info, "import-file-unused", cut(file.name)});
  if (out.ok) {
    out.model.max_position_embeddings = static_cast<int>(std::clamp(out.max_position_embeddings, 0.0, 1e9));
    out.shape = write_shape(out.model);
  }
  out.name = cut(out.name, max_name_bytes);
  return out;
}

}  // namespace vramfit
