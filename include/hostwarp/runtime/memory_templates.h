// Typed pointers for the functions that allocate and copy. Included by cuda_runtime.h.
#ifndef HOSTWARP_RUNTIME_MEMORY_TEMPLATES_H
#define HOSTWARP_RUNTIME_MEMORY_TEMPLATES_H

#include "../../cuda_runtime_api.h"

#define HOSTWARP_TYPED \
  template <class T>   \
  static __inline__ __host__ cudaError_t

// --- Allocation ---

template <class T>
static __inline__ __host__ __device__ cudaError_t cudaMalloc(T **devPtr, size_t size) {
  return cudaMalloc((void **)devPtr, size);
}
HOSTWARP_TYPED cudaMallocManaged(T **devPtr, size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void **)devPtr, size, flags);
}
HOSTWARP_TYPED cudaMallocPitch(T **devPtr, size_t *pitch, size_t width, size_t height) {
  return cudaMallocPitch((void **)devPtr, pitch, width, height);
}
static __inline__ __host__ cudaError_t cudaMallocHost(void **ptr, size_t size, unsigned int flags) {
  return cudaHostAlloc(ptr, size, flags);
}
HOSTWARP_TYPED cudaMallocHost(T **ptr, size_t size, unsigned int flags = 0) {
  return cudaHostAlloc((void **)ptr, size, flags);
}
HOSTWARP_TYPED cudaHostAlloc(T **ptr, size_t size, unsigned int flags) {
  return cudaHostAlloc((void **)ptr, size, flags);
}
HOSTWARP_TYPED cudaHostGetDevicePointer(T **pDevice, void *pHost, unsigned int flags) {
  return cudaHostGetDevicePointer((void **)pDevice, pHost, flags);
}
HOSTWARP_TYPED cudaStreamAttachMemAsync(cudaStream_t stream, T *devPtr, size_t length = 0,
                                        unsigned int flags = cudaMemAttachSingle) {
  return cudaStreamAttachMemAsync(stream, (void *)devPtr, length, flags);
}

// --- Stream-ordered allocation ---

static __inline__ __host__ cudaError_t cudaMallocAsync(void **ptr, size_t size, cudaMemPool_t memPool,
                                                       cudaStream_t stream) {
  return cudaMallocFromPoolAsync(ptr, size, memPool, stream);
}
HOSTWARP_TYPED cudaMallocAsync(T **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void **)ptr, size, memPool, stream);
}
HOSTWARP_TYPED cudaMallocAsync(T **ptr, size_t size, cudaStream_t stream) {
  return cudaMallocAsync((void **)ptr, size, stream);
}
HOSTWARP_TYPED cudaMallocFromPoolAsync(T **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void **)ptr, size, memPool, stream);
}

// --- Batches: typed pointers, and one attribute or location for the whole batch ---

template <class T, class Source>
static __inline__ __host__ cudaError_t cudaMemcpyBatchAsync(T *const *dsts, Source *const *srcs, const size_t *sizes,
                                                            size_t count, cudaMemcpyAttributes *attrs,
                                                            size_t *attrsIdxs, size_t numAttrs, cudaStream_t stream) {
  return cudaMemcpyBatchAsync((void *const *)dsts, (const void *const *)srcs, sizes, count, attrs, attrsIdxs, numAttrs,
                              stream);
}
template <class T, class Source>
static __inline__ __host__ cudaError_t cudaMemcpyBatchAsync(T *const *dsts, Source *const *srcs, const size_t *sizes,
                                                            size_t count, cudaMemcpyAttributes attr,
                                                            cudaStream_t stream) {
  size_t first = 0;
  return cudaMemcpyBatchAsync((void *const *)dsts, (const void *const *)srcs, sizes, count, &attr, &first, (size_t)1,
                              stream);
}
HOSTWARP_TYPED cudaMemPrefetchBatchAsync(T **dptrs, size_t *sizes, size_t count, cudaMemLocation *prefetchLocs,
                                         size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                         cudaStream_t stream) {
  return cudaMemPrefetchBatchAsync((void **)dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags,
                                   stream);
}
HOSTWARP_TYPED cudaMemPrefetchBatchAsync(T **dptrs, size_t *sizes, size_t count, cudaMemLocation prefetchLocs,
                                         unsigned long long flags, cudaStream_t stream) {
  size_t first = 0;
  return cudaMemPrefetchBatchAsync((void **)dptrs, sizes, count, &prefetchLocs, &first, (size_t)1, flags, stream);
}
HOSTWARP_TYPED cudaMemDiscardAndPrefetchBatchAsync(T **dptrs, size_t *sizes, size_t count,
                                                   cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                                   size_t numPrefetchLocs, unsigned long long flags,
                                                   cudaStream_t stream) {
  return cudaMemDiscardAndPrefetchBatchAsync((void **)dptrs, sizes, count, prefetchLocs, prefetchLocIdxs,
                                             numPrefetchLocs, flags, stream);
}
HOSTWARP_TYPED cudaMemDiscardAndPrefetchBatchAsync(T **dptrs, size_t *sizes, size_t count, cudaMemLocation prefetchLocs,
                                                   unsigned long long flags, cudaStream_t stream) {
  size_t first = 0;
  return cudaMemDiscardAndPrefetchBatchAsync((void **)dptrs, sizes, count, &prefetchLocs, &first, (size_t)1, flags,
                                             stream);
}

// --- Libraries loaded at run time ---

HOSTWARP_TYPED cudaLibraryGetGlobal(T **dptr, size_t *bytes, cudaLibrary_t library, const char *name) {
  return cudaLibraryGetGlobal((void **)dptr, bytes, library, name);
}
HOSTWARP_TYPED cudaLibraryGetManaged(T **dptr, size_t *bytes, cudaLibrary_t library, const char *name) {
  return cudaLibraryGetManaged((void **)dptr, bytes, library, name);
}
HOSTWARP_TYPED cudaLibraryGetUnifiedFunction(T **fptr, cudaLibrary_t library, const char *symbol) {
  return cudaLibraryGetUnifiedFunction((void **)fptr, library, symbol);
}

#undef HOSTWARP_TYPED

#endif  // HOSTWARP_RUNTIME_MEMORY_TEMPLATES_H
