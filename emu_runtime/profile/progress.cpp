#include "emu_runtime/profile/progress.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "emu_runtime/support/options.h"
#include "fibers/mutex.h"

namespace hostwarp::profile {
namespace {

constexpr double patience = 1;                   // seconds after which a kernel is shown
constexpr std::chrono::milliseconds pause{200};  // between two looks
constexpr double firstLines = 5;                 // seconds between lines of a file, at first

std::string duration(double seconds) {
  const auto whole = static_cast<unsigned long long>(seconds);
  char text[48];
  if (seconds < 60)
    std::snprintf(text, sizeof text, "%.1f s", seconds);
  else if (seconds < 3600)
    std::snprintf(text, sizeof text, "%llu:%02llu min", whole / 60, whole % 60);
  else
    std::snprintf(text, sizeof text, "%llu:%02llu h", whole / 3600, whole / 60 % 60);
  return text;
}

std::string describe(const fibers::GridProgress &grid, size_t others) {
  std::string line = "hostwarp: " + grid.kernelName + ": " + std::to_string(grid.blocksDone) + " of " +
                     std::to_string(grid.blocks) + " blocks";
  if (grid.blocksDone > 0) {
    const double part = static_cast<double>(grid.blocksDone) / static_cast<double>(grid.blocks);
    char percent[16];
    std::snprintf(percent, sizeof percent, " (%.0f%%)", 100 * part);
    line += percent;
    line += ", " + duration(grid.seconds) + ", about " + duration(grid.seconds / part - grid.seconds) + " left";
  } else {
    // As many as can be at a time may wait for each other, or for the host, and end together.
    line += ", " + std::to_string(grid.blocksRunning) + " running, " + duration(grid.seconds);
  }
  if (others > 0) line += ", and " + std::to_string(others) + " more";
  return line;
}

// Display is what is on the screen. On a terminal one line is written over again and in the end removed; into a file
// go few lines, the later the fewer.
class Display {
 public:
  void show(const fibers::GridProgress &grid, size_t others) {
    if (terminal_) return put("\r" + describe(grid, others) + "\x1b[K");
    if (grid.gridId != grid_) next_ = 0;
    grid_ = grid.gridId;
    if (grid.seconds < next_) return;
    next_ = std::max(firstLines, 2 * grid.seconds);
    put(describe(grid, others) + "\n");
  }

  void clear() {
    if (terminal_ && visible_) put("\r\x1b[K");
    visible_ = false;
  }

 private:
  void put(std::string_view text) {
    visible_ = true;
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  }

  const bool terminal_ = isatty(STDERR_FILENO) != 0;
  bool visible_ = false;
  uint64_t grid_ = 0;  // shown last
  double next_ = 0;    // when it is worth another line in a file
};

// The screen, until the process ends: then the line goes away and no other one comes. Never destroyed.
struct Screen {
  Mutex mutex;
  Display display HOSTWARP_GUARDED_BY(mutex);
  bool closed HOSTWARP_GUARDED_BY(mutex) = false;
};
Screen &screen() {
  static auto *screen = new Screen;
  return *screen;
}

void look(const fibers::Engine &engine) {
  const std::vector<fibers::GridProgress> grids = engine.progress();
  MutexLock lock(screen().mutex);
  if (screen().closed) return;
  if (grids.empty() || grids.front().seconds < patience)
    screen().display.clear();
  else
    screen().display.show(grids.front(), grids.size() - 1);
}

[[noreturn]] void watch(const fibers::Engine &engine) {
  for (;; std::this_thread::sleep_for(pause)) look(engine);
}

void closeLine() {
  MutexLock lock(screen().mutex);
  screen().display.clear();
  screen().closed = true;
}

bool startWatching(const fibers::Engine &engine) {
  if (!optionSwitch(Option::PROGRESS)) return false;
  std::atexit(closeLine);
  std::thread(watch, std::cref(engine)).detach();
  return true;
}

}  // namespace

void watchProgress(const fibers::Engine &engine) {
  [[maybe_unused]] static const bool watching = startWatching(engine);
}

}  // namespace hostwarp::profile
