// What reading of headers, of indexes and of what matrices are stored in have in common.
#pragma once

#include <string_view>

#include "import/safetensors.h"

namespace vramfit::importer {

inline constexpr Dtype dtypes_known[] = {
    {"?", 0},           {"BOOL", 8}, {"U8", 8},   {"I8", 8},   {"F8_E4M3", 8}, {"F8_E5M2", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8},
    {"F8_E5M2FNUZ", 8}, {"I16", 16}, {"U16", 16}, {"F16", 16}, {"BF16", 16},   {"I32", 32},    {"U32", 32},    {"F32", 32},
    {"C64", 64},        {"F64", 64}, {"I64", 64}, {"U64", 64}, {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6},
};
inline constexpr int num_dtypes = sizeof dtypes_known / sizeof *dtypes_known;
enum : std::uint8_t {
  no_dtype,
  d_bool,
  d_u8,
  d_i8,
  d_e4m3,
  d_e5m2,
  d_e8m0,
  d_e4m3z,
  d_e5m2z,
  d_i16,
  d_u16,
  d_f16,
  d_bf16,
  d_i32,
  d_u32,
  d_f32,
  d_c64,
  d_f64,
  d_i64,
  d_u64,
  d_f4
};

inline constexpr double exact = 9007199254740992.0;  // whole numbers up to here
inline constexpr int max_layer = 8191;
inline constexpr int max_nesting = 16;

constexpr std::uint16_t bit(Part p) { return static_cast<std::uint16_t>(1u << static_cast<int>(p)); }
std::string_view last_of_path(std::string_view name);

}  // namespace vramfit::importer
