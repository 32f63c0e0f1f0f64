// A kernel's own frame may exceed cudaLimitStackSize: the limit is for calls that the compiler cannot foresee.
#include "../conformance/check.h"

__global__ void bigFrame(int *out, int n) {
  int frame[8000];
  for (int i = 0; i < n; ++i) frame[i] = i ^ threadIdx.x;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += frame[(i * 7) % n];
  out[threadIdx.x] = sum;
}

int main() {
  const int n = 8000, threads = 20;
  check::DeviceArray<int> out(threads);
  bigFrame<<<1, threads>>>(out.get(), n);
  LAUNCH_OK();
  const std::vector<int> host = out.download();
  for (int t = 0; t < threads; ++t) {
    int expected = 0;
    for (int i = 0; i < n; ++i) expected += i ^ t;
    CHECK_EQ(host[t], expected);
  }
  return check::finish();
}
