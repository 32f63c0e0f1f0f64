// Reads of local variables that are chosen among by address.
#ifndef HOSTWARP_COMPILER_DEVICE_CHOSEN_LOCALS_H
#define HOSTWARP_COMPILER_DEVICE_CHOSEN_LOCALS_H

#include <llvm/Passes/PassBuilder.h>

namespace hostwarp::compiler {

// readChosenLocals() registers the pass that chooses among the values of local variables where the program chooses
// among the variables and reads the one. Functions that give back one of two references do that, such as a comparison
// that minimum and maximum are found by; LLVM keeps such variables in memory when there is more than one choice in a
// row.
void readChosenLocals(llvm::PassBuilder &builder);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_CHOSEN_LOCALS_H
