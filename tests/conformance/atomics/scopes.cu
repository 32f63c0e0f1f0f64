// The _block and _system forms, and device atomics on memory the host maps.
#include "../check.h"

__global__ void block(int *out) {
  __shared__ int sum;
  __shared__ unsigned bits;
  if (threadIdx.x == 0) {
    sum = 0;
    bits = 0;
  }
  __syncthreads();
  atomicAdd_block(&sum, 2);
  atomicOr_block(&bits, 1u << (threadIdx.x % 32));
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum + (bits == 0xFFFFFFFFu);
}

__global__ void wholeSystem(int *counter, unsigned long long *largest, float *sum, int *flags) {
  atomicAdd_system(counter, 1);
  atomicMax_system(largest, (unsigned long long)threadIdx.x << 33);
  atomicAdd_system(sum, 0.25f);
  atomicAnd_system(flags, ~(1 << (threadIdx.x % 8)));
  atomicCAS_system(flags, 0, 1 << 20);
}

int main() {
  check::DeviceArray<int> out(4, 0);
  block<<<4, 65>>>(out.get());
  LAUNCH_OK();
  for (int v : out.download()) CHECK_EQ(v, 131);

  struct Shared {
    int counter;
    unsigned long long largest;
    float sum;
    int flags;
  } *host = nullptr;
  CUDA_OK(cudaHostAlloc(&host, sizeof *host, cudaHostAllocMapped));
  *host = {0, 0, 0, 0xFF};
  wholeSystem<<<2, 100>>>(&host->counter, &host->largest, &host->sum, &host->flags);
  LAUNCH_OK();
  CHECK_EQ(host->counter, 200);
  CHECK_EQ(host->largest, 99ull << 33);
  CHECK_EQ(host->sum, 50.0f);
  CHECK(host->flags == 0 || (host->flags & 0xFF) == 0);
  CUDA_OK(cudaFreeHost(host));
  return check::finish();
}
