// A record of tab-separated text: a row of the catalogue as the build made it, or of a price list.
#pragma once

#include <algorithm>
#include <string_view>

#include "vramfit/model.h"

namespace vramfit {

struct Record {
  Id rest;

  Id text(char end = '\t') {
    const std::size_t at = std::min(rest.find(end), rest.size());
    const Id field = rest.substr(0, at);
    rest.remove_prefix(std::min(at + 1, rest.size()));
    return field;
  }
};

}  // namespace vramfit
