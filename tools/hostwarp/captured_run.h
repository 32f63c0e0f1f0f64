// Programs run for what they say.
#ifndef HOSTWARP_TOOLS_HOSTWARP_CAPTURED_RUN_H
#define HOSTWARP_TOOLS_HOSTWARP_CAPTURED_RUN_H

#include <string>
#include <vector>

namespace hostwarp::tool {

// CapturedRun is how a program ended, as a shell says it, and what it has printed to stdout and stderr.
struct CapturedRun {
  int status = 127;
  std::string output;
};

// captureRun() runs the command in the folder and waits for its end.
CapturedRun captureRun(const std::vector<std::string> &command, const std::string &folder);

}  // namespace hostwarp::tool

#endif  // HOSTWARP_TOOLS_HOSTWARP_CAPTURED_RUN_H
