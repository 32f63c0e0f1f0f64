// `hostwarp explore`: runs of one program with other schedules, and what differs between them.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tools/hostwarp/commands.h"

namespace hostwarp::tool {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct ExploreRequest {
  uint64_t runs = 20;
  uint64_t firstSeed = 1;
  double seconds = 0;  // 0: no limit
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::string> checkOptions, command;
};

// Outcome is what a run with one schedule has come to.
struct Outcome {
  std::string verdict;
  int status = 0;  // the program's
  std::string output;
  std::vector<std::string> findings;  // kind and places
};

// Folder is a temporary one, with all that is in it.
class Folder {
 public:
  Folder() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "hostwarp-explore-XXXXXX").string();
    if (!error && mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  const std::string &path() const { return path_; }

 private:
  std::string path_;
};

std::string contentOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// start() starts this program again, with its output in files; -1 where it cannot.
pid_t start(const std::vector<std::string> &words, const std::string &name) {
  std::vector<char *> argv;
  for (const std::string &word : words) argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 1, (name + ".out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&files, 2, (name + ".err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = -1;
  if (posix_spawn(&child, "/proc/self/exe", &files, nullptr, argv.data(), environ) != 0) child = -1;
  posix_spawn_file_actions_destroy(&files);
  return child;
}

Outcome readOutcome(const std::string &name) {
  Outcome outcome;
  outcome.output = contentOf(name + ".out");
  const Json report = Json::parse(contentOf(name + ".json"), nullptr, false);
  if (report.is_discarded()) return outcome.verdict = "incomplete", outcome;
  outcome.verdict = report["verdict"];
  outcome.status = report["exit"];
  const auto place = [](const Json &places) -> std::string {
    if (places.empty()) return "";
    return std::string(places[0]["file"]) + ":" + std::to_string(uint64_t{places[0]["line"]});
  };
  for (const Json &finding : report["findings"]) {
    // Which access comes first differs between schedules.
    std::string one = place(finding["at"]), two = place(finding["other"]);
    if (!two.empty() && two < one) std::swap(one, two);
    outcome.findings.push_back(std::string(finding["kind"]) + " at " + one + (two.empty() ? "" : " and " + two));
  }
  return outcome;
}

Outcome runOnce(const ExploreRequest &request, uint64_t seed, const std::string &folder) {
  const std::string name = folder + "/" + std::to_string(seed);
  std::vector<std::string> words = {"hostwarp", "check", "--seed", std::to_string(seed), "--json", name + ".json"};
  words.insert(words.end(), request.checkOptions.begin(), request.checkOptions.end());
  words.push_back("--");
  words.insert(words.end(), request.command.begin(), request.command.end());
  const pid_t child = start(words, name);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  Outcome outcome = readOutcome(name);
  for (const char *ending : {".out", ".err", ".json"}) {
    std::error_code ignored;
    fs::remove(name + ending, ignored);
  }
  return outcome;
}

// runAll() runs the schedules side by side, the first of them alone: it makes the checked build that the others find.
std::map<uint64_t, Outcome> runAll(const ExploreRequest &request, const std::string &folder) {
  using Clock = std::chrono::steady_clock;
  const auto end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(request.seconds));
  std::map<uint64_t, Outcome> outcomes;
  outcomes[0] = runOnce(request, 0, folder);
  std::mutex mutex;
  std::atomic<uint64_t> next{0};
  const auto work = [&] {
    while (request.seconds == 0 || Clock::now() < end) {
      const uint64_t index = next.fetch_add(1);
      if (index >= request.runs) return;
      const uint64_t seed = request.firstSeed + index;
      Outcome outcome = runOnce(request, seed, folder);
      const std::lock_guard lock(mutex);
      outcomes[seed] = std::move(outcome);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < request.jobs; ++i) threads.emplace_back(work);
  for (std::thread &thread : threads) thread.join();
  return outcomes;
}

struct Seen {
  uint64_t first = 0, times = 0;
};

// report() prints what the schedules have come to; true when one of them failed.
bool report(const ExploreRequest &request, const std::map<uint64_t, Outcome> &outcomes) {
  std::map<std::string, Seen> events;
  const auto note = [&](const std::string &event, uint64_t seed) {
    Seen &seen = events[event];
    if (seen.times++ == 0) seen.first = seed;
  };
  const Outcome &inOrder = outcomes.at(0);
  bool isIncomplete = false;
  for (const auto &[seed, outcome] : outcomes) {
    for (const std::string &finding : outcome.findings) note(finding, seed);
    if (outcome.status != 0) note("exit status " + std::to_string(outcome.status), seed);
    if (outcome.output != inOrder.output) note("another output than in order", seed);
    isIncomplete |= outcome.verdict == "incomplete";
  }
  const std::string command = [&] {
    std::string text;
    for (const std::string &word : request.command) text += " " + word;
    return text;
  }();
  for (const auto &[event, seen] : events)
    std::printf("hostwarp: %s: in %llu of %zu schedules; again: hostwarp check --seed %llu%s\n", event.c_str(),
                static_cast<unsigned long long>(seen.times), outcomes.size(),
                static_cast<unsigned long long>(seen.first), command.c_str());
  if (isIncomplete) std::puts("hostwarp: not all of the program was checked; hostwarp check says what was not");
  if (events.empty() && !isIncomplete)
    std::printf("hostwarp: %zu schedules, one in order and %zu random: nothing found, and one output\n",
                outcomes.size(), outcomes.size() - 1);
  return !events.empty();
}

bool takeNumber(const std::string &text, double least, double &number) {
  char *end = nullptr;
  number = std::strtod(text.c_str(), &end);
  return end != text.c_str() && *end == '\0' && number >= least;
}

// takeOption() takes an option and its value; false when it is one of check's. A value that is none becomes a
// complaint.
bool takeOption(const std::string &name, const std::string &value, ExploreRequest &request, std::string &complaint) {
  double number = 0;
  const bool isNumber = takeNumber(value, name == "--jobs" ? 1 : 0, number);
  if (name == "--runs")
    request.runs = static_cast<uint64_t>(number);
  else if (name == "--first-seed")
    request.firstSeed = static_cast<uint64_t>(number);
  else if (name == "--time")
    request.seconds = number, request.runs = UINT64_MAX;
  else if (name == "--jobs")
    request.jobs = static_cast<unsigned>(number);
  else
    return false;
  if (!isNumber || (name == "--time" && number == 0)) complaint = "option '" + name + "' needs a number";
  return true;
}

std::string takeOptions(Arguments arguments, ExploreRequest &request) {
  std::string complaint;
  while (complaint.empty() && !arguments.empty() && arguments[0].starts_with("-")) {
    const std::string word(arguments[0]);
    arguments = arguments.subspan(1);
    if (word == "--") break;
    const size_t equals = word.find('=');
    const bool isApart = equals == std::string::npos;
    if (isApart && arguments.empty()) return "option '" + word + "' needs a value";
    const std::string name = word.substr(0, equals),
                      value(isApart ? std::string(arguments[0]) : word.substr(equals + 1));
    if (isApart) arguments = arguments.subspan(1);
    if (!takeOption(name, value, request, complaint)) request.checkOptions.push_back(name + "=" + value);
  }
  request.command.assign(arguments.begin(), arguments.end());
  return complaint.empty() && request.command.empty() ? "explore needs a program" : complaint;
}

}  // namespace

void exploreHelp() {
  std::puts("  --runs N                  so many random schedules beside the one in order; 20 unless given");
  std::puts("  --time SECONDS            as many as begin within that time");
  std::puts("  --jobs N                  so many at a time; one per hardware thread unless given");
  std::puts("  --first-seed N            the seeds are N, N + 1, ...; 1 unless given");
}

int explore(Arguments arguments) {
  ExploreRequest request;
  if (const std::string complaint = takeOptions(arguments, request); !complaint.empty()) return fail(complaint);
  const Folder folder;
  if (folder.path().empty()) return fail("there is no temporary folder to note outcomes in");
  const std::map<uint64_t, Outcome> outcomes = runAll(request, folder.path());
  const bool hasFailed = report(request, outcomes);
  const bool isIncomplete =
      std::ranges::any_of(outcomes, [](const auto &each) { return each.second.verdict == "incomplete"; });
  return hasFailed ? 1 : isIncomplete ? 2 : 0;
}

}  // namespace hostwarp::tool
