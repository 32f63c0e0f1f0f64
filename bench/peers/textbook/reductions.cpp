// The reductions as C++ for the processor: each core has a part, in several independent sums or tables.
#include "reductions.h"

#include <algorithm>
#include <thread>

#include "../harness/native.h"

using bench::Floats;
using bench::load;
using bench::Memory;

constexpr int piece = 1 << 16;

static float sumOfPiece(const float *from) {
  Floats sums[4] = {};
  for (int i = 0; i < piece; i += 64)
    for (int k = 0; k < 4; ++k) sums[k] += load(from + i + 16 * k);
  return bench::sumOf((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

static void reduceCase(bench::Run &run) {
  const Reduce input;
  const Memory<float> in(input.in);
  float sum = 0;
  run.time([&] {
    double all = 0;
#pragma omp parallel for reduction(+ : all) schedule(static)
    for (int i = 0; i < Reduce::n; i += piece) all += sumOfPiece(&in[size_t(i)]);
    sum = float(all);
  });
  run.result(&sum, 1, Reduce::accept);
}
BENCH_CASE(reduceShared) { reduceCase(run); }
BENCH_CASE(reduceShuffle) { reduceCase(run); }

// A part for each core: the sums of all but the last, then the prefix sums of each from the sum of those before.
static void scanParts(const int *from, int *to, int parts) {
  std::vector<int> sums(size_t(parts), 0);
  const auto first = [=](int part) { return int(int64_t(Scan::n) * part / parts); };
#pragma omp parallel for schedule(static)
  for (int part = 0; part < parts - 1; ++part) {
    int sum = 0;
    const int end = first(part + 1);
    for (int i = first(part); i < end; ++i) sum += from[i];
    sums[size_t(part)] = sum;
  }
#pragma omp parallel for schedule(static)
  for (int part = 0; part < parts; ++part) {
    int sum = 0;
    for (int before = 0; before < part; ++before) sum += sums[size_t(before)];
    const int end = first(part + 1);
    for (int i = first(part); i < end; ++i) to[i] = sum += from[i];
  }
}

BENCH_CASE(scan) {
  const Scan input;
  const Memory<int> in(input.in);
  Memory<int> out(Scan::n);
  const int cores = int(std::max(1U, std::thread::hardware_concurrency()));
  run.time([&] { scanParts(in.data(), out.data(), cores); });
  run.result(out.data(), out.size());
}

static void softmaxOfRow(const float *from, float *to) {
  float most = from[0], sum = 0;
#pragma omp simd reduction(max : most)
  for (int i = 0; i < Softmax::columns; ++i) most = std::max(most, from[i]);
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < Softmax::columns; ++i) {
    to[i] = expf(from[i] - most);
    sum += to[i];
  }
  const float inverse = 1 / sum;
#pragma omp simd
  for (int i = 0; i < Softmax::columns; ++i) to[i] *= inverse;
}

BENCH_CASE(softmax) {
  const Softmax input;
  const Memory<float> in(input.in);
  Memory<float> out(input.in.size());
  run.time([&] {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < Softmax::rows; ++row) {
      const size_t first = size_t(row) * Softmax::columns;
      softmaxOfRow(&in[first], &out[first]);
    }
  });
  run.result(out.data(), out.size(), Softmax::accept);
}

// Eight tables, since a counter that was just written cannot be read at once.
static void countPart(const uint8_t *from, size_t count, uint32_t *bins) {
  uint32_t tables[8][Histogram::bins] = {};
  for (size_t i = 0; i < count; i += 8) {
    uint64_t word;
    std::memcpy(&word, from + i, 8);
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) ++tables[k][word >> (8 * k) & 255];
  }
  for (int bin = 0; bin < Histogram::bins; ++bin)
    for (auto &table : tables) bins[bin] += table[bin];
}

BENCH_CASE(histogram) {
  const Histogram input;
  const Memory<uint8_t> in(input.in);
  std::vector<uint32_t> bins(Histogram::bins);
  run.time([&] {
    std::fill(bins.begin(), bins.end(), 0);
#pragma omp parallel
    {
      uint32_t own[Histogram::bins] = {};
#pragma omp for schedule(static) nowait
      for (int i = 0; i < Histogram::n; i += piece) countPart(&in[size_t(i)], piece, own);
#pragma omp critical
      for (int bin = 0; bin < Histogram::bins; ++bin) bins[size_t(bin)] += own[bin];
    }
  });
  run.result(bins);
}
