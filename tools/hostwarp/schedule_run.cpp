#include "tools/hostwarp/schedule_run.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace hostwarp::tool {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr uint64_t hashBasis = 0xcbf29ce484222325, hashPrime = 0x100000001b3;  // FNV-1a

std::string contentOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

uint64_t hashOf(const std::string &text) {
  uint64_t hash = hashBasis;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * hashPrime;
  return hash;
}

// start() starts this program again, in a group of processes of its own and with its output in files; -1 where it
// cannot.
pid_t start(const std::vector<std::string> &words, const std::string &name) {
  std::vector<char *> argv;
  for (const std::string &word : words) argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, (name + ".out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&files, 2, (name + ".err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = -1;
  if (posix_spawn(&child, "/proc/self/exe", &files, nullptr, argv.data(), environ) != 0) child = -1;
  posix_spawn_file_actions_destroy(&files);
  return child;
}

// waitFor() is false when the program had to be ended.
bool waitFor(pid_t child, double seconds) {
  const auto handle = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  pollfd watched{handle, POLLIN, 0};
  bool isOver = handle < 0;
  while (!isOver) {
    const int ready = poll(&watched, 1, static_cast<int>(std::min(seconds, 1e6) * 1000));
    if (ready < 0 && errno == EINTR) continue;
    isOver = ready > 0;
    // `check` ends the program with itself.
    if (!isOver) kill(child, SIGKILL);
    break;
  }
  if (handle >= 0) close(handle);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return isOver;
}

std::string placeOf(const Json &places) {
  if (places.empty()) return "";
  return std::string(places[0]["file"]) + ":" + std::to_string(uint64_t{places[0]["line"]});
}

std::string findingText(const Json &finding) {
  // Which access comes first differs between schedules.
  std::string one = placeOf(finding["at"]), two = placeOf(finding["other"]);
  if (!two.empty() && two < one) std::swap(one, two);
  if (std::string(finding["what"]).starts_with("deadlock:")) return "deadlock";
  std::string text = finding["kind"];
  if (!one.empty()) text += " at " + one;
  return two.empty() ? text : text + " and " + two;
}

void readReport(const std::string &path, Outcome &outcome) {
  const Json report = Json::parse(contentOf(path), nullptr, false);
  if (report.is_discarded()) {
    outcome.isIncomplete = true;
    outcome.incomplete.emplace_back("a run left no report");
    return;
  }
  outcome.isIncomplete = report["verdict"] == "incomplete";
  outcome.status = report["exit"];
  outcome.launches = report["launches"];
  outcome.settled = report["settled"];
  outcome.unsettled = report["unsettled"];
  outcome.incomplete = report["incomplete"];
  for (const Json &finding : report["findings"]) outcome.findings.push_back(findingText(finding));
  std::ranges::sort(outcome.findings);
  outcome.findings.erase(std::ranges::unique(outcome.findings).begin(), outcome.findings.end());
}

}  // namespace

Folder::Folder() {
  std::error_code error;
  std::string pattern = (fs::temp_directory_path(error) / "hostwarp-explore-XXXXXX").string();
  if (!error && mkdtemp(pattern.data()) != nullptr) path_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

std::vector<std::string> Outcome::events() const {
  std::vector<std::string> events = findings;
  if (isHanging) events.emplace_back("no end within the time given");
  if (status != 0 && !isHanging) events.push_back("exit status " + std::to_string(status));
  return events;
}

Outcome runSchedule(const ProgramToRun &program, const std::string &text, const std::string &name, ScheduleLog &log) {
  std::vector<std::string> words = {"hostwarp",         "check",         "--schedule", text,
                                    "--schedule-trace", name + ".trace", "--json",     name + ".json"};
  words.insert(words.end(), program.checkOptions.begin(), program.checkOptions.end());
  words.emplace_back("--");
  words.insert(words.end(), program.command.begin(), program.command.end());
  Outcome outcome;
  outcome.schedule = text;
  const pid_t child = start(words, name);
  outcome.isHanging = child > 0 && !waitFor(child, program.seconds);
  readReport(name + ".json", outcome);
  if (outcome.isHanging) outcome.incomplete.clear();
  outcome.output = hashOf(contentOf(name + ".out"));
  log = readScheduleLog(name + ".trace");
  outcome.threads = log.threads;
  outcome.operations = log.operations;
  outcome.limits.assign(log.limits.begin(), log.limits.end());
  for (const char *ending : {".out", ".err", ".json"}) {
    std::error_code ignored;
    fs::remove(name + ending, ignored);
  }
  return outcome;
}

}  // namespace hostwarp::tool
