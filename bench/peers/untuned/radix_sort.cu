// A sort by digits of four bits, least first: histograms of blocks, prefix sums over all, then each key to its place.
#include "radix_sort.h"

#include "../harness/cuda.h"

constexpr int digits = 16, threads = 256;

__global__ void countDigits(const unsigned *keys, unsigned *counts, int shift) {
  __shared__ unsigned s[digits];
  int t = threadIdx.x;
  if (t < digits) s[t] = 0;
  __syncthreads();
  atomicAdd(&s[keys[blockIdx.x * threads + t] >> shift & 15], 1u);
  __syncthreads();
  if (t < digits) counts[t * gridDim.x + blockIdx.x] = s[t];
}

// Exclusive prefix sums of 1024 counts a block; `sums` gets the blocks' own.
__global__ void scanCounts(unsigned *counts, unsigned *sums) {
  __shared__ unsigned s[1024];
  int t = threadIdx.x;
  unsigned own = counts[blockIdx.x * 1024 + t];
  s[t] = own;
  for (int delta = 1; delta < 1024; delta *= 2) {
    __syncthreads();
    unsigned v = t >= delta ? s[t - delta] : 0;
    __syncthreads();
    s[t] += v;
  }
  counts[blockIdx.x * 1024 + t] = s[t] - own;
  if (t == 1023 && sums) sums[blockIdx.x] = s[t];
}

__global__ void addSums(unsigned *counts, const unsigned *sums) {
  counts[blockIdx.x * 1024 + threadIdx.x] += sums[blockIdx.x];
}

// A key's place among those of its digit in the block: a counter of each thread and digit, and their prefix sums.
__global__ void scatter(const unsigned *keys, unsigned *out, const unsigned *counts, int shift) {
  __shared__ unsigned s[digits * threads], sums[threads];
  int t = threadIdx.x;
  unsigned key = keys[blockIdx.x * threads + t], digit = key >> shift & 15;
  for (int i = 0; i < digits; ++i) s[i * threads + t] = i == digit;
  __syncthreads();
  unsigned sum = 0;
  for (int i = 0; i < digits; ++i) {
    unsigned v = s[t * digits + i];
    s[t * digits + i] = sum;
    sum += v;
  }
  sums[t] = sum;
  for (int delta = 1; delta < threads; delta *= 2) {
    __syncthreads();
    unsigned v = t >= delta ? sums[t - delta] : 0;
    __syncthreads();
    sums[t] += v;
  }
  __syncthreads();
  int own = digit * threads + t, first = digit * threads;
  unsigned before = s[own] + (own >= digits ? sums[own / digits - 1] : 0);
  unsigned start = first > 0 ? sums[first / digits - 1] : 0;
  out[counts[digit * gridDim.x + blockIdx.x] + before - start] = key;
}

BENCH_CASE(radixSort) {
  const RadixSort input;
  const int n = RadixSort::n, blocks = n / threads, groups = digits * blocks / 1024;
  bench::Buffer<unsigned> keys(input.keys), a(n), b(n), counts(digits * blocks), sums(1024);
  run.time([&] {
    a.assign(keys);
    unsigned *from = a, *to = b;
    for (int shift = 0; shift < 32; shift += 4) {
      countDigits<<<blocks, threads>>>(from, counts, shift);
      scanCounts<<<groups, 1024>>>(counts, sums);
      scanCounts<<<1, 1024>>>(sums, nullptr);
      addSums<<<groups, 1024>>>(counts, sums);
      scatter<<<blocks, threads>>>(from, to, counts, shift);
      unsigned *sorted = to;
      to = from;
      from = sorted;
    }
    bench::finish();
  });
  run.result(a.host());
}
