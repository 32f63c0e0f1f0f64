// options: -G
// Arguments of almost the 32764 bytes that a launch takes, in code that is not optimised, which copies them.
#include "../check.h"

namespace {

struct Large {
  int numbers[8000];
};

__global__ void sum(Large large, int *out) {
  int sum = 0;
  for (unsigned i = threadIdx.x; i < 8000; i += blockDim.x) sum += large.numbers[i];
  atomicAdd(out, sum);
}

__global__ void change(Large large, int *out) {
  large.numbers[threadIdx.x] += 1;
  __syncthreads();
  out[threadIdx.x] = large.numbers[threadIdx.x] + large.numbers[threadIdx.x + 1];
}

}  // namespace

int main() {
  static Large large;
  int expected = 0;
  for (int i = 0; i < 8000; ++i) expected += large.numbers[i] = i % 7;
  check::DeviceArray<int> out(128, 0);
  sum<<<1, 96>>>(large, out.get());
  CHECK_EQ(out.download()[0], expected);
  change<<<2, 128>>>(large, out.get());
  const std::vector<int> changed = out.download();
  for (int i = 0; i < 128; ++i) CHECK_EQ(changed[i], i % 7 + 1 + (i + 1) % 7);
  return check::finish();
}
