// What a checkpoint's tensors are stored in, from the quantization section of its configuration.
#pragma once

#include "import/config_fields.h"

namespace vramfit::importer {

// The format table (`formats` of a share string) for out.model. `section` is quantization_config, `beside` a
// hf_quant_config.json, `dtype` what unquantized tensors are in, `expert_dtype` a word of the file about its experts. Marks
// experts that are published in MXFP4.
std::string quantization_formats(Imported& out, std::string_view file, JsonValue section, JsonValue beside,
                                 std::string_view beside_file, std::string_view dtype, std::string_view expert_dtype);

}  // namespace vramfit::importer
