#include "emu_runtime/profile/timeline.h"

#define HOSTWARP_NVTX_RUNTIME
#include <fcntl.h>
#include <hostwarp/nvtx_abi.h>
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

#include "emu_runtime/support/log.h"
#include "emu_runtime/support/options.h"
#include "fibers/mutex.h"

namespace hostwarp::profile {
namespace {

// Linkers take NVTX's functions out of the static library because of this name.
[[gnu::used]] constexpr auto nvtxFunctions = &hw_nvtx_push;

using Clock = std::chrono::steady_clock;
const Clock::time_point loaded = Clock::now();

// Devices are shown as processes with numbers that no process of Linux has (they end at 2^22).
constexpr uint64_t deviceProcesses = uint64_t{1} << 23;
constexpr size_t bufferBytes = size_t{1} << 18;

void appendQuoted(std::string &out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) {
      out += c;
      continue;
    }
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\u%04x", c);
    out += escape;
  }
  out += '"';
}

void appendMicroseconds(std::string &out, int64_t nanoseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%03lld", static_cast<long long>(nanoseconds / 1000),
                static_cast<long long>(nanoseconds % 1000));
  out += text;
}

// openNew() creates the file, or one with the process's number in its name where another process has created it.
int openNew(std::string &path) {
  constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
  int file = open(path.c_str(), flags, 0666);
  if (file >= 0 || errno != EEXIST) return file;
  std::filesystem::path other(path);
  other.replace_filename(other.stem().string() + "." + std::to_string(getpid()) + other.extension().string());
  path = other.string();
  return open(path.c_str(), flags | O_TRUNC, 0666);
}

// Writer is the open file. Thread-safe; never destroyed, but finished when the process ends.
class Writer {
 public:
  static Writer &process() {
    static auto *writer = new Writer;
    return *writer;
  }

  void add(std::string event) {
    MutexLock lock(mutex_);
    if (file_ < 0) return;
    buffer_ += events_++ ? ",\n" : "";
    buffer_ += event;
    if (buffer_.size() >= bufferBytes) flushLocked();
  }

  // announce() is true the first time that it sees the row.
  bool announce(const Row &row) {
    MutexLock lock(mutex_);
    return announced_.emplace(row.process, row.thread).second;
  }

  void flush() {
    MutexLock lock(mutex_);
    flushLocked();
  }

  void finish() {
    MutexLock lock(mutex_);
    if (file_ < 0) return;
    buffer_ += "\n]}\n";
    flushLocked();
    close(std::exchange(file_, -1));
    logLine(std::to_string(events_) + " events of a timeline are in " + path_ + "; ui.perfetto.dev shows it");
  }

  // forget() leaves the file to the parent of a forked process.
  void forget() {
    mutex_.renewAfterFork();
    MutexLock lock(mutex_);
    buffer_.clear();
    if (file_ >= 0) close(std::exchange(file_, -1));
  }

 private:
  Writer() : path_(optionText(Option::TIMELINE)), file_(openNew(path_)) {
    if (file_ < 0) {
      logLine("cannot write the timeline " + path_ + ": " + std::strerror(errno));
      return;
    }
    buffer_ = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n";
    std::atexit([] {
      collectingNow = false;
      process().finish();
    });
    pthread_atfork(nullptr, nullptr, [] {
      collectingNow = false;
      process().forget();
    });
  }

  void flushLocked() HOSTWARP_REQUIRES(mutex_) {
    for (std::string_view rest = buffer_; !rest.empty() && file_ >= 0;) {
      const ssize_t written = write(file_, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) {
        logLine("cannot go on with the timeline " + path_ + ": " + std::strerror(errno));
        close(std::exchange(file_, -1));
        break;
      }
      rest.remove_prefix(static_cast<size_t>(written));
    }
    buffer_.clear();
  }

  Mutex mutex_;
  std::string path_;  // set by the constructor
  int file_ HOSTWARP_GUARDED_BY(mutex_);
  std::string buffer_ HOSTWARP_GUARDED_BY(mutex_);
  uint64_t events_ HOSTWARP_GUARDED_BY(mutex_) = 0;
  std::set<std::pair<uint64_t, uint64_t>> announced_ HOSTWARP_GUARDED_BY(mutex_);
};

bool ofRanges() { return !optionText(Option::CAPTURE_RANGE).empty(); }

// Event puts together one event's JSON.
class Event {
 public:
  Event(char phase, const Row &row) {
    text_ = std::string("{\"ph\": \"") + phase + "\", \"pid\": " + std::to_string(row.process) +
            ", \"tid\": " + std::to_string(row.thread);
  }
  Event &text(const char *name, std::string_view value) { return appendQuoted(key(name), value), *this; }
  Event &time(const char *name, int64_t value) { return appendMicroseconds(key(name), value), *this; }
  Event &number(const char *name, uint64_t value) { return key(name) += std::to_string(value), *this; }
  Event &fields(const Fields &fields) {
    if (!fields.text().empty()) key("args") += "{" + fields.text() + "}";
    return *this;
  }
  void write() { Writer::process().add(std::move(text_ += "}")); }

 private:
  std::string &key(const char *name) { return text_.append(", \"").append(name).append("\": "); }

  std::string text_;
};

void writeName(const char *what, const Row &row, std::string_view name) {
  Event('M', row).text("name", what).fields(Fields().add("name", name)).write();
}

}  // namespace

std::atomic<bool> collectingNow{requested() && !ofRanges()};

bool requested() {
  static const bool wanted = !optionText(Option::TIMELINE).empty();
  return wanted;
}

void startRange() {
  if (requested() && ofRanges()) collectingNow = true;
}

void stopRange() {
  if (!requested() || !ofRanges()) return;
  collectingNow = false;
  Writer::process().flush();
}

int64_t timeOf(int64_t steadyTick) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::duration(steadyTick) - loaded.time_since_epoch())
      .count();
}

int64_t now() { return timeOf(Clock::now().time_since_epoch().count()); }

std::string &Fields::member(std::string_view name) {
  if (!text_.empty()) text_ += ", ";
  appendQuoted(text_, name);
  return text_ += ": ";
}

Fields &Fields::add(std::string_view name, std::string_view text) { return appendQuoted(member(name), text), *this; }
Fields &Fields::add(std::string_view name, uint64_t number) { return member(name) += std::to_string(number), *this; }
Fields &Fields::add(std::string_view name, int64_t number) { return member(name) += std::to_string(number), *this; }

Fields &Fields::add(std::string_view name, double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", number);
  // JSON has no infinities.
  if (number - number == 0) return member(name) += text, *this;
  return add(name, std::string_view(text));
}

Row rowOfThisThread() {
  static const auto process = static_cast<uint64_t>(getpid());
  thread_local const Row row{process, static_cast<uint64_t>(gettid())};
  if (Writer::process().announce({row.process, 0})) writeName("process_name", row, program_invocation_short_name);
  if (Writer::process().announce(row)) {
    char name[16] = "";
    pthread_getname_np(pthread_self(), name, sizeof name);
    nameRow(row, row.thread == row.process ? "main thread" : name);
  }
  return row;
}

void nameThread(uint64_t thread, std::string_view name) {
  const Row row{rowOfThisThread().process, thread};
  Writer::process().announce(row);
  nameRow(row, name);
}

Row rowOfDevice(int device, std::string_view deviceName, uint64_t number, std::string_view name) {
  const Row row{deviceProcesses + static_cast<uint64_t>(device), number};
  if (Writer::process().announce({row.process, 0}))
    writeName("process_name", row, "GPU " + std::to_string(device) + ": " + std::string(deviceName));
  if (Writer::process().announce(row)) nameRow(row, name);
  return row;
}

void nameRow(const Row &row, std::string_view name) { writeName("thread_name", row, name); }

void writeSlice(const Row &row, std::string_view category, std::string_view name, int64_t begin, int64_t end,
                const Fields &fields) {
  Event('X', row)
      .text("cat", category)
      .text("name", name)
      .time("ts", begin)
      .time("dur", end - begin)
      .fields(fields)
      .write();
}

void writeInstant(const Row &row, std::string_view category, std::string_view name, const Fields &fields) {
  Event('i', row).text("cat", category).text("name", name).text("s", "t").time("ts", now()).fields(fields).write();
}

void writeAsync(const Row &row, std::string_view category, std::string_view name, uint64_t id, int64_t begin,
                int64_t end, const Fields &fields) {
  Event('b', row).text("cat", category).text("name", name).number("id", id).time("ts", begin).fields(fields).write();
  Event('e', row).text("cat", category).text("name", name).number("id", id).time("ts", end).write();
}

void writeArrow(const Row &from, int64_t asked, const Row &to, int64_t begun, uint64_t id) {
  Event('s', from).text("cat", "asked for").text("name", "launch").number("id", id).time("ts", asked).write();
  Event('f', to)
      .text("cat", "asked for")
      .text("name", "launch")
      .text("bp", "e")
      .number("id", id)
      .time("ts", begun)
      .write();
}

}  // namespace hostwarp::profile
