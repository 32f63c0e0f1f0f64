// CCCL: NVIDIA's libcu++ (cuda/, nv/), CUB (cub/) and Thrust (thrust/), which are headers only and not part of
// hostwarp.
#ifndef HOSTWARP_COMPILER_DRIVER_CCCL_H
#define HOSTWARP_COMPILER_DRIVER_CCCL_H

#include <string>

#include "compiler/driver/result.h"

namespace hostwarp::driver {

// findCccl() is the folder of CCCL's headers: what the environment variable HOSTWARP_CCCL names, else that of the
// toolkit in CUDA_PATH or CUDA_HOME, else of the newest toolkit in `installations` (`cuda` goes before `cuda-13.0`).
// Empty if there is none or HOSTWARP_CCCL is "none"; then the compilers may still find one among the system's headers,
// where Debian puts it. It fails if HOSTWARP_CCCL names a folder without CCCL.
Expected<std::string> findCccl(const std::string &installations = "/usr/local");

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_CCCL_H
