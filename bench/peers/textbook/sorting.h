// Size and keys of the sort: all forms include this.
#ifndef HOSTWARP_BENCH_SORTING_H
#define HOSTWARP_BENCH_SORTING_H

#include "../harness/inputs.h"

struct Sort {
  static constexpr int n = 1 << 20;
  std::vector<uint32_t> keys = bench::integers<uint32_t>(n, 10, 0xffffffff);
};

#endif  // HOSTWARP_BENCH_SORTING_H
