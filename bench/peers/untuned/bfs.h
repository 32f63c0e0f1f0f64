// A graph with random edges in compressed rows.
#ifndef HOSTWARP_BENCH_BFS_H
#define HOSTWARP_BENCH_BFS_H

#include "../harness/inputs.h"

struct Graph {
  static constexpr int n = 1 << 19;
  // Vertices have 1 to 15 neighbours.
  Graph() {
    for (uint32_t v = 0; v < n; ++v) {
      const uint32_t count = 1 + bench::hash(v + 32) % 15;
      for (uint32_t i = 0; i < count; ++i) neighbours.push_back(int(bench::hash(v * 16 + i) % n));
      begins.push_back(int(neighbours.size()));
    }
  }
  std::vector<int> begins = {0}, neighbours;
};

#endif  // HOSTWARP_BENCH_BFS_H
