// Calls every function of libcudart and libcuda, again and again, with arguments of all kinds: a wrong call is answered
// with an error, never with a crash, a hang or a sanitizer's report. README.md says what is left out.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>

#include "tests/stress/command_line.h"
#include "tests/stress/fuzz/entries.h"
#include "tests/stress/fuzz/objects.h"

namespace hostwarp::stress {
namespace {

struct Options {
  uint64_t seed = 1;
  uint64_t episodes = 0;  // 0: as many as the time allows
  double seconds = 5;
  double patience = 60;  // seconds that one call may take
  std::string only;      // functions whose name has this in it
  bool report = false;
  bool alone = false;  // in this process, for a debugger
};

// Progress is shared by the process that watches and the one that calls.
struct Progress {
  static constexpr size_t capacity = 2048;
  std::atomic<uint64_t> seed;  // of the episode that runs
  std::atomic<uint64_t> calls;
  std::atomic<uint64_t> entry;  // index of the function that runs; `capacity` between calls
  std::atomic<uint64_t> called[capacity];
  std::atomic<uint64_t> succeeded[capacity];
};

Progress *progress;

bool endsMuch(std::string_view name) {
  for (const char *part : {"DeviceReset", "PrimaryCtxReset", "PrimaryCtxRelease", "CtxDestroy", "CtxDetach"})
    if (name.find(part) != std::string_view::npos) return true;
  return false;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void call(const std::vector<Entry> &entries, size_t index, Random &random, Pools &pools) {
  progress->entry = index;
  if (entries[index].run(entries[index], random, pools)) ++progress->succeeded[index];
  ++progress->called[index];
  ++progress->calls;
  progress->entry = Progress::capacity;
}

// An episode calls each function some times, in random order, on objects that are made for it.
void episode(const std::vector<Entry> &entries, const Options &options, Pools &pools) {
  Random random(progress->seed);
  std::vector<size_t> order;
  for (size_t i = 0; i < entries.size(); ++i) {
    const bool wanted = options.only.empty() || entries[i].name.find(options.only) != std::string_view::npos;
    const bool now = !endsMuch(entries[i].name) || !options.only.empty() || random.oneIn(8);
    for (int times = 0; wanted && now && times < (endsMuch(entries[i].name) ? 1 : 3); ++times) order.push_back(i);
  }
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  populate(pools);
  for (size_t i = 0; i < order.size(); ++i) {
    call(entries, order[i], random, pools);
    if (i % 32 == 31) tidy(pools);
  }
  clearAway(pools);
}

bool more(const Options &options, double end) {
  if (options.episodes) return progress->seed < options.seed + options.episodes;
  return now() < end;
}

int runEpisodes(const std::vector<Entry> &entries, const Options &options, double end) {
  Pools pools;
  for (; more(options, end); ++progress->seed) episode(entries, options, pools);
  return 0;
}

// Usage is what the system says of a process: the time that its threads have had, and whether one of them wants more.
struct Usage {
  uint64_t ticks = 0;
  bool wantsMore = false;
};

Usage usageOf(pid_t process) {
  Usage usage;
  std::error_code gone;
  for (const auto &thread : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task", gone)) {
    std::ifstream file(thread.path() / "stat");
    std::string line;
    std::getline(file, line);
    std::istringstream fields(line.substr(line.rfind(')') + 1));
    char state = 0;
    std::string skipped;
    uint64_t user = 0, system = 0;
    fields >> state;
    for (int i = 0; i < 10; ++i) fields >> skipped;
    fields >> user >> system;
    usage.ticks += user + system;
    usage.wantsMore = usage.wantsMore || state == 'R';
  }
  return usage;
}

// watch() waits for the process that calls; a process that hangs is ended. Returns what is to be said of its end. Time
// is counted in turns of the loop, because a machine may stop all processes for a while, and without those in which the
// process wanted to run and could not.
std::string watch(pid_t child, const Options &options) {
  constexpr int turnsPerSecond = 50;
  uint64_t last = 0;
  uint64_t ticks = 0;
  double turns = 0;
  for (int status = 0;; std::this_thread::sleep_for(std::chrono::milliseconds(1000 / turnsPerSecond))) {
    if (waitpid(child, &status, WNOHANG) == child) {
      if (WIFSIGNALED(status)) return std::string("died of ") + strsignal(WTERMSIG(status));
      return WEXITSTATUS(status) ? "ended with status " + std::to_string(WEXITSTATUS(status)) : "";
    }
    if (const uint64_t calls = progress->calls; calls != last) {
      last = calls;
      turns = 0;
      continue;
    }
    const Usage usage = usageOf(child);
    const bool starved = usage.wantsMore && usage.ticks == ticks;
    ticks = usage.ticks;
    if (!starved && ++turns > options.patience * turnsPerSecond) {
      kill(child, SIGABRT);
      waitpid(child, &status, 0);
      return "hung";
    }
  }
}

// Processes that die are counted, and the next one goes on with the next episode.
int supervise(const std::vector<Entry> &entries, const Options &options) {
  const double end = now() + options.seconds;
  int failures = 0;
  progress->seed = options.seed;
  while (more(options, end) && failures < 50) {
    progress->entry = Progress::capacity;
    const pid_t child = fork();
    if (child == 0) std::exit(runEpisodes(entries, options, end));
    const std::string what = watch(child, options);
    if (what.empty()) continue;
    ++failures;
    const uint64_t index = progress->entry;
    const std::string_view name = index < entries.size() ? entries[index].name : "no call";
    std::printf("FAILED: %s in %.*s; again with: --seed %llu --episodes 1 --alone\n", what.c_str(),
                static_cast<int>(name.size()), name.data(), static_cast<unsigned long long>(progress->seed));
    std::fflush(stdout);
    ++progress->seed;
  }
  return failures;
}

int conclude(const std::vector<Entry> &entries, const Options &options, int failures) {
  size_t never = 0, neverWell = 0;
  uint64_t succeeded = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    succeeded += progress->succeeded[i];
    never += progress->called[i] == 0;
    neverWell += progress->succeeded[i] == 0;
    if (options.report && progress->succeeded[i] == 0)
      std::printf("never succeeded: %.*s (%llu calls)\n", static_cast<int>(entries[i].name.size()),
                  entries[i].name.data(), static_cast<unsigned long long>(progress->called[i]));
  }
  std::printf(
      "%llu episodes, %llu calls of %zu functions, %llu succeeded; %zu functions never called, %zu never "
      "succeeded; %d failures\n",
      static_cast<unsigned long long>(progress->seed - options.seed), static_cast<unsigned long long>(progress->calls),
      entries.size(), static_cast<unsigned long long>(succeeded), never, neverWell, failures);
  return failures != 0 ? 1 : 0;
}

bool parse(Options &options, int argc, char **argv) {
  return parseOptions({argv + 1, argv + argc}, {{"--seed", &options.seed},
                                                {"--episodes", &options.episodes},
                                                {"--seconds", &options.seconds},
                                                {"--patience", &options.patience},
                                                {"--only", &options.only},
                                                {"--report", &options.report},
                                                {"--alone", &options.alone}});
}

}  // namespace
}  // namespace hostwarp::stress

int main(int argc, char **argv) {
  using namespace hostwarp::stress;
  Options options;
  if (!parse(options, argc, argv)) {
    std::fprintf(stderr,
                 "usage: api_fuzz [--seed N] [--episodes N | --seconds S] [--patience S] [--only NAME] "
                 "[--report] [--alone]\n");
    return 2;
  }
  // No compiler, because garbage takes it long.
  restartOnSmallDevices(argv, {{"HOSTWARP_TIMEOUT", "20"}, {"HOSTWARP_HWCC", "/bin/false"}});
  progress = static_cast<Progress *>(
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (progress == MAP_FAILED) return 2;
  std::vector<Entry> entries;
  addRuntimeEntries(entries);
  addDriverEntries(entries);
  if (entries.size() > Progress::capacity) return 2;
  if (options.alone) {
    progress->seed = options.seed;
    (void)runEpisodes(entries, options, now() + options.seconds);
    return conclude(entries, options, 0);
  }
  return conclude(entries, options, supervise(entries, options));
}
