// Which pools other processes take part in.
#ifndef HOSTWARP_EMU_RUNTIME_IPC_POOL_SHARING_H
#define HOSTWARP_EMU_RUNTIME_IPC_POOL_SHARING_H

#include <cstdint>
#include <memory>

#include "emu_runtime/memory/pool.h"

namespace hostwarp::ipc {

// Sharing says whether other processes may import a pool's memory, or the pool is another process's: nothing can be
// allocated from that.
enum class Sharing : uint8_t { None, Exportable, Imported };

// setSharing() is told of a pool when it is made; others are None. Thread-safe, as sharingOf().
void setSharing(const std::shared_ptr<memory::Pool> &pool, Sharing sharing);
Sharing sharingOf(const std::shared_ptr<memory::Pool> &pool);

}  // namespace hostwarp::ipc

#endif  // HOSTWARP_EMU_RUNTIME_IPC_POOL_SHARING_H
