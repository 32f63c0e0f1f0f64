# The LLVM whose clang hwcc runs, whose bitcode hwcc-device reads and whose plugins clang loads. The code is written for
# 19; another serves where that is missing. Debian has a folder for each.
set(HOSTWARP_LLVM_VERSIONS 19 18 20 21 17)
list(TRANSFORM HOSTWARP_LLVM_VERSIONS REPLACE "(.+)" "/usr/lib/llvm-\\1/lib/cmake/llvm" OUTPUT_VARIABLE folders)
find_package(LLVM REQUIRED CONFIG HINTS ${folders})
message(STATUS "hostwarp: LLVM ${LLVM_PACKAGE_VERSION} from ${LLVM_DIR}")
if(NOT LLVM_VERSION_MAJOR IN_LIST HOSTWARP_LLVM_VERSIONS)
  message(FATAL_ERROR "hostwarp needs LLVM 17 to 21; LLVM_DIR names another folder to look in")
endif()
