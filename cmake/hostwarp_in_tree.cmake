# hostwarp_add_executable() and its kin for folders of this project, before anything is installed.
if(NOT TARGET hostwarp::hwcc)
  add_executable(hostwarp::hwcc ALIAS hwcc)
endif()
if(NOT TARGET hostwarp::cudart)
  add_library(hostwarp::cudart ALIAS cudart)
endif()
# A change of any of these recompiles the programs.
set(HOSTWARP_PRODUCTS hwcc hwcc-device hostwarp_host_plugin hostwarp_clang_plugin cudart)
include(hostwarp_programs)
