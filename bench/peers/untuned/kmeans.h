// Points of eight coordinates around sixteen centres; coordinates of one kind lie together.
#ifndef HOSTWARP_BENCH_KMEANS_H
#define HOSTWARP_BENCH_KMEANS_H

#include "../harness/inputs.h"

struct Kmeans {
  static constexpr int n = 1 << 20, dimensions = 8, clusters = 16, iterations = 2;
  static constexpr bench::Accept accept{1e-3};
  Kmeans() {
    for (int d = 0; d < dimensions; ++d)
      for (int i = 0; i < n; ++i) {
        const size_t at = size_t(d) * n + size_t(i);
        points[at] += float(bench::hash(uint32_t(i) % clusters * dimensions + uint32_t(d)) % 16);
      }
    for (int c = 0; c < clusters; ++c)
      for (int d = 0; d < dimensions; ++d) centres.push_back(points[size_t(d) * n + size_t(c)]);
  }
  std::vector<float> points = bench::uniform(size_t(n) * dimensions, 31, -2, 2), centres;
};

#endif  // HOSTWARP_BENCH_KMEANS_H
