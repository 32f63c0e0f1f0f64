// The CUDA runtime API for C++ and the device language: what every .cu file includes, and what hwcc includes first.
#ifndef HOSTWARP_CUDA_RUNTIME_H
#define HOSTWARP_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__

#include "builtin_types.h"
#include "crt/host_config.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "library_types.h"
#include "vector_functions.h"

#if defined(__cplusplus)

#if defined(__CUDA__) && defined(__clang__)
// What the compiler makes of kernel<<<...>>>(...).
extern "C" {
unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim = 1, size_t sharedMem = 0, void *stream = 0);
cudaError_t __cudaPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem, void *stream);
}
#endif

#include "channel_descriptor.h"
#include "hostwarp/device.h"

static __inline__ __host__ cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}

#include "cuda_surface_types.h"
#include "cuda_texture_types.h"
#include "hostwarp/runtime/function_templates.h"
#include "hostwarp/runtime/graph_templates.h"
#include "hostwarp/runtime/memory_templates.h"
#include "hostwarp/runtime/symbol_templates.h"
#if defined(__CUDA__) && defined(__clang__)
#include "hostwarp/openmp.h"
#include "hostwarp/texture_references.h"
#endif

#endif

#endif  // HOSTWARP_CUDA_RUNTIME_H
