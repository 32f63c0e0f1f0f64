// Make rules that list what a source includes.
#ifndef HOSTWARP_COMPILER_DRIVER_DEPENDENCY_FILE_H
#define HOSTWARP_COMPILER_DRIVER_DEPENDENCY_FILE_H

#include <string>
#include <vector>

#include "compiler/driver/result.h"

namespace hostwarp::driver {

struct DependencyRule {
  std::string target;
  bool phonyTargets = false;  // -MP: an empty rule for each header
  std::string source = {};    // named first, if it is named at all: precompiled headers come before it
  std::string omitted = {};   // a file that is not named
};

// prerequisitesOf() are the files that a rule as written by gcc or clang names behind the colon, still escaped for
// make.
std::vector<std::string> prerequisitesOf(const std::string &rule);

// formatRule() writes the rule as nvcc does: one file to a line.
std::string formatRule(const DependencyRule &rule, const std::vector<std::string> &prerequisites);

// mergeDependencyFiles() writes to `output` (empty: standard output) one rule with the prerequisites of all `files`,
// each named once.
Status mergeDependencyFiles(const DependencyRule &rule, const std::vector<std::string> &files,
                            const std::string &output);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_DEPENDENCY_FILE_H
