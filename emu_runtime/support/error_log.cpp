#include "emu_runtime/support/error_log.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <map>

#include "fibers/mutex.h"

namespace hostwarp::error_log {

namespace {

constexpr size_t kept = 100;

struct Callback {
  cudaLogsCallback_t function;
  void *userData;
};

// Log is never destroyed: programs fail in static destructors as well.
struct Log {
  Mutex mutex;
  std::deque<std::string> lines HOSTWARP_GUARDED_BY(mutex);
  unsigned next HOSTWARP_GUARDED_BY(mutex) = 0;  // number of lines so far
  std::map<size_t, Callback> callbacks HOSTWARP_GUARDED_BY(mutex);
  size_t nextCallback HOSTWARP_GUARDED_BY(mutex) = 1;

  static Log &process() {
    static auto *log = new Log;
    return *log;
  }
};

std::string stamped(std::string_view message) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const std::time_t seconds = milliseconds / 1000;
  std::tm local{};
  localtime_r(&seconds, &local);
  char head[64];
  const size_t written = std::strftime(head, sizeof(head), "[%H:%M:%S", &local);
  std::snprintf(head + written, sizeof(head) - written, ".%03d][%lu][CUDA][E] ", static_cast<int>(milliseconds % 1000),
                pthread_self());
  return head + std::string(message) + '\n';
}

// Destination is where the program's user wants the lines. A file is looked for when there is a line to write, and
// other programs' lines stay in it.
std::FILE *destination() {
  static std::FILE *const file = []() -> std::FILE * {
    const char *where = secure_getenv("CUDA_LOG_FILE");
    if (where == nullptr || *where == '\0') return nullptr;
    if (std::strcmp(where, "stdout") == 0) return stdout;
    if (std::strcmp(where, "stderr") == 0) return stderr;
    return std::fopen(where, "ae");
  }();
  return file;
}

void write(const std::string &line) {
  std::FILE *file = destination();
  if (file == nullptr) return;
  std::fputs(line.c_str(), file);
  std::fflush(file);
}

}  // namespace

void append(std::string_view message) {
  Log &log = Log::process();
  std::string line = stamped(message);
  std::vector<Callback> callbacks;
  {
    MutexLock lock(log.mutex);
    write(line);
    log.lines.push_back(std::move(line));
    if (log.lines.size() > kept) log.lines.pop_front();
    ++log.next;
    for (const auto &[number, callback] : log.callbacks) callbacks.push_back(callback);
  }
  // Outside of the lock: a callback may unregister itself.
  std::string text(message);
  for (const Callback &each : callbacks) each.function(each.userData, cudaLogLevelError, text.data(), text.size());
}

unsigned current() {
  MutexLock lock(Log::process().mutex);
  return Log::process().next;
}

Lines linesSince(unsigned &begin) {
  Log &log = Log::process();
  MutexLock lock(log.mutex);
  const size_t wanted = log.next - begin, there = std::min(wanted, log.lines.size());
  begin = log.next;
  return {{log.lines.end() - static_cast<std::ptrdiff_t>(there), log.lines.end()}, there == wanted};
}

size_t addCallback(cudaLogsCallback_t callback, void *userData) {
  Log &log = Log::process();
  MutexLock lock(log.mutex);
  log.callbacks[log.nextCallback] = {callback, userData};
  return log.nextCallback++;
}

bool removeCallback(size_t number) {
  Log &log = Log::process();
  MutexLock lock(log.mutex);
  return log.callbacks.erase(number) != 0;
}

}  // namespace hostwarp::error_log
