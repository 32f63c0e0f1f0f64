// Loops that go on because of a variable that a branch sets, where the branch looks at what others write: they were not
// seen to wait for anybody, since no value leads from the read to the loop's end, and starved those they waited for.
#include "../conformance/check.h"

// Each thread waits for some that come after it, so that no order of threads or blocks will do.
constexpr int threads = 128, ahead = 3;
__device__ int index() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

__global__ void byVolatile(volatile int *flags) {
  const int i = index();
  bool again;
  do {
    again = false;
    for (int k = i + 1; k < threads && k <= i + ahead; ++k)
      if (flags[k] == 0) again = true;
  } while (again);
  __threadfence();
  flags[i] = 1;
}

__global__ void byAtomic(int *flags) {
  const int i = index();
  int missing;
  do {
    missing = 0;
    for (int k = i + 1; k < threads && k <= i + ahead; ++k) {
      if (atomicAdd(&flags[k], 0) != 0) continue;
      missing = missing * 3 + k;
      __threadfence();
    }
  } while (missing != 0);
  atomicExch(&flags[i], 1);
}

// Turns are counted, too: what the loop does beside waiting changes nothing about that.
__global__ void byWork(volatile int *flags, int *turns) {
  const int i = index();
  bool again = i < threads - 1;
  while (again) {
    if (flags[i + 1] != 0) {
      turns[i] = turns[i + 1] + 1;
      again = false;
    } else {
      atomicAdd(&turns[threads], 1);
    }
  }
  __threadfence();
  flags[i] = 1;
}

// The way that leads to the end of the loop is taken when the word is there, whatever the end itself asks for.
__global__ void byWayOut(volatile int *flags, bool leave) {
  const int i = index();
  for (;;) {
    const int seen = i == threads - 1 ? 1 : flags[i + 1];
    if (seen == 0) continue;
    __threadfence();
    if (leave) break;
  }
  flags[i] = 1;
}

int main() {
  check::DeviceArray<int> flags(threads, 0), turns(threads + 1, 0);
  const auto finished = [&] {
    LAUNCH_OK();
    for (int flag : flags.download()) CHECK_EQ(flag, 1);
    CUDA_OK(cudaMemset(flags.get(), 0, threads * sizeof(int)));
  };
  byVolatile<<<4, 32>>>(flags.get());
  finished();
  byAtomic<<<4, 32>>>(flags.get());
  finished();
  byWork<<<4, 32>>>(flags.get(), turns.get());
  finished();
  CHECK_EQ(turns.download()[0], threads - 1);
  byWayOut<<<4, 32>>>(flags.get(), true);
  finished();
  return check::finish();
}
