#include "emu_runtime/graph/memory.h"

#include <algorithm>
#include <map>
#include <vector>

#include "emu_runtime/memory/allocation_table.h"

namespace hostwarp::graph {

// MemoryRegistry is all graph memory of the process. Never destroyed.
struct MemoryRegistry {
  std::map<uintptr_t, GraphMemory *> all HOSTWARP_GUARDED_BY(GraphMemory::mutex_);  // by start
  std::map<const device::Device *, GraphMemory::Counters> counters HOSTWARP_GUARDED_BY(GraphMemory::mutex_);

  static MemoryRegistry &process() {
    static auto *registry = new MemoryRegistry;
    return *registry;
  }

  // on() lists the memory of a device.
  std::vector<GraphMemory *> on(const device::Device &device) const HOSTWARP_REQUIRES(GraphMemory::mutex_) {
    std::vector<GraphMemory *> found;
    for (const auto &[start, memory] : all) {
      if (&memory->device_ == &device) found.push_back(memory);
    }
    return found;
  }
};

namespace {

void countUsed(GraphMemory::Counters &counters, uint64_t bytes) {
  counters.used += bytes;
  counters.usedHigh = std::max(counters.usedHigh, counters.used);
}

void countReserved(GraphMemory::Counters &counters, uint64_t bytes) {
  counters.reserved += bytes;
  counters.reservedHigh = std::max(counters.reservedHigh, counters.reserved);
}

}  // namespace

GraphMemoryRef GraphMemory::reserve(device::Device &device, size_t bytes) {
  const memory::Block block = device.allocator().reserve(bytes);
  if (!block) return nullptr;
  GraphMemoryRef made(new GraphMemory(device, block));
  {
    MemoryRegistry &registry = MemoryRegistry::process();
    MutexLock lock(mutex_);
    registry.all.emplace(block.start, made.get());
  }
  memory::AllocationTable::process().add(
      {block.start, bytes, memory::Kind::Graph, device.ordinal(), 0, block, nullptr});
  return made;
}

GraphMemoryRef GraphMemory::at(const void *pointer) {
  MemoryRegistry &registry = MemoryRegistry::process();
  MutexLock lock(mutex_);
  auto found = registry.all.find(reinterpret_cast<uintptr_t>(pointer));
  return found == registry.all.end() ? nullptr : found->second->weak_from_this().lock();
}

GraphMemory::~GraphMemory() {
  memory::AllocationTable::process().take(
      start(), [](const memory::Allocation &allocation) { return allocation.kind == memory::Kind::Graph; });
  {
    MemoryRegistry &registry = MemoryRegistry::process();
    MutexLock lock(mutex_);
    registry.all.erase(block_.start);
    unmapLocked();
  }
  device_.allocator().unreserve(block_);
}

void GraphMemory::unmapLocked() {
  if (!mapped_) return;
  mapped_ = false;
  device_.allocator().decommit(block_);
  Counters &counters = MemoryRegistry::process().counters[&device_];
  counters.reserved -= block_.bytes;
  counters.used -= block_.bytes;
}

bool GraphMemory::allocate() {
  MemoryRegistry &registry = MemoryRegistry::process();
  MutexLock lock(mutex_);
  if (!mapped_) {
    if (!device_.allocator().commit(block_)) return false;
    mapped_ = true;
    Counters &counters = registry.counters[&device_];
    countReserved(counters, block_.bytes);
    countUsed(counters, block_.bytes);
  }
  self_ = shared_from_this();
  return true;
}

bool GraphMemory::outstanding() const {
  MutexLock lock(mutex_);
  return self_ != nullptr;
}

bool GraphMemory::free() {
  GraphMemoryRef last;  // may be the last reference: released outside of the lock
  MutexLock lock(mutex_);
  last.swap(self_);
  return last != nullptr;
}

void GraphMemory::enterRun() {
  MutexLock lock(mutex_);
  ++runs_;
}

void GraphMemory::leaveRun() {
  MutexLock lock(mutex_);
  --runs_;
}

void GraphMemory::trim(device::Device &device) {
  MemoryRegistry &registry = MemoryRegistry::process();
  MutexLock lock(mutex_);
  for (GraphMemory *memory : registry.on(device)) {
    if (!memory->self_ && memory->runs_ == 0) memory->unmapLocked();
  }
}

void GraphMemory::forget(device::Device &device) {
  std::vector<GraphMemoryRef> released;
  MemoryRegistry &registry = MemoryRegistry::process();
  MutexLock lock(mutex_);
  for (GraphMemory *memory : registry.on(device)) {
    released.push_back(std::move(memory->self_));
    memory->unmapLocked();
  }
}

GraphMemory::Counters GraphMemory::counters(device::Device &device) {
  MemoryRegistry &registry = MemoryRegistry::process();
  MutexLock lock(mutex_);
  return registry.counters[&device];
}

void GraphMemory::resetUsedHigh(device::Device &device) {
  MemoryRegistry &registry = MemoryRegistry::process();
  MutexLock lock(mutex_);
  registry.counters[&device].usedHigh = registry.counters[&device].used;
}

void GraphMemory::resetReservedHigh(device::Device &device) {
  MemoryRegistry &registry = MemoryRegistry::process();
  MutexLock lock(mutex_);
  registry.counters[&device].reservedHigh = registry.counters[&device].reserved;
}

LaunchMemory::~LaunchMemory() {
  for (const GraphMemoryRef &memory : freed_) (void)memory->allocate();  // it is mapped still
  for (const GraphMemoryRef &memory : allocated_) memory->free();
}

bool LaunchMemory::allocate(const GraphMemoryRef &memory) {
  if (!memory->allocate()) return false;
  allocated_.push_back(memory);
  return true;
}

bool LaunchMemory::free(const GraphMemoryRef &memory) {
  if (!memory->free()) return false;
  freed_.push_back(memory);
  return true;
}

void LaunchMemory::keep() {
  allocated_.clear();
  freed_.clear();
}

}  // namespace hostwarp::graph
