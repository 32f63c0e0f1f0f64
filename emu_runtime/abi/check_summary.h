// What the checks say at the end of a program.
#ifndef HOSTWARP_EMU_RUNTIME_ABI_CHECK_SUMMARY_H
#define HOSTWARP_EMU_RUNTIME_ABI_CHECK_SUMMARY_H

namespace hostwarp {

// summariseChecksAtExit() has the process wait, when it exits, for the kernels that are still running, some time at most,
// and print what the checks have come to. It does nothing in other builds, and at further calls. Thread-safe.
void summariseChecksAtExit();

}  // namespace hostwarp

#endif  // HOSTWARP_EMU_RUNTIME_ABI_CHECK_SUMMARY_H
