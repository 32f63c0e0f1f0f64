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

add_library(hostwarp_settings INTERFACE)
target_compile_options(hostwarp_settings INTERFACE -Wall -Wextra $<$<BOOL:${HOSTWARP_WERROR}>:-Werror>)
# GCC 12 and 13 see overlapping copies in std::string's operator+ at -O3 that cannot happen (their bug 105651).
target_compile_options(hostwarp_settings INTERFACE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:-Wno-restrict>)
target_include_directories(hostwarp_settings INTERFACE ${PROJECT_SOURCE_DIR})
if(HOSTWARP_SANITIZE)
  # Callers in C may hand over any number as an enumerator, and the tests do: that is answered, not undefined.
  add_compile_options(-fsanitize=${HOSTWARP_SANITIZE} -fno-sanitize=enum -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HOSTWARP_SANITIZE})
  if(HOSTWARP_SANITIZE MATCHES thread)
    add_compile_definitions(HOSTWARP_TSAN)
  endif()
endif()
