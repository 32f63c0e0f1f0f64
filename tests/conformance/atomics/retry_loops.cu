// Loops around atomicCAS: those that try again until no other thread came in between, and those that wait for another
// thread to release what they want.
#include "../check.h"

enum { threads = 128, blocks = 20, count = threads * blocks };

__device__ double addByRetry(double *sum, double value) {
  unsigned long long *word = reinterpret_cast<unsigned long long *>(sum), old = *word, assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__device__ void maximumByRetry(float *most, float value) {
  int *word = reinterpret_cast<int *>(most), old = *word;
  while (value > __int_as_float(old)) {
    const int assumed = old;
    old = atomicCAS(word, assumed, __float_as_int(value));
    if (old == assumed) break;
  }
}

// The partial sums of a block meet behind a barrier.
__global__ void sums(double *sum, float *most) {
  __shared__ double shared;
  if (threadIdx.x == 0) shared = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  addByRetry(&shared, i);
  maximumByRetry(most, static_cast<float>(i * 7 % count));
  __syncthreads();
  if (threadIdx.x == 0) addByRetry(sum, shared);
}

// Every value that the counter had is handed out once.
__global__ void tickets(double *next, int *taken) { atomicAdd(taken + static_cast<int>(addByRetry(next, 1)), 1); }

__global__ void guarded(int *lock, volatile int *counter) {
  if (threadIdx.x % 32) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *counter = *counter + 1;
  __threadfence();
  atomicExch(lock, 0);
}

// The lowest bit is the lock; who comes expects the word without it, and so waits although it reads the word anew.
__global__ void guardedByBit(unsigned *word) {
  if (threadIdx.x % 32) return;
  unsigned old;
  do {
    old = *static_cast<volatile unsigned *>(word) & ~1u;
  } while (atomicCAS(word, old, old | 1u) != old);
  __threadfence();
  atomicExch(word, old + 2);
}

int main() {
  check::DeviceArray<double> numbers(std::vector<double>(2, 0.0));
  check::DeviceArray<float> most(std::vector<float>(1, -1.0f));
  check::DeviceArray<int> ints(std::vector<int>(3, 0)), taken(std::vector<int>(count, 0));
  sums<<<blocks, threads>>>(numbers.get(), most.get());
  LAUNCH_OK();
  tickets<<<blocks, threads>>>(numbers.get() + 1, taken.get());
  LAUNCH_OK();
  guarded<<<blocks, threads>>>(ints.get(), ints.get() + 1);
  LAUNCH_OK();
  guardedByBit<<<blocks, threads>>>(reinterpret_cast<unsigned *>(ints.get() + 2));
  LAUNCH_OK();
  CHECK_EQ(numbers.download()[0], double(count) * (count - 1) / 2);
  CHECK_EQ(numbers.download()[1], double(count));
  CHECK_EQ(most.download()[0], float(count - 1));
  for (int each : taken.download()) CHECK_EQ(each, 1);
  CHECK_EQ(ints.download()[0], 0);
  CHECK_EQ(ints.download()[1], blocks * threads / 32);
  CHECK_EQ(ints.download()[2], 2 * (blocks * threads / 32));
  return check::finish();
}
