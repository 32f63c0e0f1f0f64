// LLVM's own part of the work: the optimisation pipeline and the object file.
#ifndef HOSTWARP_COMPILER_DEVICE_OPTIMISE_AND_EMIT_H
#define HOSTWARP_COMPILER_DEVICE_OPTIMISE_AND_EMIT_H

#include <llvm/Target/TargetMachine.h>

#include <memory>

#include "compiler/device/device_module.h"

namespace hostwarp::compiler {

// makeTargetMachine() returns the machine for this host's architecture at its baseline level.
std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const Options &options);

// simplify() runs the half of LLVM's pipeline for the level that does not depend on the processor.
void simplify(DeviceModule &device, llvm::TargetMachine &machine);

// settleArithmetic() decides what is fused and what is flushed, and gives mathematical functions their code, which LLVM
// would not see through: what it knows of them it has used. pre: nameCheckSites() has run.
void settleArithmetic(DeviceModule &device, llvm::TargetMachine &machine);

// simplifyForShape() does what there is to do now that the shape of blocks is known.
void simplifyForShape(llvm::Function &entry, llvm::TargetMachine &machine);

// simplifyThreadLoops() prepares what makeThreadLoops() has made for the vectoriser.
void simplifyThreadLoops(DeviceModule &device, llvm::TargetMachine &machine);

// optimiseAndEmit() runs the other half, with the passes that hostwarp adds to it, and writes the object file (or IR):
// a large module in parts side by side, one to each output. Adds to device.errors what it cannot write.
void optimiseAndEmit(DeviceModule &device, llvm::TargetMachine &machine);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_OPTIMISE_AND_EMIT_H
