#include "emu_runtime/ipc/shared_memory.h"

#include <cstring>

#include "emu_runtime/device/device.h"
#include "emu_runtime/memory/pages.h"

namespace hostwarp::ipc {

namespace {

// moveInto() puts pages with the allocation's content in the place of its memory. pre: nothing uses it.
bool moveInto(const SharedPages &pages, const memory::Allocation &allocation) {
  void *start = reinterpret_cast<void *>(allocation.start);  // NOLINT(performance-no-int-to-ptr)
  void *copy = pages.map(nullptr);
  if (!copy) return false;
  std::memcpy(copy, start, allocation.bytes);
  memory::pages::unmap(copy, pages.name().bytes);
  return pages.map(start) != nullptr;
}

}  // namespace

Expected<ForeignMemory> share(const memory::Allocation &allocation) {
  if (allocation.shared) return ForeignMemory{allocation.shared->name(), allocation.bytes};
  device::devices()[static_cast<size_t>(allocation.device)]->context()->streams().waitAll();
  auto pages = SharedPages::create(memory::Arena::usable(allocation.block.bytes));
  if (!pages || !moveInto(*pages, allocation)) {
    return Status(cudaErrorMapBufferObjectFailed, "the system has no memory to share");
  }
  memory::Allocation shared = allocation;
  shared.shared = pages;
  memory::AllocationTable::process().add(shared);  // in place of the entry without
  return ForeignMemory{pages->name(), allocation.bytes};
}

Expected<void *> import(const ForeignMemory &memory, device::Context &context, unsigned flags) {
  auto pages = SharedPages::open(memory.pages);
  if (!pages) return Status(cudaErrorInvalidResourceHandle, "the memory's process has freed it or is gone");
  memory::Allocator &allocator = context.device().allocator();
  const memory::Block block = allocator.reserve(memory.pages.bytes);
  if (!block) return cudaErrorMemoryAllocation;
  void *start = reinterpret_cast<void *>(block.start);  // NOLINT(performance-no-int-to-ptr)
  if (!pages->map(start)) {
    allocator.unreserve(block);
    return Status(cudaErrorMapBufferObjectFailed);
  }
  memory::AllocationTable::process().add({block.start, memory.bytes, memory::Kind::Imported, context.device().ordinal(),
                                          flags, block, nullptr, context.id(), pages});
  return start;
}

}  // namespace hostwarp::ipc
