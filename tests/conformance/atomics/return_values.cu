// What an atomic returns is the value just before it: tickets are unique, and a lock built on atomicCAS excludes.
#include "../check.h"

__global__ void tickets(int *next, int *takenBy) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  takenBy[atomicAdd(next, 1)] = i;
}

// One thread of each block at a time, through a spin lock; then every thread of a warp by turns.
__global__ void locked(int *lock, int *counter) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *(volatile int *)counter = *(volatile int *)counter + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
__global__ void lockedPerThread(int *lock, int *counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *(volatile int *)counter = *(volatile int *)counter + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
__global__ void exchanges(unsigned *cell, unsigned long long *sum) {
  atomicAdd(sum, (unsigned long long)atomicExch(cell, blockIdx.x * blockDim.x + threadIdx.x + 1));
}
__global__ void shortCas(unsigned short *cells, int *wins) {
  if (atomicCAS(&cells[threadIdx.x % 3], (unsigned short)0, (unsigned short)(threadIdx.x + 1)) == 0) atomicAdd(wins, 1);
}

int main() {
  const int n = 6 * 55;
  check::DeviceArray<int> next(1, 0), takenBy(n, -1);
  tickets<<<6, 55>>>(next.get(), takenBy.get());
  LAUNCH_OK();
  std::vector<int> seen(n, 0);
  for (int i : takenBy.download()) ++seen[i];
  for (int s : seen) CHECK_EQ(s, 1);

  check::DeviceArray<int> lock(1, 0), counter(1, 0);
  locked<<<40, 64>>>(lock.get(), counter.get());
  LAUNCH_OK();
  CHECK_EQ(counter.download()[0], 40);
  lockedPerThread<<<3, 40>>>(lock.get(), counter.get());
  LAUNCH_OK();
  CHECK_EQ(counter.download()[0], 160);

  // Every value put in comes out again but the last.
  check::DeviceArray<unsigned> cell(1, 0u);
  check::DeviceArray<unsigned long long> sum(1, 0ull);
  exchanges<<<5, 50>>>(cell.get(), sum.get());
  LAUNCH_OK();
  CHECK_EQ(sum.download()[0] + cell.download()[0], 250ull * 251 / 2);

  check::DeviceArray<unsigned short> cells(3, (unsigned short)0);
  check::DeviceArray<int> wins(1, 0);
  shortCas<<<1, 100>>>(cells.get(), wins.get());
  LAUNCH_OK();
  CHECK_EQ(wins.download()[0], 3);
  return check::finish();
}
