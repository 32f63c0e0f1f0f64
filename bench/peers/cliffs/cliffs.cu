// Pairs of kernels that do the same, without and with one thing that may be dear. The cases of a pair are named
// `...Without` and `...With`.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cassert>
#include <cstdio>

#include "../harness/cuda.h"
#include "../harness/inputs.h"

namespace cg = cooperative_groups;

constexpr int n = 1 << 20;
constexpr unsigned full = 0xffffffff;

// measure() runs launch(in, out) on n numbers; `count` of the results are compared.
template <class Launch>
static void measure(bench::Run &run, int count, Launch launch) {
  bench::Buffer<float> in(bench::uniform(n, 60, -1, 1)), out(n);
  run.time([&] {
    launch((float *)in, (float *)out);
    bench::finish();
  });
  run.result(out.host(count), bench::Accept{1e-4});
}

__global__ void scale(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 1.5f * in[i] + 0.5f;
}

__global__ void scalePrintf(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 1.5f * in[i] + 0.5f;
  if (out[i] > 1e30f) printf("element %d is too large\n", i);
}

__global__ void scaleAssert(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 1.5f * in[i] + 0.5f;
  assert(out[i] < 1e30f);
}

__device__ float scaled(float v) { return 1.5f * v + 0.5f; }
__device__ float negated(float v) { return -v; }
__device__ float (*operations[])(float) = {scaled, negated};

__global__ void scalePointer(const float *in, float *out, int operation) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = operations[operation](in[i]);
}

#define SCALE_CASE(name, ...)                                    \
  BENCH_CASE(name) {                                             \
    measure(run, n, [](float *in, float *out) { __VA_ARGS__; }); \
  }
SCALE_CASE(printfWithout, scale<<<n / 256, 256>>>(in, out))
SCALE_CASE(printfWith, scalePrintf<<<n / 256, 256>>>(in, out))
SCALE_CASE(assertWithout, scale<<<n / 256, 256>>>(in, out))
SCALE_CASE(assertWith, scaleAssert<<<n / 256, 256>>>(in, out))
SCALE_CASE(pointerWithout, scale<<<n / 256, 256>>>(in, out))
SCALE_CASE(pointerWith, scalePointer<<<n / 256, 256>>>(in, out, 0))

__device__ inline float warpSum(float v) {
  for (int lanes = 16; lanes > 0; lanes >>= 1) v += __shfl_xor_sync(full, v, lanes);
  return v;
}

__device__ __noinline__ float warpSumByCall(float v) {
  for (int lanes = 16; lanes > 0; lanes >>= 1) v += __shfl_xor_sync(full, v, lanes);
  return v;
}

// Blocks may have one dimension or two.
__global__ void sumsOfWarps(const float *in, float *out) {
  int t = threadIdx.y * blockDim.x + threadIdx.x, i = blockIdx.x * blockDim.x * blockDim.y + t;
  out[i] = in[i] - warpSum(in[i]);
}

__global__ void sumsByCall(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] - warpSumByCall(in[i]);
}

SCALE_CASE(squareWithout, sumsOfWarps<<<n / 256, 256>>>(in, out))
SCALE_CASE(squareWith, sumsOfWarps<<<n / 256, dim3(16, 16)>>>(in, out))
SCALE_CASE(noinlineWithout, sumsOfWarps<<<n / 256, 256>>>(in, out))
SCALE_CASE(noinlineWith, sumsByCall<<<n / 256, 256>>>(in, out))

// Sums of 64 numbers each, by tiles of 32 threads that add two each, or by tiles of 64.
__global__ void sumsOfTiles32(const float *in, float *out) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = tile.thread_rank();
  float sum = cg::reduce(tile, in[i * 64 + lane] + in[i * 64 + 32 + lane], cg::plus<float>());
  if (lane == 0) out[i] = sum;
}

__global__ void sumsOfTiles64(const float *in, float *out) {
  __shared__ cg::block_tile_memory<256> memory;
  auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = cg::reduce(tile, in[i], cg::plus<float>());
  if (tile.thread_rank() == 0) out[i / 64] = sum;
}

BENCH_CASE(tileWithout) {
  measure(run, n / 64, [](float *in, float *out) { sumsOfTiles32<<<n / 512, 256>>>(in, out); });
}
BENCH_CASE(tileWith) {
  measure(run, n / 64, [](float *in, float *out) { sumsOfTiles64<<<n / 256, 256>>>(in, out); });
}

// Threads read what others of the block wrote, eight times.
template <bool named>
__global__ void exchange(const float *in, float *out) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  float v = in[i];
  for (int round = 0; round < 8; ++round) {
    s[t] = v;
    if (named)
      asm volatile("bar.sync 1, 256;" ::: "memory");
    else
      __syncthreads();
    v = 0.5f * (v + s[(t + 37) & 255]);
    if (named)
      asm volatile("bar.sync 1, 256;" ::: "memory");
    else
      __syncthreads();
  }
  out[i] = v;
}

SCALE_CASE(barrierWithout, exchange<false><<<n / 256, 256>>>(in, out))
SCALE_CASE(barrierWith, exchange<true><<<n / 256, 256>>>(in, out))

// Two steps, the second of which reads what all threads wrote in the first.
__global__ void firstStep(const float *in, float *between) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) between[i] = 2.0f * in[i];
}
__global__ void secondStep(const float *between, float *out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = between[i] + between[n - 1 - i];
}
__global__ void bothSteps(const float *in, float *between, float *out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) between[i] = 2.0f * in[i];
  cg::this_grid().sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = between[i] + between[n - 1 - i];
}

BENCH_CASE(gridWithout) {
  bench::Buffer<float> between(n);
  measure(run, n, [&](float *in, float *out) {
    firstStep<<<64, 256>>>(in, between);
    secondStep<<<64, 256>>>(between, out);
  });
}
BENCH_CASE(gridWith) {
  bench::Buffer<float> between(n);
  measure(run, n, [&](float *in, float *out) {
    float *middle = between;
    void *arguments[] = {&in, &middle, &out};
    bench::check(cudaLaunchCooperativeKernel(bothSteps, dim3(64), dim3(256), arguments));
  });
}

// Every third place gets what is positive.
__global__ void storeAll(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[3 * i] = in[i] > 0 ? 2 * in[i] : 0;
}
__global__ void storePositive(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > 0) out[3 * i] = 2 * in[i];
}

SCALE_CASE(storeWithout, storeAll<<<n / 1024, 256>>>(in, out))
SCALE_CASE(storeWith, storePositive<<<n / 1024, 256>>>(in, out))

// What -O0 and a seed are measured with: sums by halving in shared memory.
__global__ void sumsOfBlocks(const float *in, float *out) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

BENCH_CASE(sums) {
  measure(run, n / 256, [](float *in, float *out) { sumsOfBlocks<<<n / 256, 256>>>(in, out); });
}
