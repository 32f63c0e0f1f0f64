// NVTX names for devices, streams and events. The timeline shows those of streams.
#ifndef HOSTWARP_NVTX3_NV_TOOLS_EXT_CUDA_RT_H
#define HOSTWARP_NVTX3_NV_TOOLS_EXT_CUDA_RT_H
#define NVTOOLSEXT_CUDART_V3

#include "../cuda_runtime_api.h"
#include "nvToolsExt.h"

HOSTWARP_NVTX void nvtxNameCudaDeviceA(int device, const char *name) { (void)device, (void)name; }
HOSTWARP_NVTX void nvtxNameCudaDeviceW(int device, const wchar_t *name) { (void)device, (void)name; }
HOSTWARP_NVTX void nvtxNameCudaStreamA(cudaStream_t stream, const char *name) {
  HOSTWARP_NVTX_DO(hw_nvtx_name_stream, stream, name, NULL);
}
HOSTWARP_NVTX void nvtxNameCudaStreamW(cudaStream_t stream, const wchar_t *name) {
  HOSTWARP_NVTX_DO(hw_nvtx_name_stream, stream, NULL, name);
}
HOSTWARP_NVTX void nvtxNameCudaEventA(cudaEvent_t event, const char *name) { (void)event, (void)name; }
HOSTWARP_NVTX void nvtxNameCudaEventW(cudaEvent_t event, const wchar_t *name) { (void)event, (void)name; }

#define nvtxNameCudaDevice HOSTWARP_NVTX_FORM(nvtxNameCudaDevice)
#define nvtxNameCudaStream HOSTWARP_NVTX_FORM(nvtxNameCudaStream)
#define nvtxNameCudaEvent HOSTWARP_NVTX_FORM(nvtxNameCudaEvent)

#endif  // HOSTWARP_NVTX3_NV_TOOLS_EXT_CUDA_RT_H
