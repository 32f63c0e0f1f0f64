# include/cccl, where CUDA 13 has CUB, Thrust and libcu++ and where projects copy them from: links to those that this
# machine's packages brought.
find_path(HOSTWARP_CCCL cuda/std/type_traits DOC "the folder of CUB, Thrust and libcu++")
if(HOSTWARP_CCCL)
  foreach(folder cub cuda nv thrust)
    if(EXISTS ${HOSTWARP_CCCL}/${folder})
      file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/cccl)
      file(CREATE_LINK ${HOSTWARP_CCCL}/${folder} ${PROJECT_BINARY_DIR}/cccl/${folder} SYMBOLIC)
    endif()
  endforeach()
  install(DIRECTORY ${PROJECT_BINARY_DIR}/cccl DESTINATION ${hostwarp_include})
endif()
