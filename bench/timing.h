// Timing shared by the benchmark programs: the median of several runs after a warm-up, printed as `name value unit`.
#ifndef HOSTWARP_BENCH_TIMING_H
#define HOSTWARP_BENCH_TIMING_H

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace bench {

// seconds() is the median wall time of one call of `work`, which must be complete when it returns.
template <class Work>
double seconds(Work work, int runs = 5) {
  work();
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

inline void report(const char *name, double value, const char *unit) { std::printf("%s %.6g %s\n", name, value, unit); }

}  // namespace bench

#endif  // HOSTWARP_BENCH_TIMING_H
