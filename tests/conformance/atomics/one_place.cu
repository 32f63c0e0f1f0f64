// All threads, and some, change one place in memory, and look at what was there: whatever order they come in, each
// finds what another one has left behind.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "../check.h"

enum Operation { add, subtract, lowest, highest, bitAnd, bitOr, bitXor, exchange, operations };

template <class T>
__host__ __device__ T changed(int operation, T old, T value) {
  switch (operation) {
    case add:
      return old + value;
    case subtract:
      return old - value;
    case lowest:
      return old < value ? old : value;
    case highest:
      return old > value ? old : value;
    case bitAnd:
      return old & value;
    case bitOr:
      return old | value;
    case bitXor:
      return old ^ value;
    default:
      return value;
  }
}

template <int operation, class T>
__device__ T change(T *place, T value) {
  if constexpr (operation == add) return atomicAdd(place, value);
  if constexpr (operation == subtract && sizeof(T) == 4) return atomicSub(place, value);
  if constexpr (operation == subtract && sizeof(T) == 8) return atomicAdd(place, T(0) - value);
  if constexpr (operation == lowest) return atomicMin(place, value);
  if constexpr (operation == highest) return atomicMax(place, value);
  if constexpr (operation == bitAnd) return atomicAnd(place, value);
  if constexpr (operation == bitOr) return atomicOr(place, value);
  if constexpr (operation == bitXor) return atomicXor(place, value);
  if constexpr (operation == exchange) return atomicExch(place, value);
}

// places: with what all threads leave there, those with odd values, all with the same value, and nobody who looks.
template <int operation, class T>
__global__ void collect(T *places, const T *values, T *all, T *odd, T *same, T start) {
  __shared__ T own[2];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 2) own[threadIdx.x] = start;
  __syncthreads();
  const T value = values[i];
  all[i] = change<operation, T>(&places[0], value);
  if (value & 1) odd[i] = change<operation, T>(&places[1], value);
  same[i] = change<operation, T>(&places[2], T(5));
  change<operation, T>(&places[3], value);
  change<operation, T>(&own[0], value);
  if (value & 2) change<operation, T>(&own[1], T(3));
  __syncthreads();
  if (threadIdx.x < 2) places[4 + 2 * blockIdx.x + threadIdx.x] = own[threadIdx.x];
}

// followEachOther(): there is one value more than changes, the first before all and the last behind them.
template <class T>
static bool followEachOther(int operation, T start, T end, const std::vector<T> &found, const std::vector<T> &values) {
  std::vector<T> before(found), after{start};
  before.push_back(end);
  for (size_t i = 0; i < found.size(); ++i) after.push_back(changed(operation, found[i], values[i]));
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  return before == after;
}

template <int operation, class T>
static void test(int threads) {
  constexpr int blocks = 5;
  const int n = blocks * threads;
  const T start = operation == bitAnd ? T(~T(0)) : operation == lowest ? T(900) : T(100);
  std::vector<T> values(n), begin(4 + 2 * blocks, start);
  for (T &value : values) value = operation == bitAnd ? T(~(T(1) << rand() % 31)) : T(rand() % 1000);
  check::DeviceArray<T> in(values), places(begin), all(values), odd(values), same(values);
  collect<operation, T><<<blocks, threads>>>(places.get(), in.get(), all.get(), odd.get(), same.get(), start);
  LAUNCH_OK();
  const std::vector<T> end = places.download(), ofOdd = odd.download();
  CHECK((followEachOther<T>(operation, start, end[0], all.download(), values)));
  std::vector<T> found, changes;
  T unseen = start;
  for (int i = 0; i < n; ++i) {
    unseen = changed(operation, unseen, values[i]);
    if (!(values[i] & 1)) continue;
    found.push_back(ofOdd[i]);
    changes.push_back(values[i]);
  }
  CHECK((followEachOther<T>(operation, start, end[1], found, changes)));
  CHECK((followEachOther<T>(operation, start, end[2], same.download(), std::vector<T>(n, T(5)))));
  if (operation == exchange) return;
  CHECK(end[3] == unseen);
  for (int block = 0; block < blocks; ++block) {
    T own[] = {start, start};
    for (int t = 0; t < threads; ++t) {
      const T value = values[block * threads + t];
      own[0] = changed(operation, own[0], value);
      if (value & 2) own[1] = changed(operation, own[1], T(3));
    }
    CHECK(end[4 + 2 * block] == own[0] && end[5 + 2 * block] == own[1]);
  }
}

template <class T>
static void testAll(int threads) {
  test<add, T>(threads);
  test<subtract, T>(threads);
  test<lowest, T>(threads);
  test<highest, T>(threads);
  test<bitAnd, T>(threads);
  test<bitOr, T>(threads);
  test<bitXor, T>(threads);
  test<exchange, T>(threads);
}

int main() {
  for (int threads : {128, 40, 2, 31}) {
    testAll<unsigned>(threads);
    testAll<unsigned long long>(threads);
  }
  test<lowest, int>(96);
  test<highest, int>(96);
  test<highest, long long>(96);
  return check::finish();
}
