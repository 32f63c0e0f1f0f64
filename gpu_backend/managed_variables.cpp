#include "gpu_backend/managed_variables.h"

#include <atomic>

#include "emu_runtime/support/log.h"
#include "gpu_backend/backend.h"
#include "gpu_backend/registrations.h"

namespace hostwarp::gpu_backend {

void *findManaged(ManagedSlot &slot) {
  // A constructor that runs before the registration decides nothing.
  if (!Registrations::process().knows(slot)) return slot.storage;
  const std::atomic_ref<void *> address(slot.address);
  if (decided() != State::Gpu) {
    address = slot.storage;
    return slot.storage;
  }
  Registrations::process().openManaged(slot);
  if (void *const found = address) return found;
  logLine("a __managed__ variable has got no memory on the GPU: what the host writes there kernels do not see");
  return slot.storage;
}

}  // namespace hostwarp::gpu_backend
