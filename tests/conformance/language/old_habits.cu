// Device code that nvcc takes with a warning: cases that jump over initialisers, pointers as small numbers and compared
// with 0, unrolling of what is no loop.
#include "../check.h"

#pragma unroll
struct Weight {
#pragma unroll 2
  int value;
  __device__ explicit Weight(int v) : value(v) {}
};

__device__ int chosen(int kind, const int *table) {
  switch (kind) {
    case 0:
      int first = table[0];
      return first * 2;
    case 1:
      const int second = table[1];
      Weight weight(second);
      return weight.value + 1;
    case 2: {
      int third = table[2];
      return third;
    }
    default:
      first = 7;
      return first + kind;
  }
}

template <class T>
__device__ bool isLow(T *pointer) {
  return (unsigned)pointer == ((size_t)pointer & 0xffffffffu) && unsigned(pointer) == (unsigned)(size_t)pointer;
}

#define LOW(pointer) reinterpret_cast<unsigned>(pointer)

template <class To, class From>
__device__ To cast(From value) {
  return reinterpret_cast<To>(value);
}

template <class T>
__device__ bool isReinterpreted(T *pointer, int i) {
  const size_t address = (size_t)pointer;
  const bool asNumbers = LOW(pointer + i) == (unsigned)(address + i * sizeof(T)) &&
                         reinterpret_cast<short>(&pointer[1]) == (short)(address + sizeof(T)) &&
                         reinterpret_cast<unsigned char>(pointer) % 4 == 0;
  return asNumbers && cast<unsigned>(pointer) == (unsigned)address && cast<size_t>(pointer) == address &&
         cast<T *>(address) == pointer && cast<const char *>(pointer) == (const char *)pointer;
}

__global__ void k(const int *table, int *result) {
  int i = threadIdx.x;
#pragma unroll
  result[i] = chosen(i, table);
#pragma unroll 4
  {
    for (int j = 0; j < i; ++j) result[i] += 100;
  }
#pragma unroll
  if (table > 0 && 0 < result && (void *)result + 4 + 4 > 0) result[i] += 1000;
#pragma unroll
  int j;
  for (j = 0; isLow(table) && isReinterpreted(table, i) && j < 1; ++j) result[i] += 10000;
}

int main() {
  check::DeviceArray<int> table(std::vector<int>{5, 6, 8}), result(5, 0);
  k<<<1, 5>>>(table.get(), result.get());
  LAUNCH_OK();
  const std::vector<int> found = result.download();
  const int expected[] = {10, 7, 8, 10, 11};
  for (int i = 0; i < 5; ++i) CHECK_EQ(found[i], expected[i] + 100 * i + 11000);
  return check::finish();
}
