// A sparse matrix times a vector: a thread a row, and a warp a row.
#include "../harness/cuda.h"

constexpr int warp = BENCH_WARP;

__global__ void spmvScalar(int rows, const int *begins, const int *columns, const float *values, const float *x,
                           float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0.0f;
    for (int i = begins[row]; i < begins[row + 1]; i++) sum += values[i] * x[columns[i]];
    y[row] = sum;
  }
}

__global__ void spmvVector(int rows, const int *begins, const int *columns, const float *values, const float *x,
                           float *y) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / warp, lane = threadIdx.x % warp;
  if (row < rows) {
    float sum = 0.0f;
    for (int i = begins[row] + lane; i < begins[row + 1]; i += warp) sum += values[i] * x[columns[i]];
    for (int delta = warp / 2; delta > 0; delta >>= 1) sum += __shfl_down_sync(0xffffffff, sum, delta);
    if (lane == 0) y[row] = sum;
  }
}

#include "sparse_cases.h"
