#include "compiler/driver/executor.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>

#include "compiler/driver/diagnostics.h"
#include "compiler/driver/other_libraries.h"
#include "compiler/driver/process.h"
#include "compiler/driver/text.h"
#include "compiler/driver/time_table.h"

namespace hostwarp::driver {
namespace {

volatile sig_atomic_t caughtSignal = 0;

void rememberSignal(int number) { caughtSignal = number; }

constexpr std::array endingSignals = {SIGINT, SIGTERM, SIGHUP};

void printCommand(const std::vector<std::string> &command) {
  std::string line = "#$ ";
  for (const std::string &word : command) line += (word == ">" ? word : quoteForShell(word)) + " ";
  line += '\n';
  std::fputs(line.c_str(), stderr);
}

struct Running {
  std::size_t job;
  bool tookShortcut;
  Process process;
  std::string output;
  double startedAt;
};

enum class State { Waiting, Running, Succeeded, Failed };

class Executor {
 public:
  Executor(const Plan &plan, const ExecutionOptions &options)
      : plan_(plan),
        options_(options),
        times_(options.timeFile),
        states_(plan.jobs.size(), State::Waiting),
        findings_(plan.jobs.size()),
        mayTakeShortcut_(plan.jobs.size(), true) {}

  int run();

 private:
  bool isReady(std::size_t job) const;
  void startReadyJobs();
  void start(std::size_t job);
  void waitForEvent();
  void forwardSignal();
  void finish(Running &child);
  bool leaveShortcut(std::size_t job);
  bool foundMore(std::size_t job);
  void report(int group);
  bool groupIsDone(int group) const;
  void fail(std::size_t job, const std::string &message);

  const Plan &plan_;
  const ExecutionOptions &options_;
  TimeTable times_;
  std::vector<State> states_;
  std::vector<std::uintmax_t> findings_;  // the size of each job's findings after its last run
  std::vector<bool> mayTakeShortcut_;
  std::vector<Running> running_;
  std::map<int, DiagnosticFilter> filters_;
  std::map<int, std::map<std::size_t, std::string>> heldBack_;
  int status_ = 0;
};

bool Executor::isReady(std::size_t job) const {
  const auto done = [this](std::size_t other) { return states_[other] == State::Succeeded; };
  return states_[job] == State::Waiting && std::ranges::all_of(plan_.jobs[job].after, done);
}

void Executor::startReadyJobs() {
  for (std::size_t job = 0; job < plan_.jobs.size(); ++job) {
    if (status_ != 0 || caughtSignal != 0) return;
    if (running_.size() >= static_cast<std::size_t>(options_.parallel)) return;
    if (isReady(job)) start(job);
  }
}

void Executor::start(std::size_t index) {
  const Job &job = plan_.jobs[index];
  const std::vector<std::string> shortcut =
      job.shortcut && mayTakeShortcut_[index] ? job.shortcut() : std::vector<std::string>();
  std::vector<std::string> command = job.command;
  command.insert(command.end(), shortcut.begin(), shortcut.end());
  if (options_.verbose) printCommand(command);
  states_[index] = State::Running;
  const double now = TimeTable::now();
  if (job.action) {
    const Status status = job.action();
    if (!status.ok()) return fail(index, status.message());
    times_.add(job, TimeTable::now() - now);
    states_[index] = State::Succeeded;
    return;
  }
  std::fflush(stdout);
  Expected<Process> process = startProcess(command, !job.isUserProgram);
  if (!process.ok()) return fail(index, process.message());
  running_.push_back({index, !shortcut.empty(), *process, "", now});
}

// The pipes tell when captured children end; children without one are waited for directly.
void Executor::waitForEvent() {
  std::vector<pollfd> polls;
  for (const Running &child : running_)
    if (child.process.errorPipe >= 0) polls.push_back({child.process.errorPipe, POLLIN, 0});
  const auto uncaptured = std::ranges::find_if(running_, [](const Running &r) { return r.process.errorPipe < 0; });
  if (uncaptured != running_.end()) {
    Running child = std::move(*uncaptured);
    running_.erase(uncaptured);
    return finish(child);
  }
  if (poll(polls.data(), polls.size(), -1) < 0) return forwardSignal();
  for (const pollfd &ready : polls) {
    if (ready.revents == 0) continue;
    const auto child =
        std::ranges::find_if(running_, [&](const Running &r) { return r.process.errorPipe == ready.fd; });
    if (readAvailable(ready.fd, child->output)) continue;
    close(ready.fd);
    Running done = std::move(*child);
    running_.erase(child);
    finish(done);
  }
}

void Executor::forwardSignal() {
  if (caughtSignal == 0) return;
  for (const Running &child : running_) kill(child.process.pid, SIGTERM);
}

void Executor::finish(Running &child) {
  const Job &job = plan_.jobs[child.job];
  const ExitStatus end = waitFor(child.process, [&] {
    if (caughtSignal != 0) kill(child.process.pid, SIGTERM);
  });
  times_.add(job, TimeTable::now() - child.startedAt);
  const bool succeeded = end.succeeded();
  if (!succeeded && (child.tookShortcut ? leaveShortcut(child.job) : foundMore(child.job))) {
    // What it has said so far nobody needs to see, whether it runs again or another job has failed.
    child.output.clear();
    states_[child.job] = State::Waiting;
    if (status_ == 0) return;
  }
  states_[child.job] = succeeded ? State::Succeeded : State::Failed;
  if (job.group < 0) {
    const std::string text = job.explain ? job.explain(child.output) : child.output;
    std::fputs((text + notesOnMissing(text)).c_str(), stderr);
  } else {
    heldBack_[job.group][child.job] = child.output;
    if (groupIsDone(job.group)) report(job.group);
  }
  if (succeeded) return;
  if (job.isUserProgram && end.lost.empty()) {
    status_ = end.signal != 0 ? 128 + end.signal : end.code;
    return;
  }
  std::string message;
  if (!end.lost.empty()) message = "How '" + fileStem(job.command[0]) + "' ended is not known: " + end.lost;
  if (end.signal != 0 && caughtSignal == 0)
    message = "'" + fileStem(job.command[0]) + "' died due to signal " + std::to_string(end.signal) + " (" +
              strsignal(end.signal) + ")";
  fail(child.job, message);
}

// leaveShortcut() has the job run again as if for the first time.
bool Executor::leaveShortcut(std::size_t index) {
  mayTakeShortcut_[index] = false;
  std::error_code absent;
  std::filesystem::remove(plan_.jobs[index].findings, absent);
  return true;
}

// foundMore(): the job's findings have grown in its last run.
bool Executor::foundMore(std::size_t index) {
  std::error_code absent;
  const std::uintmax_t size = std::filesystem::file_size(plan_.jobs[index].findings, absent);
  if (absent || size <= findings_[index]) return false;
  findings_[index] = size;
  return true;
}

bool Executor::groupIsDone(int group) const {
  for (std::size_t i = 0; i < plan_.jobs.size(); ++i)
    if (plan_.jobs[i].group == group && states_[i] == State::Running) return false;
  return true;
}

// In the order of the plan, whichever pass was first: the output does not vary from call to call.
void Executor::report(int group) {
  DiagnosticFilter &filter = filters_[group];
  std::string text;
  for (const auto &[index, output] : heldBack_[group]) text += filter.show(output);
  heldBack_[group].clear();
  text += notesOnMissing(text) + filter.summary();
  std::fputs(text.c_str(), stderr);
}

void Executor::fail(std::size_t index, const std::string &message) {
  const Job &job = plan_.jobs[index];
  if (!message.empty()) std::fprintf(stderr, "hwcc error   : %s\n", message.c_str());
  if (!job.product.empty()) unlink(job.product.c_str());
  if (status_ == 0) status_ = job.failureStatus;
  states_[index] = State::Failed;
}

int Executor::run() {
  startReadyJobs();
  while (!running_.empty()) {
    waitForEvent();
    forwardSignal();
    startReadyJobs();
  }
  return caughtSignal != 0 ? 128 + caughtSignal : status_;
}

}  // namespace

SignalGuard::SignalGuard() {
  struct sigaction action{};
  action.sa_handler = rememberSignal;
  for (std::size_t i = 0; i < endingSignals.size(); ++i) sigaction(endingSignals[i], &action, &previous_[i]);
}

SignalGuard::~SignalGuard() {
  for (std::size_t i = 0; i < endingSignals.size(); ++i) sigaction(endingSignals[i], &previous_[i], nullptr);
}

int runPlan(const Plan &plan, const ExecutionOptions &options) { return Executor(plan, options).run(); }

void printPlan(const Plan &plan) {
  for (const Job &job : plan.jobs) printCommand(job.command);
}

}  // namespace hostwarp::driver
