// What hwcc-device says when it crashes. LLVM trusts the bitcode that it reads, and dies of what is damaged.
#ifndef HOSTWARP_COMPILER_DEVICE_CRASH_MESSAGE_H
#define HOSTWARP_COMPILER_DEVICE_CRASH_MESSAGE_H

#include <string>

namespace hostwarp::compiler {

// tellOfCrashes() has signals that end programs for their faults, and LLVM's fatal errors, become one line and exit
// status 1. To be called once.
void tellOfCrashes();

// nameInput() says which file that line is to name.
void nameInput(const std::string &file);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_CRASH_MESSAGE_H
