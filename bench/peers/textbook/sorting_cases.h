// The host side of the sort, the same for CUDA, HIP-CPU and OpenCL.
#include "sorting.h"

BENCH_CASE(bitonic) {
  const Sort input;
  const int n = Sort::n;
  bench::Buffer<uint32_t> keys(input.keys), work(n);
  run.time([&] {
    work.assign(keys);
    BENCH_LAUNCH(bitonicSort, dim3(n / 1024), dim3(512), work);
    for (int size = 2048; size <= n; size <<= 1) {
      for (int stride = size / 2; stride > 512; stride >>= 1)
        BENCH_LAUNCH(bitonicStep, dim3(n / 512), dim3(256), work, size, stride);
      BENCH_LAUNCH(bitonicMerge, dim3(n / 1024), dim3(512), work, size);
    }
    bench::finish();
  });
  run.result(work.host());
}
