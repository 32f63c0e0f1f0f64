// cuda::atomic_ref: plain objects of every size, taken for atomic ones.
// needs: cuda/atomic
#include "../check.h"

#include <cuda/atomic>
#include <cuda/std/cstdint>

constexpr int threads = 64, blocks = 4, total = threads * blocks;

template <class T>
using Ref = cuda::atomic_ref<T, cuda::thread_scope_device>;

template <class T>
__global__ void add(T *cells, int count) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  // Neighbours of one word are changed at the same time.
  Ref<T>(cells[id % count]).fetch_add(static_cast<T>(1), cuda::std::memory_order_relaxed);
}

template <class T>
void checkAdd() {
  constexpr int count = 4;
  check::DeviceArray<T> cells(count, T(5));
  add<<<blocks, threads>>>(cells.get(), count);
  LAUNCH_OK();
  for (T cell : cells.download()) CHECK_EQ(cell, static_cast<T>(5 + total / count));
}

struct Pair {
  int low, high;
};

// A structure as a whole: both halves are always of the same thread.
__global__ void swapPairs(Pair *cell, int *torn) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  const Pair seen = Ref<Pair>(*cell).exchange({id, -id});
  if (seen.low != -seen.high) atomicAdd(torn, 1);
}

template <class T>
__global__ void minMax(T *cells) {
  const T id = static_cast<T>(blockIdx.x * blockDim.x + threadIdx.x);
  Ref<T>(cells[0]).fetch_min(id - 10);
  Ref<T>(cells[1]).fetch_max(id - 10);
}

template <class T>
void checkMinMax() {
  check::DeviceArray<T> cells(2, T(0));
  minMax<<<blocks, threads>>>(cells.get());
  LAUNCH_OK();
  const auto result = cells.download();
  CHECK_EQ(result[0], static_cast<T>(-10));
  CHECK_EQ(result[1], static_cast<T>(total - 11));
}

__global__ void appendOddNumbers(int *list, int *length, int n) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < n && id % 2 == 1) list[Ref<int>(*length)++] = id;
}

int main() {
  checkAdd<int32_t>();
  checkAdd<uint32_t>();
  checkAdd<int64_t>();
  checkAdd<uint64_t>();
#if CCCL_VERSION >= 3000000  // 2.3 refuses types of 1 and 2 bytes
  checkAdd<int8_t>();
  checkAdd<uint16_t>();
#endif
#if defined(CCCL_VERSION)  // since libcu++ 2
  checkAdd<float>();
  checkAdd<double>();
  checkMinMax<int>();
  checkMinMax<long long>();
#endif

  check::DeviceArray<Pair> pair(1, Pair{0, 0});
  check::DeviceArray<int> torn(1, 0), list(total, -1), length(1, 0);
  swapPairs<<<blocks, threads>>>(pair.get(), torn.get());
  LAUNCH_OK();
  CHECK_EQ(torn.download()[0], 0);

  appendOddNumbers<<<blocks, threads>>>(list.get(), length.get(), 201);
  LAUNCH_OK();
  CHECK_EQ(length.download()[0], 100);
  int sum = 0;
  const auto odd = list.download();
  for (int i = 0; i < 100; ++i) sum += odd[i];
  CHECK_EQ(sum, 100 * 100);
  CHECK_EQ(odd[100], -1);
  return check::finish();
}
