// cudaDeviceGetLimit and cudaDeviceSetLimit.
#include "../check.h"

int main() {
  size_t value = 0;
  CUDA_OK(cudaDeviceGetLimit(&value, cudaLimitStackSize));
  CHECK_EQ(value, 1024u);
  CUDA_OK(cudaDeviceSetLimit(cudaLimitStackSize, 40000));
  CUDA_OK(cudaDeviceGetLimit(&value, cudaLimitStackSize));
  CHECK(value >= 40000);
  CUDA_OK(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize));
  CHECK(value >= size_t(1) << 20);
  CUDA_OK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, size_t(4) << 20));
  CUDA_OK(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize));
  CHECK(value >= size_t(4) << 20);
  CUDA_OK(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize));
  CHECK_EQ(value, size_t(8) << 20);
  CHECK(cudaDeviceGetLimit(&value, static_cast<cudaLimit>(1000)) != cudaSuccess);
  CHECK(cudaGetLastError() != cudaSuccess);
  CHECK_EQ(cudaDeviceGetLimit(nullptr, cudaLimitStackSize), cudaErrorInvalidValue);
  return check::finish();
}
