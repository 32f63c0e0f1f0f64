// The runtime inside kernels: launches, and its functions, which NVIDIA's libcudadevrt has; graphs, of which the driver
// has the functions.
#include "compiler/gpu_library/source/interface.h"

// --- Graphs ---

GPU_FUNCTION void cudaGraphSetConditional(unsigned long long handle, unsigned value);
GPU_FUNCTION int cudaGraphLaunch(void *graph, void *stream);
GPU_FUNCTION int cudaGraphKernelNodeSetEnabled(void *node, bool enable);
GPU_FUNCTION int cudaGraphKernelNodeSetGridDim(void *node, hw_dim3 grid);
GPU_FUNCTION int cudaGraphKernelNodeSetParam(void *node, size_t offset, const void *value, size_t bytes);

GPU_FUNCTION void hw_graph_set_conditional(uint64_t handle, uint32_t value) noexcept {
  cudaGraphSetConditional(handle, value);
}
GPU_FUNCTION int hw_cuda_graph_launch(void *graph, void *stream) { return cudaGraphLaunch(graph, stream); }
GPU_FUNCTION int hw_graph_node_set_enabled(void *node, bool enable) {
  return cudaGraphKernelNodeSetEnabled(node, enable);
}
GPU_FUNCTION int hw_graph_node_set_grid(void *node, unsigned x, unsigned y, unsigned z) {
  return cudaGraphKernelNodeSetGridDim(node, hw_dim3{x, y, z});
}
GPU_FUNCTION int hw_graph_node_set_param(void *node, size_t offset, const void *value, size_t bytes) {
  return cudaGraphKernelNodeSetParam(node, offset, value, bytes);
}
GPU_FUNCTION void *hw_graph_current() {
  void *graph;
  asm("mov.u64 %0, %%current_graph_exec;" : "=l"(graph));
  return graph;
}

// --- Launches ---

GPU_FUNCTION void *__cudaCDP2GetParameterBuffer(size_t alignment, size_t bytes);
GPU_FUNCTION void *__cudaCDP2GetParameterBufferV2(const void *kernel, hw_dim3 grid, hw_dim3 block, unsigned shared);
GPU_FUNCTION int __cudaCDP2LaunchDevice(const void *kernel, void *buffer, hw_dim3 grid, hw_dim3 block, unsigned shared,
                                        void *stream);
GPU_FUNCTION int __cudaCDP2LaunchDeviceV2(void *buffer, void *stream);

// hw_gpu_start_launch() is what hwcc-device makes of a launch: `arguments` lie as the kernel's parameters do, aligned
// to 16 as the buffer is. A failure becomes the thread's last error.
GPU_FUNCTION __attribute__((always_inline)) void hw_gpu_start_launch(const void *kernel, const void *arguments,
                                                                     uint64_t bytes, const hw_dim3 *grid,
                                                                     const hw_dim3 *block, size_t shared,
                                                                     void *stream) {
  void *const buffer = __cudaCDP2GetParameterBufferV2(kernel, *grid, *block, static_cast<unsigned>(shared));
  if (!buffer) return;
  __builtin_memcpy(__builtin_assume_aligned(buffer, 16), __builtin_assume_aligned(arguments, 16), bytes);
  __cudaCDP2LaunchDeviceV2(buffer, stream);
}

GPU_FUNCTION void *hw_parameter_buffer(size_t alignment, size_t bytes) noexcept {
  return __cudaCDP2GetParameterBuffer(alignment, bytes);
}
GPU_FUNCTION void *hw_configured_parameter_buffer(const void *kernel, const hw_dim3 *grid, const hw_dim3 *block,
                                                  size_t shared) noexcept {
  return __cudaCDP2GetParameterBufferV2(kernel, *grid, *block, static_cast<unsigned>(shared));
}
GPU_FUNCTION int hw_launch_buffer(const void *kernel, void *buffer, const hw_dim3 *grid, const hw_dim3 *block,
                                  size_t shared, void *stream) noexcept {
  return __cudaCDP2LaunchDevice(kernel, buffer, *grid, *block, static_cast<unsigned>(shared), stream);
}
GPU_FUNCTION int hw_launch_configured_buffer(void *buffer, void *stream) noexcept {
  return __cudaCDP2LaunchDeviceV2(buffer, stream);
}

// --- The rest: names, parameters and arguments; enumerations are int ---

GPU_FUNCTION const char *__cudaCDP2GetErrorString(int error);
GPU_FUNCTION const char *__cudaCDP2GetErrorName(int error);
GPU_FUNCTION const char *cudaGetErrorString(int error) { return __cudaCDP2GetErrorString(error); }
GPU_FUNCTION const char *cudaGetErrorName(int error) { return __cudaCDP2GetErrorName(error); }

#define FORWARD(ours, name, parameters, arguments) \
  GPU_FUNCTION int __cudaCDP2##name parameters;    \
  GPU_FUNCTION int ours parameters { return __cudaCDP2##name arguments; }

FORWARD(hw_cuda_get_last_error, GetLastError, (), ())
FORWARD(hw_cuda_peek_last_error, PeekAtLastError, (), ())
FORWARD(hw_cuda_get_device, GetDevice, (int *device), (device))
FORWARD(cudaGetDeviceCount, GetDeviceCount, (int *count), (count))
FORWARD(cudaDeviceGetAttribute, DeviceGetAttribute, (int *value, int which, int device), (value, which, device))
FORWARD(cudaDeviceGetLimit, DeviceGetLimit, (size_t *value, int limit), (value, limit))
FORWARD(cudaRuntimeGetVersion, RuntimeGetVersion, (int *version), (version))
FORWARD(cudaFuncGetAttributes, FuncGetAttributes, (void *attributes, const void *kernel), (attributes, kernel))
FORWARD(cudaOccupancyMaxActiveBlocksPerMultiprocessor, OccupancyMaxActiveBlocksPerMultiprocessor,
        (int *blocks, const void *kernel, int threads, size_t shared), (blocks, kernel, threads, shared))
FORWARD(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, OccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
        (int *blocks, const void *kernel, int threads, size_t shared, unsigned flags),
        (blocks, kernel, threads, shared, flags))
FORWARD(hw_cuda_malloc, Malloc, (void **memory, size_t bytes), (memory, bytes))
FORWARD(hw_cuda_free, Free, (void *memory), (memory))
FORWARD(hw_cuda_memcpy_async, MemcpyAsync, (void *to, const void *from, size_t bytes, int kind, void *stream),
        (to, from, bytes, kind, stream))
FORWARD(hw_cuda_memcpy_2d_async, Memcpy2DAsync,
        (void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height, int kind,
         void *stream),
        (to, toPitch, from, fromPitch, width, height, kind, stream))
FORWARD(hw_cuda_memset_async, MemsetAsync, (void *to, int value, size_t bytes, void *stream),
        (to, value, bytes, stream))
FORWARD(hw_cuda_memset_2d_async, Memset2DAsync,
        (void *to, size_t pitch, int value, size_t width, size_t height, void *stream),
        (to, pitch, value, width, height, stream))
FORWARD(hw_cuda_stream_create, StreamCreateWithFlags, (void **stream, unsigned flags), (stream, flags))
FORWARD(hw_cuda_stream_destroy, StreamDestroy, (void *stream), (stream))
FORWARD(hw_cuda_stream_wait_event, StreamWaitEvent, (void *stream, void *event, unsigned flags), (stream, event, flags))
FORWARD(hw_cuda_event_create, EventCreateWithFlags, (void **event, unsigned flags), (event, flags))
FORWARD(hw_cuda_event_destroy, EventDestroy, (void *event), (event))
FORWARD(hw_cuda_event_record, EventRecord, (void *event, void *stream), (event, stream))
