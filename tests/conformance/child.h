// Runs a function in a child process, so that a test can see what a fatal device error does to a whole process.
// Use it before the first CUDA call: CUDA does not survive fork().
#ifndef HOSTWARP_CONFORMANCE_CHILD_H
#define HOSTWARP_CONFORMANCE_CHILD_H

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace check {

struct ChildResult {
  int exitCode;        // -1 when a signal ended the child
  std::string output;  // stdout and stderr together
};

// runInChild() gives the exit code and output of `body`, whose result is the child's exit code.
template <class Body>
ChildResult runInChild(Body body) {
  int ends[2];
  if (pipe(ends) != 0) return {-1, "pipe failed"};
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    close(ends[0]);
    close(ends[1]);
    const int code = body();
    fflush(stdout);
    _exit(code);
  }
  close(ends[1]);
  ChildResult result{-1, ""};
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) result.output.append(buffer, n);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) result.exitCode = WEXITSTATUS(status);
  return result;
}

}  // namespace check

#endif
