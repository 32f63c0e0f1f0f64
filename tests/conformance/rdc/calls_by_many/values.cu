// Functions that main.cu calls, of many kinds of values.
#include "shared.h"

__device__ float polynomial(float v) { return ((0.25f * v - 1.5f) * v + 0.75f) * v + 0.5f; }
__device__ bool isOdd(int v) { return v & 1; }
__device__ int mixed(bool odd, signed char a, unsigned short b, long long c, double d, int e) {
  return (odd ? 1000 : 2000) + a * 3 + b + static_cast<int>(c >> 33) + static_cast<int>(d * 4) + e;
}
__device__ unsigned long long wide(unsigned long long a, unsigned b) { return a * 0x9e3779b97f4a7c15ull + b; }
__device__ double atLeast(double a, double b) { return a > b ? a : b; }
__device__ signed char narrow(signed char v) { return static_cast<signed char>(v * 3); }
__device__ void put(int *place, int value) { *place = value; }
__device__ int find(const int *table, int count, int key) {
  for (int i = 0; i < count; ++i)
    if (table[i] == key) return i;
  return -1;
}
__device__ int whoAmI(int value) {
  return value + threadIdx.x + 100 * threadIdx.y + 10000 * threadIdx.z + 1000000 * static_cast<int>(blockIdx.x);
}
__device__ int viaThird(int value) { return value & 1 ? third(value) + 1 : -third(value / 2); }
__device__ int collatz(int value) {
  int steps = 0;
  while (value != 1) {
    value = value & 1 ? 3 * value + 1 : value / 2;
    ++steps;
  }
  return steps;
}
__device__ int factorial(int value) { return value < 2 ? 1 : value * factorial(value - 1); }
__device__ int withTable(int value) {
  int own[8];
  for (int i = 0; i < 8; ++i) own[(i + value) & 7] = i * value;
  return own[value % 5];
}
__device__ Pair swapped(Pair pair) { return {pair.second, pair.first}; }
__device__ int fromShared(int value) {
  __shared__ int numbers[16];
  numbers[threadIdx.x & 15] = 7;
  return value + numbers[threadIdx.x & 15];
}
__device__ void add(int *sum, int value) { atomicAdd(sum, value); }
