// libdevice's functions, which PTX calls by their names where whoever wrote it had none to link (compiler/nvvm).
#ifndef HOSTWARP_COMPILER_DEVICE_DEVICE_LIBRARY_H
#define HOSTWARP_COMPILER_DEVICE_DEVICE_LIBRARY_H

#include <llvm/IR/Module.h>

#include <string>

namespace hostwarp::compiler {

// linkDeviceLibrary() gives functions that are called __nv_something and are not defined their bodies. Returns an error
// that names one which the library does not have; empty if all is well.
std::string linkDeviceLibrary(llvm::Module &module);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_DEVICE_LIBRARY_H
