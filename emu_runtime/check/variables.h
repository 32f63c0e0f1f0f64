// Variables of the program, as findings name them.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_VARIABLES_H
#define HOSTWARP_EMU_RUNTIME_CHECK_VARIABLES_H

#include <string>

#include "emu_runtime/check/known_memory.h"

namespace hostwarp::check {

// sharedVariable() names what lies there in a block's shared memory: "tile[3][0] of __shared__ float tile[16][17]";
// empty where the code at the site does not say. `thread` is any of the same launch.
std::string sharedVariable(const hw_access_site &site, uint64_t offset, uint64_t bytes, const hw_thread &thread);

// globalVariable() is the same for an address on a device whose variables lie so far from those of device 0;
// objectElement() for an access of the running thread that misses the object at `object`. pre: the code at the site is
// loaded.
std::string globalVariable(const hw_access_site &site, uintptr_t address, int64_t delta);
std::string objectElement(const hw_access_site &site, uintptr_t object, uintptr_t address, uint64_t bytes);

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_VARIABLES_H
