// Findings: what is wrong in the program, told once for each place.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_FINDINGS_H
#define HOSTWARP_EMU_RUNTIME_CHECK_FINDINGS_H

#include <string>

#include "include/hostwarp/device_abi.h"

namespace hostwarp::check {

// Problem is what a wrong access is, in words: "out of bounds", and a sentence that says which memory is meant.
struct Problem {
  std::string kind;
  std::string what;
};

// report() tells of a wrong access by the running CUDA thread: on stderr when it is the first of its kind at this
// place, and as a line in the file of findings. At exit it says how many more there were. Thread-safe. pre: inside of a
// RuntimeSection.
void report(const Problem &problem, const hw_access_site &site);

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_FINDINGS_H
