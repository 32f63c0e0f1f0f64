#include "fibers/schedule_policy.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace hostwarp::fibers {
namespace {

// A thread that begins gets a long budget: most loops with atomics end before it and never cost a switch. A thread that
// has yielded once probably waits for somebody, so from then on it gives way soon.
constexpr int32_t kFirstSpinBudget = 1024;
constexpr int32_t kNextSpinBudget = 128;
constexpr uint64_t kLongestRandomBudget = 200;
constexpr uint64_t kPreemptOneIn = 64;

class InOrder final : public SchedulePolicy {
 public:
  bool inOrder() const override { return true; }
  uint64_t blockAt(uint64_t, uint64_t position, uint64_t, uint64_t) const override { return position; }
  RandomStream streamFor(uint64_t, uint64_t) const override { return RandomStream(); }
  size_t choose(RandomStream &, size_t) const override { return 0; }
  int32_t spinBudget(RandomStream &, bool first) const override { return first ? kFirstSpinBudget : kNextSpinBudget; }
  bool preempt(RandomStream &) const override { return false; }
};

class SeededRandom final : public SchedulePolicy {
 public:
  explicit SeededRandom(uint64_t seed) : seed_(seed) {}

  bool inOrder() const override { return false; }

  // An affine map modulo their number permutes neighbouring blocks without a table.
  uint64_t blockAt(uint64_t origin, uint64_t position, uint64_t total, uint64_t resident) const override {
    const uint64_t first = position / resident * resident;
    const uint64_t count = std::min(resident, total - first);
    RandomStream random(seed_ ^ (origin * 0x9e3779b97f4a7c15u) ^ (first << 20));
    uint64_t factor = random.next() % count;
    while (std::gcd(factor, count) != 1) factor = (factor + 1) % count;
    const uint64_t offset = random.next() % count;
    return first + static_cast<uint64_t>((static_cast<unsigned __int128>(position - first) * factor + offset) % count);
  }

  RandomStream streamFor(uint64_t origin, uint64_t block) const override {
    RandomStream mix(seed_ ^ std::rotl(origin, 32));
    return RandomStream(mix.next() ^ (block * 0xd1342543de82ef95u));
  }

  size_t choose(RandomStream &random, size_t count) const override { return random.below(count); }

  int32_t spinBudget(RandomStream &random, bool) const override {
    return static_cast<int32_t>(1 + random.below(kLongestRandomBudget));
  }

  bool preempt(RandomStream &random) const override { return random.below(kPreemptOneIn) == 0; }

 private:
  uint64_t seed_;
};

}  // namespace

uint64_t RandomStream::next() {
  uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint64_t derivedOrigin(uint64_t whole, uint64_t number) {
  RandomStream mix(whole);
  return RandomStream(mix.next() ^ number).next() | 1;
}

std::unique_ptr<SchedulePolicy> makeSchedulePolicy(const EngineOptions &options) {
  if (options.seed != 0) return std::make_unique<SeededRandom>(options.seed);
  return std::make_unique<InOrder>();
}

}  // namespace hostwarp::fibers
