// Reads that no local variable has room for.
#ifndef HOSTWARP_COMPILER_DEVICE_WIDE_READS_H
#define HOSTWARP_COMPILER_DEVICE_WIDE_READS_H

#include <llvm/Passes/PassBuilder.h>

namespace hostwarp::compiler {

// leaveOutWideReads() registers the pass that takes out reads of pointers from local variables that are smaller, which
// cannot run. Calls by pointers to members have one, of the table of virtual functions that a small object has not.
// LLVM (19) keeps that it reads nothing that was written to the variable, and takes it for true of smaller reads from
// there.
void leaveOutWideReads(llvm::PassBuilder &builder);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_WIDE_READS_H
