#include "tools/hostwarp/compare/live_run.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "tools/hostwarp/commands.h"
#include "tools/hostwarp/environment.h"

namespace hostwarp::tool::compare {

using compare_wire::Frame;
using compare_wire::Kind;
using compare_wire::ObjectId;

namespace {

constexpr int ready = 1 << 0, ended = 1 << 1;

// waitFor() tells which of the two can be read; 0: none within the time.
int waitFor(int first, int second, double seconds) {
  pollfd watched[] = {{first, POLLIN, 0}, {second, POLLIN, 0}};
  int count = 0;
  do count = poll(watched, 2, static_cast<int>(std::min(seconds, 1e6) * 1000));
  while (count < 0 && errno == EINTR);
  return (watched[0].revents ? ready : 0) | (watched[1].revents ? ended : 0);
}

int listenAt(const std::string &path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return -1;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made >= 0 && bind(made, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0 && listen(made, 16) == 0)
    return made;
  if (made >= 0) close(made);
  return -1;
}

void replace(int target, const char *path, int flags) {
  const int file = open(path, flags | O_CLOEXEC, 0600);
  if (file >= 0) dup2(file, target);
}

// reopen() gives each run an input of its own, where it is a file.
void reopenInput() {
  char name[] = "/proc/self/fd/0";
  const int file = open(name, O_RDONLY | O_CLOEXEC);
  const bool isFile = file >= 0 && lseek(file, 0, SEEK_CUR) == 0;
  if (isFile)
    dup2(file, STDIN_FILENO);
  else
    replace(STDIN_FILENO, "/dev/null", O_RDONLY);
}

}  // namespace

LiveRun::LiveRun(RunSettings settings, std::string file) : settings_(std::move(settings)), file_(std::move(file)) {}

LiveRun::~LiveRun() {
  if (process_ > 0) {
    kill(-process_, SIGKILL);
    wait();
  }
  hangUp();
  if (listener_ >= 0) close(listener_);
}

void LiveRun::becomeProgram() const {
  setpgid(0, 0);
  // Who ends this tool, even by force, ends the program.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The same addresses in each run, where the system allows it: pointers to the host's memory are alike then.
  personality(ADDR_NO_RANDOMIZE);
  reopenInput();
  if (!settings_.showsOutput) {
    replace(STDOUT_FILENO, outputFile().c_str(), O_WRONLY | O_CREAT | O_TRUNC);
    replace(STDERR_FILENO, errorFile().c_str(), O_WRONLY | O_CREAT | O_TRUNC);
  }
  for (const auto &[name, value] : settings_.environment) setVariable(name.c_str(), value);
  setVariable("HOSTWARP_DIGESTS", file_ + ".socket");
  countTime();
  const std::vector<std::string_view> words(settings_.command.begin(), settings_.command.end());
  _exit(execute(words));
}

bool LiveRun::start() {
  isStarted_ = true;
  listener_ = listenAt(file_ + ".socket");
  if (listener_ < 0) return giveUp("no socket can be made at " + file_ + ".socket"), false;
  process_ = fork();
  if (process_ == 0) becomeProgram();
  if (process_ < 0) return giveUp("the program cannot be started"), false;
  setpgid(process_, process_);
  processHandle_ = static_cast<int>(syscall(SYS_pidfd_open, process_, 0));
  return true;
}

void LiveRun::giveUp(const std::string &problem) {
  if (ending_.problem.empty()) ending_.problem = problem;
  hangUp();
}

void LiveRun::hangUp() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  isAsking_ = false;
}

void LiveRun::wait() {
  if (process_ <= 0) return;
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  if (processHandle_ >= 0) close(processHandle_);
  process_ = processHandle_ = -1;
  ending_.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (WIFSIGNALED(status) && ending_.problem.empty())
    ending_.problem = std::string("was ended by a signal: ") + strsignal(WTERMSIG(status));
  if (WIFEXITED(status) && !hello_ && ending_.problem.empty() && (ending_.status == 126 || ending_.status == 127))
    ending_.problem = "could not be started";
}

std::optional<Frame> LiveRun::receive() {
  if (waitFor(socket_, -1, settings_.seconds) == 0) {
    giveUp(
        "has done nothing for " + std::to_string(static_cast<int>(settings_.seconds)) +
        " s and was ended: --timeout gives it longer; a kernel that waits for the host, or for a later kernel, cannot "
        "be compared");
    kill(-process_, SIGKILL);
    return std::nullopt;
  }
  return compare_wire::receive(socket_);
}

bool LiveRun::greet() {
  compare_wire::Hello hello;
  const auto frame = receive();
  if (!frame || frame->kind != Kind::Hello || !decode(frame->payload, hello)) return false;
  if (hello.version != compare_wire::version) return giveUp("has the runtime of another version of hostwarp"), false;
  if (!hello_) hello_ = hello;
  return send(socket_, Kind::Settings, encode(settings_.answer));
}

bool LiveRun::connect() {
  while (ending_.problem.empty()) {
    const int events = waitFor(listener_, processHandle_, settings_.seconds);
    if (events & ready) {
      socket_ = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket_ >= 0 && greet()) return true;
      hangUp();
      continue;
    }
    if (events == 0) {
      giveUp("has done nothing with CUDA for " + std::to_string(static_cast<int>(settings_.seconds)) +
             " s and was ended: --timeout gives it longer");
      kill(-process_, SIGKILL);
    }
    break;
  }
  wait();
  return false;
}

std::optional<compare_wire::Work> LiveRun::next() {
  if (!isStarted_ && !start()) return std::nullopt;
  if (process_ <= 0 && socket_ < 0) return std::nullopt;
  if (isAsking_ && !send(socket_, Kind::Go, "")) hangUp();
  isAsking_ = false;
  while (socket_ >= 0 || connect()) {
    compare_wire::Work work;
    const auto frame = receive();
    if (frame && frame->kind == Kind::Work && decode(frame->payload, work)) return isAsking_ = true, work;
    hangUp();
  }
  return std::nullopt;
}

std::optional<Frame> LiveRun::ask(Kind question, ObjectId id) {
  if (!isAsking_ || !send(socket_, question, compare_wire::encode(id))) return std::nullopt;
  return receive();
}

std::optional<compare_wire::Values> LiveRun::values(ObjectId id) {
  compare_wire::Values values;
  const auto frame = ask(Kind::ValuesOf, id);
  if (!frame || frame->kind != Kind::Values || !decode(frame->payload, values) || values.bytes.empty())
    return std::nullopt;
  return values;
}

std::string LiveRun::place(ObjectId id) {
  const auto frame = ask(Kind::PlaceOf, id);
  return frame && frame->kind == Kind::Place ? frame->payload : "";
}

}  // namespace hostwarp::tool::compare
