// Sums by halving in shared memory and by shuffles, prefix sums of blocks, softmax of rows, a histogram.
#include "../harness/cuda.h"

// Blocks of 256 threads add 512 elements each.
__global__ void reduceShared(const float *in, float *out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * 512 + t;
  float v = i < n ? in[i] : 0.0f;
  if (i + 256 < n) v += in[i + 256];
  s[t] = v;
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

constexpr int warp = BENCH_WARP;
constexpr unsigned full = 0xffffffff;

__device__ inline float warpSum(float v) {
  for (int delta = warp / 2; delta > 0; delta >>= 1) v += __shfl_down_sync(full, v, delta);
  return v;
}

__global__ void reduceShuffle(const float *in, float *out, int n) {
  __shared__ float s[warp];
  float v = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
  v = warpSum(v);
  int lane = threadIdx.x % warp, w = threadIdx.x / warp;
  if (lane == 0) s[w] = v;
  __syncthreads();
  if (w == 0) {
    v = lane < blockDim.x / warp ? s[lane] : 0.0f;
    v = warpSum(v);
    if (lane == 0) out[blockIdx.x] = v;
  }
}

// Blocks of 1024 threads; `sums` gets the sum of each.
__global__ void scanBlock(const int *in, int *out, int *sums, int n) {
  __shared__ int s[1024];
  int t = threadIdx.x, i = blockIdx.x * 1024 + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int delta = 1; delta < 1024; delta <<= 1) {
    int v = t >= delta ? s[t - delta] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  if (i < n) out[i] = s[t];
  if (t == 1023) sums[blockIdx.x] = s[t];
}

__global__ void scanAdd(int *out, const int *sums, int n) {
  int i = blockIdx.x * 1024 + threadIdx.x;
  if (blockIdx.x > 0 && i < n) out[i] += sums[blockIdx.x - 1];
}

__device__ inline float warpMaxOfAll(float v) {
  for (int lanes = warp / 2; lanes > 0; lanes >>= 1) v = fmaxf(v, __shfl_xor_sync(full, v, lanes));
  return v;
}

__device__ inline float warpSumOfAll(float v) {
  for (int lanes = warp / 2; lanes > 0; lanes >>= 1) v += __shfl_xor_sync(full, v, lanes);
  return v;
}

// A block of 256 threads has a row.
__global__ void softmax(const float *in, float *out, int columns) {
  __shared__ float s[warp];
  const float *x = in + (size_t)blockIdx.x * columns;
  float *y = out + (size_t)blockIdx.x * columns;
  int lane = threadIdx.x % warp, w = threadIdx.x / warp, warps = blockDim.x / warp;
  float m = -INFINITY;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) m = fmaxf(m, x[c]);
  m = warpMaxOfAll(m);
  if (lane == 0) s[w] = m;
  __syncthreads();
  m = warpMaxOfAll(lane < warps ? s[lane] : -INFINITY);
  __syncthreads();
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    float e = expf(x[c] - m);
    y[c] = e;
    sum += e;
  }
  sum = warpSumOfAll(sum);
  if (lane == 0) s[w] = sum;
  __syncthreads();
  sum = warpSumOfAll(lane < warps ? s[lane] : 0.0f);
  float inverse = 1.0f / sum;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) y[c] *= inverse;
}

__global__ void histogram(const unsigned char *in, unsigned *bins, int n) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[in[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}

#include "reductions_cases.h"
