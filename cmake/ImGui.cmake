# vramfit_imgui: Dear ImGui 1.90.1 as this project configures it (shell/draw/imgui_config.h).
#
# Sources, in this order: VRAMFIT_IMGUI_DIR; what an earlier build fetched; Debian 13's source package (cmake/fetch-imgui.sh); the
# upstream tag. Whatever they come from, each file must have the content that cmake/imgui.sha256 names.
set(VRAMFIT_IMGUI_DIR "" CACHE PATH "Dear ImGui 1.90.1's sources; empty: fetched")

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

# Two things that no setting leaves out, together 12 KB of download: its own font, and reading and writing settings that are never
# kept. Compiled are copies of its sources that do not ask for them.
function(vramfit_without source from to)
  file(READ ${imgui_source_dir}/${source} text)
  string(FIND "${text}" "${from}" start)
  string(FIND "${text}" "${to}" end)
  if(start EQUAL -1 OR end LESS start)
    message(FATAL_ERROR "${source} is not as expected: no '${from}' before '${to}'")
  endif()
  string(LENGTH "${to}" length)
  math(EXPR end "${end} + ${length}")
  string(SUBSTRING "${text}" 0 ${start} before)
  string(SUBSTRING "${text}" ${end} -1 after)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/${source} CONTENT "${before}${after}" @ONLY)
endfunction()
vramfit_without(imgui_draw.cpp "    if (ConfigData.Size == 0)" "        AddFontDefault();")
vramfit_without(imgui.cpp "    // Add .ini handle for ImGuiWindow" "    TableSettingsAddSettingsHandler();")

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
