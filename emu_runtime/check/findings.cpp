#include "emu_runtime/check/findings.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "emu_runtime/check/running_launch.h"
#include "emu_runtime/check/source_text.h"
#include "emu_runtime/check/suppressions.h"
#include "emu_runtime/support/findings_file.h"
#include "emu_runtime/support/log.h"
#include "fibers/debugger.h"
#include "fibers/engine.h"
#include "fibers/mutex.h"

namespace hostwarp::check {

namespace {

// Further findings are counted and not printed.
constexpr size_t mostPrinted = 100;

// isThread(): no place, but who has been there.
bool isThread(const SourcePlace &place) { return place.line == 0 && place.function.starts_with("kernel "); }

std::string placeOf(const SourcePlace &place) {
  if (isThread(place)) return "by " + place.function;
  std::string text = place.line != 0 ? place.file + ":" + std::to_string(place.line) : "an unknown line";
  if (place.column != 0) text += ":" + std::to_string(place.column);
  return place.function.empty() ? text : text + " in " + place.function;
}

std::string placeOf(const hw_source_frame &frame) {
  return placeOf(SourcePlace{frame.file, frame.function, frame.line, frame.column, {}});
}

std::string frameLines(const hw_access_site &site, const char *first) {
  std::string text;
  for (uint64_t i = 0; i < site.frameCount; ++i)
    text += std::string("\n  ") + (i == 0 ? first : "called  ") + placeOf(site.frames[i]);
  return text;
}

std::string threadOf(const Problem &problem) {
  return problem.by.empty() ? fibers::describeCurrentThread() : problem.by;
}

// outlineOf() is what suppressions are compared with: what is wrong, and where.
std::string outlineOf(const Problem &problem, const hw_access_site &site) {
  std::string text = problem.kind + ": " + problem.what + frameLines(site, "at      ");
  if (problem.other != nullptr) text += frameLines(*problem.other, "and     ");
  return text + "\n" + threadOf(problem) + "\n" + problem.why;
}

FindingNote noteOf(uint64_t id, const Problem &problem, const hw_access_site &site) {
  const RunningLaunch launch = launchOf(problem.block, problem.thread);
  return {.id = id,
          .kind = problem.kind,
          .what = problem.what,
          .by = threadOf(problem),
          .launch = launch.text,
          .why = problem.why,
          .values = problem.values,
          .variable = problem.variable,
          .at = placesOf(site),
          .other = problem.other != nullptr ? placesOf(*problem.other) : std::vector<SourcePlace>(),
          .made = placesOf(problem.origin.made),
          .freed = placesOf(problem.origin.freed),
          .launched = launch.places};
}

std::string linesOf(const std::vector<SourcePlace> &places, const char *first) {
  std::string text;
  for (size_t i = 0; i < places.size(); ++i) {
    text += std::string("\n  ") + (i == 0 ? first : isThread(places[i]) ? "        " : "called  ") + placeOf(places[i]);
    if (!places[i].text.empty()) text += "\n            " + places[i].text;
  }
  return text;
}

std::string lineOf(const char *name, const std::string &content) {
  return content.empty() ? "" : std::string("\n  ") + name + content;
}

std::string textOf(const FindingNote &note) {
  return note.kind + ": " + note.what + linesOf(note.at, "at      ") + lineOf("by      ", note.by) +
         lineOf("in      ", note.launch) + linesOf(note.launched, "from    ") + linesOf(note.other, "and     ") +
         lineOf("values  ", note.values) + lineOf("memory  ", note.variable) + linesOf(note.made, "made    ") +
         linesOf(note.freed, "freed   ") + lineOf("why     ", note.why);
}

// isHidden() tells whether a suppression fits, or the kernel is none of those that are looked at.
bool isHidden(const Problem &problem, const hw_access_site &site) {
  return isSuppressed(problem.kind, outlineOf(problem, site)) || !concernsKernel(threadOf(problem));
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
    Known &known = known_[keyOf(problem.kind, &site, problem.other)];
    ++times_;
    if (++known.count > 1 || (known.isHidden = isHidden(problem, site))) return;
    known.id = ++told_;
    const FindingNote note = noteOf(known.id, problem, site);
    noteFinding(note);
    const std::string text = textOf(note);
    if (told_ <= mostPrinted) logLine(text);
    hw_debugger_finding(text.c_str());
  }

  void addFault(const std::string &kind, const std::string &what) {
    MutexLock lock(mutex_);
    const auto isCause = [](const auto &each) {
      const std::string &known = std::get<std::string>(each.first);
      return known.find("race") == std::string::npos && known.find("not waited for") == std::string::npos;
    };
    if (std::ranges::any_of(known_, isCause)) return;
    ++faults_;
    noteFinding({.id = ++told_, .kind = kind, .what = what});
  }

  void addOfHost(const std::string &kind, const std::string &what, const Origin &origin, const DoerRef &doer) {
    MutexLock lock(mutex_);
    if (isSuppressed(kind, kind + ": " + what)) return;
    ++ofHost_;
    const FindingNote note{
        .id = ++told_, .kind = kind, .what = what, .at = placesOf(doer), .made = placesOf(origin.made)};
    noteFinding(note);
    if (told_ <= mostPrinted) logLine(textOf(note));
  }

  bool countAgain(const std::string &kind, const hw_access_site &site, const hw_access_site &other) {
    MutexLock lock(mutex_);
    const auto known = known_.find(keyOf(kind, &site, &other));
    if (known == known_.end()) return false;
    ++known->second.count;
    ++times_;
    return true;
  }

  uint64_t times() const { return times_; }

  void add(Benign kind, const hw_access_site &site) {
    MutexLock lock(mutex_);
    BenignPlaces &benign = benign_[static_cast<size_t>(kind)];
    if (benign.places.empty()) benign.first = placeOf(site.frames[0]);  // the image may be gone at exit
    benign.places.insert(&site);
  }

  void sumUp() {
    MutexLock lock(mutex_);
    tellOf(benign_[static_cast<size_t>(Benign::SameValue)], "threads write one value to one place, unordered,");
    tellOf(benign_[static_cast<size_t>(Benign::Poll)],
           "threads wait for volatile memory to change, which is no atomic access,");
    uint64_t accesses = faults_ + ofHost_, hidden = 0;
    for (const auto &[key, known] : known_) {
      if (known.isHidden) {
        ++hidden;
        continue;
      }
      accesses += known.count;
      if (known.count > 1) noteCount(known.id, known.count);
    }
    if (hidden != 0)
      logLine(std::to_string(hidden) + (hidden == 1 ? " finding is" : " findings are") +
              " not told of, as was asked for");
    if (told_ == 0) return;
    logLine(std::to_string(told_) + (told_ == 1 ? " finding, " : " findings, ") + std::to_string(accesses) +
            (accesses == 1 ? " wrong access" : " wrong accesses") +
            (told_ > mostPrinted ? "; the first " + std::to_string(mostPrinted) + " were printed" : ""));
  }

 private:
  using Key = std::tuple<const hw_access_site *, const hw_access_site *, std::string>;
  struct Known {
    uint64_t id = 0, count = 0;
    bool isHidden = false;  // the user does not want to know
  };
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
  std::atomic<uint64_t> times_ = 0;
  std::map<Key, Known> known_ HOSTWARP_GUARDED_BY(mutex_);
  uint64_t told_ HOSTWARP_GUARDED_BY(mutex_) = 0, faults_ HOSTWARP_GUARDED_BY(mutex_) = 0,
                 ofHost_ HOSTWARP_GUARDED_BY(mutex_) = 0;
  std::array<BenignPlaces, 2> benign_ HOSTWARP_GUARDED_BY(mutex_);
};

}  // namespace

void report(const Problem &problem, const hw_access_site &site) { Findings::process().add(problem, site); }

void reportOfHost(const std::string &kind, const std::string &what, const Origin &origin, const DoerRef &doer) {
  Findings::process().addOfHost(kind, what, origin, doer);
}

void reportFault(const std::string &kind, const std::string &what) { Findings::process().addFault(kind, what); }

bool countAgain(const std::string &kind, const hw_access_site &site, const hw_access_site &other) {
  return Findings::process().countAgain(kind, site, other);
}

uint64_t timesTold() { return Findings::process().times(); }

void sumUpFindings() { Findings::process().sumUp(); }

void countBenign(Benign kind, const hw_access_site &site) { Findings::process().add(kind, site); }

}  // namespace hostwarp::check
