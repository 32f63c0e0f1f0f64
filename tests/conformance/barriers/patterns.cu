// Barriers as programs use them: tree reductions, scans, barriers in called functions and in template code.
#include "../check.h"

template <int N>
__device__ void scanInclusive(int (&values)[N], int i) {
  for (int distance = 1; distance < N; distance *= 2) {
    const int add = i >= distance && i < N ? values[i - distance] : 0;
    __syncthreads();
    if (i < N) values[i] += add;
    __syncthreads();
  }
}

__device__ __noinline__ int blockSum(int mine) {
  __shared__ int scratch[1024];
  scratch[threadIdx.x] = mine;
  for (int n = blockDim.x; n > 1; n = (n + 1) / 2) {
    __syncthreads();
    if ((int)threadIdx.x < n / 2) scratch[threadIdx.x] += scratch[n - 1 - threadIdx.x];
  }
  __syncthreads();
  const int sum = scratch[0];
  __syncthreads();
  return sum;
}

__global__ void run(int *scanOut, int *sumOut) {
  __shared__ int values[300];
  const int i = threadIdx.x;
  for (int k = i; k < 300; k += blockDim.x) values[k] = k % 13;
  __syncthreads();
  scanInclusive(values, i);
  if (i < 300) scanOut[i] = values[i];
  const int once = blockSum(i + 1);
  sumOut[i] = blockSum(once);
}

int main() {
  for (int threads : {300, 333, 512, 1000}) {
    check::DeviceArray<int> scan(300), sum(threads);
    run<<<1, threads>>>(scan.get(), sum.get());
    LAUNCH_OK();
    const std::vector<int> scanned = scan.download(), sums = sum.download();
    for (int i = 0, expected = 0; i < 300; ++i) CHECK_EQ(scanned[i], expected += i % 13);
    for (int s : sums) CHECK_EQ(s, threads * (threads + 1) / 2 * threads);
  }
  return check::finish();
}
