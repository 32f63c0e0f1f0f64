// The file in which a program under `hostwarp check` notes what was found, for whoever started it.
#ifndef HOSTWARP_EMU_RUNTIME_SUPPORT_FINDINGS_FILE_H
#define HOSTWARP_EMU_RUNTIME_SUPPORT_FINDINGS_FILE_H

#include <string>

namespace hostwarp {

// incompleteMark begins lines that say what was not checked; the others are findings.
inline constexpr const char *incompleteMark = "incomplete: ";

// noteFinding() appends a line to the file that HOSTWARP_FINDINGS names, if it names one. The line is there even if the
// program crashes right after. Thread-safe.
void noteFinding(const std::string &line);

}  // namespace hostwarp

#endif  // HOSTWARP_EMU_RUNTIME_SUPPORT_FINDINGS_FILE_H
