// The fault of a CUDA thread, from the signal or the check that found it to its description.
#ifndef HOSTWARP_FIBERS_PENDING_FAULT_H
#define HOSTWARP_FIBERS_PENDING_FAULT_H

#include <cstdint>
#include <string>

#include "fibers/engine.h"

namespace hostwarp::fibers {

struct Fiber;

// PendingFault is what the thread that left its block with BlockStop::Faulted has to say.
struct PendingFault {
  Fault fault = Fault::None;
  std::string what;  // a sentence; empty: made from the signal. With `alignment` it is for debuggers
  uint64_t address = 0;
  bool addressKnown = true;
  uint32_t alignment = 0;      // that the address lacks, for MisalignedAddress
  const void *site = nullptr;  // instruction or return address
  bool siteIsReturn = false;
  const Fiber *fiber = nullptr;  // still holds its thread until the block is discarded
  std::string thread;            // its name where no fiber holds it any more
};

// textOf() and faultOfText() carry a fault from one process to another of the same layout. The fiber stays behind.
std::string textOf(const PendingFault &pending);
PendingFault faultOfText(const std::string &text);

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_PENDING_FAULT_H
