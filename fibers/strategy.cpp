#include "fibers/strategy.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "fibers/schedule_policy.h"

namespace hostwarp::fibers {
namespace {

// hashed() mixes numbers into one that looks random.
uint64_t hashed(uint64_t seed, const ThreadName &name) {
  RandomStream mix(seed ^ (name.launch * 0x9e3779b97f4a7c15u));
  return RandomStream(mix.next() ^ (name.thread * 0xd1342543de82ef95u)).next();
}

class InOrderStrategy final : public Strategy {
 public:
  size_t choose(const Choice &choice) override { return choice.inOrder(); }
  bool staysWith(const Stop &) const override { return true; }
};

class Reverse final : public Strategy {
 public:
  size_t choose(const Choice &choice) override {
    return choice.current != Choice::kNone ? choice.current : choice.candidates.size() - 1;
  }
  bool staysWith(const Stop &) const override { return true; }
};

class RandomWalk final : public Strategy {
 public:
  explicit RandomWalk(uint64_t seed) : random_(seed) {}
  size_t choose(const Choice &choice) override { return random_.below(choice.candidates.size()); }
  bool staysWith(const Stop &) const override { return false; }

 private:
  RandomStream random_;
};

// UniformRandomWalk draws interleavings, not steps, uniformly: of two threads with one and nine operations left the
// second goes on nine times as often (SURW, ASPLOS 2025).
class UniformRandomWalk final : public Strategy {
 public:
  UniformRandomWalk(uint64_t seed, std::map<ThreadName, uint64_t> left) : random_(seed), left_(std::move(left)) {}

  size_t choose(const Choice &choice) override {
    if (!choice.beforeOperations) return choice.inOrder();
    uint64_t total = 0;
    for (const ThreadName &name : choice.candidates) total += weight(name);
    uint64_t drawn = random_.below(total);
    size_t pick = 0;
    while (drawn >= weight(choice.candidates[pick])) drawn -= weight(choice.candidates[pick++]);
    if (uint64_t &left = left_[choice.candidates[pick]]; left != 0) --left;
    return pick;
  }
  bool staysWith(const Stop &) const override { return false; }

 private:
  uint64_t weight(const ThreadName &name) const {
    const auto found = left_.find(name);
    return found == left_.end() ? 1 : std::max<uint64_t>(found->second, 1);
  }

  RandomStream random_;
  std::map<ThreadName, uint64_t> left_;
};

// Pct finds a bug that some order of `depth` operations brings out with a probability of at least 1 / (n k^(depth-1)),
// for n threads with k operations together (Burckhardt et al., ASPLOS 2010).
class Pct final : public Strategy {
 public:
  Pct(uint64_t seed, uint64_t depth, uint64_t steps) : seed_(seed), depth_(depth), steps_(steps) {}

  size_t choose(const Choice &choice) override {
    if (!choice.beforeOperations) return choice.inOrder();
    begin(choice.candidates.front().launch);
    size_t best = highest(choice);
    while (true) {
      const auto change = changes_.find(choice.stop.step);
      if (change == changes_.end()) return best;
      lowered_[choice.candidates[best]] = change->second;
      changes_.erase(change);
      best = highest(choice);
    }
  }
  bool staysWith(const Stop &stop) const override {
    return stop.who.launch == launch_ && !changes_.contains(stop.step);
  }

 private:
  // begin() draws where priorities change in this launch, and to what. The changes are in no order, as the proof wants.
  void begin(uint64_t launch) {
    if (launch == launch_) return;
    launch_ = launch;
    changes_.clear();
    lowered_.clear();
    RandomStream random(hashed(seed_, {launch, 0}) + 1);
    for (uint64_t i = 1; i < depth_; ++i) changes_.emplace(random.below(steps_), i);
  }

  uint64_t priority(const ThreadName &name) const {
    const auto found = lowered_.find(name);
    return found != lowered_.end() ? found->second : hashed(seed_, name) | uint64_t{1} << 63;
  }

  size_t highest(const Choice &choice) const {
    const auto found =
        std::ranges::max_element(choice.candidates, {}, [this](const ThreadName &name) { return priority(name); });
    return static_cast<size_t>(found - choice.candidates.begin());
  }

  uint64_t seed_, depth_, steps_;
  uint64_t launch_ = ~uint64_t{0};
  std::multimap<uint64_t, uint64_t> changes_;  // step to priority
  std::map<ThreadName, uint64_t> lowered_;
};

// Picks goes on with given threads, one for each operation.
class Picks final : public Strategy {
 public:
  explicit Picks(std::vector<ThreadName> picks) : picks_(std::move(picks)) {}

  size_t choose(const Choice &choice) override {
    if (!choice.beforeOperations || next_ == picks_.size()) return choice.inOrder();
    const auto found = std::ranges::find(choice.candidates, picks_[next_++]);
    if (found != choice.candidates.end()) return static_cast<size_t>(found - choice.candidates.begin());
    hasDiverged_ = true;
    return choice.inOrder();
  }
  bool staysWith(const Stop &) const override { return next_ == picks_.size(); }
  bool hasDiverged() const override { return hasDiverged_; }

 private:
  std::vector<ThreadName> picks_;
  size_t next_ = 0;
  bool hasDiverged_ = false;
};

// Preemptions is in order, but for some stops.
class Preemptions final : public Strategy {
 public:
  using Stops = std::map<std::pair<ThreadName, uint64_t>, ThreadName>;

  explicit Preemptions(Stops stops) : stops_(std::move(stops)) {}

  size_t choose(const Choice &choice) override {
    const auto found = find(choice.stop);
    if (found == stops_.end()) return choice.inOrder();
    const auto to = std::ranges::find(choice.candidates, found->second);
    return to == choice.candidates.end() ? choice.inOrder() : static_cast<size_t>(to - choice.candidates.begin());
  }
  bool staysWith(const Stop &stop) const override { return find(stop) == stops_.end(); }

 private:
  Stops::const_iterator find(const Stop &stop) const { return stops_.find({stop.who, stop.number}); }

  Stops stops_;
};

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::optional<uint64_t> number(const std::string &text, int base = 10) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::unique_ptr<Strategy> readPreemptions(const std::string &list) {
  Preemptions::Stops stops;
  for (const std::string &item : list.empty() ? std::vector<std::string>() : split(list, '.')) {
    std::vector<uint64_t> values;
    for (const std::string &part : split(item, '-'))
      if (const auto value = number(part, 36)) values.push_back(*value);
    const auto parts = static_cast<size_t>(std::ranges::count(item, '-')) + 1;
    if (values.size() != parts || parts < 4 || parts > 5) return nullptr;
    stops[{{values[0], values[1]}, values[2]}] = {values[parts == 5 ? 4 : 0], values[3]};
  }
  return std::make_unique<Preemptions>(std::move(stops));
}

// readPicks() reads lines "launch thread".
std::unique_ptr<Strategy> readPicks(const std::string &path) {
  std::ifstream file(path);
  if (!file) return nullptr;
  std::vector<ThreadName> picks;
  for (ThreadName name; file >> name.launch >> name.thread;) picks.push_back(name);
  return std::make_unique<Picks>(std::move(picks));
}

// readCounts() reads the lines of a trace that count a thread's operations.
std::optional<std::map<ThreadName, uint64_t>> readCounts(const std::string &path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  std::map<ThreadName, uint64_t> counts;
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> words = split(line, ' ');
    if (words.size() != 4 || words[0] != "C") continue;
    counts[{number(words[1]).value_or(0), number(words[2]).value_or(0)}] = number(words[3]).value_or(0);
  }
  return counts;
}

// Seeded reads NAME:SEED and what follows it.
struct Seeded {
  std::string name;
  std::optional<uint64_t> seed;
  std::vector<std::string> rest;
};

std::unique_ptr<Strategy> makeSeeded(const Seeded &text) {
  if (text.name == "random" && text.rest.empty()) return std::make_unique<RandomWalk>(*text.seed);
  if (text.name == "pct" && text.rest.size() == 2) {
    const auto depth = number(text.rest[0]), steps = number(text.rest[1]);
    if (!depth || !steps || *depth == 0 || *steps == 0) return nullptr;
    return std::make_unique<Pct>(*text.seed, *depth, *steps);
  }
  return nullptr;
}

std::unique_ptr<Strategy> read(const std::string &text) {
  if (text == "order") return std::make_unique<InOrderStrategy>();
  if (text == "reverse") return std::make_unique<Reverse>();
  if (text.starts_with("p:")) return readPreemptions(text.substr(2));
  if (text.starts_with("picks:")) return readPicks(text.substr(6));
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() < 2 || !number(parts[1])) return nullptr;
  if (parts[0] == "urw" && parts.size() >= 3) {
    auto counts = readCounts(text.substr(parts[0].size() + parts[1].size() + 2));  // a path may have colons
    if (!counts) return nullptr;
    return std::make_unique<UniformRandomWalk>(*number(parts[1]), *std::move(counts));
  }
  return makeSeeded({parts[0], number(parts[1]), {parts.begin() + 2, parts.end()}});
}

std::string base36(uint64_t value) {
  char text[16];
  return {text, std::to_chars(text, text + sizeof text, value, 36).ptr};
}

}  // namespace

std::unique_ptr<Strategy> makeStrategy(const std::string &text, std::string &complaint) {
  std::unique_ptr<Strategy> strategy = read(text);
  if (strategy == nullptr) complaint = "'" + text + "' is no schedule, or its file cannot be read";
  return strategy;
}

std::string preemptionText(const Stop &stop, const ThreadName &to) {
  const std::string text =
      base36(stop.who.launch) + "-" + base36(stop.who.thread) + "-" + base36(stop.number) + "-" + base36(to.thread);
  return to.launch == stop.who.launch ? text : text + "-" + base36(to.launch);
}

}  // namespace hostwarp::fibers
