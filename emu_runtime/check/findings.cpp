#include "emu_runtime/check/findings.h"

#include <cstdint>
#include <cstdlib>
#include <map>
#include <utility>

#include "emu_runtime/support/findings_file.h"
#include "emu_runtime/support/log.h"
#include "fibers/engine.h"
#include "fibers/mutex.h"

namespace hostwarp::check {

namespace {

// Further findings are counted and not printed.
constexpr size_t mostPrinted = 100;

std::string placeOf(const hw_source_frame &frame) {
  std::string text = frame.line != 0 ? std::string(frame.file) + ":" + std::to_string(frame.line) : "an unknown line";
  if (frame.column != 0) text += ":" + std::to_string(frame.column);
  return *frame.function != '\0' ? text + " in " + frame.function : text;
}

std::string describe(const Problem &problem, const hw_access_site &site) {
  std::string text = problem.kind + ": " + problem.what;
  for (uint64_t i = 0; i < site.frameCount; ++i)
    text += std::string("\n  ") + (i == 0 ? "at      " : "called  ") + placeOf(site.frames[i]);
  return text + "\n  by      " + fibers::describeCurrentThread();
}

// Findings are counted by place and kind.
class Findings {
 public:
  static Findings &process() {
    static auto *findings = new Findings;
    return *findings;
  }

  void add(const Problem &problem, const hw_access_site &site) {
    MutexLock lock(mutex_);
    if (counts_.empty()) std::atexit([] { process().sumUp(); });
    uint64_t &count = counts_[{&site, problem.kind}];
    if (++count > 1) return;
    noteFinding(problem.kind + " at " + placeOf(site.frames[site.frameCount - 1]));
    if (counts_.size() <= mostPrinted) logLine(describe(problem, site));
  }

 private:
  using Key = std::pair<const hw_access_site *, std::string>;

  void sumUp() {
    MutexLock lock(mutex_);
    uint64_t accesses = 0;
    for (const auto &[key, count] : counts_) accesses += count;
    logLine(std::to_string(counts_.size()) + (counts_.size() == 1 ? " finding, " : " findings, ") +
            std::to_string(accesses) + (accesses == 1 ? " wrong access" : " wrong accesses") +
            (counts_.size() > mostPrinted ? "; the first " + std::to_string(mostPrinted) + " were printed" : ""));
  }

  Mutex mutex_;
  std::map<Key, uint64_t> counts_ HOSTWARP_GUARDED_BY(mutex_);
};

}  // namespace

void report(const Problem &problem, const hw_access_site &site) { Findings::process().add(problem, site); }

}  // namespace hostwarp::check
