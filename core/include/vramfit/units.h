// Decimal gigabytes and binary gibibytes as types of their own, so that a GB can never be added to or compared with a GiB.
#pragma once

namespace vramfit {

inline constexpr double bytes_per_gb = 1e9;
inline constexpr double bytes_per_mib = 1024.0 * 1024.0;
inline constexpr double bytes_per_gib = 1024.0 * bytes_per_mib;

struct Gigabytes {
  double value = 0;
  constexpr double bytes() const { return value * bytes_per_gb; }
};

struct Mebibytes {
  double value = 0;
  constexpr double bytes() const { return value * bytes_per_mib; }
};

struct Gibibytes {
  double value = 0;
  constexpr double bytes() const { return value * bytes_per_gib; }
};

constexpr Gigabytes to_gb(double bytes) { return {bytes / bytes_per_gb}; }
constexpr Gibibytes to_gib(double bytes) { return {bytes / bytes_per_gib}; }

// A figure with its uncertainty; low <= likely <= high. All byte ranges are non-negative.
struct Range {
  double low = 0;
  double likely = 0;
  double high = 0;

  static constexpr Range exact(double value) { return {value, value, value}; }

  constexpr Range& operator+=(const Range& other) {
    low += other.low;
    likely += other.likely;
    high += other.high;
    return *this;
  }
  friend constexpr Range operator+(Range a, const Range& b) { return a += b; }
  friend constexpr Range operator*(const Range& a, double factor) { return {a.low * factor, a.likely * factor, a.high * factor}; }
};

}  // namespace vramfit
