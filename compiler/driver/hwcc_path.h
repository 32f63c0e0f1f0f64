// Where the libraries that run hwcc find it.
#ifndef HOSTWARP_COMPILER_DRIVER_HWCC_PATH_H
#define HOSTWARP_COMPILER_DRIVER_HWCC_PATH_H

#include <string>
#include <vector>

namespace hostwarp::driver {

// hwccPath() is the hwcc of the installation that the calling library belongs to; HOSTWARP_HWCC names another one, but
// not to a program that runs with more rights than its caller.
std::string hwccPath();

// runCompiler() runs a command to its end and appends what it says to `log`; true if it succeeded.
bool runCompiler(const std::vector<std::string> &command, std::string &log);

// runHwcc() does so with hwcc and these words, in programs of any kind: those that ignore SIGCHLD, too.
bool runHwcc(std::vector<std::string> words, std::string &log);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_HWCC_PATH_H
