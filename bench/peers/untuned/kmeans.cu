// Each point gets its nearest centre; sums by atomics in shared, then in global memory give the next centres.
#include "kmeans.h"

#include "../harness/cuda.h"

constexpr int dimensions = 8, clusters = 16;

__global__ void assign(const float *points, const float *centres, int *labels, int n) {
  __shared__ float s[clusters * dimensions];
  if (threadIdx.x < clusters * dimensions) s[threadIdx.x] = centres[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float best = 1e30f;
  int nearest = 0;
  for (int c = 0; c < clusters; ++c) {
    float distance = 0.0f;
    for (int d = 0; d < dimensions; ++d) {
      float difference = points[d * n + i] - s[c * dimensions + d];
      distance += difference * difference;
    }
    if (distance < best) {
      best = distance;
      nearest = c;
    }
  }
  labels[i] = nearest;
}

__global__ void accumulate(const float *points, const int *labels, float *sums, int *counts, int n) {
  __shared__ float s[clusters * dimensions];
  __shared__ int count[clusters];
  if (threadIdx.x < clusters * dimensions) s[threadIdx.x] = 0.0f;
  if (threadIdx.x < clusters) count[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int label = labels[i];
    for (int d = 0; d < dimensions; ++d) atomicAdd(&s[label * dimensions + d], points[d * n + i]);
    atomicAdd(&count[label], 1);
  }
  __syncthreads();
  if (threadIdx.x < clusters * dimensions) atomicAdd(&sums[threadIdx.x], s[threadIdx.x]);
  if (threadIdx.x < clusters) atomicAdd(&counts[threadIdx.x], count[threadIdx.x]);
}

__global__ void divide(float *centres, const float *sums, const int *counts) {
  int count = counts[threadIdx.x / dimensions];
  if (count > 0) centres[threadIdx.x] = sums[threadIdx.x] / count;
}

BENCH_CASE(kmeans) {
  const Kmeans input;
  const int n = Kmeans::n, blocks = 64;
  bench::Buffer<float> points(input.points), centres(input.centres), sums(input.centres.size());
  bench::Buffer<int> labels(n), counts(clusters);
  run.time([&] {
    centres.assign(input.centres);
    for (int i = 0; i < Kmeans::iterations; ++i) {
      sums.clear();
      counts.clear();
      assign<<<n / 256, 256>>>(points, centres, labels, n);
      accumulate<<<blocks, 256>>>(points, labels, sums, counts, n);
      divide<<<1, clusters * dimensions>>>(centres, sums, counts);
    }
    bench::finish();
  });
  run.result(centres.host(), Kmeans::accept);
}
