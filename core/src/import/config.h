// `config.json` of Transformers models and Mistral's `params.json`: the layers that they, and the classes that they name,
// describe.
#pragma once

#include "import/json.h"
#include "vramfit/import.h"

namespace vramfit::importer {

// `quantization` is the text of a `hf_quant_config.json` beside it, empty where there is none. Remarks name the files as given
// here.
struct ConfigFile {
  std::string_view name, text;
};
Imported import_config(const ConfigFile& config, const ConfigFile& quantization = {});

}  // namespace vramfit::importer
