// cudaDeviceGetLimit and cudaDeviceSetLimit.
#include "../check.h"

// settled() is what a limit becomes when it is set to `value`.
static size_t settled(cudaLimit limit, size_t value) {
  CUDA_OK(cudaDeviceSetLimit(limit, value));
  CUDA_OK(cudaDeviceGetLimit(&value, limit));
  return value;
}

static void rounded() {
  CHECK_EQ(settled(cudaLimitStackSize, 1), 16u);
  CHECK_EQ(settled(cudaLimitStackSize, 1025), 1040u);
  CHECK_EQ(settled(cudaLimitPrintfFifoSize, 1), size_t(512) << 10);
  CHECK_EQ(settled(cudaLimitPrintfFifoSize, 1000000), 1000192u);
  CHECK_EQ(settled(cudaLimitMallocHeapSize, 1), size_t(4) << 20);
  CHECK_EQ(settled(cudaLimitMallocHeapSize, (4 << 20) + 1), size_t(65) << 16);
  CHECK_EQ(settled(cudaLimitDevRuntimePendingLaunchCount, 0), 32u);
  const size_t most = settled(cudaLimitDevRuntimePendingLaunchCount, size_t(1) << 40);
  CHECK(most >= 100000 && most < (1 << 30));
}

static void flags() {
  unsigned seen = 0;
  for (const unsigned ignored : {32u, 64u}) {
    CUDA_OK(cudaSetDeviceFlags(ignored));
    CUDA_OK(cudaGetDeviceFlags(&seen));
    CHECK_EQ(seen, unsigned(cudaDeviceMapHost));
  }
  CHECK_EQ(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield), cudaErrorInvalidValue);
  int twice[] = {0, 0};
  CUDA_OK(cudaSetValidDevices(twice, 1));
  // Only more than there are is refused.
  int count = 0;
  CUDA_OK(cudaGetDeviceCount(&count));
  CHECK_EQ(cudaSetValidDevices(twice, 2), count < 2 ? cudaErrorInvalidValue : cudaSuccess);
  cudaGetLastError();
}

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
  (void)cudaGetLastError();
  rounded();
  flags();
  return check::finish();
}
