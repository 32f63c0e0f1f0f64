// A kernel that is one call of a function with more arguments than the kernel has parameters.
#include "../conformance/check.h"

__device__ __noinline__ void fill(int *numbers, int first, int second, double *more, long *most) {
  numbers[threadIdx.x] = first;
  more[threadIdx.x] += second;
  most[threadIdx.x] = 3;
}
__global__ void calls(int *memory) { fill(memory, 1, 2, (double *)(memory + 64), (long *)(memory + 256)); }

int main() {
  check::DeviceArray<int> memory(1024, 0);
  calls<<<2, 33>>>(memory.get());
  LAUNCH_OK();
  CHECK_EQ(memory.download()[32], 1);
  CHECK_EQ(memory.download()[256], 3);
  return check::finish();
}
