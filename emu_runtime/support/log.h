// Lines for the person who runs the program: warnings, diagnoses, and entry points that are not there.
#ifndef HOSTWARP_EMU_RUNTIME_SUPPORT_LOG_H
#define HOSTWARP_EMU_RUNTIME_SUPPORT_LOG_H

#include <string_view>

#include "emu_runtime/support/status.h"

namespace hostwarp {

// logLine() writes "hostwarp: <text>" and a newline to stderr in one write, so that lines of several threads do not
// mix. Thread-safe; does not allocate.
void logLine(std::string_view text);

// writeLine() is logLine() without the prefix, for output that the user asked for.
void writeLine(std::string_view text);

// logOnce() is logLine(), but only the first time that this `key` is seen in the process. Thread-safe.
void logOnce(std::string_view key, std::string_view text);

// unsupported() names an API function that hostwarp does not have, once per name, and returns cudaErrorNotSupported.
cudaError_t unsupported(const char *name);
// With the reason why hostwarp will not have it.
cudaError_t unsupported(const char *name, const char *reason);

}  // namespace hostwarp

#endif  // HOSTWARP_EMU_RUNTIME_SUPPORT_LOG_H
