#include "emu_runtime/check/findings.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
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
                     (problem.by.empty() ? fibers::describeCurrentThread() : problem.by);
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
    uint64_t &count = counts_[keyOf(problem.kind, &site, problem.other)];
    if (++count > 1) return;
    noteFinding(problem.kind + " at " + placeOf(site.frames[site.frameCount - 1]));
    if (counts_.size() <= mostPrinted) logLine(describe(problem, site));
  }

  bool countAgain(const std::string &kind, const hw_access_site &site, const hw_access_site &other) {
    MutexLock lock(mutex_);
    const auto known = counts_.find(keyOf(kind, &site, &other));
    if (known == counts_.end()) return false;
    ++known->second;
    return true;
  }

  void add(Benign kind, const hw_access_site &site) {
    MutexLock lock(mutex_);
    BenignPlaces &benign = benign_[static_cast<size_t>(kind)];
    if (benign.places.empty()) benign.first = placeOf(site.frames[0]);  // the image may be gone at exit
    benign.places.insert(&site);
  }

  void sumUp() {
    MutexLock lock(mutex_);
    tellOf(benign_[static_cast<size_t>(Benign::SameValue)], "threads write one value to one place, unordered,");
    tellOf(benign_[static_cast<size_t>(Benign::Poll)], "threads wait for volatile memory to change, which is no atomic access,");
    if (counts_.empty()) return;
    uint64_t accesses = 0;
    for (const auto &[key, count] : counts_) accesses += count;
    logLine(std::to_string(counts_.size()) + (counts_.size() == 1 ? " finding, " : " findings, ") +
            std::to_string(accesses) + (accesses == 1 ? " wrong access" : " wrong accesses") +
            (counts_.size() > mostPrinted ? "; the first " + std::to_string(mostPrinted) + " were printed" : ""));
  }

 private:
  using Key = std::tuple<const hw_access_site *, const hw_access_site *, std::string>;
  struct BenignPlaces {
    std::set<const hw_access_site *> places;
    std::string first;
  };

  // keyOf(): which of two accesses came first does not matter.
  static Key keyOf(const std::string &kind, const hw_access_site *site, const hw_access_site *other) {
    const auto [first, second] = std::minmax({site, other});
    return {first, second, kind};
  }

  static void tellOf(const BenignPlaces &benign, const char *what) {
    const size_t count = benign.places.size();
    if (count == 0) return;
    logLine(std::string("no finding: ") + what + " at " + std::to_string(count) + (count == 1 ? " place" : " places") +
            " in the source; the first: " + benign.first);
  }

  Mutex mutex_;
  std::map<Key, uint64_t> counts_ HOSTWARP_GUARDED_BY(mutex_);
  std::array<BenignPlaces, 2> benign_ HOSTWARP_GUARDED_BY(mutex_);
};

}  // namespace

void report(const Problem &problem, const hw_access_site &site) { Findings::process().add(problem, site); }

bool countAgain(const std::string &kind, const hw_access_site &site, const hw_access_site &other) {
  return Findings::process().countAgain(kind, site, other);
}

void sumUpFindings() { Findings::process().sumUp(); }

void countBenign(Benign kind, const hw_access_site &site) { Findings::process().add(kind, site); }

}  // namespace hostwarp::check
