// How much a run proves: of which launches every other schedule would have given the same.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_VERDICTS_H
#define HOSTWARP_EMU_RUNTIME_CHECK_VERDICTS_H

#include <cstdint>
#include <map>
#include <string>

#include "emu_runtime/support/findings_file.h"
#include "fibers/mutex.h"

namespace hostwarp::check {

// Unsettled is why a launch says nothing of other schedules. Without races, each read has one write that it can see, so
// that any order of the threads gives the same, unless the program looks at the order itself.
enum class Unsettled : uint8_t {
#define HOSTWARP_UNSETTLED(name, sentence) name,
#include "emu_runtime/check/verdicts.def"
#undef HOSTWARP_UNSETTLED
};

// Verdicts collects them by kernel, and prints them at exit. Thread-safe.
class Verdicts {
 public:
  static Verdicts &process();

  // add() takes the bits of what was seen in a launch: 1 << Unsettled.
  void add(const std::string &kernel, uint32_t unsettled);
  // unsettle() says it of a launch that was added before.
  void unsettle(const std::string &kernel, Unsettled why);
  void print();

 private:
  struct Kernel {
    uint64_t launches = 0, settled = 0;
    uint32_t unsettled = 0;
  };

  void noteVerdicts(const LaunchesNote &launches) HOSTWARP_REQUIRES(mutex_);

  Mutex mutex_;
  // By name: which of two kernels ends first differs from run to run.
  std::map<std::string, Kernel> kernels_ HOSTWARP_GUARDED_BY(mutex_);
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_VERDICTS_H
