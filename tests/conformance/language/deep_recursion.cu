// Threads that sort their own numbers by recursion, some twenty levels deep, with the stack that there is by default.
#include <algorithm>

#include "../check.h"

__device__ void quick(int *a, int low, int high) {
  if (low >= high) return;
  const int pivot = a[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (a[i] < pivot) ++i;
    while (a[j] > pivot) --j;
    if (i > j) break;
    const int x = a[i];
    a[i++] = a[j];
    a[j--] = x;
  }
  quick(a, low, j);
  quick(a, i, high);
}

__global__ void sortEach(int *values, int length, int count) {
  const int t = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (t < count) quick(values + t * length, 0, length - 1);
}

int main() {
  constexpr int count = 200, length = 256;
  std::vector<int> sorted(count * length);
  unsigned seed = 1;
  for (int &each : sorted) each = (int)((seed = seed * 1664525u + 1013904223u) >> 8);
  int *values;
  CUDA_OK(cudaMallocManaged(&values, sorted.size() * sizeof(int)));
  std::copy(sorted.begin(), sorted.end(), values);
  sortEach<<<(count + 63) / 64, 64>>>(values, length, count);
  LAUNCH_OK();
  for (int i = 0; i < count; ++i) std::sort(sorted.begin() + i * length, sorted.begin() + (i + 1) * length);
  CHECK(std::equal(sorted.begin(), sorted.end(), values));
  return check::finish();
}
