# What an installation holds, and the tarball. The build tree has the same layout: bin, lib, include.
include(CMakePackageConfigHelpers)

# hwcc looks for ../lib and ../include from its own folder, so these names are fixed.
set(hostwarp_bin bin)
set(hostwarp_lib lib)
set(hostwarp_include include)
set(hostwarp_package lib/cmake/hostwarp)

# install_if_built() installs the targets that this configuration has.
function(install_if_built)
  foreach(target IN LISTS ARGN)
    if(TARGET ${target})
      install(TARGETS ${target} RUNTIME DESTINATION ${hostwarp_bin} LIBRARY DESTINATION ${hostwarp_lib}
              ARCHIVE DESTINATION ${hostwarp_lib})
    endif()
  endforeach()
endfunction()
# A program that names only these must get the libcudart beside them, not one that the system knows.
foreach(target cuda curand nvidia_ml)
  if(TARGET ${target})
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN")
  endif()
endforeach()
install_if_built(hwcc hwcc-device hostwarp hostwarp_host_plugin hostwarp_clang_plugin hostwarp_clock hostwarp_lookup cudart_installed cudart_static cuda curand nvrtc
                 nvJitLink nvvm nvidia_ml)
# CMake strips programs and shared libraries only.
foreach(target cudart_static cudadevrt)
  if(TARGET ${target})
    install(CODE "if(CMAKE_INSTALL_DO_STRIP)
      execute_process(COMMAND ${CMAKE_STRIP} --strip-debug
                              \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${hostwarp_lib}/$<TARGET_FILE_NAME:${target}>\"
                      COMMAND_ERROR_IS_FATAL ANY)
    endif()")
  endif()
endforeach()

if(TARGET cudart_installed)
  install(FILES ${PROJECT_BINARY_DIR}/installed/libcudart.so DESTINATION ${hostwarp_lib})
endif()
if(TARGET cudart_static)
  install(FILES ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/libcudart_static.a DESTINATION ${hostwarp_lib})
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${hostwarp_include} PATTERN README.md EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md DESTINATION share/doc/hostwarp)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/tools/project_template DESTINATION share/hostwarp)
install(DIRECTORY ${PROJECT_BINARY_DIR}/share/man ${PROJECT_BINARY_DIR}/share/bash-completion DESTINATION share)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/docs/ci/check_cuda.sh DESTINATION share/doc/hostwarp/ci)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/hostwarpConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/cmake/hostwarpConfig.cmake
                              INSTALL_DESTINATION ${hostwarp_package} PATH_VARS CMAKE_INSTALL_PREFIX)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/hostwarpConfigVersion.cmake
                                 VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/hostwarpConfig.cmake
              ${PROJECT_BINARY_DIR}/cmake/hostwarpConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/hostwarp_programs.cmake
        DESTINATION ${hostwarp_package})

# Everything that compiling and running a CUDA program needs, as one target.
add_custom_target(hostwarp_products)
foreach(target hostwarp_manual hwcc hwcc-device hostwarp_host_plugin hostwarp_clang_plugin hostwarp hostwarp_clock hostwarp_lookup cudart cudart_installed cudart_static cuda curand nvrtc nvJitLink nvvm nvidia_ml hostwarp_libdevice cudadevrt gdb_builtins)
  if(TARGET ${target})
    add_dependencies(hostwarp_products ${target})
  endif()
endforeach()

set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME hostwarp)
set(CPACK_PACKAGE_VENDOR hostwarp)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_FILE_NAME hostwarp-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
include(CPack)
