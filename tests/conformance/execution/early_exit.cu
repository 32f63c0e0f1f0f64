// Threads that have returned no longer count at __syncthreads(): single lanes, whole warps, and by rounds.
#include "../check.h"

__global__ void firstN(int *out, int n) {
  __shared__ int values[1024];
  const int i = threadIdx.x;
  if (i >= n) return;
  values[i] = i * 3;
  __syncthreads();
  out[i] = values[n - 1 - i];
}

static void runFirstN(int threads, int n) {
  check::DeviceArray<int> out(1024, -1);
  firstN<<<1, threads>>>(out.get(), n);
  LAUNCH_OK();
  const std::vector<int> result = out.download();
  for (int i = 0; i < 1024; ++i) CHECK_EQ(result[i], i < n ? (n - 1 - i) * 3 : -1);
}

// In round r the highest remaining thread leaves; the rest go on meeting at the barrier.
__global__ void leaveOneByOne(int *rounds) {
  __shared__ int remaining;
  if (threadIdx.x == 0) remaining = blockDim.x;
  for (int round = 0;; ++round) {
    __syncthreads();
    const int now = remaining;
    __syncthreads();
    if ((int)threadIdx.x == now - 1) {
      rounds[threadIdx.x] = round;
      remaining = now - 1;
      return;
    }
  }
}

static void runLeave(int threads) {
  check::DeviceArray<int> rounds(threads, -1);
  leaveOneByOne<<<1, threads>>>(rounds.get());
  LAUNCH_OK();
  const std::vector<int> result = rounds.download();
  for (int i = 0; i < threads; ++i) CHECK_EQ(result[i], threads - 1 - i);
}

int main() {
  runFirstN(1024, 1024);
  runFirstN(1024, 1);
  runFirstN(1024, 512);
  runFirstN(100, 33);
  runFirstN(65, 64);
  runLeave(1);
  runLeave(33);
  runLeave(70);
  return check::finish();
}
