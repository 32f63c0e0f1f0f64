// From the words of a command line to an Invocation.
#ifndef HOSTWARP_COMPILER_DRIVER_OPTION_PARSER_H
#define HOSTWARP_COMPILER_DRIVER_OPTION_PARSER_H

#include <string>
#include <vector>

#include "compiler/driver/invocation.h"
#include "compiler/driver/result.h"

namespace hostwarp::driver {

struct ParsedCommandLine {
  Invocation invocation;
  std::vector<std::string> warnings;
};

// parseCommandLine() reads the words behind the program's name, with @file and --options-file expanded in place.
// It reads option files and looks whether an argument without a known suffix exists; nothing else outside `arguments`.
Expected<ParsedCommandLine> parseCommandLine(const std::vector<std::string> &arguments);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_OPTION_PARSER_H
