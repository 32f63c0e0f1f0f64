// Where device code comes to a call of a host function: the compiler warned of it, and a GPU does nothing.
#include <string>

#include "emu_runtime/abi/exports.h"
#include "emu_runtime/support/log.h"
#include "fibers/engine.h"
#include "include/hostwarp/device_abi.h"

HOSTWARP_ABI void hw_host_function_called(const char *name) noexcept {
  hostwarp::fibers::RuntimeSection section;
  hostwarp::logOnce(name, "device code calls the host function " + std::string(name) +
                              ", which does nothing there; make it __host__ __device__");
}
