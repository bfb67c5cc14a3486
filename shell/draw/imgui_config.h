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

// printf and scanf of floating numbers cost 20 KB; ImGui needs them for settings, which are off, and for sliders, which are our own.
#define IMGUI_DISABLE_DEFAULT_FORMAT_FUNCTIONS
namespace vramfit::shell {
int no_scan(const char* text, const char* format, ...);
}
#define sscanf ::vramfit::shell::no_scan
