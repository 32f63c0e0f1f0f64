// Which thread runs, for the functions that a block function calls.
#ifndef HOSTWARP_COMPILER_DEVICE_THREAD_NOTES_H
#define HOSTWARP_COMPILER_DEVICE_THREAD_NOTES_H

#include <llvm/IR/InstrTypes.h>

#include "compiler/device/thread_fields.h"

namespace llvm {
class PassBuilder;
}

namespace hostwarp::compiler {

// mayLookAtThread(): the called function may ask which thread runs.
bool mayLookAtThread(const llvm::CallBase &call);

// noteThread() puts at the call the thread that runs it, as a bundle of operands: the fields of hw_thread that differ
// between the threads of a block, and `self`, where they belong. Whoever copies the call, for other threads or as a
// lane of a vector, so copies what the callee is to see. `lanes` is the function that does the same for several threads
// (lane_functions.h); null: none.
void noteThread(llvm::CallBase &call, llvm::Value &self, const ThreadFields &fields, llvm::Function *lanes);

// hasThreadNote() tells whether the call has one.
bool hasThreadNote(const llvm::CallBase &call);

// notedThread() is the number of the thread in its block. pre: hasThreadNote().
llvm::Value *notedThread(const llvm::CallBase &call);

// ThreadNote is what the call says: hw_thread's address, and the fields' values in the order of threadFields.
struct ThreadNote {
  llvm::Value *self;
  llvm::SmallVector<llvm::Value *, 6> fields;
};
ThreadNote threadNoteOf(const llvm::CallBase &call);

// notedLanes() is the function that does what is called for several threads; null: none.
llvm::Function *notedLanes(const llvm::CallBase &call);

// writeThreadNotes() registers the pass that makes stores of the notes, in front of their calls. post:
// makeLaneVectors() has run.
void writeThreadNotes(llvm::PassBuilder &builder);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_THREAD_NOTES_H
