// An imported model as JSON text; web/IMPORT.md describes it.
#pragma once

#include <string>

#include "vramfit/import.h"

namespace vramfit {

std::string import_json(const Imported& imported);

}  // namespace vramfit
