// The runtime functions that exist only inside kernels [CUDA 4.18 dynamic parallelism, 4.2.7 device graphs, 4.5
// programmatic dependent launch]. Included by cuda_runtime_api.h.
#ifndef HOSTWARP_CUDA_DEVICE_RUNTIME_API_H
#define HOSTWARP_CUDA_DEVICE_RUNTIME_API_H
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "driver_types.h"
#include "hostwarp/device_abi.h"

#if defined(__cplusplus)

#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
#define cudaStreamGraphTailLaunch ((cudaStream_t)0x0100000000000000)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0x0200000000000000)
#define cudaStreamGraphFireAndForgetAsSibling ((cudaStream_t)0x0300000000000000)

// The graph that the kernel is a node of, and nodes that kernels change [CUDA 4.2.4, 4.2.6].
extern "C" {
__device__ cudaGraphExec_t hw_graph_current(void);
__device__ cudaError_t hw_graph_node_set_param(cudaGraphDeviceNode_t node, size_t offset, const void *value,
                                               size_t size);
__device__ cudaError_t hw_graph_node_set_enabled(cudaGraphDeviceNode_t node, bool enable);
__device__ cudaError_t hw_graph_node_set_grid(cudaGraphDeviceNode_t node, unsigned int x, unsigned int y,
                                              unsigned int z);
// The name by which CUDA's headers wait for child grids without a warning.
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
}
static __inline__ __device__ cudaGraphExec_t cudaGetCurrentGraphExec(void) { return hw_graph_current(); }
static __inline__ __device__ cudaError_t cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t node, size_t offset,
                                                                     const void *value, size_t size) {
  return hw_graph_node_set_param(node, offset, value, size);
}
static __inline__ __device__ cudaError_t cudaGraphKernelNodeSetEnabled(cudaGraphDeviceNode_t node, bool enable) {
  return hw_graph_node_set_enabled(node, enable);
}
static __inline__ __device__ cudaError_t cudaGraphKernelNodeSetGridDim(cudaGraphDeviceNode_t node, dim3 gridDim) {
  return hw_graph_node_set_grid(node, gridDim.x, gridDim.y, gridDim.z);
}
static __inline__ __device__ cudaError_t cudaGraphKernelNodeUpdatesApply(const cudaGraphKernelNodeUpdate *updates,
                                                                         size_t updateCount) {
  for (size_t i = 0; i < updateCount; ++i) {
    const cudaGraphKernelNodeUpdate &update = updates[i];
    cudaError_t error = cudaErrorInvalidValue;
    if (update.field == cudaGraphKernelNodeFieldGridDim)
      error = hw_graph_node_set_grid(update.node, update.updateData.gridDim.x, update.updateData.gridDim.y,
                                     update.updateData.gridDim.z);
    else if (update.field == cudaGraphKernelNodeFieldParam)
      error = hw_graph_node_set_param(update.node, update.updateData.param.offset, update.updateData.param.pValue,
                                      update.updateData.param.size);
    else if (update.field == cudaGraphKernelNodeFieldEnabled)
      error = hw_graph_node_set_enabled(update.node, update.updateData.isEnabled != 0);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

static __inline__ __device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
  hw_graph_set_conditional(handle, value);
}

static __inline__ __device__ void cudaTriggerProgrammaticLaunchCompletion(void) { hw_trigger_dependents(); }
static __inline__ __device__ void cudaGridDependencySynchronize(void) { hw_wait_for_prerequisites(); }

// Launches without <<<>>>: the kernel's parameters go into a buffer, each behind the one before it at its alignment.
static __inline__ __device__ void *cudaGetParameterBuffer(size_t alignment, size_t size) {
  return hw_parameter_buffer(alignment, size);
}
static __inline__ __device__ void *cudaGetParameterBufferV2(void *func, dim3 gridDimension, dim3 blockDimension,
                                                            unsigned int sharedMemSize) {
  const hw_dim3 grid = {gridDimension.x, gridDimension.y, gridDimension.z};
  const hw_dim3 block = {blockDimension.x, blockDimension.y, blockDimension.z};
  return hw_configured_parameter_buffer(func, &grid, &block, sharedMemSize);
}
static __inline__ __device__ cudaError_t cudaLaunchDevice(void *func, void *parameterBuffer, dim3 gridDimension,
                                                          dim3 blockDimension, unsigned int sharedMemSize,
                                                          cudaStream_t stream) {
  const hw_dim3 grid = {gridDimension.x, gridDimension.y, gridDimension.z};
  const hw_dim3 block = {blockDimension.x, blockDimension.y, blockDimension.z};
  return (cudaError_t)hw_launch_buffer(func, parameterBuffer, &grid, &block, sharedMemSize, stream);
}
static __inline__ __device__ cudaError_t cudaLaunchDeviceV2(void *parameterBuffer, cudaStream_t stream) {
  return (cudaError_t)hw_launch_configured_buffer(parameterBuffer, stream);
}

#if defined(__CUDA__) && defined(__clang__)
namespace hostwarp {
// startLaunch() is what hwcc makes of <<<>>> in code that the device runs: it starts the kernel that the thread has
// called just before. For host code the device pass only checks the types.
static __inline__ __host__ __device__ void startLaunch(dim3 grid, dim3 block, size_t dynamicShared = 0,
                                                       cudaStream_t stream = 0) {
#if defined(__CUDA_ARCH__)
  const hw_dim3 gridSize = {grid.x, grid.y, grid.z}, blockSize = {block.x, block.y, block.z};
  hw_start_launch(&gridSize, &blockSize, dynamicShared, stream);
#else
  (void)grid, (void)block, (void)dynamicShared, (void)stream;
#endif
}
}  // namespace hostwarp

template <class T>
static __inline__ __device__ cudaError_t cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t node, size_t offset,
                                                                     const T &value) {
  return cudaGraphKernelNodeSetParam(node, offset, &value, sizeof(T));
}
#endif

#endif

#endif  // HOSTWARP_CUDA_DEVICE_RUNTIME_API_H
