// What `hostwarp check` says of the kernel after which two runs differ.
#ifndef HOSTWARP_TOOLS_HOSTWARP_COMPARE_EXPLANATION_H
#define HOSTWARP_TOOLS_HOSTWARP_COMPARE_EXPLANATION_H

#include <string>
#include <vector>

#include "tools/hostwarp/compare/live_run.h"

namespace hostwarp::tool::compare {

// Explanation is the findings, as sentences; or why there is nothing to be said.
struct Explanation {
  std::vector<std::string> findings;
  std::string problem;  // "" where the kernel was checked
};

// explain() runs the program under check, which tells of that kernel alone. `file` is the beginning of names for files.
Explanation explain(const RunSettings &run, const std::string &kernel, const std::string &file);

}  // namespace hostwarp::tool::compare

#endif  // HOSTWARP_TOOLS_HOSTWARP_COMPARE_EXPLANATION_H
