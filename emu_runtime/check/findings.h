// Findings: what is wrong in the program, told once for each place.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_FINDINGS_H
#define HOSTWARP_EMU_RUNTIME_CHECK_FINDINGS_H

#include <cstdint>
#include <optional>
#include <string>

#include "emu_runtime/check/allocation_places.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::check {

class BlockState;

// Problem is what a wrong access is, in words: "out of bounds", and a sentence that says which memory is meant. One of
// two accesses has the place of the other, and a sentence that says what is missing.
struct Problem {
  std::string kind{};
  std::string what{};
  std::string by{};                   // the thread; empty: the running one
  std::optional<uint32_t> thread{};   // its number in the block; none: the running one's
  const BlockState *block = nullptr;  // null: that of the running one
  const hw_access_site *other = nullptr;
  std::string why{};
  std::string values{};    // what memory holds, and what it would
  std::string variable{};  // "tile[3] of __shared__ float tile[16]"
  Origin origin{};         // of the memory
};

// report() tells of a wrong access by the running CUDA thread: on stderr when it is the first of its kind at this
// place, and as a line in the file of findings; further ones are counted. Thread-safe. pre: inside of a
// RuntimeSection.
void report(const Problem &problem, const hw_access_site &site);

// reportOfHost() tells of what is wrong outside of kernels, by that call if one is known: each time, on stderr and in
// the file of findings. Thread-safe. pre: inside of a RuntimeSection.
void reportOfHost(const std::string &kind, const std::string &what, const Origin &origin,
                  const DoerRef &doer = nullptr);

// reportFault() counts what has ended a kernel as a finding, unless a wrong access has been told of that may be its
// cause; the words are printed by whoever calls. Thread-safe.
void reportFault(const std::string &kind, const std::string &what);

// countAgain() counts a finding of two accesses if it has been told of; false: it has not. Thread-safe. pre: inside of
// a RuntimeSection.
bool countAgain(const std::string &kind, const hw_access_site &site, const hw_access_site &other);

// timesTold() grows with each wrong access. Thread-safe.
uint64_t timesTold();

// sumUpFindings() prints how many there were.
void sumUpFindings();

// Benign is what is no finding, unordered though it is, but worth a number at exit.
enum class Benign : uint8_t { SameValue, Poll };

// countBenign() counts it for the place in the source. Thread-safe. pre: inside of a RuntimeSection.
void countBenign(Benign kind, const hw_access_site &site);

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_FINDINGS_H
