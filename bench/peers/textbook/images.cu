// A stencil of five points, the Mandelbrot set, a convolution in one dimension, Conway's game of life.
#include "../harness/cuda.h"

__global__ void stencil(const float *in, float *out, int n) {
  __shared__ float s[18][18];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  s[ty + 1][tx + 1] = in[y * n + x];
  if (tx == 0) s[ty + 1][0] = x > 0 ? in[y * n + x - 1] : 0.0f;
  if (tx == 15) s[ty + 1][17] = x < n - 1 ? in[y * n + x + 1] : 0.0f;
  if (ty == 0) s[0][tx + 1] = y > 0 ? in[(y - 1) * n + x] : 0.0f;
  if (ty == 15) s[17][tx + 1] = y < n - 1 ? in[(y + 1) * n + x] : 0.0f;
  __syncthreads();
  out[y * n + x] =
      0.5f * s[ty + 1][tx + 1] + 0.125f * (s[ty][tx + 1] + s[ty + 2][tx + 1] + s[ty + 1][tx] + s[ty + 1][tx + 2]);
}

__global__ void mandelbrot(int *out, int n, int most) {
  int px = blockIdx.x * 16 + threadIdx.x, py = blockIdx.y * 16 + threadIdx.y;
  float cx = -2.2f + 3.2f * px / n, cy = -1.5f + 3.0f * py / n;
  float x = 0.0f, y = 0.0f;
  int steps = 0;
  while (steps < most && x * x + y * y < 4.0f) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    steps++;
  }
  out[py * n + px] = steps;
}

__constant__ float taps[33];

// Blocks of 256 threads, radius 16.
__global__ void convolution1d(const float *in, float *out, int n) {
  __shared__ float s[256 + 32];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i >= 16 ? in[i - 16] : 0.0f;
  if (t < 32) s[t + 256] = i + 240 < n ? in[i + 240] : 0.0f;
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < 33; k++) sum += taps[k] * s[t + k];
  if (i < n) out[i] = sum;
}

__global__ void life(const unsigned char *in, unsigned char *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  int left = x == 0 ? n - 1 : x - 1, right = x == n - 1 ? 0 : x + 1;
  int up = y == 0 ? n - 1 : y - 1, down = y == n - 1 ? 0 : y + 1;
  int neighbours = in[up * n + left] + in[up * n + x] + in[up * n + right] + in[y * n + left] + in[y * n + right] +
                   in[down * n + left] + in[down * n + x] + in[down * n + right];
  out[y * n + x] = neighbours == 3 || (neighbours == 2 && in[y * n + x]);
}

#include "images_cases.h"
