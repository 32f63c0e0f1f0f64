// What NVIDIA's runtime keeps with a context of the driver: a value for each key, and whom to tell when the context
// goes.
#ifndef HOSTWARP_EMU_RUNTIME_DRIVER_CONTEXT_STORAGE_H
#define HOSTWARP_EMU_RUNTIME_DRIVER_CONTEXT_STORAGE_H

#include "emu_runtime/driver/declarations.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::driver_api {

using ContextGone = void(CUcontext context, void *key, void *value);

// storeInContext() keeps a value under a key, in the place of an earlier one; `gone` (which may be null) is called when
// the context is reset or destroyed. storedInContext() is the value, removeFromContext() drops it without a call. A
// null context is the calling thread's current one. Thread-safe.
Status storeInContext(CUcontext context, void *key, void *value, ContextGone *gone);
Expected<void *> storedInContext(CUcontext context, void *key);
Status removeFromContext(CUcontext context, void *key);

// endStorage() drops all values of a context that is gone, and tells whom they belong to. No lock is held meanwhile.
void endStorage(CUcontext context);

}  // namespace hostwarp::driver_api

#endif  // HOSTWARP_EMU_RUNTIME_DRIVER_CONTEXT_STORAGE_H
