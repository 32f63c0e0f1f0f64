// Tables that are const and not __constant__ lie in global memory, however large they are; constant memory may be full
// beside them. Variables of programs may have names of the C library's functions.
#include "../check.h"

int glob[4] = {4, 5, 6, 7};
__constant__ int full[16384];
__device__ const double ofDevice[30000] = {1.5, 2.5};
__device__ static const unsigned char bytes[70000] = {1, 2, 3};

template <int n>
__device__ const int *table() {
  static const int values[n] = {7, 8};
  return values;
}

__global__ void read(double *out, int i) {
  static const int own[20000] = {1, 4, 9, 16};
  out[0] = own[i];
  out[1] = table<25000>()[i];
  out[2] = ofDevice[i];
  out[3] = bytes[i];
  out[4] = full[16383 - i];
}

int main() {
  double *out;
  static int numbers[16384];
  for (int i = 0; i < 16384; ++i) numbers[i] = i;
  CUDA_OK(cudaMallocManaged(&out, 5 * sizeof(double)));
  CUDA_OK(cudaMemcpyToSymbol(full, numbers, sizeof numbers));
  read<<<1, 1>>>(out, 1);
  LAUNCH_OK();
  const double expected[] = {4, 8, 2.5, 2, 16382};
  for (int i = 0; i < 5; ++i) CHECK_EQ(out[i], expected[i]);
  size_t size;
  CUDA_OK(cudaGetSymbolSize(&size, bytes));
  CHECK_EQ(size, size_t(70000));
  CHECK_EQ(glob[3], 7);
  return check::finish();
}
