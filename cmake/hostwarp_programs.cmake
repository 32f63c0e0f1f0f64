# hostwarp_add_executable(name sources...) and hostwarp_add_library(name [STATIC|SHARED] sources...): programs with CUDA
# sources. The .cu files are compiled by hwcc, everything else as CMake would; include folders, definitions and the
# language level of the target reach hwcc too. Options for hwcc alone: hostwarp_target_options(name -rdc=true ...).
#
# Used by projects that call find_package(hostwarp), and by this project's own samples and tests.

function(hostwarp_add_executable name)
  hostwarp_compile_cuda_sources(${name} others objects ${ARGN})
  add_executable(${name} ${others} ${objects})
  hostwarp_finish_target(${name})
endfunction()

function(hostwarp_add_library name)
  set(kind STATIC)
  set(sources ${ARGN})
  list(POP_FRONT sources first)
  if(first MATCHES "^(STATIC|SHARED|MODULE)$")
    set(kind ${first})
  else()
    list(PREPEND sources ${first})
  endif()
  hostwarp_compile_cuda_sources(${name} others objects ${sources})
  add_library(${name} ${kind} ${others} ${objects})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  hostwarp_finish_target(${name})
endfunction()

# hostwarp_target_options() adds options to hwcc's command lines for the target.
function(hostwarp_target_options name)
  set_property(TARGET ${name} APPEND PROPERTY HOSTWARP_OPTIONS ${ARGN})
endfunction()

# Only objects may be in the list: the linker language of a target that has nothing else is C++.
function(hostwarp_finish_target name)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  target_link_libraries(${name} PRIVATE hostwarp::cudart)
endfunction()

# Splits the sources: `othersOut` gets those that CMake compiles, `objectsOut` the objects that hwcc makes.
function(hostwarp_compile_cuda_sources name othersOut objectsOut)
  set(others)
  set(objects)
  foreach(source IN LISTS ARGN)
    if(source MATCHES "\\.cu$")
      hostwarp_compile_object(${name} ${source} object)
      list(APPEND objects ${object})
    else()
      list(APPEND others ${source})
    endif()
  endforeach()
  set(${othersOut} ${others} PARENT_SCOPE)
  set(${objectsOut} ${objects} PARENT_SCOPE)
endfunction()

function(hostwarp_compile_object name source objectOut)
  get_filename_component(path ${source} ABSOLUTE)
  string(MAKE_C_IDENTIFIER ${source} stem)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.hwcc/${stem}.o)
  set(includes "$<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>")
  set(options "$<TARGET_PROPERTY:${name},HOSTWARP_OPTIONS>")
  set(standard "$<TARGET_PROPERTY:${name},CXX_STANDARD>")
  set(optimisation "$<IF:$<CONFIG:Debug>,-g;-O0,-O2>")
  add_custom_command(
    OUTPUT ${object}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/${name}.hwcc
    COMMAND hostwarp::hwcc -c ${path} -o ${object} -MD -MF ${object}.d -Xcompiler -fPIC "${optimisation}"
            "$<$<BOOL:${standard}>:-std=c++${standard}>"
            "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
            "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
            "${options}"
    DEPENDS ${path} ${HOSTWARP_PRODUCTS}
    DEPFILE ${object}.d
    COMMENT "Compiling ${source} with hwcc"
    COMMAND_EXPAND_LISTS VERBATIM)
  set(${objectOut} ${object} PARENT_SCOPE)
endfunction()
