// What comes closest in plain C++: a parallel loop for a launch, loops over an array for the threads of a block.
#include "launches.h"

#include "../harness/native.h"

static void launches(bench::Run &run, int number) {
  int count = 0;
  run.time([&] {
    count = 0;
    for (int i = 0; i < number; ++i) {
#pragma omp parallel for schedule(static) reduction(+ : count)
      for (int thread = 0; thread < 32; ++thread) count += thread == 0;
    }
  });
  run.result(&count, 1);
}
BENCH_CASE(waitedLaunches) { launches(run, waitedLaunches); }
BENCH_CASE(queuedLaunches) { launches(run, queuedLaunches); }

BENCH_CASE(emptyBlocks) {
  const int out = 0;
  run.time([&] {
#pragma omp parallel for schedule(static)
    for (int block = 0; block < EmptyBlocks::blocks; ++block) asm volatile("" ::: "memory");
  });
  run.result(&out, 1);
}

static void exchangeInBlock(int *s) {
  constexpr int threads = Barriers::threads;
  for (int t = 0; t < threads; ++t) s[t] = t;
  for (int round = 0; round < Barriers::rounds; ++round) {
    const int first = s[0];
    for (int t = 0; t < threads - 1; ++t) s[t] = s[t + 1] + 1;
    s[threads - 1] = first + 1;
  }
}

BENCH_CASE(barriers) {
  bench::Memory<int> out(size_t(Barriers::blocks) * Barriers::threads);
  run.time([&] {
#pragma omp parallel for schedule(static)
    for (size_t block = 0; block < Barriers::blocks; ++block) exchangeInBlock(&out[block * Barriers::threads]);
  });
  run.result(out.data(), out.size());
}
