// NVTX names for the driver API's devices, contexts, streams and events.
#ifndef HOSTWARP_NVTX3_NV_TOOLS_EXT_CUDA_H
#define HOSTWARP_NVTX3_NV_TOOLS_EXT_CUDA_H
#define NVTOOLSEXT_CUDA_V3

#include "../cuda.h"
#include "nvToolsExt.h"

HOSTWARP_NVTX void nvtxNameCuDeviceA(HOSTWARP_UNUSED(CUdevice, device), HOSTWARP_UNUSED(const char *, name)) {}
HOSTWARP_NVTX void nvtxNameCuContextA(HOSTWARP_UNUSED(CUcontext, context), HOSTWARP_UNUSED(const char *, name)) {}
HOSTWARP_NVTX void nvtxNameCuStreamA(HOSTWARP_UNUSED(CUstream, stream), HOSTWARP_UNUSED(const char *, name)) {}
HOSTWARP_NVTX void nvtxNameCuEventA(HOSTWARP_UNUSED(CUevent, event), HOSTWARP_UNUSED(const char *, name)) {}

#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA

#endif  // HOSTWARP_NVTX3_NV_TOOLS_EXT_CUDA_H
