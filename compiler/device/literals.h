// Constants of the device image.
#ifndef HOSTWARP_COMPILER_DEVICE_LITERALS_H
#define HOSTWARP_COMPILER_DEVICE_LITERALS_H

#include <llvm/IR/Value.h>

namespace hostwarp::compiler {

// mayKeepAddress(): code may put the address of a constant anywhere else than into the place it reads from.
bool mayKeepAddress(const llvm::Value &address);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LITERALS_H
