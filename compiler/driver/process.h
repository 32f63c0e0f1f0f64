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
struct Process {
  pid_t pid = -1;
  int errorPipe = -1;
};

// startProcess() runs command[0] with its arguments, without a shell.
Expected<Process> startProcess(const std::vector<std::string> &command, bool captureErrors);

// readAvailable() appends what the pipe holds to `text`, and returns false at its end. Blocks only while it is empty.
bool readAvailable(int pipe, std::string &text);

// ExitStatus is how a child ended: by exit(code), or by a signal.
struct ExitStatus {
  int code = 0;
  int signal = 0;
};

// waitFor() blocks until the child has ended; a signal to this process calls `interrupted` and goes on waiting.
ExitStatus waitFor(pid_t pid, const std::function<void()> &interrupted);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_PROCESS_H
