#include "gpu_backend/tables.h"

#include <dlfcn.h>

namespace hostwarp::gpu_backend {

RuntimeTable realRuntime;
DriverTable realDriver;

namespace {

template <class Pointer>
void find(void *library, const char *name, Pointer &pointer) {
  pointer = reinterpret_cast<Pointer>(dlsym(library, name));
}

}  // namespace

#define HOSTWARP_FIND(table, name) find(library, #name, table.name);
#define HOSTWARP_VARIANT_PLAIN(table, name)
#define HOSTWARP_VARIANT_PTDS(table, name) HOSTWARP_FIND(table, name##_ptds)
#define HOSTWARP_VARIANT_PTSZ(table, name) HOSTWARP_FIND(table, name##_ptsz)

void fillRuntimeTable(void *library) {
#define HOSTWARP_API(status, chapter, errors, variant, name, parameters, arguments) \
  HOSTWARP_FIND(realRuntime, name)                                                  \
  HOSTWARP_VARIANT_##variant(realRuntime, name)
#define HOSTWARP_API_VALUE(status, chapter, type, name, parameters, arguments) HOSTWARP_FIND(realRuntime, name)
#define HOSTWARP_REGISTRATION(result, name, parameters) HOSTWARP_FIND(realRuntime, name)
#include "emu_runtime/api/api.def"
#include "gpu_backend/registration.def"
#undef HOSTWARP_API
#undef HOSTWARP_API_VALUE
#undef HOSTWARP_REGISTRATION
}

void fillDriverTable(void *library) {
#define HOSTWARP_DRIVER(status, needs, variant, name, parameters, arguments) \
  HOSTWARP_FIND(realDriver, name)                                            \
  HOSTWARP_VARIANT_##variant(realDriver, name)
#include "emu_runtime/driver/driver_api.def"
#undef HOSTWARP_DRIVER
}

}  // namespace hostwarp::gpu_backend
