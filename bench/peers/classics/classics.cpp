// The classics, as one would write them for a CPU.
#include "classics.h"

#include <algorithm>

#include "../harness/native.h"

BENCH_CASE(treeScan) {
  const TreeScan input;
  const bench::Memory<int> in(input.in);
  bench::Memory<int> out(input.in.size());
  run.time([&] {
#pragma omp parallel for schedule(static)
    for (size_t row = 0; row < TreeScan::rows; ++row) {
      const int *from = &in[row * TreeScan::width];
      int *to = &out[row * TreeScan::width];
      int sum = 0;
      for (int i = 0; i < TreeScan::width; ++i) {
        to[i] = sum;
        sum += from[i];
      }
    }
  });
  run.result(out.data(), out.size());
}

// The order is kept within a piece, and pieces are put down as they come.
BENCH_CASE(compaction) {
  const Compaction input;
  const bench::Memory<int> in(input.in);
  bench::Memory<int> out(input.in.size());
  int count = 0;
  run.time([&] {
    constexpr int piece = 1 << 14;
    count = 0;
#pragma omp parallel for schedule(static)
    for (int begin = 0; begin < Compaction::n; begin += piece) {
      int kept[piece], some = 0, first = 0;
      for (int i = 0; i < piece; ++i) {
        kept[some] = in[size_t(begin) + i];
        some += kept[some] % 3 == 0;
      }
#pragma omp atomic capture
      {
        first = count;
        count += some;
      }
      std::copy(kept, kept + some, &out[first]);
    }
  });
  run.result(&count, 1);
}

BENCH_CASE(layerNorm) {
  const LayerNorm input;
  const bench::Memory<float> in(input.in), scale(input.scale), shift(input.shift);
  bench::Memory<float> out(input.in.size());
  run.time([&] {
#pragma omp parallel for schedule(static)
    for (size_t row = 0; row < LayerNorm::rows; ++row) {
      const float *from = &in[row * LayerNorm::width];
      float *to = &out[row * LayerNorm::width];
      float sum = 0, square = 0;
#pragma omp simd reduction(+ : sum, square)
      for (int i = 0; i < LayerNorm::width; ++i) {
        sum += from[i];
        square += from[i] * from[i];
      }
      const float mean = sum / LayerNorm::width;
      const float inverse = 1 / std::sqrt(square / LayerNorm::width - mean * mean + 1e-5f);
      for (int i = 0; i < LayerNorm::width; ++i) to[i] = (from[i] - mean) * inverse * scale[i] + shift[i];
    }
  });
  run.result(out.data(), out.size(), LayerNorm::accept);
}

BENCH_CASE(pathFinder) {
  const PathFinder input;
  const bench::Memory<int> wall(input.wall);
  bench::Memory<int> a(PathFinder::columns), b(PathFinder::columns);
  int *from = nullptr, *to = nullptr;
  run.time([&] {
    from = a.data(), to = b.data();
    std::fill(from, from + PathFinder::columns, 0);
    for (int row = 0; row < PathFinder::rows; ++row) {
      const int *costs = &wall[size_t(row) * PathFinder::columns];
#pragma omp parallel for simd schedule(static)
      for (int x = 1; x < PathFinder::columns - 1; ++x)
        to[x] = std::min(from[x], std::min(from[x - 1], from[x + 1])) + costs[x];
      constexpr int last = PathFinder::columns - 1;
      to[0] = std::min(from[0], from[1]) + costs[0];
      to[last] = std::min(from[last], from[last - 1]) + costs[last];
      std::swap(from, to);
    }
  });
  run.result(from, PathFinder::columns);
}

BENCH_CASE(gray) {
  const Gray input;
  const bench::Memory<uint8_t> in(input.in);
  bench::Memory<uint8_t> out(Gray::n);
  run.time([&] {
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < Gray::n; ++i)
      out[i] = static_cast<uint8_t>(
          (77 * in[size_t(3) * i] + 150 * in[size_t(3) * i + 1] + 29 * in[size_t(3) * i + 2]) >> 8);
  });
  run.result(out.data(), out.size());
}

BENCH_CASE(haar) {
  const Haar input;
  const bench::Memory<float> in(input.in);
  bench::Memory<float> out(input.in.size());
  run.time([&] {
#pragma omp parallel for schedule(static)
    for (size_t row = 0; row < Haar::rows; ++row) {
      constexpr float half = 0.70710678f;
      float values[Haar::width], sums[Haar::width / 2];
      std::copy(&in[row * Haar::width], &in[row * Haar::width] + Haar::width, values);
      float *to = &out[row * Haar::width];
      for (int n = Haar::width / 2; n > 0; n /= 2) {
        for (int t = 0; t < n; ++t) {
          sums[t] = (values[2 * t] + values[2 * t + 1]) * half;
          to[n + t] = (values[2 * t] - values[2 * t + 1]) * half;
        }
        std::copy(sums, sums + n, values);
      }
      to[0] = values[0];
    }
  });
  run.result(out.data(), out.size(), Haar::accept);
}
