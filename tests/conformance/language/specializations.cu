// Explicit specialisations without annotations are for the sides of their templates.
#include "../check.h"

template <class T>
__device__ T next(T t) {
  return t + 1;
}
template <>
float next(float t) {
  return t + 1.5f;
}

template <class T>
__host__ __device__ int both(T) {
  return 1;
}
template <>
int both<double>(double) {
  return 2;
}
template <>
int both(char) {
  return 3;
}

struct Class {
  template <class T>
  __device__ int member(T) {
    return 4;
  }
};
template <>
int Class::member(short) {
  return threadIdx.x + 5;
}

template <class T>
struct Template {
  __device__ int member();
};
template <class T>
__device__ int Template<T>::member() {
  return 6;
}
template <>
int Template<int>::member() {
  return 7;
}

template <class T>
int onHost(T) {
  return 8;
}
template <>
int onHost<int>(int) {
  return 9;
}

namespace inner {
template <class T>
__device__ int placed(T) {
  return 1;
}
}  // namespace inner
template <>
int inner::placed<long>(long) {
  return 11;
}

__global__ void fill(int *out) {
  out[0] = next(1) * 10 + static_cast<int>(next(1.0f) * 2);
  out[1] = both(1) + 10 * both(1.0) + 100 * both('c');
  out[2] = Class().member(1) + 10 * Class().member(static_cast<short>(1));
  out[3] = Template<float>().member() + 10 * Template<int>().member();
  out[4] = inner::placed(1) + 10 * inner::placed(1L);
}

int main() {
  constexpr int expected[] = {25, 321, 54, 76, 111};
  int *out = nullptr;
  CUDA_OK(cudaMallocManaged(&out, sizeof expected));
  fill<<<1, 1>>>(out);
  CUDA_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 5; ++i) CHECK_EQ(out[i], expected[i]);
  CHECK_EQ(onHost(1) * 10 + onHost(1.0), 98);
  CHECK_EQ(both(1.0) * 10 + both('c'), 23);
  CUDA_OK(cudaFree(out));
  return check::finish();
}
