// cudaStreamWaitEvent builds a diamond of dependencies between streams; the wait takes the last record made before it.
#include "../check.h"

__global__ void slowAdd(int *value, int amount) {
  const long long start = clock64();
  while (clock64() - start < 50000) {
  }
  *value += amount;
}
__global__ void combine(int *out, const int *a, const int *b) { *out = *a * 1000 + *b; }

int main() {
  cudaStream_t left, right;
  cudaEvent_t forked, joined;
  CUDA_OK(cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking));
  CUDA_OK(cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking));
  CUDA_OK(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
  CUDA_OK(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
  check::DeviceArray<int> values(2, 0), out(1, 0);
  for (int round = 1; round <= 20; ++round) {
    slowAdd<<<1, 1, 0, left>>>(values.get(), 1);
    CUDA_OK(cudaEventRecord(forked, left));
    CUDA_OK(cudaStreamWaitEvent(right, forked, 0));
    slowAdd<<<1, 1, 0, right>>>(values.get() + 1, 2);
    CUDA_OK(cudaEventRecord(joined, right));
    slowAdd<<<1, 1, 0, left>>>(values.get(), 1);
    CUDA_OK(cudaStreamWaitEvent(left, joined, 0));
    combine<<<1, 1, 0, left>>>(out.get(), values.get(), values.get() + 1);
    CUDA_OK(cudaStreamSynchronize(left));
    CHECK_EQ(out.download()[0], 2 * round * 1000 + 2 * round);
  }
  // Waiting for an event that was never recorded does nothing.
  cudaEvent_t never;
  CUDA_OK(cudaEventCreate(&never));
  CUDA_OK(cudaStreamWaitEvent(left, never, 0));
  CUDA_OK(cudaStreamSynchronize(left));
  CUDA_OK(cudaEventDestroy(never));
  CUDA_OK(cudaEventDestroy(forked));
  CUDA_OK(cudaEventDestroy(joined));
  CUDA_OK(cudaStreamDestroy(left));
  CUDA_OK(cudaStreamDestroy(right));
  return check::finish();
}
