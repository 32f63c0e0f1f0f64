// Memory that another interface has made and hands over as a file descriptor (chapter "interop"). What stands behind
// the descriptor has to be a file in memory: of cuMemExportToShareableHandle(), memfd_create(), or of a graphics
// interface that runs on the CPU.
#include <fcntl.h>
#include <unistd.h>

#include <new>
#include <utility>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/device/handle_table.h"
#include "emu_runtime/ipc/shared_memory.h"
#include "emu_runtime/ipc/shared_pages.h"
#include "emu_runtime/memory/pages.h"

namespace hostwarp::api {

namespace {

struct ExternalMemory {
  std::shared_ptr<ipc::SharedPages> pages;
  uint64_t bytes;
};
using ExternalMemoryTable = device::HandleTable<cudaExternalMemory_t, ExternalMemory>;

ExternalMemoryTable &externalMemories() {
  static auto *table = new ExternalMemoryTable;
  return *table;
}

}  // namespace

Status cudaImportExternalMemory(cudaExternalMemory_t *extMem_out, const cudaExternalMemoryHandleDesc *memHandleDesc) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  if (!extMem_out || !memHandleDesc || memHandleDesc->size == 0) return cudaErrorInvalidValue;
  if (memHandleDesc->flags & ~unsigned{cudaExternalMemoryDedicated}) return cudaErrorInvalidValue;
  if (memHandleDesc->type != cudaExternalMemoryHandleTypeOpaqueFd)
    return {cudaErrorNotSupported, "only memory behind a file descriptor can be imported"};
  const int descriptor = memHandleDesc->handle.fd;
  if (fcntl(descriptor, F_GETFD) < 0) return {cudaErrorInvalidValue, "the memory's descriptor is none"};
  auto pages = ipc::SharedPages::behind(descriptor);
  if (!pages) return {cudaErrorNotSupported, "only files that the system itself can map are external memory"};
  if (pages->name().bytes < memHandleDesc->size)
    return {cudaErrorInvalidValue, "the memory behind the descriptor is smaller"};
  *extMem_out = externalMemories().add({std::move(pages), memHandleDesc->size});
  close(descriptor);  // CUDA's from now on, and the pages have one of their own
  return {};
}

Status cudaExternalMemoryGetMappedBuffer(void **devPtr, cudaExternalMemory_t extMem,
                                         const cudaExternalMemoryBufferDesc *bufferDesc) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  auto memory = externalMemories().find(extMem);
  if (!memory) return cudaErrorInvalidResourceHandle;
  if (!devPtr || !bufferDesc || bufferDesc->flags || bufferDesc->size == 0) return cudaErrorInvalidValue;
  if (bufferDesc->offset > memory->bytes || bufferDesc->size > memory->bytes - bufferDesc->offset)
    return {cudaErrorInvalidValue, "the buffer reaches beyond the imported memory"};
  // Mappings begin at pages, buffers anywhere.
  const uint64_t inPage = bufferDesc->offset % memory::pages::size();
  const size_t bytes = memory::pages::roundUp(inPage + bufferDesc->size, memory::pages::size());
  memory::Allocator &allocator = (*context)->device().allocator();
  const memory::Block block = allocator.reserve(bytes);
  if (!block) return cudaErrorMemoryAllocation;
  void *start = reinterpret_cast<void *>(block.start);  // NOLINT(performance-no-int-to-ptr)
  if (!memory->pages->mapPart(start, bufferDesc->offset - inPage, bytes)) {
    allocator.unreserve(block);
    return cudaErrorMapBufferObjectFailed;
  }
  const memory::Allocation allocation{block.start + inPage,
                                      bufferDesc->size,
                                      memory::Kind::Imported,
                                      (*context)->device().ordinal(),
                                      ipc::mappedBuffer,
                                      block,
                                      nullptr,
                                      (*context)->id(),
                                      memory->pages};
  try {
    memory::AllocationTable::process().add(allocation);
  } catch (const std::bad_alloc &) {
    allocator.unreserve(block);
    return cudaErrorMemoryAllocation;
  }
  *devPtr = static_cast<char *>(start) + inPage;
  return {};
}

// Buffers that are still mapped keep the memory.
Status cudaDestroyExternalMemory(cudaExternalMemory_t extMem) {
  HOSTWARP_TRY(device::permitted());
  return externalMemories().take(extMem) ? Status() : Status(cudaErrorInvalidResourceHandle);
}

}  // namespace hostwarp::api
