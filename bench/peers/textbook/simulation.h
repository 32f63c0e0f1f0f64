// Sizes and inputs of the bodies and of the options: all forms include this.
#ifndef HOSTWARP_BENCH_SIMULATION_H
#define HOSTWARP_BENCH_SIMULATION_H

#include "../harness/inputs.h"

// Four numbers a body: where it is, and its mass.
struct Bodies {
  static constexpr int n = 8192;
  static constexpr bench::Accept accept{2e-3};
  Bodies() {
    for (uint32_t i = 0; i < n; ++i)
      for (uint32_t k = 0; k < 4; ++k) {
        const float at = bench::unit(i, 15 + k);
        bodies[4 * i + k] = k < 3 ? 2 * at - 1 : at + 0.5f;
      }
  }
  std::vector<float> bodies = std::vector<float>(4 * n);
};

struct Options {
  static constexpr int n = 8 << 20;
  static constexpr bench::Accept accept{1e-4};
  std::vector<float> price = bench::uniform(n, 20, 5, 30), strike = bench::uniform(n, 21, 1, 100);
  std::vector<float> years = bench::uniform(n, 22, 0.25f, 10);
};

#endif  // HOSTWARP_BENCH_SIMULATION_H
