#include "emu_runtime/check/findings.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>

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

std::string framesOf(const hw_access_site &site, const char *first) {
  std::string text;
  for (uint64_t i = 0; i < site.frameCount; ++i)
    text += std::string("\n  ") + (i == 0 ? first : "called  ") + placeOf(site.frames[i]);
  return text;
}

std::string describe(const Problem &problem, const hw_access_site &site) {
  std::string text = problem.kind + ": " + problem.what + framesOf(site, "at      ") + "\n  by      " +
                     fibers::describeCurrentThread();
  if (problem.other != nullptr) text += framesOf(*problem.other, "and     ");
  return problem.why.empty() ? text : text + "\n  why     " + problem.why;
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
    // Which of two accesses came first does not matter.
    const auto [first, second] = std::minmax({&site, problem.other});
    uint64_t &count = counts_[{first, second, problem.kind}];
    if (++count > 1) return;
    noteFinding(problem.kind + " at " + placeOf(site.frames[site.frameCount - 1]));
    if (counts_.size() <= mostPrinted) logLine(describe(problem, site));
  }

  void addSameValue(const hw_access_site &site) {
    MutexLock lock(mutex_);
    if (sameValues_.empty()) firstSameValue_ = &site;
    ++sameValues_[&site];
  }

  void sumUp() {
    MutexLock lock(mutex_);
    if (!sameValues_.empty())
      logLine("no finding: threads write one value to one place, unordered, at " + std::to_string(sameValues_.size()) +
              (sameValues_.size() == 1 ? " place" : " places") +
              " in the source; the first: " + placeOf(firstSameValue_->frames[0]));
    if (counts_.empty()) return;
    uint64_t accesses = 0;
    for (const auto &[key, count] : counts_) accesses += count;
    logLine(std::to_string(counts_.size()) + (counts_.size() == 1 ? " finding, " : " findings, ") +
            std::to_string(accesses) + (accesses == 1 ? " wrong access" : " wrong accesses") +
            (counts_.size() > mostPrinted ? "; the first " + std::to_string(mostPrinted) + " were printed" : ""));
  }

 private:
  using Key = std::tuple<const hw_access_site *, const hw_access_site *, std::string>;

  Mutex mutex_;
  std::map<Key, uint64_t> counts_ HOSTWARP_GUARDED_BY(mutex_);
  std::map<const hw_access_site *, uint64_t> sameValues_ HOSTWARP_GUARDED_BY(mutex_);
  const hw_access_site *firstSameValue_ HOSTWARP_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace

void report(const Problem &problem, const hw_access_site &site) { Findings::process().add(problem, site); }

void sumUpFindings() { Findings::process().sumUp(); }

void countSameValue(const hw_access_site &site) { Findings::process().addSameValue(site); }

}  // namespace hostwarp::check
