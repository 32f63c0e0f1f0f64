// Functions called by pointers to members that a table holds, for objects in local variables that are smaller than a
// pointer: the object had no value there.
#include "../conformance/check.h"

struct Scale {
  float by;
  __device__ float product(float x) const { return by * x; }
  __device__ float sum(float x) const { return by + x; }
};

struct Flag {
  char value;
  __device__ int plus(int x) { return value += x; }
  __device__ int minus(int x) { return value -= x; }
  __device__ int both(const Flag &other, int i);
};

__device__ float (Scale::*const ofScale[])(float) const = {&Scale::product, &Scale::sum};
__device__ int (Flag::*ofFlag[])(int) = {&Flag::plus, &Flag::minus};

__device__ int Flag::both(const Flag &other, int i) {
  value = other.value;
  return (this->*ofFlag[i & 1])(i) + (this->*ofFlag[~i & 1])(1);
}

__global__ void scale(float *results) {
  const int i = threadIdx.x;
  Scale local{3};
  results[i] = (local.*ofScale[i & 1])(i);
}

__global__ void flag(int *results) {
  const int i = threadIdx.x;
  Flag first{10}, second{0};
  results[i] = second.both(first, i) * 100 + second.value;
}

int main() {
  check::DeviceArray<float> scaled(32);
  scale<<<1, 32>>>(scaled.get());
  LAUNCH_OK();
  check::DeviceArray<int> flags(32);
  flag<<<1, 32>>>(flags.get());
  LAUNCH_OK();
  for (int i = 0; i < 32; ++i) {
    CHECK_EQ(scaled.download()[i], i & 1 ? 3.0f + i : 3.0f * i);
    const int first = i & 1 ? 10 - i : 10 + i, second = i & 1 ? first + 1 : first - 1;
    CHECK_EQ(flags.download()[i], (first + second) * 100 + second);
  }
  return check::finish();
}
