// A sort by digits of eight bits, least first; parts of the keys have their own counts and places.
#include "radix_sort.h"

#include "../harness/native.h"

constexpr int n = RadixSort::n, digits = 256, parts = 4, length = n / parts;
using Counts = uint32_t[parts][digits];

// Counts become the first place of each part's keys of a digit.
static void toPlaces(Counts &counts) {
  uint32_t sum = 0;
  for (int digit = 0; digit < digits; ++digit)
    for (auto &part : counts) {
      const uint32_t count = part[digit];
      part[digit] = sum;
      sum += count;
    }
}

static void pass(const uint32_t *from, uint32_t *to, int shift) {
  Counts counts = {};
#pragma omp parallel for schedule(static)
  for (int part = 0; part < parts; ++part)
    for (int i = part * length; i < (part + 1) * length; ++i) ++counts[part][from[i] >> shift & 255];
  toPlaces(counts);
#pragma omp parallel for schedule(static)
  for (int part = 0; part < parts; ++part)
    for (int i = part * length; i < (part + 1) * length; ++i) {
      const uint32_t key = from[i];
      to[counts[part][key >> shift & 255]++] = key;
    }
}

BENCH_CASE(radixSort) {
  const RadixSort input;
  const bench::Memory<uint32_t> keys(input.keys);
  bench::Memory<uint32_t> a(n), b(n);
  run.time([&] {
    pass(keys.data(), b.data(), 0);
    pass(b.data(), a.data(), 8);
    pass(a.data(), b.data(), 16);
    pass(b.data(), a.data(), 24);
  });
  run.result(a.data(), a.size());
}
