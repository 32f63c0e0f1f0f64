// NVTX names for the driver API's devices, contexts, streams and events. The timeline shows those of streams.
#ifndef HOSTWARP_NVTX3_NV_TOOLS_EXT_CUDA_H
#define HOSTWARP_NVTX3_NV_TOOLS_EXT_CUDA_H
#define NVTOOLSEXT_CUDA_V3

#include "../cuda.h"
#include "nvToolsExt.h"

HOSTWARP_NVTX void nvtxNameCuDeviceA(CUdevice device, const char *name) { (void)device, (void)name; }
HOSTWARP_NVTX void nvtxNameCuDeviceW(CUdevice device, const wchar_t *name) { (void)device, (void)name; }
HOSTWARP_NVTX void nvtxNameCuContextA(CUcontext context, const char *name) { (void)context, (void)name; }
HOSTWARP_NVTX void nvtxNameCuContextW(CUcontext context, const wchar_t *name) { (void)context, (void)name; }
HOSTWARP_NVTX void nvtxNameCuStreamA(CUstream stream, const char *name) {
  HOSTWARP_NVTX_DO(hw_nvtx_name_stream, stream, name, NULL);
}
HOSTWARP_NVTX void nvtxNameCuStreamW(CUstream stream, const wchar_t *name) {
  HOSTWARP_NVTX_DO(hw_nvtx_name_stream, stream, NULL, name);
}
HOSTWARP_NVTX void nvtxNameCuEventA(CUevent event, const char *name) { (void)event, (void)name; }
HOSTWARP_NVTX void nvtxNameCuEventW(CUevent event, const wchar_t *name) { (void)event, (void)name; }

#define nvtxNameCuDevice HOSTWARP_NVTX_FORM(nvtxNameCuDevice)
#define nvtxNameCuContext HOSTWARP_NVTX_FORM(nvtxNameCuContext)
#define nvtxNameCuStream HOSTWARP_NVTX_FORM(nvtxNameCuStream)
#define nvtxNameCuEvent HOSTWARP_NVTX_FORM(nvtxNameCuEvent)

#endif  // HOSTWARP_NVTX3_NV_TOOLS_EXT_CUDA_H
