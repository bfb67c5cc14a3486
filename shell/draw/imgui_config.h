// How Dear ImGui is compiled here: without what the canvas never uses, since every byte is a reader's download.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdio>

#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS
#define IMGUI_DISABLE_OBSOLETE_KEYIO
#define IMGUI_DISABLE_DEMO_WINDOWS
#define IMGUI_DISABLE_DEBUG_TOOLS
#define IMGUI_DISABLE_FILE_FUNCTIONS

// printf and scanf of floating numbers cost 20 KB; ImGui needs them for settings, which are off, and for sliders, which are our
// own.
#define IMGUI_DISABLE_DEFAULT_FORMAT_FUNCTIONS
namespace vramfit::shell {
int scan_version(const char* text, const char* format, int* version);
}
#if defined(VRAMFIT_IMGUI_SOURCES)  // while ImGui's own sources are compiled
#define sscanf(TEXT, FORMAT, FIRST, ...) ::vramfit::shell::scan_version((TEXT), (FORMAT), (int*)(FIRST))
// Only to say that a shader does not compile: the picture says so too.
#define fprintf(...) ((void)0)
#endif

// Of the C library's sine and cosine, exact to the last bit, the larger part is for arguments beyond any circle drawn here.
#define IMGUI_DISABLE_DEFAULT_MATH_FUNCTIONS
#include <cmath>
#include <cstdlib>
namespace vramfit::shell {
// Within 0.0002 for arguments from -4 pi to 4 pi.
constexpr float short_sine(float radians) {
  constexpr float pi = 3.14159265f;
  while (radians > pi) radians -= 2 * pi;
  while (radians < -pi) radians += 2 * pi;
  if (radians > pi / 2) radians = pi - radians;
  if (radians < -pi / 2) radians = -pi - radians;
  const float square = radians * radians;
  return radians * (1 + square * (-1 / 6.0f + square * (1 / 120.0f + square * (-1 / 5040.0f))));
}
}  // namespace vramfit::shell
#define ImFabs(X) std::fabs(X)
#define ImSqrt(X) std::sqrt(X)
#define ImFmod(X, Y) std::fmod((X), (Y))
#define ImCos(X) ::vramfit::shell::short_sine((X) + 1.57079633f)
#define ImSin(X) ::vramfit::shell::short_sine(X)
#define ImAcos(X) std::acos(X)
#define ImAtan2(Y, X) std::atan2((Y), (X))
#define ImAtof(TEXT) std::atof(TEXT)
#define ImCeil(X) std::ceil(X)
inline float ImPow(float x, float y) { return std::pow(x, y); }
inline double ImPow(double x, double y) { return std::pow(x, y); }
inline float ImLog(float x) { return std::log(x); }
inline double ImLog(double x) { return std::log(x); }
inline int ImAbs(int x) { return x < 0 ? -x : x; }
inline float ImAbs(float x) { return std::fabs(x); }
inline double ImAbs(double x) { return std::fabs(x); }
inline float ImSign(float x) { return x < 0.0f ? -1.0f : x > 0.0f ? 1.0f : 0.0f; }
inline double ImSign(double x) { return x < 0.0 ? -1.0 : x > 0.0 ? 1.0 : 0.0; }
inline float ImRsqrt(float x) { return 1.0f / std::sqrt(x); }
inline double ImRsqrt(double x) { return 1.0 / std::sqrt(x); }
