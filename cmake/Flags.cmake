# Flags that every target shares. vramfit_flags is an interface target, so that nothing leaks into fetched packages.
add_library(vramfit_flags INTERFACE)
target_compile_options(vramfit_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers
  # Native and wasm must round alike: no multiplication may be fused with an addition.
  -ffp-contract=off)

# What every browser that runs the page has had since 2021: shorter code for conversions, copies and small integers.
set(vramfit_wasm_features -mnontrapping-fptoint -msign-ext -mbulk-memory)

# vramfit_shipped(TARGET): code of the page's modules, small before all else; it neither throws nor asks for types. -Os without
# inlining by size is both smaller when compressed and faster here than -Oz. With FAST: the few loops that go over every byte of large
# files: three times as fast for 6 KB.
function(vramfit_shipped target)
  target_link_libraries(${target} PUBLIC vramfit_flags)
  if(EMSCRIPTEN)
    set(optimization -Os -mllvm -inline-threshold=0)
    if("FAST" IN_LIST ARGN)
      set(optimization -O3)
    endif()
    target_compile_options(${target} PRIVATE ${optimization} -flto -fno-exceptions -fno-rtti ${vramfit_wasm_features})
  endif()
endfunction()

option(VRAMFIT_SANITIZE "Address and undefined-behaviour sanitizers" OFF)
if(VRAMFIT_SANITIZE)
  target_compile_options(vramfit_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(vramfit_flags INTERFACE -fsanitize=address,undefined)
endif()
