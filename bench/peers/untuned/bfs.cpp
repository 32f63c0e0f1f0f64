// Breadth-first search, level by level, with levels of a byte, which stay in the second cache.
#include "bfs.h"

#include <algorithm>

#include "../harness/native.h"

constexpr uint8_t unseen = 0xff;

static uint8_t levelOf(const uint8_t *levels, size_t v) { return __atomic_load_n(&levels[v], __ATOMIC_RELAXED); }

// Vertices that two cores find at once get the same level from both.
static bool expand(const int *begins, const int *neighbours, uint8_t *levels, uint8_t level) {
  bool changed = false;
#pragma omp parallel for schedule(dynamic, 4096) reduction(|| : changed)
  for (size_t v = 0; v < Graph::n; ++v) {
    if (levelOf(levels, v) != level) continue;
    for (int i = begins[v]; i < begins[v + 1]; ++i) {
      const size_t u = size_t(neighbours[i]);
      if (levelOf(levels, u) != unseen) continue;
      __atomic_store_n(&levels[u], uint8_t(level + 1), __ATOMIC_RELAXED);
      changed = true;
    }
  }
  return changed;
}

BENCH_CASE(bfs) {
  const Graph graph;
  const bench::Memory<int> begins(graph.begins), neighbours(graph.neighbours);
  bench::Memory<uint8_t> levels(Graph::n);
  bench::Memory<int> out(Graph::n);
  run.time([&] {
    std::fill_n(levels.data(), Graph::n, unseen);
    levels[0] = 0;
    for (uint8_t level = 0; expand(begins.data(), neighbours.data(), levels.data(), level);) ++level;
    for (size_t v = 0; v < Graph::n; ++v) out[v] = levels[v] == unseen ? -1 : levels[v];
  });
  run.result(out.data(), out.size());
}
