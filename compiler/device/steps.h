// The steps of steps.def as data, for the program that takes all of them and the tests that take one.
#ifndef HOSTWARP_COMPILER_DEVICE_STEPS_H
#define HOSTWARP_COMPILER_DEVICE_STEPS_H

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/device/device_module.h"

namespace hostwarp::compiler {

enum class Phase { Lowering, Completion, Separate };

struct Step {
  Phase phase;
  llvm::StringRef name;
  void (*run)(DeviceModule &device, llvm::TargetMachine &machine);
};

// steps() are all rows of steps.def, in order.
llvm::ArrayRef<Step> steps();

// runSteps() runs those of one phase.
void runSteps(Phase phase, DeviceModule &device, llvm::TargetMachine &machine);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_STEPS_H
