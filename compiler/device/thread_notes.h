// Which thread runs, for the functions that a block function calls.
#ifndef HOSTWARP_COMPILER_DEVICE_THREAD_NOTES_H
#define HOSTWARP_COMPILER_DEVICE_THREAD_NOTES_H

#include <llvm/IR/InstrTypes.h>

#include "compiler/device/thread_fields.h"

namespace llvm {
class PassBuilder;
}

namespace hostwarp::compiler {

// noteThread() puts at the call the thread that runs it, as a bundle of operands: the fields of hw_thread that differ
// between the threads of a block, and `self`, where they belong. Whoever copies the call, for other threads or as a
// lane of a vector, so copies what the callee is to see.
void noteThread(llvm::CallBase &call, llvm::Value &self, const ThreadFields &fields);

// hasThreadNote() tells whether the call has one.
bool hasThreadNote(const llvm::CallBase &call);

// notedThread() is the number of the thread in its block. pre: hasThreadNote().
llvm::Value *notedThread(const llvm::CallBase &call);

// writeThreadNotes() registers the pass that makes stores of the notes, in front of their calls. post:
// makeLaneVectors() has run.
void writeThreadNotes(llvm::PassBuilder &builder);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_THREAD_NOTES_H
