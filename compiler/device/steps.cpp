#include "compiler/device/steps.h"

#include "compiler/device/abi_functions.h"
#include "compiler/device/flush_subnormals.h"
#include "compiler/device/optimise_and_emit.h"
#include "compiler/device/passes.h"
#include "compiler/device/vector_math.h"

namespace hostwarp::compiler {

llvm::ArrayRef<Step> steps() {
  static const Step table[] = {
#define STEP(phase, function, ...)                                                                    \
  {phase, #function,                                                                                  \
   []([[maybe_unused]] DeviceModule &device, [[maybe_unused]] llvm::TargetMachine &machine) -> void { \
     (void)function(__VA_ARGS__);                                                                     \
   }},
#define LOWERING(...) STEP(Phase::Lowering, __VA_ARGS__)
#define COMPLETION(...) STEP(Phase::Completion, __VA_ARGS__)
#define SEPARATE(...) STEP(Phase::Separate, __VA_ARGS__)
#include "compiler/device/steps.def"
#undef LOWERING
#undef COMPLETION
#undef SEPARATE
#undef STEP
  };
  return table;
}

void runSteps(Phase phase, DeviceModule &device, llvm::TargetMachine &machine) {
  for (const Step &step : steps())
    if (step.phase == phase) step.run(device, machine);
}

}  // namespace hostwarp::compiler
