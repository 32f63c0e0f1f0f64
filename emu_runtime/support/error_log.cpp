#include "emu_runtime/support/error_log.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

namespace hostwarp::error_log {

namespace {

constexpr size_t kept = 100;

struct Callback {
  cudaLogsCallback_t function;
  void *userData;
};

// Log is never destroyed: programs fail in static destructors as well.
struct Log {
  std::mutex mutex;
  std::deque<std::string> lines;         // guarded by mutex
  unsigned next = 0;                     // guarded by mutex; number of lines so far
  std::map<size_t, Callback> callbacks;  // guarded by mutex
  size_t nextCallback = 1;               // guarded by mutex

  static Log &process() {
    static auto *log = new Log;
    return *log;
  }
};

std::string stamped(std::string_view message) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::time_t seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  std::tm local{};
  localtime_r(&seconds, &local);
  char head[64];
  const size_t written = std::strftime(head, sizeof(head), "[%H:%M:%S]", &local);
  std::snprintf(head + written, sizeof(head) - written, "[%d][%d][E] ", getpid(), gettid());
  return head + std::string(message) + '\n';
}

}  // namespace

void append(std::string_view message) {
  Log &log = Log::process();
  std::string line = stamped(message);
  std::vector<Callback> callbacks;
  {
    std::lock_guard lock(log.mutex);
    log.lines.push_back(line);
    if (log.lines.size() > kept) log.lines.pop_front();
    ++log.next;
    for (const auto &[number, callback] : log.callbacks) callbacks.push_back(callback);
  }
  // Outside of the lock: a callback may unregister itself.
  for (const Callback &each : callbacks) each.function(each.userData, cudaLogLevelError, line.data(), line.size());
}

unsigned current() {
  std::lock_guard lock(Log::process().mutex);
  return Log::process().next;
}

std::string linesSince(unsigned &begin) {
  Log &log = Log::process();
  std::lock_guard lock(log.mutex);
  const auto wanted = std::min<size_t>(log.next - std::min(begin, log.next), log.lines.size());
  std::string text;
  for (size_t i = log.lines.size() - wanted; i < log.lines.size(); ++i) text += log.lines[i];
  begin = log.next;
  return text;
}

size_t addCallback(cudaLogsCallback_t callback, void *userData) {
  Log &log = Log::process();
  std::lock_guard lock(log.mutex);
  log.callbacks[log.nextCallback] = {callback, userData};
  return log.nextCallback++;
}

bool removeCallback(size_t number) {
  Log &log = Log::process();
  std::lock_guard lock(log.mutex);
  return log.callbacks.erase(number) != 0;
}

}  // namespace hostwarp::error_log
