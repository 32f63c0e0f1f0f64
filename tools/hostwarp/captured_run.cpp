#include "tools/hostwarp/captured_run.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace hostwarp::tool {
namespace {

[[noreturn]] void becomeProgram(const std::vector<std::string> &command, const std::string &folder, int output) {
  std::vector<char *> argv;
  for (const std::string &word : command) argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(nullptr);
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  if (chdir(folder.c_str()) == 0) execvp(argv[0], argv.data());
  dprintf(STDERR_FILENO, "%s: %s\n", argv[0], std::strerror(errno));
  _exit(127);
}

std::string readAll(int file) {
  std::string text;
  char part[4096];
  for (;;) {
    const ssize_t size = ::read(file, part, sizeof part);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return text;
    text.append(part, static_cast<size_t>(size));
  }
}

}  // namespace

CapturedRun captureRun(const std::vector<std::string> &command, const std::string &folder) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {127, std::strerror(errno)};
  const pid_t child = fork();
  if (child == 0) becomeProgram(command, folder, ends[1]);
  close(ends[1]);
  CapturedRun run;
  if (child > 0) run.output = readAll(ends[0]);
  close(ends[0]);
  int status = 0;
  if (child < 0) return {127, std::strerror(errno)};
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}

}  // namespace hostwarp::tool
