// The work of copies.cu by memset and memcpy, each core with one part of the memory.
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "bench/timing.h"

constexpr size_t bytes = size_t{1} << 30;

// onAllCores() calls part(offset, bytes) on each core.
template <class Part>
static double onAllCores(Part part) {
  const size_t cores = std::max(1U, std::thread::hardware_concurrency());
  return bench::seconds([&] {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < cores; ++i) {
      const size_t from = bytes * i / cores, to = bytes * (i + 1) / cores;
      threads.emplace_back([&part, from, to] { part(from, to - from); });
    }
  });
}

int main() {
  const std::unique_ptr<char[]> a(new char[bytes]), b(new char[bytes]);
  const double fill = onAllCores([&](size_t offset, size_t count) { std::memset(&a[offset], 7, count); });
  bench::report("fill_1G", fill * 1e3, "ms");
  const double copy = onAllCores([&](size_t offset, size_t count) { std::memcpy(&b[offset], &a[offset], count); });
  bench::report("copy_1G", copy * 1e3, "ms");
  return b[bytes - 1] == 7 ? 0 : 1;
}
