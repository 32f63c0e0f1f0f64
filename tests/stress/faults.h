// The parts of `faults`: each breaks something again and again and checks that the rest goes on.
#ifndef HOSTWARP_TESTS_STRESS_FAULTS_H
#define HOSTWARP_TESTS_STRESS_FAULTS_H

#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdio>

namespace hostwarp::stress {

// FaultOptions is the command line. `isChild` is for processes that a part starts.
struct FaultOptions {
  uint64_t seed = 1;
  int rounds = 20;
  bool isChild = false;
};

// Each part returns whether all was as it should be, and says on stdout what was not.
bool deviceMemoryFaults(const FaultOptions &options);  // memory of devices runs out
bool hostMemoryFaults(const FaultOptions &options);    // each allocation of a call fails once
bool kernelFaults(const FaultOptions &options);        // a kernel faults while other streams are busy
bool exitFaults(const FaultOptions &options);          // processes end at any moment
bool forkFaults(const FaultOptions &options);          // busy processes fork at any moment

// expected() tells whether a condition holds, and says where it does not.
inline bool expected(bool holds, const char *what, const char *file, int line) {
  if (!holds) std::printf("%s:%d: not so: %s\n", file, line, what);
  return holds;
}
#define HOSTWARP_EXPECTED(condition) ::hostwarp::stress::expected((condition), #condition, __FILE__, __LINE__)
#define HOSTWARP_WORKS(call) HOSTWARP_EXPECTED((call) == cudaSuccess)

// worksStill() runs a kernel and copies on the current device and tells whether the result is right.
bool worksStill();

}  // namespace hostwarp::stress

#endif  // HOSTWARP_TESTS_STRESS_FAULTS_H
