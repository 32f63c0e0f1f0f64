// Every way a launch can be malformed gives its error code, runs nothing, and leaves the device usable.
#include "../check.h"

__global__ void touch(int *runs) { atomicAdd(runs, 1); }
__global__ void __launch_bounds__(128) bounded(int *runs) { atomicAdd(runs, 1); }
__global__ void withDynamic(int *runs) {
  extern __shared__ char memory[];
  memory[threadIdx.x] = 1;
  atomicAdd(runs, 1);
}

static int *runs;

static void refused(dim3 grid, dim3 block, size_t shared, cudaError_t expected, int line) {
  touch<<<grid, block, shared>>>(runs);
  check::equal(cudaGetLastError(), expected, "launch", __FILE__, line);
}

int main() {
  check::DeviceArray<int> counter(1, 0);
  runs = counter.get();
  int device = 0, optin = 0;
  CUDA_OK(cudaGetDevice(&device));
  CUDA_OK(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));

  refused({1}, {1025}, 0, cudaErrorInvalidValue, __LINE__);
  refused({1}, {1, 1025}, 0, cudaErrorInvalidValue, __LINE__);
  refused({1}, {1, 1, 65}, 0, cudaErrorInvalidValue, __LINE__);
  refused({1}, {33, 32}, 0, cudaErrorInvalidValue, __LINE__);
  refused({1, 65536}, {1}, 0, cudaErrorInvalidValue, __LINE__);
  refused({1, 1, 65536}, {1}, 0, cudaErrorInvalidValue, __LINE__);
  refused({0x80000000u}, {1}, 0, cudaErrorInvalidValue, __LINE__);
  refused({0}, {1}, 0, cudaErrorInvalidValue, __LINE__);
  refused({1, 0}, {1}, 0, cudaErrorInvalidValue, __LINE__);
  refused({1}, {0}, 0, cudaErrorInvalidValue, __LINE__);
  refused({1}, {1, 1, 0}, 0, cudaErrorInvalidValue, __LINE__);
  refused({1}, {1}, 48 * 1024 + 1, cudaErrorInvalidValue, __LINE__);
  refused({1}, {1}, size_t(optin) + 1, cudaErrorInvalidValue, __LINE__);

  bounded<<<1, 129>>>(runs);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(counter.download()[0], 0);

  // A kernel that the runtime does not know.
  void *arguments[] = {&runs};
  CHECK_EQ(cudaLaunchKernel(reinterpret_cast<const void *>(&runs), dim3(1), dim3(1), arguments, 0, nullptr),
           cudaErrorInvalidResourceHandle);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  CHECK(cudaLaunchKernel(static_cast<const void *>(nullptr), dim3(1), dim3(1), arguments, 0, nullptr) != cudaSuccess);
  CHECK(cudaGetLastError() != cudaSuccess);

  // The largest legal ones still run.
  touch<<<1, 1024>>>(runs);
  LAUNCH_OK();
  bounded<<<1, 128>>>(runs);
  LAUNCH_OK();
  withDynamic<<<1, 1024, 48 * 1024>>>(runs);
  LAUNCH_OK();
  CUDA_OK(cudaFuncSetAttribute(withDynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, optin));
  withDynamic<<<1, 1, optin>>>(runs);
  LAUNCH_OK();
  CHECK_EQ(cudaFuncSetAttribute(withDynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, optin + 1),
           cudaErrorInvalidValue);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  CHECK_EQ(counter.download()[0], 1024 + 128 + 1024 + 1);
  return check::finish();
}
