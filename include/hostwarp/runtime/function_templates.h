// Kernel attributes and occupancy, for typed kernels. Included by cuda_runtime.h.
#ifndef HOSTWARP_RUNTIME_FUNCTION_TEMPLATES_H
#define HOSTWARP_RUNTIME_FUNCTION_TEMPLATES_H

#include "../launch.h"

template <class T>
static __inline__ __host__ cudaError_t cudaFuncSetCacheConfig(T *func, cudaFuncCache cacheConfig) {
  return cudaFuncSetCacheConfig(hostwarp::kernelHandle(func), cacheConfig);
}
template <class T>
static __inline__ __host__ cudaError_t cudaFuncSetSharedMemConfig(T *func, cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig(hostwarp::kernelHandle(func), config);
}
template <class T>
static __inline__ __host__ __cudart_builtin__ cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attr, T *entry) {
  return cudaFuncGetAttributes(attr, hostwarp::kernelHandle(entry));
}
template <class T>
static __inline__ __host__ cudaError_t cudaFuncSetAttribute(T *func, cudaFuncAttribute attr, int value) {
  return cudaFuncSetAttribute(hostwarp::kernelHandle(func), attr, value);
}
template <class T>
static __inline__ __host__ cudaError_t cudaFuncGetName(const char **name, T *func) {
  return cudaFuncGetName(name, hostwarp::kernelHandle(func));
}
template <class T>
static __inline__ __host__ cudaError_t cudaGetKernel(cudaKernel_t *kernelPtr, T *func) {
  return cudaGetKernel(kernelPtr, hostwarp::kernelHandle(func));
}
template <class T>
static __inline__ __host__ cudaError_t cudaGetFuncBySymbol(cudaFunction_t *functionPtr, T *symbolPtr) {
  return cudaGetFuncBySymbol(functionPtr, hostwarp::kernelHandle(symbolPtr));
}

// --- Occupancy [CUDA 3.5 occupancy] ---

namespace hostwarp {

// A null pointer may be written as a number.
static __inline__ __host__ const void *kernelHandle(long) { return 0; }
static __inline__ __host__ const void *kernelHandle(int) { return 0; }
#if __cplusplus >= 201103L
static __inline__ __host__ const void *kernelHandle(decltype(nullptr)) { return 0; }
#endif

}  // namespace hostwarp

template <class T>
static __inline__ __host__ __cudart_builtin__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, T func, int blockSize, size_t dynamicSMemSize, unsigned int flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, hostwarp::kernelHandle(func), blockSize,
                                                                dynamicSMemSize, flags);
}
template <class T>
static __inline__ __host__ __cudart_builtin__ cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, T func, int blockSize, size_t dynamicSMemSize) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, func, blockSize, dynamicSMemSize,
                                                                cudaOccupancyDefault);
}
template <class T>
static __inline__ __host__ cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, T *func,
                                                                                 int numBlocks, int blockSize) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, hostwarp::kernelHandle(func), numBlocks, blockSize);
}
template <class T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialClusterSize(int *clusterSize, T *func,
                                                                            const cudaLaunchConfig_t *config) {
  return cudaOccupancyMaxPotentialClusterSize(clusterSize, hostwarp::kernelHandle(func), config);
}
template <class T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxActiveClusters(int *numClusters, T *func,
                                                                      const cudaLaunchConfig_t *config) {
  return cudaOccupancyMaxActiveClusters(numClusters, hostwarp::kernelHandle(func), config);
}

namespace hostwarp {

// BlockSizeBounds are what limits the choice of a block size on the current device.
struct BlockSizeBounds {
  int largest;  // by device and kernel
  int warp;
  int threadsPerMultiprocessor;
  int multiprocessors;
};

static __inline__ __host__ cudaError_t blockSizeBounds(BlockSizeBounds *bounds, const void *kernel) {
  int device = 0;
  cudaFuncAttributes attributes;
  cudaError_t error = cudaGetDevice(&device);
  if (!error) error = cudaDeviceGetAttribute(&bounds->largest, cudaDevAttrMaxThreadsPerBlock, device);
  if (!error) error = cudaDeviceGetAttribute(&bounds->warp, cudaDevAttrWarpSize, device);
  if (!error)
    error = cudaDeviceGetAttribute(&bounds->threadsPerMultiprocessor, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  if (!error) error = cudaDeviceGetAttribute(&bounds->multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (!error) error = cudaFuncGetAttributes(&attributes, kernel);
  if (!error && attributes.maxThreadsPerBlock < bounds->largest) bounds->largest = attributes.maxThreadsPerBlock;
  return error;
}

// ConstantBytes is the shared memory of a block that does not depend on the block's size.
struct ConstantBytes {
  size_t bytes;
  __host__ size_t operator()(int) const { return bytes; }
};

}  // namespace hostwarp

// Tries every whole number of warps, largest first, and keeps the size that puts most threads on a multiprocessor.
template <class SharedBytes, class T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *minGridSize, int *blockSize, T func, SharedBytes blockSizeToDynamicSMemSize, int blockSizeLimit = 0,
    unsigned int flags = 0) {
  const void *kernel = hostwarp::kernelHandle(func);
  if (!minGridSize || !blockSize || !kernel) return cudaErrorInvalidValue;
  hostwarp::BlockSizeBounds bounds;
  cudaError_t error = hostwarp::blockSizeBounds(&bounds, kernel);
  if (error) return error;
  int largest = blockSizeLimit > 0 && blockSizeLimit < bounds.largest ? blockSizeLimit : bounds.largest;
  int bestThreads = 0;
  *minGridSize = *blockSize = 0;  // where no block fits
  int warps = (largest + bounds.warp - 1) / bounds.warp;
  for (; warps > 0 && bestThreads < bounds.threadsPerMultiprocessor; --warps) {
    int size = warps * bounds.warp < largest ? warps * bounds.warp : largest;
    int resident = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&resident, kernel, size,
                                                                   blockSizeToDynamicSMemSize(size), flags);
    if (error) return error;
    if (resident * size <= bestThreads) continue;
    bestThreads = resident * size;
    *blockSize = size;
    *minGridSize = resident * bounds.multiprocessors;
  }
  return cudaSuccess;
}
template <class SharedBytes, class T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
    int *minGridSize, int *blockSize, T func, SharedBytes blockSizeToDynamicSMemSize, int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      minGridSize, blockSize, func, blockSizeToDynamicSMemSize, blockSizeLimit, cudaOccupancyDefault);
}
template <class T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize,
                                                                                   T func, size_t dynamicSMemSize = 0,
                                                                                   int blockSizeLimit = 0,
                                                                                   unsigned int flags = 0) {
  hostwarp::ConstantBytes bytes = {dynamicSMemSize};
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, func, bytes, blockSizeLimit,
                                                                 flags);
}
template <class T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, T func,
                                                                          size_t dynamicSMemSize = 0,
                                                                          int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func, dynamicSMemSize, blockSizeLimit,
                                                     cudaOccupancyDefault);
}

#endif  // HOSTWARP_RUNTIME_FUNCTION_TEMPLATES_H
