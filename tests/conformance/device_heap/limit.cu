// The device heap has a size: malloc returns null beyond it, and what is freed can be had again.
#include "../check.h"

__global__ void exhaust(int *got, size_t size, void **keep, int most) {
  int n = 0;
  while (n < most) {
    void *block = malloc(size);
    if (block == nullptr) break;
    keep[n++] = block;
  }
  *got = n;
}
__global__ void release(void **keep, int n) {
  for (int i = 0; i < n; ++i) free(keep[i]);
}
__global__ void tooBig(int *got) { *got = malloc(size_t(1) << 40) != nullptr; }

int main() {
  size_t limit = 0;
  CUDA_OK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  CHECK_EQ(limit, size_t(8) << 20);
  CUDA_OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, size_t(32) << 20));
  CUDA_OK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  CHECK(limit >= size_t(32) << 20);
  const int most = 200;
  check::DeviceArray<int> got(1, -1);
  check::DeviceArray<void *> keep(most);
  int first = 0;
  for (int round = 0; round < 3; ++round) {
    exhaust<<<1, 1>>>(got.get(), size_t(1) << 20, keep.get(), most);
    LAUNCH_OK();
    const int n = got.download()[0];
    CHECK(n >= 20 && n <= int(limit >> 20));
    if (round == 0) first = n;
    CHECK_EQ(n, first);
    release<<<1, 1>>>(keep.get(), n);
    LAUNCH_OK();
  }
  tooBig<<<1, 1>>>(got.get());
  LAUNCH_OK();
  CHECK_EQ(got.download()[0], 0);
  return check::finish();
}
