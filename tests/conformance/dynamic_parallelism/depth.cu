// How deep launches may nest: as long as less grids than cudaLimitDevRuntimePendingLaunchCount have not ended. A tail
// launch follows the grid that makes it and may be made any number of times.
// options: -rdc=true
#include "../check.h"

__device__ int deepest, error, errorAt;

__device__ void note(int depth) {
  const cudaError_t e = cudaGetLastError();
  if (e != cudaSuccess && error == 0) {
    error = int(e);
    errorAt = depth;
  }
}

__global__ void nest(int depth, int most) {
  atomicMax(&deepest, depth);
  if (depth == most) return;
  nest<<<1, 1>>>(depth + 1, most);
  note(depth);
}
__global__ void forget(int depth, int most) {
  atomicMax(&deepest, depth);
  if (depth == most) return;
  forget<<<1, 1, 0, cudaStreamFireAndForget>>>(depth + 1, most);
  note(depth);
}
__global__ void follow(int depth, int most) {
  atomicMax(&deepest, depth);
  if (depth == most) return;
  follow<<<1, 1, 0, cudaStreamTailLaunch>>>(depth + 1, most);
  note(depth);
}

int take(const int &symbol) {
  int value = -1;
  const int zero = 0;
  CUDA_OK(cudaMemcpyFromSymbol(&value, symbol, sizeof value));
  CUDA_OK(cudaMemcpyToSymbol(symbol, &zero, sizeof zero));
  return value;
}

void expect(void (*kernel)(int, int), int depth, int reached, cudaError_t expected) {
  kernel<<<1, 1>>>(1, depth);
  LAUNCH_OK();
  CHECK_EQ(take(deepest), reached);
  CHECK_EQ(take(error), int(expected));
  CHECK_EQ(take(errorAt), expected == cudaSuccess ? 0 : reached);
}

int main() {
  for (const int depth : {1, 24, 25, 300}) {
    expect(nest, depth, depth, cudaSuccess);
    expect(forget, depth, depth, cudaSuccess);
    expect(follow, depth, depth, cudaSuccess);
  }
  size_t most = 0;
  CUDA_OK(cudaDeviceGetLimit(&most, cudaLimitDevRuntimePendingLaunchCount));
  CHECK_EQ(most, size_t(2048));
  expect(nest, 3000, 2049, cudaErrorLaunchPendingCountExceeded);
  expect(forget, 3000, 2049, cudaErrorLaunchPendingCountExceeded);
  expect(follow, 3000, 3000, cudaSuccess);
  return check::finish();
}
