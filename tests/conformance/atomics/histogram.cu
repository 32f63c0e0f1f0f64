// Contended counters: a shared-memory histogram per block, merged into one in global memory.
#include "../check.h"

__global__ void histogram(const unsigned char *data, int n, unsigned *bins) {
  __shared__ unsigned local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (local[i] != 0) atomicAdd(&bins[i], local[i]);
}

int main() {
  const int n = 100003;
  std::vector<unsigned char> data(n);
  std::vector<unsigned> expected(256, 0);
  unsigned state = 1;
  for (unsigned char &value : data) {
    state = state * 1664525u + 1013904223u;
    ++expected[value = static_cast<unsigned char>((state >> 24) & (state >> 16))];
  }
  check::DeviceArray<unsigned char> device(data);
  for (int threads : {33, 128, 1000}) {
    check::DeviceArray<unsigned> bins(256, 0u);
    histogram<<<13, threads>>>(device.get(), n, bins.get());
    LAUNCH_OK();
    CHECK(bins.download() == expected);
  }
  return check::finish();
}
