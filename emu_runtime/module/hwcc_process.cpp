#include "emu_runtime/module/hwcc_process.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

#include "fibers/mutex.h"

extern char **environ;

namespace hostwarp::modules {

namespace fs = std::filesystem;

const Status noTemporaryFolder(cudaErrorOperatingSystem, "a module cannot be written to a temporary folder");

namespace {

// LiveFolders removes those that threads still use when the process exits, and makes no more then. Never destroyed.
class LiveFolders {
 public:
  static LiveFolders &process() {
    static auto *folders = new LiveFolders;
    return *folders;
  }

  // make() returns an empty path where no folder can be made.
  fs::path make() {
    const MutexLock lock(mutex_);
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "hostwarp-code-XXXXXX").string();
    if (error || hasEnded_ || !mkdtemp(pattern.data())) return {};
    paths_.insert(pattern);
    return pattern;
  }

  void remove(const fs::path &path) {
    const MutexLock lock(mutex_);
    if (paths_.erase(path) != 0) removeNow(path);
  }

 private:
  LiveFolders() {
    std::atexit([] { process().end(); });
  }

  void end() {
    const MutexLock lock(mutex_);
    hasEnded_ = true;
    for (const fs::path &path : std::exchange(paths_, {})) removeNow(path);
  }

  // removeNow(): hwcc may write a file while the others are removed.
  static void removeNow(const fs::path &path) {
    constexpr int mostTries = 100;
    std::error_code error;
    for (int i = 0; i < mostTries; ++i)
      if (fs::remove_all(path, error); !error) return;
  }

  Mutex mutex_;
  std::set<fs::path> paths_ HOSTWARP_GUARDED_BY(mutex_);
  bool hasEnded_ HOSTWARP_GUARDED_BY(mutex_) = false;
};

}  // namespace

TemporaryFolder::TemporaryFolder() : path_(LiveFolders::process().make()) {}

TemporaryFolder::~TemporaryFolder() {
  if (!path_.empty()) LiveFolders::process().remove(path_);
}

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool writeFile(const std::string &path, std::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  return file.good();
}

namespace {

// hwccPath() is beside the library that this code is in; where that is the program itself, the PATH decides. A program
// with more rights than its caller does not run what the caller names.
std::string hwccPath() {
  if (const char *named = secure_getenv("HOSTWARP_HWCC")) return named;
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void *>(&runHwcc), &info)) return "";
  std::error_code error;
  const fs::path beside = fs::canonical(info.dli_fname, error).parent_path().parent_path() / "bin" / "hwcc";
  if (!error && fs::exists(beside, error)) return beside.string();
  return getauxval(AT_SECURE) != 0 ? "" : "hwcc";
}

// StatusPipe is how hwcc tells its exit status: a program that ignores SIGCHLD, or that waits for all of its children
// in some other thread, cannot wait for this one.
class StatusPipe {
 public:
  static constexpr int childsEnd = 3;  // what hwcc's --report-status means

  StatusPipe() {
    if (pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0) return;
    const int moved = fcntl(ends_[1], F_DUPFD_CLOEXEC, childsEnd + 1);
    close(std::exchange(ends_[1], moved));
  }
  ~StatusPipe() {
    for (const int end : ends_)
      if (end >= 0) close(end);
  }
  StatusPipe(const StatusPipe &) = delete;
  StatusPipe &operator=(const StatusPipe &) = delete;

  bool isOpen() const { return ends_[1] >= 0; }
  int forChild() const { return ends_[1]; }
  // awaitEnd() returns when hwcc has told its status or is gone. pre: the child's end has been handed on.
  void awaitEnd() {
    close(std::exchange(ends_[1], -1));
    pollfd end{ends_[0], POLLIN, 0};
    while (poll(&end, 1, -1) < 0 && errno == EINTR) continue;
  }
  // told() is what hwcc has said of its end, -1 when that is nothing.
  int told() const {
    unsigned char status = 0;
    return read(ends_[0], &status, 1) == 1 ? status : -1;
  }

 private:
  int ends_[2] = {-1, -1};
};

// spawn() starts hwcc, whose output goes to the file `log`, and returns errno's value. SIGCHLD gets its default action
// back: an ignored signal stays ignored in the new program, and hwcc has to wait for its own children.
int spawn(std::vector<std::string> &words, const std::string &log, const StatusPipe &status, pid_t &child) {
  std::vector<char *> arguments;
  for (std::string &word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, status.forChild(), StatusPipe::childsEnd);
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, descriptor, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawnattr_t attributes;
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGCHLD);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int error = posix_spawnp(&child, words[0].c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

const Status noCompiler(cudaErrorJitCompilerNotFound,
                        "PTX of another compiler, linking, and other builds of device code need hwcc, which is neither "
                        "beside the runtime library nor in the PATH");

Status notRun(const std::string &hwcc, const std::string &why) {
  return {cudaErrorOperatingSystem, "'" + hwcc + "', which compiles device code and links, " + why};
}

}  // namespace

namespace {

// disown() makes a command of it that leaves hwcc behind and ends. What hwcc writes stays in `folder`, which goes when
// the program ends, and may do so before hwcc does.
void disown(std::vector<std::string> &words, const std::string &folder) {
  words.insert(words.begin(), {"/bin/sh", "-c", R"(TMPDIR="$0" "$@" &)", folder});
}

// statusOfNobodys() waits for hwcc itself, when the shell that has started it is gone.
Expected<int> statusOfNobodys(const std::string &hwcc, StatusPipe &report) {
  report.awaitEnd();
  const int told = report.told();
  return told >= 0 ? Expected<int>(told) : notRun(hwcc, "did not tell how it ended");
}

}  // namespace

Expected<int> runHwcc(std::vector<std::string> words, const std::string &log, Child whose) {
  words.insert(words.begin(), {hwccPath(), "--report-status"});
  if (words[0].empty()) return noCompiler;
  const std::string hwcc = words[0];
  if (whose == Child::Nobodys) disown(words, fs::path(log).parent_path());
  StatusPipe report;
  if (!report.isOpen()) return notRun(hwcc, std::string("could not be given a pipe: ") + std::strerror(errno));
  pid_t child = 0;
  const int failed = spawn(words, log, report, child);
  if (failed == ENOENT) return noCompiler;
  if (failed != 0) return notRun(hwcc, std::string("could not be started: ") + std::strerror(failed));
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno == EINTR) continue;
    if (whose == Child::Nobodys) return statusOfNobodys(hwcc, report);
    const int error = errno, told = report.told();
    if (told >= 0) return told;
    return notRun(hwcc, std::string("was stopped; how is not known, since the program ignores SIGCHLD or waits for "
                                    "all children: ") +
                            std::strerror(error));
  }
  if (whose == Child::Nobodys) return statusOfNobodys(hwcc, report);
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return notRun(hwcc, std::string("was stopped by a signal: ") + strsignal(WTERMSIG(status)));
}

}  // namespace hostwarp::modules
