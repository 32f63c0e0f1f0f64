// The macros that nvcc 13.0 defines on its command lines.
#ifndef HOSTWARP_COMPILER_DRIVER_MACROS_H
#define HOSTWARP_COMPILER_DRIVER_MACROS_H

#include <string>
#include <vector>

#include "compiler/driver/invocation.h"

namespace hostwarp::driver {

// hostMacros() are those of a host-only source: __NVCC__, the versions, __CUDA_ARCH_LIST__.
std::vector<std::string> hostMacros(const Invocation &invocation);

// cudaMacros() are those of both passes over a .cu file: hostMacros() and __CUDACC__ with its companions.
std::vector<std::string> cudaMacros(const Invocation &invocation);

// deviceMacros() are added in the device pass: __CUDA_ARCH__ of `target`, whatever clang itself compiles for.
std::vector<std::string> deviceMacros(const Invocation &invocation, const Architecture &target);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_MACROS_H
