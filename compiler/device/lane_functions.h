// Device functions for several threads at once, which loops over threads call where they have become vectors.
#ifndef HOSTWARP_COMPILER_DEVICE_LANE_FUNCTIONS_H
#define HOSTWARP_COMPILER_DEVICE_LANE_FUNCTIONS_H

#include <llvm/IR/InstrTypes.h>

#include "compiler/device/device_module.h"

namespace hostwarp::compiler {

// A lane function is void (i32 lanes, ptr threads, ptr each argument, ptr results). It calls the function for those of
// as many threads as fill a register with numbers of 32 bits whose bit is set in `lanes`. The others are arrays with an
// element for each: the thread's number in its block, the arguments and results, of which booleans have a byte. Without
// a result there is no last parameter.

// elementType() is what stands for the type in those arrays.
llvm::Type *elementType(llvm::Type *type);

// laneFunctionOf() is that of the called function: made now, or one that the unit which has the function may have made,
// whose address is null if it has not. Null: there is none. pre: nothing that the called function waits for is
// left to be cut out.
llvm::Function *laneFunctionOf(const llvm::CallBase &call);

// offerLaneFunctions() makes those that other units may call.
void offerLaneFunctions(DeviceModule &device);

// lanesOfRegister() is how many numbers of 32 bits a register of the function's instruction set holds.
unsigned lanesOfRegister(const llvm::Function &function);

// setLaneCount() says in a lane function how many threads there are. pre: it is for an instruction set.
void setLaneCount(llvm::Function &function);

bool isLaneFunction(const llvm::Function &function);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LANE_FUNCTIONS_H
