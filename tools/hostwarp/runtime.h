// The runtime library as programs would get it, loaded from where they would find it.
#ifndef HOSTWARP_TOOLS_HOSTWARP_RUNTIME_H
#define HOSTWARP_TOOLS_HOSTWARP_RUNTIME_H

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>

namespace hostwarp::tool {

// Runtime is the functions of it that commands ask.
struct Runtime {
  void *handle = nullptr;
  decltype(&::cudaRuntimeGetVersion) version = nullptr;
  decltype(&::cudaGetDeviceCount) deviceCount = nullptr;
  cudaError_t (*deviceProperties)(cudaDeviceProp *, int) = nullptr;
  const uint32_t *isaLevel = nullptr;

  [[nodiscard]] bool complete() const {
    return version != nullptr && deviceCount != nullptr && deviceProperties != nullptr && isaLevel != nullptr;
  }
};

// runtimePath() is the library's file; loadRuntime() loads it, and runtimeComplaint() says why it is not complete.
std::string runtimePath();
Runtime loadRuntime();
std::string runtimeComplaint();

}  // namespace hostwarp::tool

#endif  // HOSTWARP_TOOLS_HOSTWARP_RUNTIME_H
