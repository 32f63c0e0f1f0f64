#ifndef HOSTWARP_COMPILER_NVRTC_MESSAGES_H
#define HOSTWARP_COMPILER_NVRTC_MESSAGES_H

#include <initializer_list>
#include <string>

namespace hostwarp::nvrtc {

// inWordsOfNvrtc() returns hwcc's log with the names that the program knows, and with NVRTC's own words where libraries
// read them: Jitify learns from `k.cu(3): catastrophic error: cannot open source file "x.h"` which header to bring, and
// tests look for `identifier "x" is undefined`.
// folders: where the program's headers were written.
std::string inWordsOfNvrtc(std::string log, std::initializer_list<std::string> folders);

}  // namespace hostwarp::nvrtc

#endif  // HOSTWARP_COMPILER_NVRTC_MESSAGES_H
