// Elapsed time between events: at least what the kernels between them took, never negative, with microsecond
// resolution.
#include "../check.h"

__global__ void spin(unsigned long long nanoseconds) {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - start < nanoseconds);
}

static float timed(unsigned long long nanoseconds, cudaStream_t stream) {
  cudaEvent_t start, stop;
  CUDA_OK(cudaEventCreate(&start));
  CUDA_OK(cudaEventCreate(&stop));
  CUDA_OK(cudaEventRecord(start, stream));
  spin<<<1, 1, 0, stream>>>(nanoseconds);
  CUDA_OK(cudaEventRecord(stop, stream));
  CUDA_OK(cudaEventSynchronize(stop));
  float milliseconds = -1;
  CUDA_OK(cudaEventElapsedTime(&milliseconds, start, stop));
  float backwards = 1;
  CUDA_OK(cudaEventElapsedTime(&backwards, stop, start));
  CHECK(backwards <= 0);
  CUDA_OK(cudaEventDestroy(start));
  CUDA_OK(cudaEventDestroy(stop));
  return milliseconds;
}

int main() {
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  timed(0, stream);
  const float shortTime = timed(5000000, stream), longTime = timed(40000000, nullptr);
  CHECK(shortTime >= 4.9f);
  CHECK(longTime >= 39.9f);
  CHECK(longTime < 30000.0f);
  CUDA_OK(cudaStreamDestroy(stream));
  return check::finish();
}
