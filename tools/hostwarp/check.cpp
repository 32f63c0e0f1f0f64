#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "emu_runtime/support/findings_file.h"
#include "tools/hostwarp/check_formats.h"
#include "tools/hostwarp/check_options.h"
#include "tools/hostwarp/commands.h"
#include "tools/hostwarp/environment.h"
#include "tools/hostwarp/html_report.h"

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

 private:
  std::string path_;
};

// runAndWait() is the program's exit status, as a shell says it. Signals to the group reach the program by themselves.
int runAndWait(Arguments command) {
  const pid_t child = fork();
  if (child < 0) return fail("the program cannot be started");
  if (child == 0) {
    // Who ends this program, even by force, ends the other one.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    _exit(executeProgram(command));
  }
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Format is a form of report, with the option that asks for it.
struct Format {
  std::string_view option;
  std::string (*make)(const CheckedRun &run);
  std::string path;
};

struct CheckRequest {
  Format formats[4] = {
      {"--html", toHtml, ""}, {"--json", toJson, ""}, {"--sarif", toSarif, ""}, {"--junit", toJunit, ""}};
  bool annotations = false;
};

// OfEnvironment is an option that is an environment variable to the program.
struct OfEnvironment {
  std::string_view option;
  const char *name;
};
constexpr OfEnvironment variables[] = {{"--seed", "HOSTWARP_SEED"},
                                       {"--schedule", "HOSTWARP_SCHEDULE"},
                                       {"--schedule-trace", "HOSTWARP_SCHEDULE_TRACE"},
                                       {"--volatile", "HOSTWARP_CHECK_VOLATILE"},
                                       {"--init", "HOSTWARP_CHECK_INIT"},
                                       {"--async", "HOSTWARP_CHECK_ASYNC"},
                                       {"--kernels", "HOSTWARP_CHECK_KERNELS"},
                                       {"--suppressions", "HOSTWARP_CHECK_SUPPRESSIONS"}};

constexpr std::string_view flags[] = {"--github", "--leaks"};

bool setOption(std::string_view name, const std::string &value, CheckRequest &request) {
  for (const OfEnvironment &variable : variables)
    if (name == variable.option) return setVariable(variable.name, value), true;
  for (Format &format : request.formats)
    if (name == format.option) return format.path = value, true;
  return false;
}

// takeOptions() takes "--name value" and "--name=value" off the arguments; what is wrong, or "".
std::string takeOptions(Arguments &arguments, CheckRequest &request) {
  while (!arguments.empty() && arguments[0].starts_with('-')) {
    const std::string_view word = arguments[0];
    arguments = arguments.subspan(1);
    if (word == "--") break;
    if (checkOption(word) == CheckOption::Flag) {
      request.annotations |= word == "--github";
      if (word == "--leaks") setVariable("HOSTWARP_CHECK_LEAKS", "1");
      continue;
    }
    const size_t equals = word.find('=');
    std::string value;
    if (equals != std::string_view::npos) {
      value = word.substr(equals + 1);
    } else if (!arguments.empty()) {
      value = arguments[0];
    }
    if (!setOption(word.substr(0, equals), value, request))
      return "unknown option '" + std::string(word) + "'; see hostwarp help";
    if (equals != std::string_view::npos) continue;
    if (arguments.empty()) return "option '" + std::string(word) + "' needs a value";
    arguments = arguments.subspan(1);
  }
  return arguments.empty() ? "check needs a program" : "";
}

// writeReports() is false when one could not be written.
bool writeReports(const CheckRequest &request, const CheckedRun &run) {
  bool isWritten = true;
  for (const Format &format : request.formats) {
    if (format.path.empty()) continue;
    std::ofstream file(format.path);
    file << format.make(run);
    file.close();
    if (!file) {
      fail("cannot write " + format.path);
      isWritten = false;
    }
  }
  if (request.annotations) std::fputs(toAnnotations(run).c_str(), stdout);
  return isWritten;
}

// tellOfTheEnd() says so when the program has not told of all that it did, whatever was found until then.
void tellOfTheEnd(const CheckedRun &run) {
  if (run.result.isComplete) return;
  const int signal = run.programStatus - 128;
  const char *name = signal > 0 ? sigdescr_np(signal) : nullptr;
  const std::string how = name ? " (" + std::string(name) + ")" : "";
  std::fputs(("hostwarp: the program did not come to its end" + how +
              ", or has no kernels: what it did not tell of is not known\n")
                 .c_str(),
             stderr);
}

int statusOf(const CheckedRun &run) {
  const FindingsOfRun &result = run.result;
  tellOfTheEnd(run);
  if (!result.findings.empty()) return someFindings;
  if (!result.isComplete || !result.incomplete.empty()) return incomplete;
  std::fputs("hostwarp: nothing found\n", stderr);
  return run.programStatus;
}

}  // namespace

CheckOption checkOption(std::string_view name) {
  const CheckRequest request;
  const auto isName = [&](const auto &each) { return each.option == name; };
  if (std::ranges::find(flags, name) != std::end(flags)) return CheckOption::Flag;
  if (std::ranges::any_of(variables, isName) || std::ranges::any_of(request.formats, isName))
    return CheckOption::WithValue;
  return CheckOption::None;
}

bool runChecked(std::span<const std::string_view> command, CheckedRun &run) {
  const FindingsFile findings;
  if (findings.path().empty()) return false;
  setVariable("HOSTWARP_BUILD", "checked");
  setVariable("HOSTWARP_FINDINGS", findings.path());
  countTime();
  run.command.assign(command.begin(), command.end());
  run.programStatus = runAndWait(command);
  run.result = readFindings(findings.path());
  return true;
}

int check(Arguments arguments) {
  CheckRequest request;
  if (const std::string complaint = takeOptions(arguments, request); !complaint.empty()) return fail(complaint);
  CheckedRun run;
  if (!runChecked(arguments, run)) return fail("there is no temporary folder to note findings in");
  const int status = statusOf(run);
  return writeReports(request, run) || status == someFindings ? status : incomplete;
}

}  // namespace hostwarp::tool
