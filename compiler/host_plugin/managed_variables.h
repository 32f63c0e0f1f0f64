// __managed__ variables in host code.
#ifndef HOSTWARP_COMPILER_HOST_PLUGIN_MANAGED_VARIABLES_H
#define HOSTWARP_COMPILER_HOST_PLUGIN_MANAGED_VARIABLES_H

#include <llvm/IR/Module.h>

#include <string>

namespace hostwarp::host_plugin {

// shareManaged() makes one variable of the host's and the device's: on emulated devices that is the device object's
// (__hwm_<name>), on a GPU it is in managed memory, whose place the runtime knows. Host code asks for it at each use:
// a slot keeps the answer (gpu_backend/managed_variables.h). Where a variable's address is in what another variable
// starts with, the runtime is told of that place.
void shareManaged(llvm::Module &module, const std::string &imageId, bool isSeparateCompilation);

}  // namespace hostwarp::host_plugin

#endif  // HOSTWARP_COMPILER_HOST_PLUGIN_MANAGED_VARIABLES_H
