#include "emu_runtime/memory/allocator.h"

#include <limits>
#include <new>

#include "emu_runtime/memory/advice.h"
#include "emu_runtime/memory/freed_blocks.h"
#include "emu_runtime/memory/layout.h"
#include "emu_runtime/memory/pages.h"
#include "emu_runtime/memory/pool.h"

namespace hostwarp::memory {

namespace {

// Asking the system what is free takes longer than a small allocation.
constexpr size_t worthChecking = size_t{16} << 20;

// unlimited: only the machine's budget counts.
constexpr uint64_t unlimited = std::numeric_limits<uint64_t>::max();

bool isOfDevice(const Block &block) { return block.start >= layout::devices && block.start < layout::reserved; }

}  // namespace

void *Allocator::allocate(size_t bytes, Kind kind, int device, unsigned flags, uint64_t context) {
  const Block block = take(bytes);
  if (!block) return nullptr;
  try {
    AllocationTable::process().add({block.start, bytes, kind, device, flags, block, nullptr, context});
  } catch (const std::bad_alloc &) {
    give(block);
    return nullptr;
  }
  return reinterpret_cast<void *>(block.start);  // NOLINT(performance-no-int-to-ptr)
}

bool Allocator::takeBudget(size_t bytes) {
  if (bytes >= worthChecking && bytes > pages::availableBytes()) return false;
  if (!budget_.take(bytes)) return false;
  if (Budget::machine().take(bytes)) return true;
  budget_.give(bytes);
  return false;
}

void Allocator::giveBudget(size_t bytes) {
  Budget::machine().give(bytes);
  budget_.give(bytes);
}

Block Allocator::take(size_t bytes) {
  if (!takeBudget(bytes)) return {};
  Block block = FreedBlocks::process().take(arena_, Arena::usable(bytes));
  if (block)
    block.bytes = bytes;
  else
    block = arena_.allocate(bytes);
  if (!block) giveBudget(bytes);
  return block;
}

void Allocator::give(const Block &block) {
  if (!FreedBlocks::process().keep(arena_, block, isOfDevice(block))) arena_.free(block);
  giveBudget(block.bytes);
}

bool Allocator::commit(const Block &block) {
  if (!takeBudget(block.bytes)) return false;
  if (arena_.commit(block)) return true;
  giveBudget(block.bytes);
  return false;
}

void Allocator::decommit(const Block &block) {
  arena_.decommit(block);
  giveBudget(block.bytes);
}

Allocator &hostAllocator() {
  static auto *allocator = new Allocator(layout::host, layout::end - layout::host, unlimited);
  return *allocator;
}

Allocator &managedAllocator() {
  static auto *allocator = new Allocator(layout::managed, layout::host - layout::managed, unlimited);
  return *allocator;
}

void release(const Allocation &allocation, Allocator &device) {
  if (allocation.kind == Kind::Managed)
    AdviceMap::process().forget(reinterpret_cast<void *>(allocation.start), allocation.bytes);  // NOLINT
  if (allocation.pool) return allocation.pool->recycle(allocation);
  switch (allocation.kind) {
    case Kind::Device:
      device.give(allocation.block);
      break;
    case Kind::Managed:
      managedAllocator().give(allocation.block);
      break;
    case Kind::Host:
      hostAllocator().give(allocation.block);
      break;
    case Kind::Imported:
      device.unreserve(allocation.block);
      break;
    case Kind::Pool:
    case Kind::RegisteredHost:
    case Kind::Variable:
    case Kind::ManagedVariable:
    case Kind::Graph:
    case Kind::Mapped:
    case Kind::DeviceHeap:
      break;  // not ours
  }
}

bool inDeviceAddresses(const void *address) {
  const auto value = reinterpret_cast<uintptr_t>(address);
  return value >= layout::devices && value < layout::end;
}

uintptr_t deviceArenaBase(int ordinal) { return layout::devices + static_cast<uintptr_t>(ordinal) * layout::unit; }

}  // namespace hostwarp::memory
