// surface<> references, which CUDA 12 dropped.
#ifndef HOSTWARP_CUDA_SURFACE_TYPES_H
#define HOSTWARP_CUDA_SURFACE_TYPES_H
#define __CUDA_SURFACE_TYPES_H__

#if defined(__cplusplus)

#include "channel_descriptor.h"
#include "surface_types.h"

template <class T, int dim = 1>
struct __device_builtin_surface_type__ surface : public surfaceReference {
  __host__ surface() { channelDesc = cudaCreateChannelDesc<T>(); }
  __host__ surface(cudaChannelFormatDesc desc) { channelDesc = desc; }
};
template <int dim>
struct __device_builtin_surface_type__ surface<void, dim> : public surfaceReference {
  __host__ surface() { channelDesc = cudaCreateChannelDesc<void>(); }
};

template <class T, int dim>
static __inline__ __host__ cudaError_t cudaBindSurfaceToArray(const surface<T, dim> &surf, cudaArray_const_t array,
                                                              const cudaChannelFormatDesc &desc) {
  return cudaBindSurfaceToArray((const surfaceReference *)&surf, array, &desc);
}
template <class T, int dim>
static __inline__ __host__ cudaError_t cudaBindSurfaceToArray(const surface<T, dim> &surf, cudaArray_const_t array) {
  cudaChannelFormatDesc desc;
  cudaError_t error = cudaGetChannelDesc(&desc, array);
  return error ? error : cudaBindSurfaceToArray(surf, array, desc);
}

#endif

#endif  // HOSTWARP_CUDA_SURFACE_TYPES_H
