# Settings every target shares: language level, warnings, visibility, sanitizers, and where products land. The build
# tree has the layout of an installation (bin, lib, include), so that hwcc works from it with no step in between.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

find_program(HOSTWARP_CCACHE ccache)
if(HOSTWARP_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${HOSTWARP_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${HOSTWARP_CCACHE})
endif()

# What files include takes the compiler longer than what is in them: a batch of them is read as one. Batches are small,
# since a change to one file compiles its whole batch again; where everything is built once, large ones are quicker.
option(HOSTWARP_UNITY "Compile several files at once" ON)
set(HOSTWARP_BATCH 6 CACHE STRING "How many files are compiled at once")
set(CMAKE_UNITY_BUILD ${HOSTWARP_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE ${HOSTWARP_BATCH})

# hostwarp_compile_quickly() spares what is added to this folder, and to those below it, half of the optimiser's work: for
# programs that spend their time in LLVM or in other programs, and take a hundredth of it themselves.
macro(hostwarp_compile_quickly)
  add_compile_options($<$<CONFIG:RelWithDebInfo>:-O1>)
endmacro()

add_library(hostwarp_settings INTERFACE)
target_compile_options(hostwarp_settings INTERFACE -Wall -Wextra $<$<BOOL:${HOSTWARP_WERROR}>:-Werror>)
# GCC 12 and 13 see overlapping copies in std::string's operator+ at -O3 that cannot happen (their bug 105651).
target_compile_options(hostwarp_settings INTERFACE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:-Wno-restrict>)
target_include_directories(hostwarp_settings INTERFACE ${PROJECT_SOURCE_DIR})
# hostwarp_sanitize() has everything in this folder, and in those that are added later, checked by the sanitizers. Where
# hwcc is built that is hwcc's own programs and their tests: the programs that hwcc compiles link the runtime as it is.
macro(hostwarp_sanitize)
  if(HOSTWARP_SANITIZE AND NOT isSanitized)
    set(isSanitized ON)
    # Callers in C may hand over any number as an enumerator, and the tests do: that is answered, not undefined.
    add_compile_options(-fsanitize=${HOSTWARP_SANITIZE} -fno-sanitize=enum -fno-sanitize-recover=all
                        -fno-omit-frame-pointer $<$<BOOL:${HOSTWARP_FUZZ}>:-fsanitize=fuzzer-no-link>)
    # With its sanitizers GCC sees uninitialised members in std::regex (their bug 105562).
    add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
    add_link_options(-fsanitize=${HOSTWARP_SANITIZE} ${HOSTWARP_SANITIZER_LINK_OPTIONS})
  endif()
endmacro()
if(HOSTWARP_SANITIZE MATCHES thread)
  add_compile_definitions(HOSTWARP_TSAN)
endif()
if(NOT HOSTWARP_COMPILER)
  hostwarp_sanitize()
elseif(HOSTWARP_SANITIZE)
  # clang loads the plugins, and must have the same sanitizer in it as these: one that is a library and can be preloaded.
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so
                  OUTPUT_VARIABLE HOSTWARP_SANITIZER_LIBRARY OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT EXISTS ${HOSTWARP_SANITIZER_LIBRARY})
    message(FATAL_ERROR "sanitizers for the compiler are clang's, as a library (Debian: libclang-rt-19-dev)")
  endif()
  get_filename_component(folder ${HOSTWARP_SANITIZER_LIBRARY} DIRECTORY)
  set(HOSTWARP_SANITIZER_LINK_OPTIONS -shared-libasan LINKER:-rpath,${folder})
  # What stands in front of hwcc where the build calls it: the sanitizer has to be in clang before the plugins are.
  set(HOSTWARP_HWCC_ENVIRONMENT ${CMAKE_COMMAND} -E env LD_PRELOAD=${HOSTWARP_SANITIZER_LIBRARY}
      ASAN_OPTIONS=detect_leaks=0:allow_user_poisoning=0)
endif()
