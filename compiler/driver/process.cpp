#include "compiler/driver/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

extern char **environ;

namespace hostwarp::driver {

Expected<Process> startProcess(const std::vector<std::string> &command, bool captureErrors) {
  int ends[2] = {-1, -1};
  if (captureErrors && pipe2(ends, O_CLOEXEC) != 0)
    return Failure{std::string("Could not make a pipe: ") + std::strerror(errno)};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (captureErrors) posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<char *> arguments;
  for (const std::string &word : command) arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  Process process;
  const int error = posix_spawn(&process.pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (captureErrors) close(ends[1]);
  process.errorPipe = ends[0];
  if (error == 0) return process;
  if (captureErrors) close(ends[0]);
  return Failure{"Could not run '" + command[0] + "': " + std::strerror(error)};
}

bool readAvailable(int pipe, std::string &text) {
  char buffer[4096];
  const ssize_t count = read(pipe, buffer, sizeof buffer);
  if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

ExitStatus waitFor(pid_t pid, const std::function<void()> &interrupted) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) interrupted();
  if (WIFSIGNALED(status)) return {0, WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

}  // namespace hostwarp::driver
