// The implementations behind the driver API's entry points.
#ifndef HOSTWARP_EMU_RUNTIME_DRIVER_DRIVER_H
#define HOSTWARP_EMU_RUNTIME_DRIVER_DRIVER_H

#include "emu_runtime/driver/declarations.h"

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/context.h"

namespace hostwarp::driver_api {

// One declaration per row of the table; those whose status is DONE are defined in this folder. They return the
// runtime's codes: where the driver API has an error of its own, the number is the same (see resultOf()).
#define HOSTWARP_DRIVER(status, needs, variant, name, parameters, arguments) Status name parameters;
#include "emu_runtime/driver/driver_api.def"
#undef HOSTWARP_DRIVER

// resultOf() is the driver's code for an error of the runtime: most are equal, and what only the runtime tells apart is
// an invalid value to the driver.
CUresult resultOf(cudaError_t error);

// resultName() is the enumerator's name, null for a number that is none.
const char *resultName(CUresult result);

// initialised() tells that cuInit() has been called, or any function of the runtime that needs a driver.
bool initialised();

// entryPoint() is the address of an exported function, null when there is none of that name; the `perThread` variant
// where the function has one.
void *entryPoint(const char *name, bool perThread);

// livingContext() is the context of a handle, of none the calling thread's; fails where it was destroyed or reset.
Expected<device::ContextRef> livingContext(CUcontext handle);

// at() turns the driver's integer addresses into pointers.
inline void *at(CUdeviceptr address) { return reinterpret_cast<void *>(address); }  // NOLINT(performance-no-int-to-ptr)
inline void **at(CUdeviceptr *address) { return reinterpret_cast<void **>(address); }

}  // namespace hostwarp::driver_api

#endif  // HOSTWARP_EMU_RUNTIME_DRIVER_DRIVER_H
