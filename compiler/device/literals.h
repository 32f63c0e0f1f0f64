// Constants of the device image.
#ifndef HOSTWARP_COMPILER_DEVICE_LITERALS_H
#define HOSTWARP_COMPILER_DEVICE_LITERALS_H

#include <llvm/IR/Value.h>

namespace hostwarp::compiler {

// mayTellAddress(): code may compare the address of a constant, or put it anywhere else than into the place it reads
// from.
bool mayTellAddress(const llvm::Value &address);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LITERALS_H
