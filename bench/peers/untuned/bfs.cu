// Breadth-first search, level by level: a thread a vertex, those of the current level look at their neighbours.
#include "bfs.h"

#include "../harness/cuda.h"

__global__ void expand(const int *begins, const int *neighbours, int *levels, int level, int n, int *changed) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || levels[v] != level) return;
  for (int i = begins[v]; i < begins[v + 1]; ++i) {
    int u = neighbours[i];
    if (levels[u] < 0) {
      levels[u] = level + 1;
      *changed = 1;
    }
  }
}

BENCH_CASE(bfs) {
  const Graph input;
  const int n = Graph::n;
  std::vector<int> start(n, -1);
  start[0] = 0;
  bench::Buffer<int> begins(input.begins), neighbours(input.neighbours), levels(n), changed(1);
  run.time([&] {
    levels.assign(start);
    int level = 0;
    do {
      changed.clear();
      expand<<<n / 256, 256>>>(begins, neighbours, levels, level++, n, changed);
    } while (changed.host()[0]);
    bench::finish();
  });
  run.result(levels.host());
}
