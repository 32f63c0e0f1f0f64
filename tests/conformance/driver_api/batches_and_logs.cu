// options: -lcuda
// Batches of copies, the pools of a location, whether functions are loaded, and the log of errors of the driver API.
#include <cuda.h>

#include <cstring>

#include "../check.h"

#define CU(...) CHECK_EQ(__VA_ARGS__, CUDA_SUCCESS)

__global__ void nothing() {}

static void functions() {
  cudaFunction_t function = nullptr;
  CUDA_OK(cudaGetFuncBySymbol(&function, reinterpret_cast<const void *>(nothing)));
  CU(cuFuncLoad(function));
  CUfunctionLoadingState state = CU_FUNCTION_LOADING_STATE_UNLOADED;
  CU(cuFuncIsLoaded(&state, function));
  CHECK_EQ(state, CU_FUNCTION_LOADING_STATE_LOADED);
  CHECK_EQ(cuFuncIsLoaded(nullptr, function), CUDA_ERROR_INVALID_VALUE);
}

static void copies(CUstream stream) {
  CUdeviceptr a = 0, b = 0;
  CU(cuMemAlloc(&a, 64));
  CU(cuMemAlloc(&b, 64));
  CU(cuMemsetD8(a, 3, 64));
  CU(cuMemsetD8(b, 0, 64));
  CU(cuCtxSynchronize());
  CUdeviceptr to[] = {b, b + 32}, from[] = {a, a + 16};
  size_t sizes[] = {8, 16}, first[] = {0};
  CUmemcpyAttributes attributes = {};
  attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  CU(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, first, 1, stream));
  CU(cuStreamSynchronize(stream));
  unsigned char back[64];
  CU(cuMemcpyDtoH(back, b, sizeof back));
  CHECK_EQ(back[7], 3);
  CHECK_EQ(back[8], 0);
  CHECK_EQ(back[32], 3);
  CHECK_EQ(back[48], 0);
  CHECK_EQ(cuMemcpyBatchAsync(to, from, sizes, 0, &attributes, first, 1, stream), CUDA_ERROR_INVALID_VALUE);
  CU(cuMemFree(a));
  CU(cuMemFree(b));
}

static void pools(CUdevice device) {
  CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  CUmemoryPool byLocation = nullptr, byDevice = nullptr;
  CU(cuMemGetDefaultMemPool(&byLocation, &here, CU_MEM_ALLOCATION_TYPE_PINNED));
  CU(cuDeviceGetDefaultMemPool(&byDevice, device));
  CHECK_EQ(byLocation, byDevice);
  CU(cuMemGetMemPool(&byLocation, &here, CU_MEM_ALLOCATION_TYPE_PINNED));
  CU(cuDeviceGetMemPool(&byDevice, device));
  CHECK_EQ(byLocation, byDevice);
  CU(cuMemSetMemPool(&here, CU_MEM_ALLOCATION_TYPE_PINNED, byDevice));
}

static void logs() {
  CUlogIterator begin = 0;
  CU(cuLogsCurrent(&begin, 0));
  CHECK_EQ(cuLogsCurrent(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  char text[1024];
  size_t size = sizeof text;
  CU(cuLogsDumpToMemory(&begin, text, &size, 0));
  CHECK(size < sizeof text);
}

static void devices(CUdevice device) {
  size_t width = 0;
  CU(cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_FLOAT, 4, device));
  CHECK(width >= size_t{1} << 27);
  CUatomicOperation operations[] = {CU_ATOMIC_OPERATION_INTEGER_ADD, CU_ATOMIC_OPERATION_CAS};
  unsigned capabilities[] = {~0u, ~0u};
  CU(cuDeviceGetHostAtomicCapabilities(capabilities, operations, 2, device));
  CHECK(capabilities[0] != ~0u);
  CHECK_EQ(cuDeviceGetHostAtomicCapabilities(capabilities, operations, 0, device), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(cuDeviceGetHostAtomicCapabilities(nullptr, operations, 2, device), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(cuDeviceGetP2PAtomicCapabilities(capabilities, operations, 2, device, device), CUDA_ERROR_INVALID_DEVICE);
}

static void contexts(CUstream stream) {
  CUcontext current = nullptr, old = nullptr, context = nullptr;
  CUgreenCtx green = reinterpret_cast<CUgreenCtx>(1);
  CU(cuCtxGetCurrent(&current));
  CU(cuStreamGetCtx(stream, &old));
  CU(cuStreamGetCtx_v2(stream, &context, &green));
  CHECK_EQ(old, current);
  CHECK_EQ(context, current);
  CHECK(green == nullptr);
}

int main() {
  CUDA_OK(cudaFree(nullptr));
  CUdevice device = 0;
  CUstream stream = nullptr;
  CU(cuCtxGetDevice(&device));
  CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  functions();
  copies(stream);
  pools(device);
  logs();
  devices(device);
  contexts(stream);
  CU(cuStreamDestroy(stream));
  return check::finish();
}
