// The host side of the launches, the same for CUDA, HIP-CPU and OpenCL.
#include "launches.h"

BENCH_CASE(waitedLaunches) {
  bench::Buffer<int> count(1);
  run.time([&] {
    count.clear();
    for (int i = 0; i < waitedLaunches; ++i) {
      BENCH_LAUNCH(increment, dim3(1), dim3(32), count);
      bench::finish();
    }
  });
  run.result(count.host());
}

BENCH_CASE(queuedLaunches) {
  bench::Buffer<int> count(1);
  run.time([&] {
    count.clear();
    for (int i = 0; i < queuedLaunches; ++i) BENCH_LAUNCH(increment, dim3(1), dim3(32), count);
    bench::finish();
  });
  run.result(count.host());
}

BENCH_CASE(emptyBlocks) {
  bench::Buffer<int> out(1);
  run.time([&] {
    BENCH_LAUNCH(emptyBlocks, dim3(EmptyBlocks::blocks), dim3(EmptyBlocks::threads), out, EmptyBlocks::threads);
    bench::finish();
  });
  run.result(out.host());
}

BENCH_CASE(barriers) {
  bench::Buffer<int> out(size_t(Barriers::blocks) * Barriers::threads);
  run.time([&] {
    BENCH_LAUNCH(barriers, dim3(Barriers::blocks), dim3(Barriers::threads), out, Barriers::rounds);
    bench::finish();
  });
  run.result(out.host());
}
