// Finds where the threads of a block are worth being kept together although no barrier makes them wait.
#ifndef HOSTWARP_COMPILER_DEVICE_MEETING_POINTS_H
#define HOSTWARP_COMPILER_DEVICE_MEETING_POINTS_H

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "compiler/device/thread_fields.h"

namespace hostwarp::compiler {

inline constexpr llvm::StringLiteral meetingPointName = "hw_meeting_point";

// addMeetingPoints() puts calls of a function that nobody defines where threads should wait for each other for the sake
// of speed alone, and returns them; who takes them out cuts the code there. They stand
//  - at the beginning of each turn of an innermost loop whose accesses are side by side for neighbouring threads, and
//    behind the loop: all threads take a turn, as vectors, before one of them takes the next;
//  - between much code whose accesses are side by side and a branch that all threads take together, or a loop that
//    cannot become vectors: else that code would not either;
//  - behind a guard such as `if (i < n)`: a block whose threads all pass it needs no masks.
// `threads` are the values that differ between threads.
llvm::SmallVector<llvm::CallInst *> addMeetingPoints(llvm::Function &function, const ThreadFields &threads);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_MEETING_POINTS_H
