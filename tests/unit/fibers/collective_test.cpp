#include <atomic>
#include <bit>
#include <random>
#include <vector>

#include "tests/unit/fibers/engine_fixture.h"

namespace hostwarp::fibers {
namespace {

class CollectiveTest : public EngineTest {};
HOSTWARP_EVERY_SCHEDULE(CollectiveTest);

// Case is one warp's worth of input; reference functions say what each lane must get.
struct Case {
  uint32_t mask;
  int kind;
  uint32_t width;
  uint32_t operand[32];
  uint64_t value[32];
};

std::vector<Case> randomCases(int kinds) {
  std::mt19937_64 random(7);
  std::vector<Case> cases;
  for (uint32_t width = 1; width <= 32; width *= 2)
    for (int kind = 0; kind < kinds; ++kind)
      for (int variant = 0; variant < 4; ++variant) {
        Case c{variant < 2 ? ~0u : static_cast<uint32_t>(random()) | 1u, kind, width, {}, {}};
        for (uint32_t lane = 0; lane < 32; ++lane) {
          c.operand[lane] =
              variant % 2 == 0 ? static_cast<uint32_t>(variant + kind + 1) : static_cast<uint32_t>(random() % 64);
          c.value[lane] = random() % (variant == 0 ? 3 : ~0ull);
        }
        cases.push_back(c);
      }
  return cases;
}

struct Expected {
  uint64_t value;
  bool inRange;
};

// The pseudo-code of shfl.sync in the PTX manual, written out lane by lane and independently of the engine.
Expected shuffleReference(const Case &c, int lane) {
  const int segment = lane / static_cast<int>(c.width) * static_cast<int>(c.width);
  const int end = segment + static_cast<int>(c.width);
  const int b = static_cast<int>(c.operand[lane] % 32);
  int source = lane;
  bool inRange = true;
  switch (c.kind) {
    case HW_SHFL_IDX:
      source = segment + b % static_cast<int>(c.width);
      break;
    case HW_SHFL_UP:
      source = lane - b;
      inRange = source >= segment;
      break;
    case HW_SHFL_DOWN:
      source = lane + b;
      inRange = source < end;
      break;
    default:
      source = lane ^ b;
      inRange = source < end;
      break;
  }
  const bool readable = inRange && (c.mask >> source & 1) != 0;
  return {readable ? c.value[source] : c.value[lane], inRange};
}

struct Job {
  std::vector<Case> cases;
  std::atomic<int> wrong{0};
};

void shuffleKernel(void *const *args) {
  Job &job = *static_cast<Job *>(args[0]);
  const uint32_t lane = hw_self()->laneId;
  for (const Case &c : job.cases) {
    if ((c.mask >> lane & 1) == 0) continue;
    int inRange = -1;
    const uint64_t got = hw_shuffle(c.mask, c.kind, c.value[lane], c.operand[lane], c.width, &inRange);
    const Expected want = shuffleReference(c, static_cast<int>(lane));
    if (got != want.value || inRange != want.inRange) ++job.wrong;
  }
}

TEST_P(CollectiveTest, ShufflesOfAllKindsAndWidths) {
  Job job{randomCases(4)};
  const GridOutcome outcome = launch(shuffleKernel, {2, 1, 1}, {64, 1, 1}, &job);
  EXPECT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
  EXPECT_EQ(job.wrong, 0);
}

void voteKernel(void *const *args) {
  Job &job = *static_cast<Job *>(args[0]);
  const uint32_t lane = hw_self()->laneId;
  for (const Case &c : job.cases) {
    if ((c.mask >> lane & 1) == 0) continue;
    uint32_t ballot = 0;
    for (int i = 0; i < 32; ++i) ballot |= static_cast<uint32_t>(c.value[i] % 3 != 0) << i;
    ballot &= c.mask;
    const int mine = c.value[lane] % 3 != 0 ? -5 : 0;
    if (hw_vote(c.mask, HW_VOTE_BALLOT, mine) != ballot) ++job.wrong;
    if (hw_vote(c.mask, HW_VOTE_ALL, mine) != (ballot == c.mask)) ++job.wrong;
    if (hw_vote(c.mask, HW_VOTE_ANY, mine) != (ballot != 0)) ++job.wrong;
    if (hw_vote(c.mask, HW_VOTE_UNI, mine) != (ballot == 0 || ballot == c.mask)) ++job.wrong;
    if (hw_vote(c.mask, HW_VOTE_UNI, 1) != 1) ++job.wrong;
    if (hw_vote(c.mask, HW_VOTE_ALL, 1) != 1) ++job.wrong;
    if (hw_vote(c.mask, HW_VOTE_ANY, 0) != 0) ++job.wrong;
  }
}

TEST_P(CollectiveTest, Votes) {
  Job job{randomCases(1)};
  const GridOutcome outcome = launch(voteKernel, {2, 1, 1}, {32, 2, 1}, &job);
  EXPECT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
  EXPECT_EQ(job.wrong, 0);
}

void matchKernel(void *const *args) {
  Job &job = *static_cast<Job *>(args[0]);
  const uint32_t lane = hw_self()->laneId;
  for (const Case &c : job.cases) {
    if ((c.mask >> lane & 1) == 0) continue;
    uint32_t equal = 0;
    for (int i = 0; i < 32; ++i) equal |= static_cast<uint32_t>(c.value[i] == c.value[lane]) << i;
    equal &= c.mask;
    if (hw_match_any(c.mask, c.value[lane]) != equal) ++job.wrong;
    int predicate = -1;
    const uint32_t all = hw_match_all(c.mask, c.value[lane], &predicate);
    const bool allEqual = equal == c.mask;
    if (all != (allEqual ? c.mask : 0) || predicate != allEqual) ++job.wrong;
    if (hw_match_all(c.mask, 42, &predicate) != c.mask || predicate != 1) ++job.wrong;
  }
}

TEST_P(CollectiveTest, Matches) {
  Job job{randomCases(1)};
  const GridOutcome outcome = launch(matchKernel, {2, 1, 1}, {32, 1, 2}, &job);
  EXPECT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
  EXPECT_EQ(job.wrong, 0);
}

uint32_t reduceReference(const Case &c, int operation) {
  bool first = true;
  uint32_t r = 0;
  for (int i = 0; i < 32; ++i) {
    if ((c.mask >> i & 1) == 0) continue;
    const uint32_t v = static_cast<uint32_t>(c.value[i]);
    const auto s = [](uint32_t x) { return static_cast<int32_t>(x); };
    if (first)
      r = v;
    else if (operation == HW_REDUCE_ADD)
      r += v;
    else if (operation == HW_REDUCE_MIN_S)
      r = s(v) < s(r) ? v : r;
    else if (operation == HW_REDUCE_MAX_S)
      r = s(v) > s(r) ? v : r;
    else if (operation == HW_REDUCE_MIN_U)
      r = v < r ? v : r;
    else if (operation == HW_REDUCE_MAX_U)
      r = v > r ? v : r;
    else if (operation == HW_REDUCE_AND)
      r &= v;
    else if (operation == HW_REDUCE_OR)
      r |= v;
    else
      r ^= v;
    first = false;
  }
  return r;
}

void warpReduceKernel(void *const *args) {
  Job &job = *static_cast<Job *>(args[0]);
  const uint32_t lane = hw_self()->laneId;
  for (const Case &c : job.cases) {
    if ((c.mask >> lane & 1) == 0) continue;
    for (int operation = HW_REDUCE_ADD; operation <= HW_REDUCE_XOR; ++operation)
      if (hw_warp_reduce(c.mask, operation, static_cast<uint32_t>(c.value[lane])) != reduceReference(c, operation))
        ++job.wrong;
  }
}

TEST_P(CollectiveTest, Reductions) {
  Job job{randomCases(1)};
  const GridOutcome outcome = launch(warpReduceKernel, {2, 1, 1}, {64, 1, 1}, &job);
  EXPECT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
  EXPECT_EQ(job.wrong, 0);
}

// Each lane hands over a number, and the work reverses them among the lanes that take part.
void reverseNumbers(void *const *lanes) {
  std::vector<uint32_t *> numbers;
  for (int i = 0; i < 32; ++i)
    if (lanes[i] != nullptr) numbers.push_back(static_cast<uint32_t *>(lanes[i]));
  for (size_t i = 0; i < numbers.size() / 2; ++i) std::swap(*numbers[i], *numbers[numbers.size() - 1 - i]);
}

void togetherKernel(void *const *args) {
  auto &wrong = *static_cast<std::atomic<int> *>(args[0]);
  const uint32_t lane = hw_self()->laneId;
  for (int round = 0; round < 10; ++round) {
    uint32_t number = lane + 100;
    hw_warp_together(~0u, &number, reverseNumbers);
    if (number != 131 - lane) ++wrong;
    hw_warp_together(lane % 2 == 0 ? 0x55555555u : 0xaaaaaaaau, &number, reverseNumbers);
    if (number != (lane % 2 == 0 ? 101 : 99) + lane) ++wrong;
  }
}

TEST_P(CollectiveTest, WorkDoneOnceForAllLanes) {
  std::atomic<int> wrong{0};
  const GridOutcome outcome = launch(togetherKernel, {2, 1, 1}, {64, 1, 1}, &wrong);
  EXPECT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
  EXPECT_EQ(wrong, 0);
}

// The threads of a tile learn the sum of their numbers; a thread that has left gives none.
struct TileNumber {
  uint32_t number, sum, threads;
};
void sumNumbers(void *const *tile) {
  uint32_t sum = 0, threads = 0;
  for (uint32_t i = 0; threads == 0 || i < threads; ++i) {
    if (tile[i] == nullptr) continue;
    threads = static_cast<TileNumber *>(tile[i])->threads;
    sum += static_cast<TileNumber *>(tile[i])->number;
  }
  for (uint32_t i = 0; i < threads; ++i)
    if (tile[i] != nullptr) static_cast<TileNumber *>(tile[i])->sum = sum;
}

void tileKernel(void *const *args) {
  auto &wrong = *static_cast<std::atomic<int> *>(args[0]);
  const uint32_t self = hw_self()->linearThread;
  if (self % 64 == 5) return;
  for (uint32_t threads = 64; threads <= 1024; threads *= 2) {
    const uint32_t first = self / threads * threads;
    uint32_t expected = 0;
    for (uint32_t i = first; i < first + threads && i < hw_self()->blockDim.x; ++i)
      if (i % 64 != 5) expected += i;
    TileNumber mine{self, 0, threads};
    hw_tile_together(threads, &mine, sumNumbers);
    if (mine.sum != expected) ++wrong;
    hw_tile_together(threads, nullptr, nullptr);
  }
}

TEST_P(CollectiveTest, TilesOfSeveralWarpsMeet) {
  for (const uint32_t threads : {64u, 512u, 1000u, 1024u}) {
    std::atomic<int> wrong{0};
    const GridOutcome outcome = launch(tileKernel, {2, 1, 1}, {threads, 1, 1}, &wrong);
    EXPECT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
    EXPECT_EQ(wrong, 0);
  }
}

// Lanes of one warp meet in different branches, and in groups, at the same time.
void divergentKernel(void *const *args) {
  auto &wrong = *static_cast<std::atomic<int> *>(args[0]);
  const uint32_t lane = hw_self()->laneId;
  for (int round = 0; round < 10; ++round) {
    if (lane % 2 == 0) {
      if (hw_warp_reduce(0x55555555u, HW_REDUCE_ADD, 1) != 16) ++wrong;
      hw_syncwarp(~0u);
    } else {
      hw_syncwarp(~0u);  // the same rendezvous, another line
      if (hw_warp_reduce(0xaaaaaaaau, HW_REDUCE_ADD, 2) != 32) ++wrong;
    }
    const uint32_t tile = 0xfu << (lane & ~3u);
    if (hw_vote(tile, HW_VOTE_BALLOT, 1) != tile) ++wrong;
    hw_barrier(0, 0);
  }
}

TEST_P(CollectiveTest, DivergentLanesMeetByMask) {
  std::atomic<int> wrong{0};
  const GridOutcome outcome = launch(divergentKernel, {2, 1, 1}, {96, 1, 1}, &wrong);
  EXPECT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
  EXPECT_EQ(wrong, 0);
}

// syncwarp orders memory accesses between lanes.
void syncwarpKernel(void *const *args) {
  auto &wrong = *static_cast<std::atomic<int> *>(args[0]);
  const hw_thread &t = *hw_self();
  volatile int *shared = reinterpret_cast<int *>(t.dynamicShared);
  for (int round = 0; round < 50; ++round) {
    shared[t.linearThread] = round;
    hw_syncwarp(~0u);
    if (shared[t.linearThread ^ 31] != round) ++wrong;
    hw_syncwarp(~0u);
  }
}

TEST_P(CollectiveTest, SyncwarpOrdersMemory) {
  std::atomic<int> wrong{0};
  GridRequest request = describe(syncwarpKernel, {2, 1, 1}, {128, 1, 1}, &wrong);
  request.dynamicSharedBytes = 128 * sizeof(int);
  EXPECT_EQ(engine_->run(request).fault, Fault::None);
  EXPECT_EQ(wrong, 0);
}

// Lanes that have exited, or never existed, are no longer waited for.
void exitedLanesKernel(void *const *args) {
  auto &wrong = *static_cast<std::atomic<int> *>(args[0]);
  const hw_thread &t = *hw_self();
  if (t.laneId >= 20) return;
  const uint32_t live = t.warpId == 1 ? 0xffu : 0xfffffu;  // 40 threads: the second warp has 8
  if (hw_vote(~0u, HW_VOTE_BALLOT, 1) != live) ++wrong;
  if (hw_shuffle(~0u, HW_SHFL_IDX, t.laneId, 25, 32, nullptr) != t.laneId) ++wrong;
  if (hw_vote(0, HW_VOTE_BALLOT, 1) != live) ++wrong;
}

TEST_P(CollectiveTest, ExitedLanesAreDropped) {
  std::atomic<int> wrong{0};
  const GridOutcome outcome = launch(exitedLanesKernel, {3, 1, 1}, {40, 1, 1}, &wrong);
  EXPECT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
  EXPECT_EQ(wrong, 0);
}

struct Aggregate {
  std::atomic<int> counter{0};
  std::atomic<int> seen[1024] = {};
  std::atomic<int> wrong{0};
};

// Warp-aggregated increments: the best known use of __activemask().
void aggregateKernel(void *const *args) {
  Aggregate &out = *static_cast<Aggregate *>(args[0]);
  const hw_thread &t = *hw_self();
  for (uint32_t i = t.threadIdx.x; i < 1024; i += t.blockDim.x) {
    if (i % 3 != 0) continue;
    const uint32_t mask = hw_activemask();
    if ((mask >> t.laneId & 1) == 0) ++out.wrong;
    const uint32_t leader = static_cast<uint32_t>(std::countr_zero(mask));
    uint64_t base = 0;
    if (t.laneId == leader) base = static_cast<uint64_t>(out.counter.fetch_add(std::popcount(mask)));
    base = hw_shuffle(mask, HW_SHFL_IDX, base, leader, 32, nullptr);
    ++out.seen[base + static_cast<uint64_t>(std::popcount(mask & ((1u << t.laneId) - 1)))];
  }
}

TEST_P(CollectiveTest, ActiveMaskAggregation) {
  Aggregate out;
  const GridOutcome outcome = launch(aggregateKernel, {1, 1, 1}, {96, 1, 1}, &out);
  EXPECT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
  EXPECT_EQ(out.counter, 342);
  EXPECT_EQ(out.wrong, 0);
  for (int i = 0; i < 342; ++i) EXPECT_EQ(out.seen[i], 1) << i;
}

// Converged lanes see each other; lanes in a branch see the lanes of the branch.
void activeMaskKernel(void *const *args) {
  auto &wrong = *static_cast<std::atomic<int> *>(args[0]);
  const uint32_t lane = hw_self()->laneId;
  if (hw_activemask() != ~0u) ++wrong;
  if (lane < 10)
    if (hw_activemask() != 0x3ffu) ++wrong;
  if (hw_vote(0, HW_VOTE_BALLOT, 1) != ~0u) ++wrong;
  hw_barrier(0, 0);
  if (hw_activemask() != ~0u) ++wrong;
}

TEST_P(CollectiveTest, ActiveMaskIsTheConvergedLanes) {
  std::atomic<int> wrong{0};
  const GridOutcome outcome = launch(activeMaskKernel, {2, 1, 1}, {128, 1, 1}, &wrong);
  EXPECT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
  EXPECT_EQ(wrong, 0);
}

void foreignMaskKernel(void *const *) { hw_syncwarp(2); }

TEST_P(CollectiveTest, MaskWithoutTheCaller) {
  const GridOutcome outcome = launch(foreignMaskKernel, {1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(outcome.fault, Fault::BadCollective);
  EXPECT_NE(outcome.diagnosis.find("0x2"), std::string::npos) << outcome.diagnosis;
  EXPECT_NE(outcome.diagnosis.find("collective_test.cpp:"), std::string::npos) << outcome.diagnosis;
}

}  // namespace
}  // namespace hostwarp::fibers
