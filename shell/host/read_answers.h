// The page's calculator speaks JSON (web/RESULT.md): its answers and its catalogue, read back into the core's own types.
#pragma once

#include <string_view>
#include <vector>

#include "../app/answers.h"
#include "vramfit/catalog.h"

namespace vramfit::shell {

// Reads the texts in `answers`: of vramfit.estimate() with its verdicts spelled out, and of vramfit.whatIf(). What cannot be read
// is refused.
void read_answers(Answers& answers);

struct HostCatalog {
  std::vector<char> text;          // which the ids point into
  std::vector<ModelEntry> models;  // without shapes, which only a calculator needs
  std::vector<GpuEntry> gpus;
  std::vector<Id> sets, books;
};
// Of `text`: {models, gpus} as vramfit.catalog() has them, {sets, books} as lists of ids. False when that is not what it is.
bool read_catalog(HostCatalog& catalog);

}  // namespace vramfit::shell
