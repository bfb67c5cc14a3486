// From the tensors of the files to the format table, the exact bytes and what contradicts the shape.
#include <algorithm>
#include <cmath>
#include <vector>

#include "import/remarks.h"
#include "import/tensor_table.h"
#include "vramfit/format_table.h"

namespace vramfit::importer {
namespace {

// What the files may hold more or less of a class before it is said: a thousandth of the model, and of the class.
constexpr double tolerance = 0.001;
// What they may differ by in all before the shape is another model's.
constexpr double refused = 0.05;
// What shape and table can say.
constexpr double largest = 1e15;

struct Choice {
  Format format = Format::bf16;
  int group = 0;
  friend bool operator==(const Choice&, const Choice&) = default;
};
struct Weighed {
  Choice choice;
  double bytes = 0;
};

// One class in one layer: the few formats that it has there.
struct Cell {
  Weighed best;
  std::vector<Weighed> others;

  void add(Choice choice, double bytes) {
    if (best.bytes == 0 || best.choice == choice) {
      best.choice = choice;
      best.bytes += bytes;
      return;
    }
    for (Weighed& w : others) {
      if (!(w.choice == choice)) continue;
      w.bytes += bytes;
      if (w.bytes > best.bytes) std::swap(w, best);
      return;
    }
    others.push_back({choice, bytes});
    if (others.back().bytes > best.bytes) std::swap(others.back(), best);
  }
};

bool in_layers(TensorClass c) {
  return c != TensorClass::token_embedding && c != TensorClass::output_head && c != TensorClass::per_layer_embedding &&
         c != TensorClass::tower;
}

struct Table {
  const Model& model;
  int num_layers = model.num_layers() + model.num_mtp_layers;
  // By class and layer; the last place is of all that stands in no layer.
  std::vector<Cell> cells = std::vector<Cell>(std::size_t(num_tensor_classes) * std::size_t(num_layers + 1));

  Cell& cell(int cls, int layer) { return cells[std::size_t(cls) * std::size_t(num_layers + 1) + std::size_t(layer)]; }

  void add(const StoredTensor& t) {
    if (!t.sized || !t.loaded || t.bytes <= 0) return;
    for (int c = 0; c < num_tensor_classes; ++c) {
      if (!(t.classes >> c & 1)) continue;
      const bool layered = in_layers(TensorClass(c)) && t.layer >= 0 && t.layer < num_layers;
      if (t.in_mtp && !layered) continue;
      cell(c, layered ? t.layer : num_layers).add({t.format, t.group}, t.bytes);
    }
  }

  // What most bytes of a class are in; false when the files have nothing of it.
  bool usual(int cls, Weighed& out) {
    std::vector<Weighed> sums;
    for (int layer = 0; layer <= num_layers; ++layer) {
      const Cell& c = cell(cls, layer);
      if (c.best.bytes == 0) continue;
      auto found = std::find_if(sums.begin(), sums.end(), [&](const Weighed& w) { return w.choice == c.best.choice; });
      if (found == sums.end()) sums.push_back(c.best);
      else found->bytes += c.best.bytes;
    }
    if (sums.empty()) return false;
    out = *std::max_element(sums.begin(), sums.end(), [](const Weighed& a, const Weighed& b) { return a.bytes < b.bytes; });
    return true;
  }

  // Layers in which a class is in `choice` and usually is not.
  std::vector<StoredFormats::Span> spans(int cls, Choice choice) {
    std::vector<StoredFormats::Span> out;
    for (int layer = 0; layer < num_layers; ++layer) {
      const Cell& c = cell(cls, layer);
      if (c.best.bytes == 0 || !(c.best.choice == choice)) continue;
      if (!out.empty() && out.back().last + 1 == layer) out.back().last = std::uint16_t(layer);
      else out.push_back({std::uint16_t(layer), std::uint16_t(layer)});
    }
    return out;
  }

  struct Exception {
    Choice choice;
    ClassSet classes;
    std::vector<StoredFormats::Span> spans;
  };

  // False when the table is too long: the rarest exceptions are left to the rest then.
  bool write(StoredFormats& stored) {
    Weighed of[num_tensor_classes];
    bool there[num_tensor_classes];
    std::vector<Weighed> sums;
    for (int c = 0; c < num_tensor_classes; ++c) {
      if (!(there[c] = usual(c, of[c]))) continue;
      auto found = std::find_if(sums.begin(), sums.end(), [&](const Weighed& w) { return w.choice == of[c].choice; });
      if (found == sums.end()) sums.push_back(of[c]);
      else found->bytes += of[c].bytes;
    }
    if (sums.empty()) return true;
    std::sort(sums.begin(), sums.end(), [](const Weighed& a, const Weighed& b) { return a.bytes > b.bytes; });
    bool all = add_section(stored, sums[0].choice.format, sums[0].choice.group, all_classes);
    for (std::size_t i = 1; i < sums.size(); ++i) {
      ClassSet classes = 0;
      for (int c = 0; c < num_tensor_classes; ++c)
        if (there[c] && of[c].choice == sums[i].choice) classes |= ClassSet{1} << c;
      all &= add_section(stored, sums[i].choice.format, sums[i].choice.group, classes);
    }
    std::vector<Exception> exceptions;
    for (int c = 0; c < num_tensor_classes; ++c) {
      if (!there[c]) continue;
      std::vector<Choice> others;
      for (int layer = 0; layer < num_layers && others.size() < std::size_t(StoredFormats::max_sections); ++layer) {
        const Weighed& w = cell(c, layer).best;
        if (w.bytes > 0 && !(w.choice == of[c].choice) && std::find(others.begin(), others.end(), w.choice) == others.end())
          others.push_back(w.choice);
      }
      for (const Choice& choice : others) {
        Exception e{choice, ClassSet{1} << c, spans(c, choice)};
        const auto same = [](const StoredFormats::Span& a, const StoredFormats::Span& b) {
          return a.first == b.first && a.last == b.last;
        };
        auto found = std::find_if(exceptions.begin(), exceptions.end(), [&](const Exception& x) {
          return x.choice == e.choice && std::equal(x.spans.begin(), x.spans.end(), e.spans.begin(), e.spans.end(), same);
        });
        if (found == exceptions.end()) exceptions.push_back(std::move(e));
        else found->classes |= e.classes;
      }
    }
    for (const Exception& e : exceptions) all &= add_section(stored, e.choice.format, e.choice.group, e.classes, e.spans);
    return all;
  }
};

constexpr Id class_ids[num_tensor_classes] = {"token-embedding",
                                              "output-head",
                                              "per-layer-embedding",
                                              "attention-query",
                                              "attention-key",
                                              "attention-value",
                                              "attention-output",
                                              "attention-group-output",
                                              "attention-down",
                                              "attention-up",
                                              "attention-index",
                                              "recurrent",
                                              "ffn-gate",
                                              "ffn-up",
                                              "ffn-down",
                                              "shared-gate",
                                              "shared-up",
                                              "shared-down",
                                              "expert-gate",
                                              "expert-up",
                                              "expert-down",
                                              "expert-bias",
                                              "router",
                                              "side",
                                              "small",
                                              "tower"};

void add_dtype(std::vector<ImportedDtype>& list, const StoredTensor& t) {
  for (ImportedDtype& d : list) {
    if (d.id != t.dtype) continue;
    d.params += t.params();
    d.bytes += t.bytes;
    return;
  }
  list.push_back({t.dtype, t.params(), t.bytes});
}

// Shares of a fused matrix by what the shape has of its classes; equal ones where it has nothing.
struct Shares {
  double of[num_tensor_classes] = {};
  Shares(ClassSet classes, const double* elements) {
    double sum = 0;
    int count = 0;
    for (int c = 0; c < num_tensor_classes; ++c) {
      if (!(classes >> c & 1)) continue;
      ++count;
      sum += elements ? elements[c] : 0;
    }
    for (int c = 0; c < num_tensor_classes; ++c)
      if (classes >> c & 1) of[c] = sum > 0 ? elements[c] / sum : 1.0 / count;
  }
};

}  // namespace

void count_tensors(Imported& imported, std::span<const StoredTensor> tensors) {
  imported.tensor_bytes = 0;
  imported.classes.clear();
  imported.dtypes.clear();
  double params[num_tensor_classes] = {}, bytes[num_tensor_classes] = {};
  for (const StoredTensor& t : tensors) {
    imported.tensor_bytes += t.bytes;
    add_dtype(imported.dtypes, t);
    const Shares shares(t.classes, nullptr);
    for (int c = 0; c < num_tensor_classes; ++c) {
      params[c] += t.params() * shares.of[c];
      bytes[c] += t.bytes * shares.of[c];
    }
  }
  for (int c = 0; c < num_tensor_classes; ++c)
    if (bytes[c] > 0) imported.classes.push_back({TensorClass(c), params[c], bytes[c]});
}

void describe_tensors(Imported& imported, std::span<const StoredTensor> tensors, bool gguf, std::string_view file) {
  Model& model = imported.model;
  Remarks remarks;
  count_tensors(imported, tensors);
  std::sort(imported.dtypes.begin(), imported.dtypes.end(),
            [](const ImportedDtype& a, const ImportedDtype& b) { return a.bytes > b.bytes; });

  // A tower is one block, of which the files know more than a configuration.
  double tower = 0;
  for (const StoredTensor& t : tensors)
    if (t.classes == class_set(TensorClass::tower)) tower += t.params();
  tower = std::round(tower);
  if (tower != model.tower_params && tower < largest && !gguf) {
    if (tower > 0) imported.inferred.push_back({"import-rule-tower-counted", cut(file), "checkpoint"});
    model.tower_params = tower;
  }

  // What the shape has of each class, by layer for those that lie in layers; multi-token prediction apart.
  const int num_layers = model.num_layers() + model.num_mtp_layers;
  const auto row = [](int layer) { return std::size_t(layer) * num_tensor_classes; };
  std::vector<double> elements(row(num_layers + 1));
  double due[num_tensor_classes] = {}, due_mtp = 0, all_due = 0;
  for_each_tensor(model, true, [&](const Tensor& t) {
    const auto c = static_cast<std::size_t>(t.cls);
    for (int i = 0; i < t.num_layers; ++i)
      elements[row(std::min(t.first_layer + i, num_layers)) + c] += t.rows * t.cols * t.count;
    if (t.in_mtp) return void(due_mtp += t.elements());
    due[c] += t.elements();
    all_due += t.elements();
  });

  Table table{model};
  double params[num_tensor_classes] = {}, bytes[num_tensor_classes] = {};
  double mtp_params = 0, loaded_bytes = 0, nameless = 0;
  for (const StoredTensor& t : tensors) {
    table.add(t);
    if (!t.loaded) continue;
    if (t.in_mtp) {
      mtp_params += t.params();
      continue;
    }
    loaded_bytes += t.bytes;
    if (t.classes == 0) nameless += t.params();
    const bool layered = t.layer >= 0 && t.layer < num_layers;
    const Shares shares(t.classes, layered ? &elements[row(t.layer)] : due);
    for (int c = 0; c < num_tensor_classes; ++c) {
      params[c] += t.params() * shares.of[c];
      bytes[c] += t.bytes * shares.of[c];
    }
  }
  imported.classes.clear();
  for (int c = 0; c < num_tensor_classes; ++c)
    if (params[c] > 0 || bytes[c] > 0) imported.classes.push_back({TensorClass(c), params[c], bytes[c]});

  StoredFormats& stored = model.stored;
  stored = {};
  stored.gguf = gguf;
  if (!table.write(stored)) remarks.add(Severity::warning, "import-table-long", file, {});
  double explained = 0;
  if (stored.num_sections > 0) {
    for_each_tensor(model, false, [&](const Tensor& t) {
      for (int i = 0; i < t.num_layers; ++i) {
        const auto& s = section_of(stored, t.cls, t.first_layer + i);
        explained += tensor_bytes(s.format, t.rows, t.cols, s.group) * t.count;
      }
    });
    stored.rest_bytes = std::round(loaded_bytes - explained);
  }
  imported.explained_bytes = explained;
  imported.formats = stored.num_sections > 0 ? write_format_table(stored) : std::string();

  // What contradicts: figures of the files first, then the shape's.
  double difference = 0;
  for (int c = 0; c < num_tensor_classes; ++c) {
    const double off = params[c] - due[c];
    if (TensorClass(c) == TensorClass::tower) continue;
    difference += std::fabs(off);
    if (std::fabs(off) <= tolerance * all_due || std::fabs(off) <= tolerance * due[c]) continue;
    remarks.add(Severity::warning, "import-class-differs", file, class_ids[c], digits(std::round(params[c])), digits(due[c]),
                off);
  }
  if (mtp_params > 0 && std::fabs(mtp_params - due_mtp) > 0.01 * due_mtp)
    remarks.add(Severity::warning, "import-mtp-differs", file, {}, digits(std::round(mtp_params)), digits(due_mtp),
                mtp_params - due_mtp);
  double all = 0;
  for (const double p : params) all += p;
  all -= params[static_cast<int>(TensorClass::tower)];
  const double shape = all_due - due[static_cast<int>(TensorClass::tower)];
  if (difference + nameless > refused * shape || std::fabs(stored.rest_bytes) >= largest)
    remarks.add(Severity::error, "import-another-model", file, {}, digits(std::round(all + nameless)), digits(shape),
                all + nameless - shape);
  if (remarks.has_error()) imported.ok = false;
  imported.shape = write_shape(model);
  remarks.move_to(imported.remarks);
}

}  // namespace vramfit::importer

vramfit::Id vramfit::class_id(TensorClass cls) { return importer::class_ids[static_cast<int>(cls)]; }
