// NVTX names for devices, streams and events.
#ifndef HOSTWARP_NVTX3_NV_TOOLS_EXT_CUDA_RT_H
#define HOSTWARP_NVTX3_NV_TOOLS_EXT_CUDA_RT_H
#define NVTOOLSEXT_CUDART_V3

#include "../cuda_runtime_api.h"
#include "nvToolsExt.h"

HOSTWARP_NVTX void nvtxNameCudaDeviceA(HOSTWARP_UNUSED(int, device), HOSTWARP_UNUSED(const char *, name)) {}
HOSTWARP_NVTX void nvtxNameCudaStreamA(HOSTWARP_UNUSED(cudaStream_t, stream), HOSTWARP_UNUSED(const char *, name)) {}
HOSTWARP_NVTX void nvtxNameCudaEventA(HOSTWARP_UNUSED(cudaEvent_t, event), HOSTWARP_UNUSED(const char *, name)) {}

#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA

#endif  // HOSTWARP_NVTX3_NV_TOOLS_EXT_CUDA_RT_H
