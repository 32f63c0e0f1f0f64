// The functions of both APIs, from the tables that make the libraries' entry points.
#ifndef HOSTWARP_TESTS_STRESS_FUZZ_ENTRIES_H
#define HOSTWARP_TESTS_STRESS_FUZZ_ENTRIES_H

#include <string_view>
#include <vector>

#include "tests/stress/fuzz/pools.h"

namespace hostwarp::stress {

// Entry is one exported function. run() calls it once with drawn arguments, and notes in the pools what it gave out.
// Returns whether it succeeded.
struct Entry {
  std::string_view name;
  std::string_view parameters;  // as in the table, with parentheses
  bool (*run)(const Entry &entry, Random &random, Pools &pools);
};

// addRuntimeEntries() and addDriverEntries() append the functions of libcudart and libcuda, with their variants for the
// per-thread default stream.
void addRuntimeEntries(std::vector<Entry> &entries);
void addDriverEntries(std::vector<Entry> &entries);

}  // namespace hostwarp::stress

#endif  // HOSTWARP_TESTS_STRESS_FUZZ_ENTRIES_H
