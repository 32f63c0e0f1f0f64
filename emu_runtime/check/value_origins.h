// Where values come from that were never written.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_VALUE_ORIGINS_H
#define HOSTWARP_EMU_RUNTIME_CHECK_VALUE_ORIGINS_H

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "fibers/mutex.h"

namespace hostwarp::check {

// ValueOrigins numbers them, for code that hands the numbers on beside the values. Numbers are never given twice.
// Thread-safe.
class ValueOrigins {
 public:
  // Of each, one is known: a local variable's name, or where an allocation begins. Neither: shared memory.
  struct Place {
    const char *variable = nullptr;
    uintptr_t memory = 0;
  };
  static constexpr uint32_t unknown = 0, sharedMemory = 1;

  static ValueOrigins &process();

  // ofVariable(): the name is a constant of the code, and lives as long as that.
  uint32_t ofVariable(const char *name);
  uint32_t ofMemory(uintptr_t start);
  Place find(uint32_t origin) const;

 private:
  uint32_t add(const Place &place) HOSTWARP_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::vector<Place> places_ HOSTWARP_GUARDED_BY(mutex_) = std::vector<Place>(2);
  std::unordered_map<const char *, uint32_t> variables_ HOSTWARP_GUARDED_BY(mutex_);
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_VALUE_ORIGINS_H
