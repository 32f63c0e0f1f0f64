// Findings: what is wrong in the program, told once for each place.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_FINDINGS_H
#define HOSTWARP_EMU_RUNTIME_CHECK_FINDINGS_H

#include <string>

#include "include/hostwarp/check_abi.h"

namespace hostwarp::check {

// Problem is what a wrong access is, in words: "out of bounds", and a sentence that says which memory is meant. One of
// two accesses has the place of the other, and a sentence that says what is missing.
struct Problem {
  std::string kind{};
  std::string what{};
  const hw_access_site *other = nullptr;
  std::string why{};
};

// report() tells of a wrong access by the running CUDA thread: on stderr when it is the first of its kind at this
// place, and as a line in the file of findings; further ones are counted. Thread-safe. pre: inside of a
// RuntimeSection.
void report(const Problem &problem, const hw_access_site &site);

// sumUpFindings() prints how many there were.
void sumUpFindings();

// countSameValue() notes that threads write one value to one place at this site, unordered: no finding, but a number at
// exit. Thread-safe. pre: inside of a RuntimeSection.
void countSameValue(const hw_access_site &site);

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_FINDINGS_H
