// A convolution of 5 x 5 with its filter in constant memory, and the median of 3 x 3 pixels by a network of exchanges.
#include "filters.h"

#include "../harness/cuda.h"

__constant__ float filter5x5[25];

__global__ void convolve5x5(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0.0f;
  for (int j = -2; j <= 2; ++j)
    for (int i = -2; i <= 2; ++i) {
      int column = min(max(x + i, 0), width - 1), row = min(max(y + j, 0), height - 1);
      sum += filter5x5[(j + 2) * 5 + i + 2] * in[row * width + column];
    }
  out[y * width + x] = sum;
}

__device__ inline void order(unsigned char &a, unsigned char &b) {
  unsigned char less = min(a, b);
  b = max(a, b);
  a = less;
}

__global__ void median3x3(const unsigned char *in, unsigned char *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  unsigned char v[9];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) {
      int column = min(max(x + i - 1, 0), width - 1), row = min(max(y + j - 1, 0), height - 1);
      v[j * 3 + i] = in[row * width + column];
    }
  order(v[1], v[2]), order(v[4], v[5]), order(v[7], v[8]);
  order(v[0], v[1]), order(v[3], v[4]), order(v[6], v[7]);
  order(v[1], v[2]), order(v[4], v[5]), order(v[7], v[8]);
  order(v[0], v[3]), order(v[5], v[8]), order(v[4], v[7]);
  order(v[3], v[6]), order(v[1], v[4]), order(v[2], v[5]);
  order(v[4], v[7]), order(v[4], v[2]), order(v[6], v[4]);
  order(v[4], v[2]);
  out[y * width + x] = v[4];
}

BENCH_CASE(convolution2d) {
  const Convolution2d input;
  const int width = Convolution2d::width, height = Convolution2d::height;
  bench::Buffer<float> in(input.in), out(input.in.size());
  BENCH_CONSTANT(float, filter5x5, input.filter);
  run.time([&] {
    convolve5x5<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(in, out, width, height);
    bench::finish();
  });
  run.result(out.host(), Convolution2d::accept);
}

BENCH_CASE(median) {
  const Median input;
  const int width = Median::width, height = Median::height;
  bench::Buffer<unsigned char> in(input.in), out(input.in.size());
  run.time([&] {
    median3x3<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(in, out, width, height);
    bench::finish();
  });
  run.result(out.host());
}
