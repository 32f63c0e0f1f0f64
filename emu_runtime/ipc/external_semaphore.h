// The handles of external semaphores that programs pass in.
#ifndef HOSTWARP_EMU_RUNTIME_IPC_EXTERNAL_SEMAPHORE_H
#define HOSTWARP_EMU_RUNTIME_IPC_EXTERNAL_SEMAPHORE_H

#include <driver_types.h>

#include "emu_runtime/stream/external_semaphore.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::ipc {

// usesOf() checks `count` semaphores and what is to happen to each.
Expected<stream::SemaphoreUses> usesOf(const cudaExternalSemaphore_t *semaphores,
                                       const cudaExternalSemaphoreSignalParams *signals, unsigned count);
Expected<stream::SemaphoreUses> usesOf(const cudaExternalSemaphore_t *semaphores,
                                       const cudaExternalSemaphoreWaitParams *waits, unsigned count);

}  // namespace hostwarp::ipc

#endif  // HOSTWARP_EMU_RUNTIME_IPC_EXTERNAL_SEMAPHORE_H
