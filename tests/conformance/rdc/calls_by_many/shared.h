#pragma once

struct Pair {
  float first, second;
};

__device__ float polynomial(float v);
__device__ bool isOdd(int v);
__device__ int mixed(bool odd, signed char a, unsigned short b, long long c, double d, int e);
__device__ unsigned long long wide(unsigned long long a, unsigned b);
__device__ double atLeast(double a, double b);
__device__ signed char narrow(signed char v);
__device__ void put(int *place, int value);
__device__ int find(const int *table, int count, int key);
__device__ int whoAmI(int value);
__device__ int viaThird(int value);
__device__ int third(int value);
__device__ int collatz(int value);
__device__ int factorial(int value);
__device__ int withTable(int value);
__device__ Pair swapped(Pair pair);
__device__ int fromShared(int value);
__device__ void add(int *sum, int value);
