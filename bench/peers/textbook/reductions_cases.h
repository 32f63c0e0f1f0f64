// The host side of the reductions, the same for CUDA, HIP-CPU and OpenCL.
#include <utility>

#include "reductions.h"

BENCH_CASE(reduceShared) {
  const Reduce input;
  bench::Buffer<float> in(input.in), sums(Reduce::n / 512), sumsOfSums(Reduce::n / 512);
  std::vector<float> sum;
  run.time([&] {
    BENCH_LAUNCH(reduceShared, dim3(Reduce::n / 512), dim3(256), in, sums, Reduce::n);
    bench::Buffer<float> *from = &sums, *to = &sumsOfSums;
    for (int left = Reduce::n / 512; left > 1; left = (left + 511) / 512, std::swap(from, to))
      BENCH_LAUNCH(reduceShared, dim3((left + 511) / 512), dim3(256), *from, *to, left);
    sum = from->host(1);
  });
  run.result(sum, Reduce::accept);
}

BENCH_CASE(reduceShuffle) {
  const Reduce input;
  const int blocks = 1024;
  bench::Buffer<float> in(input.in), sums(blocks), all(1);
  std::vector<float> sum;
  run.time([&] {
    BENCH_LAUNCH(reduceShuffle, dim3(blocks), dim3(256), in, sums, Reduce::n);
    BENCH_LAUNCH(reduceShuffle, dim3(1), dim3(256), sums, all, blocks);
    sum = all.host(1);
  });
  run.result(sum, Reduce::accept);
}

// scanLevels() scans the first level in blocks, the blocks' sums likewise, and adds these.
static void scanLevels(const bench::Buffer<int> &in, const bench::Buffer<int> &out,
                       const std::vector<bench::Buffer<int> *> &sums, size_t level, int n) {
  const int blocks = (n + 1023) / 1024;
  const bench::Buffer<int> &own = *sums[level];
  BENCH_LAUNCH(scanBlock, dim3(blocks), dim3(1024), in, out, own, n);
  if (blocks == 1) return;
  scanLevels(own, own, sums, level + 1, blocks);
  BENCH_LAUNCH(scanAdd, dim3(blocks), dim3(1024), out, own, n);
}

BENCH_CASE(scan) {
  const Scan input;
  bench::Buffer<int> in(input.in), out(Scan::n), blocks(Scan::n / 1024), more(Scan::n >> 20), last(1);
  run.time([&] {
    scanLevels(in, out, {&blocks, &more, &last}, 0, Scan::n);
    bench::finish();
  });
  run.result(out.host());
}

BENCH_CASE(softmax) {
  const Softmax input;
  bench::Buffer<float> in(input.in), out(input.in.size());
  run.time([&] {
    BENCH_LAUNCH(softmax, dim3(Softmax::rows), dim3(256), in, out, Softmax::columns);
    bench::finish();
  });
  run.result(out.host(), Softmax::accept);
}

BENCH_CASE(histogram) {
  const Histogram input;
  bench::Buffer<unsigned char> in(input.in);
  bench::Buffer<unsigned> bins(Histogram::bins);
  run.time([&] {
    bins.clear();
    BENCH_LAUNCH(histogram, dim3(512), dim3(256), in, bins, Histogram::n);
    bench::finish();
  });
  run.result(bins.host());
}
