// hwcc: nvcc's command line for hostwarp.
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "compiler/driver/executor.h"
#include "compiler/driver/information.h"
#include "compiler/driver/input_kind.h"
#include "compiler/driver/link_launcher.h"
#include "compiler/driver/option_parser.h"
#include "compiler/driver/planner.h"
#include "compiler/driver/process.h"
#include "compiler/driver/temp_files.h"
#include "compiler/driver/text.h"
#include "compiler/driver/toolchain.h"

namespace {

using namespace hostwarp::driver;

int fatal(const std::string &message) {
  std::fprintf(stderr, "hwcc fatal   : %s\n", message.c_str());
  return 1;
}

void appendWordsOf(const char *variable, std::vector<std::string> &words) {
  const char *value = std::getenv(variable);
  if (value == nullptr) return;
  for (std::string &word : splitWords(value)) words.push_back(std::move(word));
}

bool reportsStatus(int argc, char **argv) { return argc > 1 && std::string_view(argv[1]) == reportStatusOption; }

// nvcc's two variables count here too.
std::vector<std::string> argumentsOf(int argc, char **argv) {
  std::vector<std::string> words;
  appendWordsOf("NVCC_PREPEND_FLAGS", words);
  words.insert(words.end(), argv + (reportsStatus(argc, argv) ? 2 : 1), argv + argc);
  appendWordsOf("NVCC_APPEND_FLAGS", words);
  return words;
}

// Two objects of one program never come from the same words in the same folder.
std::string identityOf(const Invocation &invocation, const std::vector<std::string> &arguments) {
  if (!invocation.randomSeed.empty()) return "seed " + invocation.randomSeed;
  char folder[PATH_MAX];
  std::string identity = getcwd(folder, sizeof folder) != nullptr ? folder : "";
  for (const std::string &argument : arguments) identity += '\0' + argument;
  return identity;
}

bool showInformation(const Invocation &invocation) {
  if (invocation.action > Action::ListArchitectures) return false;
  const std::string text = invocation.action == Action::ShowHelp      ? helpText()
                           : invocation.action == Action::ShowVersion ? versionText()
                                                                      : architectureText(invocation);
  std::fputs(text.c_str(), stdout);
  return true;
}

Status checkInputsExist(const Invocation &invocation) {
  for (const Input &input : invocation.inputs) {
    if (input.path == "-" && invocation.action == Action::Preprocess) continue;
    if (euidaccess(input.path.c_str(), R_OK) != 0) return Failure{input.path + ": No such file or directory"};
  }
  return {};
}

int clean(const Plan &plan) {
  for (const std::string &file : plan.results) unlink(file.c_str());
  return 0;
}

int parallelJobs(const Invocation &invocation) {
  if (invocation.threads == 0) return static_cast<int>(std::thread::hardware_concurrency());
  // The two passes over one source run side by side in any case.
  return invocation.threads < 2 ? 2 : invocation.threads;
}

int carryOut(const Invocation &invocation, const Toolchain &tools, const std::string &identity) {
  const SignalGuard guard;
  TempFiles temps;
  if (invocation.keep || !invocation.keepDirectory.empty()) {
    temps.keep(invocation.keepDirectory);
  } else if (!invocation.dryRun && !invocation.clean) {
    if (Status status = temps.open(); !status.ok()) return fatal(status.message());
  } else {
    temps.keep("/tmp");
  }
  const Expected<Plan> plan = makePlan(invocation, tools, temps, identity);
  if (!plan.ok()) return fatal(plan.message());
  if (invocation.clean) return clean(*plan);
  if (invocation.dryRun) {
    printPlan(*plan);
    return 0;
  }
  if (Status status = checkInputsExist(invocation); !status.ok()) return fatal(status.message());
  return runPlan(
      *plan, {.verbose = invocation.verbose, .parallel = parallelJobs(invocation), .timeFile = invocation.timeFile});
}

// CMake asks for the folders with `-v` and a file that does not exist; nvcc too shows them before it complains.
void showVariablesIfAsked(const std::vector<std::string> &arguments) {
  const auto asksFor = [](const std::string &word) {
    return word == "-v" || word == "--verbose" || word == "-dryrun" || word == "--dryrun";
  };
  const Expected<Toolchain> tools = findToolchain({});
  if (std::ranges::any_of(arguments, asksFor) && tools.ok()) std::fputs(variablesText({}, *tools).c_str(), stderr);
}

// dropEnvironmentOfOthers(): started with more rights than the user has, as by a set-user-ID program that compiles
// while it runs, hwcc and its compilers go by nothing that the user could set: options, folders of headers, programs.
void dropEnvironmentOfOthers() {
  if (getauxval(AT_SECURE) == 0) return;
  clearenv();
  setenv("PATH", "/usr/bin:/bin", 1);
}

int work(int argc, char **argv) {
  const std::vector<std::string> arguments = argumentsOf(argc, argv);
  const Expected<ParsedCommandLine> parsed = parseCommandLine(arguments);
  if (!parsed.ok()) {
    showVariablesIfAsked(arguments);
    return fatal(parsed.message());
  }
  for (const std::string &warning : parsed->warnings) std::fprintf(stderr, "hwcc warning : %s\n", warning.c_str());
  const Invocation &invocation = parsed->invocation;
  if (showInformation(invocation)) return 0;
  const Expected<Toolchain> tools = findToolchain(invocation);
  if (!tools.ok()) return fatal(tools.message());
  if (invocation.verbose || invocation.dryRun) std::fputs(variablesText(invocation, *tools).c_str(), stderr);
  return carryOut(invocation, *tools, identityOf(invocation, arguments));
}

}  // namespace

int main(int argc, char **argv) {
  dropEnvironmentOfOthers();
  // Programs inherit what is ignored. Then nobody could learn how a compiler has ended.
  std::signal(SIGCHLD, SIG_DFL);
  if (isLinkLauncher(argv[0])) return runLinkLauncher({argv + 1, argv + argc});
  const StatusReport report(reportsStatus(argc, argv));
  return report.send(work(argc, argv));
}
