// Finds meeting points: places without a barrier where it pays to have the threads of a block converge.
#ifndef HOSTWARP_COMPILER_DEVICE_MEETING_POINTS_H
#define HOSTWARP_COMPILER_DEVICE_MEETING_POINTS_H

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "compiler/device/thread_fields.h"

namespace hostwarp::compiler {

inline constexpr llvm::StringLiteral meetingPointName = "hw_meeting_point";

// addMeetingPoints() marks the meeting points by calls of an undefined function, which it returns; the caller removes
// them and cuts the code there. They are
//  - at the header of an innermost loop whose accesses are coalesced, and behind the loop: all threads execute one
//    iteration, as vectors, before any executes the next;
//  - between a long run of coalesced accesses and a uniform branch, or a loop that LLVM cannot vectorise: these would
//    keep the run from being vectorised, too;
//  - behind a guard such as `if (i < n)`: a block whose threads all pass it needs no masks.
// `threads` are the values that differ between threads.
llvm::SmallVector<llvm::CallInst *> addMeetingPoints(llvm::Function &function, const ThreadFields &threads);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_MEETING_POINTS_H
