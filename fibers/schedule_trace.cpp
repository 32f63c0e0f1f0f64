#include "fibers/schedule_trace.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace hostwarp::fibers {
namespace {

constexpr size_t kBuffered = size_t{1} << 16;
// A program with more steps is none that all schedules can be tried of.
constexpr uint64_t kMostSteps = 1'000'000;

std::string text(const ThreadName &who) { return std::to_string(who.launch) + " " + std::to_string(who.thread); }

uint32_t commutesAs(const SyncOperation &operation) {
  return (operation.traits & HW_ACCESS_RESULT_UNUSED) != 0 ? HW_ACCESS_UPDATE_KIND(operation.traits) : 0;
}

}  // namespace

ScheduleTrace::ScheduleTrace(const std::string &path, bool tracesSteps) : tracesSteps_(tracesSteps) {
  if (!path.empty()) file_ = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

ScheduleTrace::~ScheduleTrace() {
  flush();
  if (file_ >= 0) close(file_);
}

void ScheduleTrace::flush() {
  for (size_t done = 0; file_ >= 0 && done < buffer_.size();) {
    const ssize_t wrote = write(file_, buffer_.data() + done, buffer_.size() - done);
    if (wrote < 0 && errno != EINTR) break;
    if (wrote > 0) done += static_cast<size_t>(wrote);
  }
  buffer_.clear();
}

void ScheduleTrace::line(const std::string &line) {
  if (file_ < 0) return;
  buffer_ += line + "\n";
  if (buffer_.size() >= kBuffered) flush();
}

void ScheduleTrace::step(const std::string &text) {
  if (!tracesSteps_) return;
  if (++steps_ <= kMostSteps) return line(text);
  limit("long");
}

void ScheduleTrace::launch(uint64_t launch, const char *kernel) { line("L " + std::to_string(launch) + " " + kernel); }

void ScheduleTrace::counts(uint64_t launch, uint64_t threads, uint64_t operations) {
  line("N " + std::to_string(launch) + " " + std::to_string(threads) + " " + std::to_string(operations));
}

void ScheduleTrace::operationsOf(const ThreadName &who, uint64_t operations) {
  if (operations != 0) line("C " + text(who) + " " + std::to_string(operations));
}

void ScheduleTrace::preemption(const Stop &stop, const ThreadName &to) {
  if (file_ >= 0) line("D " + preemptionText(stop, to));
}

// limit() is told of once.
void ScheduleTrace::limit(const std::string &reason) {
  const std::string text = "I " + reason;
  if (limits_.find(text) != std::string::npos) return;
  limits_ += text + "\n";
  line(text);
}

void ScheduleTrace::standsBefore(const ThreadName &who, uint64_t stop) {
  if (tracesSteps_) step("P " + text(who) + " " + std::to_string(stop));
}

void ScheduleTrace::waits(const ThreadName &who, uint64_t operations) {
  if (tracesSteps_) step("B " + text(who) + " " + std::to_string(operations));
}

void ScheduleTrace::makes(const ThreadName &who, const SyncOperation &operation, bool writes) {
  if (!tracesSteps_) return;
  step("X " + text(who) + " " + std::to_string(operation.address) + " " + std::to_string(operation.bytes) +
       (writes ? " w " : " r ") + std::to_string(commutesAs(operation)));
}

void ScheduleTrace::goesOn(const ThreadName &who) {
  if (tracesSteps_) step("G " + text(who));
}

void ScheduleTrace::meet(uint64_t launch, const std::vector<uint64_t> &threads) {
  if (!tracesSteps_) return;
  std::string text = "M " + std::to_string(launch);
  for (const uint64_t thread : threads) text += " " + std::to_string(thread);
  step(text);
}

void ScheduleTrace::gridMeets(uint64_t launch) {
  if (tracesSteps_) step("A " + std::to_string(launch));
}

}  // namespace hostwarp::fibers
