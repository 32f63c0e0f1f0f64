// What units of separate compilation tell each other about waits: each function that others may call has a note, of
// which the linker makes one graph. See hw_wait_note.
#ifndef HOSTWARP_COMPILER_DEVICE_WAIT_NOTES_H
#define HOSTWARP_COMPILER_DEVICE_WAIT_NOTES_H

#include "compiler/device/device_module.h"
#include "compiler/device/reachable_waits.h"

namespace hostwarp::compiler {

// writeWaitNotes() writes those of the module's functions. pre: nothing has been cut at waits yet.
void writeWaitNotes(DeviceModule &device);

// lookAtWaitNotes() has the block entry leave blocks to their threads when functions of other units wait that it calls.
// pre: waits.dependsOnOthers().
void lookAtWaitNotes(llvm::Function &blockEntry, const ReachableWaits &waits);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_WAIT_NOTES_H
