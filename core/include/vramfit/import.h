// A model read from files: `config.json` or `params.json`, safetensors headers and indexes, GGUF headers. What comes out is what
// a catalogue row is made of: a shape (shape.h) and a table of what each tensor is stored in.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vramfit/model.h"
#include "vramfit/notice.h"
#include "vramfit/tensors.h"

namespace vramfit {

// Something to say about a file. Of severity error: the model was not understood, and the remark says what would settle it.
struct ImportRemark {
  Severity severity = Severity::error;
  std::string id;      // a message of the locale part `import`
  std::string file;    // name of the file, as it was given
  std::string where;   // JSON path, metadata key or tensor name
  std::string value;   // as found, cut to 80 bytes
  std::string wanted;  // what would settle it
  double number = 0;
};

// A figure that no file states and that the model's class settles.
struct InferredRule {
  std::string id;     // a message of the locale part `import`
  std::string where;  // what it settled: a field or a range of layers
  Id source;
};

struct ImportedClass {
  TensorClass cls = TensorClass::small;
  double params = 0;
  double bytes = 0;  // 0: not known from the configuration alone
};

struct ImportedDtype {
  std::string id;
  double params = 0;
  double bytes = 0;
};

struct Imported {
  bool ok = false;
  std::string name;    // what the files call the model; may be empty
  std::string origin;  // config, params, safetensors or gguf
  std::string type;    // model_type or GGUF architecture
  Model model;
  std::string shape;    // write_shape(model)
  std::string formats;  // what each tensor class is stored in; empty: 16 bits throughout
  double max_position_embeddings = 0;
  double file_bytes = 0;
  double tensor_bytes = 0;
  double explained_bytes = 0;  // of tensor_bytes, what shape and formats account for
  std::vector<ImportRemark> remarks;
  std::vector<InferredRule> inferred;
  std::vector<ImportedClass> classes;
  std::vector<ImportedDtype> dtypes;
};

// One file of a model, of which only the beginning may be at hand.
struct ImportFile {
  std::string_view name;
  std::string_view head;
  double total_bytes = 0;
};

// How many bytes of the beginning an importer needs. Ask again with that many until `bytes <= head.size()`.
struct HeadNeed {
  double bytes = 0;
  const char* error = nullptr;  // an id of a remark; null: none
};

HeadNeed head_need(const ImportFile& file);

// A configuration, an index and shard headers, or the parts of a GGUF file, in any order.
Imported import_model(std::span<const ImportFile> files);

// How a class is called for people's programs: `attention-query`.
Id class_id(TensorClass cls);

// The shape string of a model, with equal neighbouring layers joined: parse_shape(write_shape(m)).model == m.
std::string write_shape(const Model& model);

}  // namespace vramfit
