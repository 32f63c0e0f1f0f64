// Addresses of variables in what variables begin with.
#ifndef HOSTWARP_COMPILER_DEVICE_INITIAL_ADDRESSES_H
#define HOSTWARP_COMPILER_DEVICE_INITIAL_ADDRESSES_H

#include <cstdint>
#include <vector>

#include "compiler/device/device_module.h"

namespace hostwarp::compiler {

// initialAddresses() is where, in bytes from the variable's beginning, it begins with the address of a variable that
// each device has for itself. Managed variables exist once: whose addresses they begin with is no device's alone.
std::vector<uint64_t> initialAddresses(const DeviceModule &device, const Variable &variable);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_INITIAL_ADDRESSES_H
