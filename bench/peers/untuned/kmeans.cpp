// Pieces of points that stay in the first cache: labels of a piece, then its sums centre by centre, without branches.
#include "kmeans.h"

#include "../harness/native.h"

constexpr int n = Kmeans::n, dimensions = Kmeans::dimensions, clusters = Kmeans::clusters, piece = 512;

struct Sums {
  float sum[clusters * dimensions] = {};
  int count[clusters] = {};
};

static void label(const float *points, const float *centres, int *labels) {
  float best[piece];
  for (int i = 0; i < piece; ++i) best[i] = 1e30f, labels[i] = 0;
  for (int c = 0; c < clusters; ++c)
    for (int i = 0; i < piece; ++i) {
      float distance = 0;
#pragma GCC unroll 8
      for (int d = 0; d < dimensions; ++d) {
        const float difference = points[d * n + i] - centres[c * dimensions + d];
        distance += difference * difference;
      }
      labels[i] = distance < best[i] ? c : labels[i];
      best[i] = distance < best[i] ? distance : best[i];
    }
}

static void accumulate(const float *points, const int *labels, Sums &sums) {
  for (int c = 0; c < clusters; ++c) {
    float own[dimensions] = {};
    int count = 0;
    for (int i = 0; i < piece; ++i) {
      const bool here = labels[i] == c;
      count += here;
#pragma GCC unroll 8
      for (int d = 0; d < dimensions; ++d) own[d] += here ? points[d * n + i] : 0;
    }
    for (int d = 0; d < dimensions; ++d) sums.sum[c * dimensions + d] += own[d];
    sums.count[c] += count;
  }
}

static void iterate(const float *points, std::vector<float> &centres) {
  Sums all;
#pragma omp parallel
  {
    Sums own;
#pragma omp for schedule(static) nowait
    for (int first = 0; first < n; first += piece) {
      int labels[piece];
      label(points + first, centres.data(), labels);
      accumulate(points + first, labels, own);
    }
#pragma omp critical
    for (int i = 0; i < clusters * dimensions; ++i) {
      all.sum[i] += own.sum[i];
      if (i < clusters) all.count[i] += own.count[i];
    }
  }
  for (int i = 0; i < clusters * dimensions; ++i)
    if (all.count[i / dimensions] > 0) centres[size_t(i)] = all.sum[i] / float(all.count[i / dimensions]);
}

BENCH_CASE(kmeans) {
  const Kmeans input;
  const bench::Memory<float> points(input.points);
  std::vector<float> centres;
  run.time([&] {
    centres = input.centres;
    for (int i = 0; i < Kmeans::iterations; ++i) iterate(points.data(), centres);
  });
  run.result(centres, Kmeans::accept);
}
