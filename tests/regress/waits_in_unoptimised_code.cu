// options: -G
// Loops that read what they wait for into a variable first: in code that is not optimised the variable is in memory,
// and such a loop was not seen to wait for anybody, so it starved the thread that it waited for.
#include "../conformance/check.h"

struct Lock {
  unsigned taken = 0;
  int count = 0;
};

__device__ void take(unsigned *lock) {
  unsigned before;
  do {
    before = atomicCAS(lock, 0u, 1u);
  } while (before != 0);
}

__global__ void exclusive(Lock *lock) {
  take(&lock->taken);
  __threadfence();
  volatile int *count = &lock->count;
  *count = *count + 1;
  __threadfence();
  atomicExch(&lock->taken, 0u);
}

// The first waits for the last, so that no order of threads or blocks will do.
__global__ void chain(volatile int *flags, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int flag;
  if (i < n - 1) {
    do flag = flags[i + 1];
    while (flag == 0);
  }
  __threadfence();
  flags[i] = 1;
}

// The variable that the loop ends by has constants only: a branch decides which.
__global__ void chainByBranches(volatile int *flags, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool again = i < n - 1;
  while (again) {
    again = false;
    if (flags[i + 1] == 0) again = true;
  }
  flags[i] = 1;
}

int main() {
  check::DeviceArray<Lock> lock(1, Lock{});
  exclusive<<<4, 64>>>(lock.get());
  LAUNCH_OK();
  CHECK_EQ(lock.download()[0].count, 256);
  check::DeviceArray<int> flags(128, 0);
  chain<<<4, 32>>>(flags.get(), 128);
  LAUNCH_OK();
  for (int flag : flags.download()) CHECK_EQ(flag, 1);
  check::DeviceArray<int> others(128, 0);
  chainByBranches<<<4, 32>>>(others.get(), 128);
  LAUNCH_OK();
  for (int flag : others.download()) CHECK_EQ(flag, 1);
  return check::finish();
}
