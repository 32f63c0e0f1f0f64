// Accesses of memory by which threads synchronise: where a schedule may let another thread go on.
#ifndef HOSTWARP_FIBERS_SYNC_OPERATION_H
#define HOSTWARP_FIBERS_SYNC_OPERATION_H

#include <cstdint>

#include "include/hostwarp/check_abi.h"

namespace hostwarp::fibers {

// SyncOperation is an atomic or volatile access that a thread is about to make.
struct SyncOperation {
  uintptr_t address = 0;
  uint32_t bytes = 0;
  uint32_t traits = 0;   // hw_access_traits
  uint64_t operand = 0;  // what a compare-and-swap looks for
  bool isKnown = false;  // the memory is there and may be looked at

  bool writes() const { return (traits & HW_ACCESS_WRITES) != 0; }
};

// schedulingPoint() lets the schedule choose who goes on, if EngineOptions::schedule asks for that: the calling thread
// makes its access once this returns, and nobody comes between.
void schedulingPoint(const SyncOperation &operation);

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_SYNC_OPERATION_H
