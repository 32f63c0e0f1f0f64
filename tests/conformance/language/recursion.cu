// Recursion in device code: direct, mutual, with arrays on the stack, and barriers between calls.
#include "../check.h"

__device__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__device__ bool isOdd(unsigned n);
__device__ bool isEven(unsigned n) { return n == 0 || isOdd(n - 1); }
__device__ bool isOdd(unsigned n) { return n != 0 && isEven(n - 1); }

__device__ void quicksort(int *values, int low, int high) {
  if (low >= high) return;
  const int pivot = values[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (values[i] < pivot) ++i;
    while (values[j] > pivot) --j;
    if (i <= j) {
      const int t = values[i];
      values[i++] = values[j];
      values[j--] = t;
    }
  }
  quicksort(values, low, j);
  quicksort(values, i, high);
}
__device__ int queens(int n, int row, unsigned columns, unsigned left, unsigned right) {
  if (row == n) return 1;
  int count = 0;
  for (unsigned open = ~(columns | left | right) & ((1u << n) - 1); open != 0; open &= open - 1) {
    const unsigned bit = open & (0u - open);
    count += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return count;
}

__global__ void run(int *out, int *values, int perThread) {
  const int i = threadIdx.x;
  int *mine = values + i * perThread;
  quicksort(mine, 0, perThread - 1);
  __syncthreads();
  out[4 * i] = ackermann(2, i % 8);
  out[4 * i + 1] = isEven(i + 20);
  out[4 * i + 2] = queens(i % 3 + 4, 0, 0, 0, 0);
  int wrong = 0;
  for (int k = 1; k < perThread; ++k) wrong += mine[k - 1] > mine[k];
  out[4 * i + 3] = wrong;
}

int main() {
  const int threads = 37, perThread = 100;
  CUDA_OK(cudaDeviceSetLimit(cudaLimitStackSize, 16 * 1024));
  std::vector<int> values(threads * perThread);
  unsigned state = 12345;
  for (int &v : values) v = static_cast<int>((state = state * 1664525u + 1013904223u) >> 20);
  check::DeviceArray<int> device(values), out(threads * 4);
  run<<<1, threads>>>(out.get(), device.get(), perThread);
  LAUNCH_OK();
  const std::vector<int> host = out.download();
  const int solutions[] = {2, 10, 4};
  for (int i = 0; i < threads; ++i) {
    CHECK_EQ(host[4 * i], 2 * (i % 8) + 3);
    CHECK_EQ(host[4 * i + 1], i % 2 == 0);
    CHECK_EQ(host[4 * i + 2], solutions[i % 3]);
    CHECK_EQ(host[4 * i + 3], 0);
  }
  return check::finish();
}
