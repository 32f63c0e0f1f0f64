// Kernels of many textbooks and suites, in the usual way: threads that wait often, and of which some have nothing to
// do.
#include "classics.h"

#include "../harness/cuda.h"

__global__ void treeScan(const int *in, int *out) {
  __shared__ int sums[TreeScan::width];
  int t = threadIdx.x, offset = 1;
  const int *row = in + blockIdx.x * TreeScan::width;
  sums[2 * t] = row[2 * t];
  sums[2 * t + 1] = row[2 * t + 1];
  for (int d = TreeScan::width / 2; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) sums[offset * (2 * t + 2) - 1] += sums[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) sums[TreeScan::width - 1] = 0;
  for (int d = 1; d < TreeScan::width; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < d) {
      int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
      int value = sums[left];
      sums[left] = sums[right];
      sums[right] += value;
    }
  }
  __syncthreads();
  out[blockIdx.x * TreeScan::width + 2 * t] = sums[2 * t];
  out[blockIdx.x * TreeScan::width + 2 * t + 1] = sums[2 * t + 1];
}

BENCH_CASE(treeScan) {
  const TreeScan input;
  bench::Buffer<int> in(input.in), out(input.in.size());
  run.time([&] {
    treeScan<<<TreeScan::rows, TreeScan::width / 2>>>(in, out);
    bench::finish();
  });
  run.result(out.host());
}

__global__ void compact(const int *in, int *out, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, first = 0;
  bool keeps = in[i] % 3 == 0;
  unsigned kept = __ballot_sync(~0u, keeps);
  if (lane == 0) first = atomicAdd(count, __popc(kept));
  first = __shfl_sync(~0u, first, 0);
  if (keeps) out[first + __popc(kept & ((1u << lane) - 1))] = in[i];
}

BENCH_CASE(compaction) {
  const Compaction input;
  bench::Buffer<int> in(input.in), out(input.in.size()), count(1);
  run.time([&] {
    cudaMemset(count, 0, sizeof(int));
    compact<<<Compaction::n / 256, 256>>>(in, out, count);
    bench::finish();
  });
  run.result(count.host());
}

__global__ void layerNorm(const float *in, const float *scale, const float *shift, float *out, int n) {
  __shared__ float sums[32], squares[32];
  const float *row = in + size_t(blockIdx.x) * n;
  float sum = 0, square = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    sum += row[i];
    square += row[i] * row[i];
  }
  for (int step = 16; step > 0; step /= 2) {
    sum += __shfl_xor_sync(~0u, sum, step);
    square += __shfl_xor_sync(~0u, square, step);
  }
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
  if (lane == 0) {
    sums[warp] = sum;
    squares[warp] = square;
  }
  __syncthreads();
  if (warp == 0) {
    sum = lane < warps ? sums[lane] : 0;
    square = lane < warps ? squares[lane] : 0;
    for (int step = 16; step > 0; step /= 2) {
      sum += __shfl_xor_sync(~0u, sum, step);
      square += __shfl_xor_sync(~0u, square, step);
    }
    if (lane == 0) {
      sums[0] = sum / n;
      squares[0] = rsqrtf(square / n - sums[0] * sums[0] + 1e-5f);
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[size_t(blockIdx.x) * n + i] = (row[i] - sums[0]) * squares[0] * scale[i] + shift[i];
}

BENCH_CASE(layerNorm) {
  const LayerNorm input;
  bench::Buffer<float> in(input.in), scale(input.scale), shift(input.shift), out(input.in.size());
  run.time([&] {
    layerNorm<<<LayerNorm::rows, 256>>>(in, scale, shift, out, LayerNorm::width);
    bench::finish();
  });
  run.result(out.host(), LayerNorm::accept);
}

__global__ void findPath(int turns, const int *wall, const int *from, int *to, int columns) {
  __shared__ int last[256], now[256];
  int t = threadIdx.x, inside = blockDim.x - 2 * turns, begin = inside * blockIdx.x - turns, column = begin + t;
  int low = begin < 0 ? -begin : 0, high = begin + 255 > columns - 1 ? columns - 1 - begin : 255;
  int left = max(t - 1, low), right = min(t + 1, high);
  bool isThere = t >= low && t <= high, isDone = false;
  if (column >= 0 && column < columns) last[t] = from[column];
  __syncthreads();
  for (int i = 0; i < turns; ++i) {
    isDone = t > i && t < 255 - i && isThere;
    if (isDone) now[t] = min(last[t], min(last[left], last[right])) + wall[size_t(i) * columns + column];
    __syncthreads();
    if (i == turns - 1) break;
    if (isDone) last[t] = now[t];
    __syncthreads();
  }
  if (isDone && column >= 0 && column < columns) to[column] = now[t];
}

BENCH_CASE(pathFinder) {
  const PathFinder input;
  bench::Buffer<int> wall(input.wall), from(PathFinder::columns), to(PathFinder::columns);
  constexpr int inside = 256 - 2 * PathFinder::rows;
  cudaMemset(from, 0, PathFinder::columns * sizeof(int));
  run.time([&] {
    findPath<<<(PathFinder::columns + inside - 1) / inside, 256>>>(PathFinder::rows, wall, from, to,
                                                                   PathFinder::columns);
    bench::finish();
  });
  run.result(to.host());
}

__global__ void gray(const uchar3 *in, unsigned char *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uchar3 c = in[i];
  out[i] = (77 * c.x + 150 * c.y + 29 * c.z) >> 8;
}

BENCH_CASE(gray) {
  const Gray input;
  bench::Buffer<uint8_t> in(input.in), out(Gray::n);
  run.time([&] {
    gray<<<Gray::n / 256, 256>>>(reinterpret_cast<const uchar3 *>(static_cast<uint8_t *>(in)), out, Gray::n);
    bench::finish();
  });
  run.result(out.host());
}

__global__ void haar(const float *in, float *out) {
  __shared__ float values[Haar::width];
  constexpr float half = 0.70710678f;
  int t = threadIdx.x;
  size_t row = size_t(blockIdx.x) * Haar::width;
  values[t] = in[row + t];
  values[t + Haar::width / 2] = in[row + t + Haar::width / 2];
  __syncthreads();
  for (int n = Haar::width / 2; n > 0; n /= 2) {
    float sum = 0, difference = 0;
    if (t < n) {
      sum = (values[2 * t] + values[2 * t + 1]) * half;
      difference = (values[2 * t] - values[2 * t + 1]) * half;
    }
    __syncthreads();
    if (t < n) {
      values[t] = sum;
      out[row + n + t] = difference;
    }
    __syncthreads();
  }
  if (t == 0) out[row] = values[0];
}

BENCH_CASE(haar) {
  const Haar input;
  bench::Buffer<float> in(input.in), out(input.in.size());
  run.time([&] {
    haar<<<Haar::rows, Haar::width / 2>>>(in, out);
    bench::finish();
  });
  run.result(out.host(), Haar::accept);
}
