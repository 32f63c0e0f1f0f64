#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "emu_runtime/support/findings_file.h"
#include "tools/hostwarp/commands.h"

namespace hostwarp::tool {
namespace {

constexpr int someFindings = 1;
constexpr int incomplete = 2;

// FindingsFile is where the program notes its findings, so that they count whatever becomes of it.
class FindingsFile {
 public:
  FindingsFile() {
    std::error_code error;
    std::string pattern = (std::filesystem::temp_directory_path(error) / "hostwarp-findings-XXXXXX").string();
    const int file = error ? -1 : mkstemp(pattern.data());
    if (file < 0) return;
    close(file);
    path_ = pattern;
  }
  ~FindingsFile() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove(path_, ignored);
  }
  FindingsFile(const FindingsFile &) = delete;
  FindingsFile &operator=(const FindingsFile &) = delete;

  const std::string &path() const { return path_; }
  // verdict() is someFindings, incomplete, or 0 where everything was checked and nothing found.
  int verdict() const {
    std::ifstream file(path_);
    int result = 0;
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with(incompleteMark)) return someFindings;
      result = incomplete;
    }
    return result;
  }

 private:
  std::string path_;
};

// runAndWait() is the program's exit status, as a shell says it. Signals to the group reach the program by themselves.
int runAndWait(Arguments command) {
  const pid_t child = fork();
  if (child < 0) return fail("the program cannot be started");
  if (child == 0) _exit(execute(command));
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

int check(Arguments arguments) {
  if (!arguments.empty() && arguments[0] == "--") arguments = arguments.subspan(1);
  if (arguments.empty()) return fail("check needs a program");
  if (arguments[0].starts_with('-'))
    return fail("unknown option '" + std::string(arguments[0]) + "'; see hostwarp help");
  const FindingsFile findings;
  if (findings.path().empty()) return fail("there is no temporary folder to note findings in");
  setVariable("HOSTWARP_BUILD", "checked");
  setVariable("HOSTWARP_FINDINGS", findings.path());
  const int status = runAndWait(arguments);
  const int verdict = findings.verdict();
  if (verdict != 0) return verdict;
  std::fputs("hostwarp: nothing found\n", stderr);
  return status;
}

}  // namespace hostwarp::tool
