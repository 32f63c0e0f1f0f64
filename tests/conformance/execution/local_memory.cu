// Per-thread arrays are private, also when indexed at run time, larger than registers, and live across a barrier.
#include "../check.h"

__global__ void sortEach(unsigned *out, int perThread) {
  unsigned values[64];
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned state = thread * 2654435761u + 1;
  for (int i = 0; i < perThread; ++i) values[i] = (state = state * 1664525u + 1013904223u) >> 16;
  __syncthreads();
  for (int i = 1; i < perThread; ++i)
    for (int j = i; j > 0 && values[j] < values[j - 1]; --j) {
      const unsigned t = values[j];
      values[j] = values[j - 1];
      values[j - 1] = t;
    }
  __syncthreads();
  for (int i = 0; i < perThread; ++i) out[thread * perThread + i] = values[i];
}

__global__ void bigFrame(int *out) {
  volatile int frame[4096];  // 16 KiB per thread
  for (int i = threadIdx.x; i < 4096; i += 7) frame[i] = i ^ threadIdx.x;
  int sum = 0;
  for (int i = threadIdx.x; i < 4096; i += 7) sum += frame[i];
  out[threadIdx.x] = sum;
}

int main() {
  const int threads = 90, perThread = 61;
  check::DeviceArray<unsigned> out(2 * threads * perThread);
  sortEach<<<2, threads>>>(out.get(), perThread);
  LAUNCH_OK();
  const std::vector<unsigned> sorted = out.download();
  for (int t = 0; t < 2 * threads; ++t) {
    unsigned sum = 0, expected = 0, state = t * 2654435761u + 1;
    for (int i = 0; i < perThread; ++i) {
      expected += (state = state * 1664525u + 1013904223u) >> 16;
      sum += sorted[t * perThread + i];
      if (i > 0) CHECK(sorted[t * perThread + i - 1] <= sorted[t * perThread + i]);
    }
    CHECK_EQ(sum, expected);
  }

  check::DeviceArray<int> sums(40);
  bigFrame<<<1, 40>>>(sums.get());
  LAUNCH_OK();
  const std::vector<int> result = sums.download();
  for (int t = 0; t < 40; ++t) {
    int expected = 0;
    for (int i = t; i < 4096; i += 7) expected += i ^ t;
    CHECK_EQ(result[t], expected);
  }
  return check::finish();
}
