// What a kernel, or a function, may come to in which a thread waits for another.
#ifndef HOSTWARP_COMPILER_DEVICE_REACHABLE_WAITS_H
#define HOSTWARP_COMPILER_DEVICE_REACHABLE_WAITS_H

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <string>

#include "compiler/device/collectives.h"

namespace hostwarp::compiler {

// ReachableWaits is what can be said of it before units are linked.
struct ReachableWaits {
  std::string why;  // a thread may wait otherwise than at the boundaries of a block entry; empty: no reason is known
  llvm::SmallSetVector<llvm::Function *, 4> elsewhere;  // functions of other units, with -rdc=true
  bool anyAddress = false;                              // and functions by their addresses, whichever unit has them

  bool dependsOnOthers() const { return !elsewhere.empty() || anyAddress; }
};

// Where the waits are looked for: boundaries in the kernel itself are none.
enum class WaitsOf { Kernel, Function };
ReachableWaits reachableWaits(llvm::Function &function, WaitsOf what, bool relocatable);

// arrivalAt() is arrivalOf() for what may be no call.
Arrival arrivalAt(const llvm::Instruction &instruction);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_REACHABLE_WAITS_H
