// SAXPY, the tiled product of matrices, the transpose through shared memory.
#include "../harness/cuda.h"

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

template <int tile>
__global__ void matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float as[tile][tile], bs[tile][tile];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * tile + ty, column = blockIdx.x * tile + tx;
  float sum = 0.0f;
  for (int t = 0; t < n / tile; ++t) {
    as[ty][tx] = a[row * n + t * tile + tx];
    bs[ty][tx] = b[(t * tile + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

constexpr auto matmul16 = matmul<16>;
constexpr auto matmul32 = matmul<32>;

// Blocks of 32 x 8 threads.
__global__ void transpose(const float *in, float *out, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

#include "linear_algebra_cases.h"
