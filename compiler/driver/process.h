// Child processes.
#ifndef HOSTWARP_COMPILER_DRIVER_PROCESS_H
#define HOSTWARP_COMPILER_DRIVER_PROCESS_H

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "compiler/driver/result.h"

namespace hostwarp::driver {

// Process is a running child. Its standard error comes through `errorPipe` when it was captured, else that is -1.
// Through `statusPipe` a child comes to tell its exit status that was asked for it; else that is -1.
struct Process {
  pid_t pid = -1;
  int errorPipe = -1;
  int statusPipe = -1;
};

// startProcess() runs command[0] with its arguments, without a shell; whether this process ignores SIGCHLD is nothing
// to the child.
Expected<Process> startProcess(const std::vector<std::string> &command, bool captureErrors);

// startReporting() runs a command that captures errors and has the child (an hwcc) tell its exit status by the option
// reportStatusOption as its first argument: a process that ignores SIGCHLD cannot wait for it.
Expected<Process> startReporting(std::vector<std::string> command);
inline constexpr const char *reportStatusOption = "--report-status";

// StatusReport is the child's side of startReporting(): made before the first process is started that must not
// inherit the pipe. SIGTERM comes to the thread that makes it when nobody listens any more before the end is told.
class StatusReport {
 public:
  explicit StatusReport(bool wanted);
  // send() tells the status. Returns it.
  int send(int status) const;

 private:
  bool wanted_;
};

// readAvailable() appends what the pipe holds to `text`, and returns false at its end. Blocks only while it is empty.
bool readAvailable(int pipe, std::string &text);

// ExitStatus is how a child ended: by exit(code), or by a signal. `lost` says why that cannot be known, where it
// cannot.
struct ExitStatus {
  int code = 0;
  int signal = 0;
  std::string lost;

  bool succeeded() const { return code == 0 && signal == 0 && lost.empty(); }
};

// waitFor() blocks until the child has ended; a signal to this process calls `interrupted` and goes on waiting. Closes
// the child's statusPipe.
ExitStatus waitFor(const Process &process, const std::function<void()> &interrupted);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_PROCESS_H
