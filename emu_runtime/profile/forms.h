// In which forms kernels ran (HOSTWARP_FORM_COUNTS): tests must know that they ran the code which users run.
#ifndef HOSTWARP_EMU_RUNTIME_PROFILE_FORMS_H
#define HOSTWARP_EMU_RUNTIME_PROFILE_FORMS_H

#include <cstdint>

#include "emu_runtime/module/kernel.h"

namespace hostwarp::profile {

// Form is how the blocks of one launch ran.
enum class Form : uint8_t {
  Block,        // each by the kernel's block function for blocks of any shape
  Shaped,       // each by the one for blocks of this shape
  Specialised,  // each by one for this shape that was made while the program ran
  Fibers,       // thread by thread
  Refused,      // some by the block function, which left others to their threads
  Overlap,      // thread by thread, because the launch may overlap what it depends on
};

// countForm() counts one launch, of code for the instruction set `level`, if the user wants that; otherwise it costs
// one load. A line of the file is
// "<launches> <form> <instruction set> <kernel's mangled name>"; the lines of one kernel add up. A kernel's first
// launch is written at once, the others when the process exits. Thread-safe.
void countForm(const modules::Kernel &kernel, Form form, uint32_t level);

}  // namespace hostwarp::profile

#endif  // HOSTWARP_EMU_RUNTIME_PROFILE_FORMS_H
