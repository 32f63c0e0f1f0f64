// Variables that some threads set and others leave.
#ifndef HOSTWARP_COMPILER_DEVICE_LANES_LAST_VALUES_H
#define HOSTWARP_COMPILER_DEVICE_LANES_LAST_VALUES_H

#include <llvm/Analysis/LoopInfo.h>

namespace hostwarp::compiler {

// chooseLastValues() has each variable of the loop over threads that gets one and the same value on some ways through a
// turn, and keeps what it had on the others, be a select at the end of the ways: the form that ThreadLoop knows as Last.
void chooseLastValues(llvm::Loop &threads);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LANES_LAST_VALUES_H
