// The block that finishes last sums what the others wrote (memory fence plus atomicInc).
#include "../check.h"

__device__ unsigned finished = 0;

__global__ void sum(const int *values, int n, volatile int *partial, int *total) {
  __shared__ int scratch[256];
  __shared__ bool isLast;
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += values[i];
  scratch[threadIdx.x] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    int blockSum = 0;
    for (int i = 0; i < (int)blockDim.x; ++i) blockSum += scratch[i];
    partial[blockIdx.x] = blockSum;
    __threadfence();
    isLast = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && threadIdx.x == 0) {
    int all = 0;
    for (int i = 0; i < (int)gridDim.x; ++i) all += partial[i];
    *total += all;
  }
}

int main() {
  const int n = 10007, blocks = 19;
  std::vector<int> values(n);
  long long expected = 0;
  for (int i = 0; i < n; ++i) expected += values[i] = i % 91 - 30;
  check::DeviceArray<int> device(values), partial(blocks), total(1, 0);
  // atomicInc wraps to zero by itself, so the kernel can run again.
  for (int round = 1; round <= 3; ++round) {
    sum<<<blocks, 100>>>(device.get(), n, partial.get(), total.get());
    LAUNCH_OK();
    CHECK_EQ(total.download()[0], expected * round);
  }
  return check::finish();
}
