# vramfit_header_package(NAME header/path.h): an interface target for a header-only package of the host.
#
# Its headers are copied into the build tree: the host's include directory as a whole must never be on a wasm compiler's path.
function(vramfit_header_package name header)
  find_path(${name}_INCLUDE_DIR ${header} PATHS /usr/include /usr/local/include /opt/homebrew/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  get_filename_component(folder ${header} DIRECTORY)
  file(COPY ${${name}_INCLUDE_DIR}/${folder} DESTINATION ${CMAKE_BINARY_DIR}/packages)
  add_library(${name} INTERFACE)
  target_include_directories(${name} SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/packages)
endfunction()
