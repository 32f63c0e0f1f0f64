#include "compiler/driver/process.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

extern char **environ;

namespace hostwarp::driver {

namespace {

// Where the child of startReporting() finds its pipe.
constexpr int statusDescriptor = 3;

// Pipe is one from a child to this process.
struct Pipe {
  Pipe() = default;
  Pipe(const Pipe &) = delete;
  Pipe &operator=(const Pipe &) = delete;
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) close(end);
  }
  // open() keeps the child's end off the descriptors that children get.
  bool open() {
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    const int moved = fcntl(ends[1], F_DUPFD_CLOEXEC, statusDescriptor + 1);
    close(std::exchange(ends[1], moved));
    return moved >= 0;
  }
  int takeReadingEnd() { return std::exchange(ends[0], -1); }

  int ends[2] = {-1, -1};
};

Failure noPipe() { return Failure{std::string("Could not make a pipe: ") + std::strerror(errno)}; }

// spawn() returns an error's number. Programs inherit what is ignored: a compiler could not wait for its own children.
int spawn(const std::vector<std::string> &command, const posix_spawn_file_actions_t &actions, pid_t &pid) {
  std::vector<char *> arguments;
  for (const std::string &word : command) arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawnattr_t attributes;
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGCHLD);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int error = posix_spawn(&pid, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  return error;
}

Expected<Process> start(const std::vector<std::string> &command, Pipe &errors, Pipe &status) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (errors.ends[1] >= 0) posix_spawn_file_actions_adddup2(&actions, errors.ends[1], STDERR_FILENO);
  if (status.ends[1] >= 0) posix_spawn_file_actions_adddup2(&actions, status.ends[1], statusDescriptor);
  Process process;
  const int error = spawn(command, actions, process.pid);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return Failure{"Could not run '" + command[0] + "': " + std::strerror(error)};
  process.errorPipe = errors.takeReadingEnd();
  process.statusPipe = status.takeReadingEnd();
  return process;
}

// takeReport() reads what the child has told of its end; -1 when that is nothing. Never blocks.
int takeReport(int pipe) {
  unsigned char status = 0;
  fcntl(pipe, F_SETFL, O_NONBLOCK);
  const bool told = read(pipe, &status, 1) == 1;
  close(pipe);
  return told ? status : -1;
}

}  // namespace

Expected<Process> startProcess(const std::vector<std::string> &command, bool captureErrors) {
  Pipe errors, none;
  if (captureErrors && !errors.open()) return noPipe();
  return start(command, errors, none);
}

Expected<Process> startReporting(std::vector<std::string> command) {
  Pipe errors, status;
  if (!errors.open() || !status.open()) return noPipe();
  command.insert(command.begin() + 1, reportStatusOption);
  return start(command, errors, status);
}

namespace {

std::atomic<bool> hasReported = false;

// endUnheard() ends the process as SIGTERM would, so that it cleans up, when nobody is there any more to hear of its
// end: a program that has compiled for itself is gone. Again and again, since a signal that comes just before the
// thread waits for its children does not wake it.
void endUnheard(pthread_t mainThread) {
  pollfd end{statusDescriptor, 0, 0};
  while (poll(&end, 1, -1) < 0 && errno == EINTR) continue;
  for (; (end.revents & POLLERR) != 0 && !hasReported; std::this_thread::sleep_for(std::chrono::milliseconds(100)))
    pthread_kill(mainThread, SIGTERM);
}

}  // namespace

StatusReport::StatusReport(bool wanted) : wanted_(wanted) {
  if (!wanted_) return;
  fcntl(statusDescriptor, F_SETFD, FD_CLOEXEC);
  std::thread(endUnheard, pthread_self()).detach();
}

int StatusReport::send(int status) const {
  hasReported = true;
  const auto byte = static_cast<unsigned char>(status);
  // Where nobody listens any more, nobody wants to know.
  if (wanted_ && write(statusDescriptor, &byte, 1) != 1) return status;
  return status;
}

bool readAvailable(int pipe, std::string &text) {
  char buffer[4096];
  const ssize_t count = read(pipe, buffer, sizeof buffer);
  if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

ExitStatus waitFor(const Process &process, const std::function<void()> &interrupted) {
  int status = 0, error = 0;
  while (waitpid(process.pid, &status, 0) < 0 && (error = errno) == EINTR) {
    error = 0;
    interrupted();
  }
  const int told = process.statusPipe >= 0 ? takeReport(process.statusPipe) : -1;
  if (error != 0 && told >= 0) return {told, 0, ""};
  if (error != 0) return {0, 0, std::strerror(error)};
  if (WIFSIGNALED(status)) return {0, WTERMSIG(status), ""};
  return {WEXITSTATUS(status), 0, ""};
}

}  // namespace hostwarp::driver
