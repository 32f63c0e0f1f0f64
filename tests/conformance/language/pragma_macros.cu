// A macro that stands for a pragma, on a line of its own: what the preprocessor writes is read as a pragma.
#include "../check.h"

#define UNROLL #pragma unroll
#define UNROLL_BY_COUNT #pragma unroll count
#define NO_UNROLL #pragma unroll 1

template <int count>
__device__ int sumOfSquares(int n) {
  int sum = 0;
  UNROLL_BY_COUNT
  for (int i = 0; i < n; ++i) sum += i * i;
  return sum;
}

__global__ void sums(int *out) {
  int sum = 0;
  UNROLL
  for (int i = 0; i < 4; ++i) {
    NO_UNROLL
    for (int j = 0; j < i; ++j) sum += 10 * i + j;
  }
  out[0] = sum;
  out[1] = sumOfSquares<4>(int(blockDim.x));
}

int main() {
  check::DeviceArray<int> out(2);
  sums<<<1, 9>>>(out.get());
  LAUNCH_OK();
  CHECK_EQ(out.download()[0], 144);
  CHECK_EQ(out.download()[1], 204);
  return check::finish();
}
