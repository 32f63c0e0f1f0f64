// Who is told of memory that comes, goes, and is written by others than kernels: the checks are.
#ifndef HOSTWARP_EMU_RUNTIME_MEMORY_MEMORY_OBSERVER_H
#define HOSTWARP_EMU_RUNTIME_MEMORY_MEMORY_OBSERVER_H

#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/memory/copies.h"

namespace hostwarp::memory {

// MemoryObserver is told by whatever thread does it; implementations do not ask the table of allocations.
class MemoryObserver {
 public:
  virtual ~MemoryObserver() = default;

  virtual void allocated(const Allocation &allocation) = 0;
  virtual void released(const Allocation &allocation) = 0;
  // copied() and filled(): the bytes are there.
  virtual void copied(const Pitched &to, const Pitched &from, const Box &box) = 0;
  virtual void filled(const Pitched &to, const Box &box) = 0;
};

// memoryObserver is the process's; null: none. It is set before the first allocation and stays.
inline constinit MemoryObserver *memoryObserver = nullptr;

}  // namespace hostwarp::memory

#endif  // HOSTWARP_EMU_RUNTIME_MEMORY_MEMORY_OBSERVER_H
