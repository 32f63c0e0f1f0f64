// Device memory that several processes see.
#ifndef HOSTWARP_EMU_RUNTIME_IPC_SHARED_MEMORY_H
#define HOSTWARP_EMU_RUNTIME_IPC_SHARED_MEMORY_H

#include <cstdint>

#include "emu_runtime/device/context.h"
#include "emu_runtime/ipc/shared_pages.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::ipc {

// ForeignMemory is how another process finds an allocation.
struct ForeignMemory {
  Name pages;
  uint64_t bytes;  // of the allocation
};

// share() makes an allocation's memory visible to other processes, at the address that it has. Waits for its device.
Expected<ForeignMemory> share(const memory::Allocation &allocation);

// import() maps another process's memory on the context's device, as an allocation of Kind::Imported with these flags.
Expected<void *> import(const ForeignMemory &memory, device::Context &context, unsigned flags);

// pooled is the flag of memory from another process's pool, which is freed rather than closed.
inline constexpr unsigned pooled = 1;
// mappedBuffer is the flag of a part of imported memory, which is freed as well.
inline constexpr unsigned mappedBuffer = 2;

}  // namespace hostwarp::ipc

#endif  // HOSTWARP_EMU_RUNTIME_IPC_SHARED_MEMORY_H
