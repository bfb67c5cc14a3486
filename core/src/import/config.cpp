#include "import/config.h"

namespace vramfit::importer {

Imported import_config(const ConfigFile& config, const ConfigFile&) {
  Imported out;
  out.origin = "config";
  Json json;
  if (!json.parse(config.text)) {
    out.remarks.push_back(
        {Severity::error, json.error, std::string(config.name), {}, json.error_value, {}, double(json.error_offset)});
  }
  return out;
}

}  // namespace vramfit::importer
