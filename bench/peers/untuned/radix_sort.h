// Keys for the sort by digits.
#ifndef HOSTWARP_BENCH_RADIX_SORT_H
#define HOSTWARP_BENCH_RADIX_SORT_H

#include "../harness/inputs.h"

struct RadixSort {
  static constexpr int n = 1 << 20;
  std::vector<uint32_t> keys = bench::integers<uint32_t>(n, 44, 0xffffffff);
};

#endif  // HOSTWARP_BENCH_RADIX_SORT_H
