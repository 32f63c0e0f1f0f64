// Function pointers across files: a table defined in one file with functions of another, called in a third.
#include "../../check.h"

typedef int (*Step)(int);
extern __device__ Step steps[3];
__device__ int runAll(int value);

__global__ void run(int *out) { out[threadIdx.x] = runAll(threadIdx.x) * 10 + steps[threadIdx.x % 3](threadIdx.x); }

int main() {
  check::DeviceArray<int> out(40);
  run<<<1, 40>>>(out.get());
  LAUNCH_OK();
  for (int i = 0; i < 40; ++i) {
    const int each[3] = {i + 1, i * 2, -i};
    CHECK_EQ(out.download()[i], -((i + 1) * 2) * 10 + each[i % 3]);
  }
  return check::finish();
}
