// The runtime inside kernels: NVIDIA's libcudadevrt, which is linked with the code of kernels that launch kernels.
#ifndef HOSTWARP_GPU_BACKEND_DEVICE_RUNTIME_H
#define HOSTWARP_GPU_BACKEND_DEVICE_RUNTIME_H

#include <string>
#include <string_view>

#include "emu_runtime/support/status.h"

namespace hostwarp::gpu_backend {

// needsDeviceRuntime() tells whether the PTX calls its functions.
bool needsDeviceRuntime(std::string_view ptx);

// linkDeviceRuntime() gives machine code for GPUs of this capability. It needs NVIDIA's libnvJitLink and libcudadevrt.a
// of the folder that its libcudart is in, `runtimeFile`; the error says what is missing there.
Expected<std::string> linkDeviceRuntime(std::string_view ptx, int capability, const std::string &runtimeFile);

}  // namespace hostwarp::gpu_backend

#endif  // HOSTWARP_GPU_BACKEND_DEVICE_RUNTIME_H
