// Allocating and freeing every kind of memory that the runtime gives out.
#ifndef HOSTWARP_EMU_RUNTIME_MEMORY_ALLOCATOR_H
#define HOSTWARP_EMU_RUNTIME_MEMORY_ALLOCATOR_H

#include <cstddef>
#include <optional>

#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/memory/arena.h"
#include "emu_runtime/memory/budget.h"

namespace hostwarp::memory {

// Allocator makes allocations of one arena and enters them into the AllocationTable, within a budget of its own (a
// device's memory) and the machine's. Thread-safe.
class Allocator {
 public:
  Allocator(uintptr_t wanted, size_t addresses, uint64_t limit) : arena_(wanted, addresses), budget_(limit) {}

  // allocate() returns zeroed memory; null when there is not enough. pre: bytes > 0.
  void *allocate(size_t bytes, Kind kind, int device, unsigned flags, uint64_t context = 0);

  // take() is allocate() without an entry in the table; the block is empty when there is not enough. give() frees it.
  Block take(size_t bytes);
  void give(const Block &block);

  // The same in two steps: reserve() takes addresses, commit() the memory behind them; false when there is not enough.
  Block reserve(size_t bytes) { return arena_.reserve(bytes); }
  bool commit(const Block &block);
  void decommit(const Block &block);
  // unreserve() frees a block without memory.
  void unreserve(const Block &block) { arena_.free(block); }

  Arena &arena() { return arena_; }
  const Budget &budget() const { return budget_; }
  // takeBudget() counts memory that comes from elsewhere; false when there is not enough. giveBudget() undoes it.
  bool takeBudget(size_t bytes);
  void giveBudget(size_t bytes);

 private:
  Arena arena_;
  Budget budget_;
};

// hostAllocator() and managedAllocator() serve cudaMallocHost() and cudaMallocManaged(); never destroyed.
Allocator &hostAllocator();
Allocator &managedAllocator();

// release() frees an allocation of any kind that was removed from the table; `device` is its device's allocator.
void release(const Allocation &allocation, Allocator &device);

// inDeviceAddresses() tells that an address lies where memory of devices, pinned and managed memory usually are:
// unallocated addresses there are certainly no ordinary memory of the program.
bool inDeviceAddresses(const void *address);

// deviceArenaBase() is where the addresses of device `ordinal` begin if that is free.
uintptr_t deviceArenaBase(int ordinal);

}  // namespace hostwarp::memory

#endif  // HOSTWARP_EMU_RUNTIME_MEMORY_ALLOCATOR_H
