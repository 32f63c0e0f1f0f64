// Numbers of launches and blocks: all forms include this.
#ifndef HOSTWARP_BENCH_LAUNCHES_H
#define HOSTWARP_BENCH_LAUNCHES_H

#include "../harness/inputs.h"

constexpr int waitedLaunches = 200, queuedLaunches = 1000;

struct EmptyBlocks {
  static constexpr int blocks = 1 << 16, threads = 256;
};

struct Barriers {
  static constexpr int blocks = 512, threads = 256, rounds = 50;
};

#endif  // HOSTWARP_BENCH_LAUNCHES_H
