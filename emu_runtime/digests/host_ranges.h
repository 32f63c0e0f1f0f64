// HostRanges: where the host's own code and data lie.
#ifndef HOSTWARP_EMU_RUNTIME_DIGESTS_HOST_RANGES_H
#define HOSTWARP_EMU_RUNTIME_DIGESTS_HOST_RANGES_H

#include <cstdint>
#include <vector>

namespace hostwarp::digests {

// HostRanges is what of the process's address space could be read when it was made, but for the emulated devices'.
class HostRanges {
 public:
  HostRanges();
  bool contain(uintptr_t address) const;

 private:
  struct Range {
    uintptr_t begin, end;
  };
  std::vector<Range> ranges_;  // by address
};

}  // namespace hostwarp::digests

#endif  // HOSTWARP_EMU_RUNTIME_DIGESTS_HOST_RANGES_H
