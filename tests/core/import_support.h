// Headers of safetensors files, made for the tests.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "vramfit/import.h"

namespace vramfit_test {

// Eight bytes of length before `json`.
inline std::string with_length(const std::string& json, std::uint64_t length) {
  std::string out;
  for (int i = 0; i < 8; ++i) out += char(length >> 8 * i & 255);
  return out + json;
}
inline std::string with_length(const std::string& json) { return with_length(json, json.size()); }

struct Header {
  std::string json = "{\"__metadata__\":{\"format\":\"pt\"}";
  double data_bytes = 0;

  static double bits(const std::string& dtype) {
    if (dtype == "F4") return 4;
    if (dtype == "F64" || dtype == "I64" || dtype == "U64") return 64;
    if (dtype == "F32" || dtype == "I32" || dtype == "U32") return 32;
    if (dtype == "F16" || dtype == "BF16" || dtype == "I16") return 16;
    return 8;
  }

  Header& add(const std::string& name, const std::string& dtype, const std::vector<double>& shape) {
    double elements = 1;
    std::string dims;
    for (const double d : shape) {
      elements *= d;
      dims += (dims.empty() ? "" : ",") + std::to_string(std::int64_t(d));
    }
    const double bytes = elements * bits(dtype) / 8;
    json += ",\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":[" + dims + "],\"data_offsets\":[" +
            std::to_string(std::int64_t(data_bytes)) + "," + std::to_string(std::int64_t(data_bytes + bytes)) + "]}";
    data_bytes += bytes;
    return *this;
  }

  std::string head() const { return with_length(json + "}"); }
  double total() const { return double(head().size()) + data_bytes; }
};

// Holds what ImportFile only points to.
struct HeldFile {
  std::string name, head;
  double total;
  HeldFile(std::string n, std::string h, double t = -1)
      : name(std::move(n)), head(std::move(h)), total(t < 0 ? double(head.size()) : t) {}
  HeldFile(std::string n, const Header& h) : HeldFile(std::move(n), h.head(), h.total()) {}
  vramfit::ImportFile file() const { return {name, head, total}; }
};

inline vramfit::Imported import_of(const std::vector<HeldFile>& files) {
  std::vector<vramfit::ImportFile> list;
  for (const HeldFile& f : files) list.push_back(f.file());
  return vramfit::import_model(list);
}

inline const vramfit::ImportRemark* find_remark(const std::vector<vramfit::ImportRemark>& remarks, const std::string& id) {
  for (const vramfit::ImportRemark& r : remarks)
    if (r.id == id) return &r;
  return nullptr;
}

}  // namespace vramfit_test
