// GGUF files put together: the parts of a split model in order, a projector beside it, and what does not belong together.
#include <algorithm>

#include "import/gguf.h"
#include "import/gguf_model.h"
#include "import/gguf_names.h"
#include "import/remarks.h"
#include "import/tensor_table.h"

namespace vramfit::importer {
namespace {

// More of the tensors' bytes without a known name than this, and it is not the model that the architecture says.
constexpr double unknown_share = 0.05;

struct Part {
  const ImportFile* file = nullptr;
  GgufHeader header;
  bool projector = false;
  int number = 0, count = 1;
  double tensors_of_all = 0;

  std::string_view text(std::string_view key) const {
    const GgufValue* v = header.find(key);
    return v ? v->text() : std::string_view();
  }
  std::string_view architecture() const { return text("general.architecture"); }
};

class Assembly {
 public:
  explicit Assembly(std::span<const ImportFile> files) : files_(files) { out_.origin = "gguf"; }

  Imported put_together() {
    if (read() && order() && describe()) out_.ok = out_.ok && !remarks_.has_error();
    remarks_.move_to(out_.remarks);
    return std::move(out_);
  }

 private:
  bool refuse(const char* id, const Part& part, std::string_view where, std::string_view value = {}, std::string_view wanted = {},
              double number = 0) {
    remarks_.add(Severity::error, id, part.file->name, shown(where), shown(value), shown(wanted), number);
    return false;
  }

  bool read() {
    for (const ImportFile& file : files_) {
      Part part;
      part.file = &file;
      part.header = read_gguf_header(file);
      out_.file_bytes += file.total_bytes;
      if (const GgufFault& f = part.header.fault; f.id) {
        remarks_.add(Severity::error, f.id, file.name, f.where, f.value, f.wanted, f.number);
        continue;
      }
      if (part.header.need > 0) {
        remarks_.add(Severity::error, "import-gguf-incomplete", file.name, {}, {}, {}, double(part.header.need));
        continue;
      }
      if (!read_split(part)) continue;
      const std::string_view type = part.text("general.type");
      part.projector = part.architecture() == "clip" || type == "mmproj";
      if (type == "adapter" || type == "imatrix") {
        refuse("import-gguf-no-model", part, "general.type", type);
        continue;
      }
      parts_.push_back(std::move(part));
    }
    return !remarks_.has_error();
  }

  bool split_number(const Part& part, std::string_view key, double least, double& target) {
    const GgufValue* v = part.header.find(key);
    if (!v) return true;
    const double n = v->is_array() ? -1 : v->number().value_or(-1);
    if (!(n >= least && n <= 1e6)) return refuse("import-gguf-value", part, key, std::string(digits(n)));
    target = n;
    return true;
  }

  bool read_split(Part& part) {
    double number = 0, count = 1;
    if (!split_number(part, "split.count", 0, count) || !split_number(part, "split.no", 0, number) ||
        !split_number(part, "split.tensors.count", 0, part.tensors_of_all))
      return false;
    part.count = std::max(1, int(count));
    part.number = int(number);
    return part.number < part.count || refuse("import-gguf-part-number", part, "split.no", digits(number), {}, count);
  }

  // One model's parts in their order, and projectors apart.
  bool order() {
    for (Part& part : parts_)
      if (part.projector) projectors_.push_back(&part);
      else model_.push_back(&part);
    if (parts_.empty()) {
      remarks_.add(Severity::error, "import-no-model", {}, {}, {}, "model.gguf");
      return false;
    }
    if (model_.empty())
      return refuse("import-gguf-projector-alone", parts_.front(), "general.architecture", parts_.front().architecture());
    std::sort(model_.begin(), model_.end(), [](const Part* a, const Part* b) { return a->number < b->number; });
    const Part& first = *model_.front();
    for (std::size_t i = 0; i < model_.size(); ++i) {
      const Part& part = *model_[i];
      if (first.count == 1 && i > 0) return refuse("import-gguf-several-models", part, {}, {}, first.file->name);
      if (part.count != first.count || part.tensors_of_all != first.tensors_of_all)
        return refuse("import-gguf-foreign-part", part, "split.count", digits(part.count), first.file->name, first.count);
      if (!part.architecture().empty() && !first.architecture().empty() && part.architecture() != first.architecture())
        return refuse("import-gguf-foreign-part", part, "general.architecture", part.architecture(), first.file->name,
                      first.count);
      if (i > 0 && part.number == model_[i - 1]->number)
        return refuse("import-gguf-doubled-part", part, "split.no", digits(part.number + 1), model_[i - 1]->file->name,
                      part.count);
    }
    std::size_t at = 0;
    int missing = 0;
    for (int number = 0; number < first.count; ++number) {
      if (at < model_.size() && model_[at]->number == number) {
        ++at;
        continue;
      }
      ++missing;
      remarks_.add(Severity::error, "import-gguf-missing-part", first.file->name, "split.no", digits(number + 1), {},
                   first.count);
      if (missing == Remarks::shown) break;
    }
    if (missing > 0) return false;
    double tensors = 0;
    for (const Part* part : model_) tensors += double(part->header.tensors.size());
    if (first.header.find("split.tensors.count") && tensors != first.tensors_of_all)
      return refuse("import-gguf-tensor-count", first, "split.tensors.count", digits(tensors), {}, first.tensors_of_all);
    if (tensors == 0) return refuse("import-gguf-no-tensors", first, {});
    return true;
  }

  bool describe() {
    const Part& first = *model_.front();
    out_.type = shown(first.architecture());
    out_.name = shown(first.text("general.name"));
    if (out_.type.empty()) return refuse("import-gguf-missing-key", first, "general.architecture");
    std::vector<NamedTensor> tensors;
    for (const Part* part : model_)
      for (const GgufTensor& t : part->header.tensors) tensors.push_back({&t, parse_gguf_name(t.name)});
    if (!unique(tensors)) return false;
    count(tensors);  // said even where the layers are not understood

    const GgufArchitecture architecture = gguf_architecture(out_.type);
    if (architecture.support == GgufSupport::unknown)
      return refuse("import-gguf-unknown-architecture", first, "general.architecture", out_.type);
    if (architecture.support == GgufSupport::not_modelled)
      return refuse("import-gguf-not-modelled", first, "general.architecture", out_.type);
    GgufModel model(first.header, first.file->name, tensors, out_, remarks_);
    if (!model.build()) return false;
    std::vector<StoredTensor> table;
    double bytes = 0, unknown = 0;
    for (const NamedTensor& t : tensors) {
      model.store(t, table);
      bytes += double(t.tensor->bytes);
      if (t.name.role != GgufRole::unknown) continue;
      unknown += double(t.tensor->bytes);
      remarks_.add(Severity::warning, "import-gguf-unknown-tensor", first.file->name, shown(t.tensor->name), {}, {},
                   double(t.tensor->bytes));
    }
    if (unknown > unknown_share * bytes) return refuse("import-gguf-unknown-tensors", first, {}, digits(unknown), {}, bytes);
    add_projectors(table);
    out_.ok = true;
    describe_tensors(out_, table, true, first.file->name);
    return true;
  }

  void count(const std::vector<NamedTensor>& tensors) {
    std::vector<StoredTensor> table;
    for (const NamedTensor& t : tensors) {
      StoredTensor& s = table.emplace_back();
      const bool named = t.name.role != GgufRole::unknown;
      s.classes = named ? class_set(t.name.part == GgufPart::weight ? class_of(t.name.role) : TensorClass::small) : 0;
      s.rows = t.tensor->rows();
      s.cols = t.tensor->cols();
      s.count = t.tensor->stack();
      s.bytes = double(t.tensor->bytes);
      s.dtype = ggml_type(t.tensor->type).name;
    }
    count_tensors(out_, table);
  }

  // Names must be unique over all parts.
  bool unique(std::vector<NamedTensor>& tensors) {
    if (model_.size() == 1) return true;  // checked by the reader
    std::vector<const GgufTensor*> order;
    for (const NamedTensor& t : tensors) order.push_back(t.tensor);
    std::sort(order.begin(), order.end(), [](const GgufTensor* a, const GgufTensor* b) { return a->name < b->name; });
    for (std::size_t i = 1; i < order.size(); ++i)
      if (order[i]->name == order[i - 1]->name) return refuse("import-gguf-doubled-tensor", *model_.front(), order[i]->name);
    return true;
  }

  void add_projectors(std::vector<StoredTensor>& table) {
    for (const Part* part : projectors_) {
      double params = 0;
      for (const GgufTensor& t : part->header.tensors) {
        StoredTensor s;
        const GgmlType type = ggml_type(t.type);
        s.classes = class_set(TensorClass::tower);
        s.format = type.format;
        s.dtype = type.name;
        s.rows = 1;
        s.cols = t.elements();
        s.bytes = double(t.bytes);
        params += s.cols;
        table.push_back(s);
      }
      out_.model.tower_params += params;
      remarks_.add(Severity::info, "import-gguf-projector", part->file->name, {}, {}, {}, params);
    }
  }

  std::span<const ImportFile> files_;
  std::vector<Part> parts_;
  std::vector<Part*> model_, projectors_;
  Remarks remarks_;
  Imported out_;
};

}  // namespace

Imported import_gguf(std::span<const ImportFile> files) { return Assembly(files).put_together(); }

}  // namespace vramfit::importer
