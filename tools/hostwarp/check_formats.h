// What a checked run has come to, for other programs.
#ifndef HOSTWARP_TOOLS_HOSTWARP_CHECK_FORMATS_H
#define HOSTWARP_TOOLS_HOSTWARP_CHECK_FORMATS_H

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emu_runtime/support/findings_file.h"

namespace hostwarp::tool {

// CheckedRun is a program that has run under `hostwarp check`.
struct CheckedRun {
  std::vector<std::string> command;
  int programStatus = 0;  // as a shell says it
  FindingsOfRun result;

  // verdict() is "findings", "incomplete" or "clean".
  const char *verdict() const;
};

// runChecked() runs the command under the checks and waits for it; false where there is nowhere to note findings.
bool runChecked(std::span<const std::string_view> command, CheckedRun &run);

// toJson() is hostwarp's own form, which docs/check.md describes. toSarif() is SARIF 2.1.0, for code hosts; toJunit() a
// test suite with a failed test for each finding.
std::string toJson(const CheckedRun &run);
std::string toSarif(const CheckedRun &run);
std::string toJunit(const CheckedRun &run);
// toAnnotations() is lines that GitHub's runners make annotations of.
std::string toAnnotations(const CheckedRun &run);

}  // namespace hostwarp::tool

#endif  // HOSTWARP_TOOLS_HOSTWARP_CHECK_FORMATS_H
