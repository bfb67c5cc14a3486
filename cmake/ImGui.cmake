# vramfit_imgui: Dear ImGui 1.90.1 as this project configures it (shell/draw/imgui_config.h).
#
# Sources, in this order: VRAMFIT_IMGUI_DIR; what an earlier build fetched; Debian 13's source package (cmake/fetch-imgui.sh); the
# upstream tag. Whatever they come from, each file must have the content that cmake/imgui.sha256 names.
set(VRAMFIT_IMGUI_DIR "$ENV{VRAMFIT_IMGUI_DIR}" CACHE PATH "Dear ImGui 1.90.1's sources; empty: fetched")

set(imgui_packages ${CMAKE_SOURCE_DIR}/build/packages)
set(imgui_source_dir ${VRAMFIT_IMGUI_DIR})
if(NOT imgui_source_dir)
  set(imgui_source_dir ${imgui_packages}/imgui-1.90.1)
  if(NOT EXISTS ${imgui_source_dir}/imgui.h)
    execute_process(
      COMMAND ${CMAKE_SOURCE_DIR}/cmake/fetch-imgui.sh ${imgui_packages}
      OUTPUT_VARIABLE imgui_archive OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_VARIABLE imgui_error RESULT_VARIABLE imgui_failed)
    if(imgui_failed)
      message(STATUS "No Debian source package of Dear ImGui here; fetching the upstream tag. ${imgui_error}")
      include(FetchContent)
      FetchContent_Populate(imgui
        GIT_REPOSITORY https://github.com/ocornut/imgui.git
        GIT_TAG v1.90.1
        GIT_SHALLOW ON
        SOURCE_DIR ${imgui_source_dir})
    else()
      file(ARCHIVE_EXTRACT INPUT ${imgui_archive} DESTINATION ${imgui_packages})
      file(REMOVE ${imgui_archive})
    endif()
  endif()
endif()

file(STRINGS ${CMAKE_SOURCE_DIR}/cmake/imgui.sha256 imgui_files)
foreach(line IN LISTS imgui_files)
  string(REGEX MATCH "^([0-9a-f]+)  (.+)$" matched ${line})
  set(expected ${CMAKE_MATCH_1})
  set(name ${CMAKE_MATCH_2})
  if(NOT EXISTS ${imgui_source_dir}/${name})
    message(FATAL_ERROR "${imgui_source_dir} has no ${name}: Dear ImGui 1.90.1 is needed there")
  endif()
  file(SHA256 ${imgui_source_dir}/${name} found)
  if(NOT found STREQUAL expected)
    message(FATAL_ERROR "${imgui_source_dir}/${name} is not Dear ImGui 1.90.1's: its SHA-256 is ${found}")
  endif()
endforeach()

# What no setting leaves out and the canvas never uses, 15 KB of download: the font inside, settings that are never kept, the default
# colours, Ctrl+Tab between windows, a drawn mouse cursor. Compiled are copies of the sources without the lines that ask for them.
#
# vramfit_without(SOURCE FROM TO [FROM TO ...]): a copy without what stands from FROM to the end of the line with TO.
function(vramfit_without source)
  file(READ ${imgui_source_dir}/${source} text)
  set(cuts ${ARGN})
  while(cuts)
    list(POP_FRONT cuts from to)
    string(FIND "${text}" "${from}" start)
    string(SUBSTRING "${text}" ${start} -1 rest)
    string(FIND "${rest}" "${to}" end)
    if(start EQUAL -1 OR end EQUAL -1)
      message(FATAL_ERROR "${source} is not as expected: no '${from}' before '${to}'")
    endif()
    string(SUBSTRING "${text}" 0 ${start} before)
    string(SUBSTRING "${rest}" ${end} -1 after)
    string(FIND "${after}" "\n" end)
    string(SUBSTRING "${after}" ${end} -1 after)
    set(text "${before}${after}")
  endwhile()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/${source} CONTENT "${text}" @ONLY)
endfunction()
vramfit_without(imgui_draw.cpp "    if (ConfigData.Size == 0)" "AddFontDefault()")
vramfit_without(imgui.cpp
  "    // Default theme" "ImGui::StyleColorsDark(this)"
  "    // Add .ini handle for ImGuiWindow" "TableSettingsAddSettingsHandler()"
  "\n    RenderDimmedBackgrounds()" "RenderDimmedBackgrounds()"
  "    if (g.IO.MouseDrawCursor" "RenderMouseCursor("
  "    // Update CTRL+TAB and Windowing features" "NavUpdateWindowing()"
  "    if (g.NavWindowingTarget != NULL)\n        NavUpdateWindowingOverlay()" "NavUpdateWindowingOverlay()")

add_library(vramfit_imgui STATIC
  ${CMAKE_BINARY_DIR}/generated/imgui.cpp
  ${CMAKE_BINARY_DIR}/generated/imgui_draw.cpp
  ${imgui_source_dir}/imgui_tables.cpp
  ${imgui_source_dir}/imgui_widgets.cpp
  ${imgui_source_dir}/backends/imgui_impl_opengl3.cpp
  ${CMAKE_SOURCE_DIR}/shell/draw/imgui_format.cpp)
target_include_directories(vramfit_imgui SYSTEM PUBLIC ${imgui_source_dir} ${imgui_source_dir}/backends)
target_include_directories(vramfit_imgui PUBLIC ${CMAKE_SOURCE_DIR}/shell/draw)
target_compile_definitions(vramfit_imgui PUBLIC IMGUI_USER_CONFIG="imgui_config.h")
target_compile_definitions(vramfit_imgui PRIVATE VRAMFIT_IMGUI_SOURCES)
if(EMSCRIPTEN)
  target_compile_definitions(vramfit_imgui PRIVATE IMGUI_IMPL_OPENGL_ES3)
  target_compile_options(vramfit_imgui PRIVATE -Oz -flto -fno-exceptions -fno-rtti ${vramfit_wasm_features})
endif()
