// What the core's tests share.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
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

// `share` with the fields of `more`, which take the place of its own.
inline std::string changed(std::string share, const std::string& more) {
  for (std::size_t at = 0; at < more.size();) {
    const std::size_t end = std::min(more.find('&', at), more.size());
    const std::string key = more.substr(at, more.find('=', at) - at + 1);
    if (const std::size_t old = share.find("&" + key); old != std::string::npos)
      share.erase(old, std::min(share.find('&', old + 1), share.size()) - old);
    at = end + 1;
  }
  return share + "&" + more;
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
