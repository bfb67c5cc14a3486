// What the core's tests share.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "vramfit/estimate.h"
#include "vramfit/formats.h"
#include "vramfit/shape.h"
#include "vramfit/share_string.h"

namespace vramfit::test {

inline Result answer(std::string_view share) {
  ShareResult parsed = parse_share(share);
  return estimate(parsed.inputs, std::move(parsed.notices));
}

inline const Compartment* find(const MethodResult& m, Id id) {
  for (const Compartment& c : m.compartments)
    if (c.id == id) return &c;
  return nullptr;
}

inline double likely_bytes(const MethodResult& m, Id id) {
  const Compartment* c = find(m, id);
  return c ? c->total.likely : 0;
}

inline const Notice* find_notice(const std::vector<Notice>& notices, Id id) {
  for (const Notice& n : notices)
    if (n.id == id) return &n;
  return nullptr;
}

inline Model catalogue_model(Id id) {
  const ModelEntry* entry = find_model(id);
  REQUIRE_MESSAGE(entry, std::string(id));
  return parse_shape(entry->shape).model;
}

inline double gib(double bytes) { return to_gib(bytes).value; }

}  // namespace vramfit::test
