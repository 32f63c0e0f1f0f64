// Waits for a part of the block, and for other blocks, in block entries: who goes on when every warp has had its turn.
// Block does the same for fibers.
#include <algorithm>
#include <string>

#include "fibers/barrier_checks.h"
#include "fibers/block.h"
#include "fibers/engine.h"
#include "fibers/engine_section.h"
#include "fibers/turn_frame.h"
#include "fibers/worker.h"

namespace hostwarp::fibers {
namespace {

// NamedBarrier is who stands at one of the block's barriers.
struct NamedBarrier {
  uint32_t count = 0;  // how many threads it is for
  uint32_t waiting = 0;
  uint32_t holding = 0;  // of those, whose predicate is true
  uint32_t opensFor = 0;
  uint32_t arrived = 0;  // with those that do not wait
};

// Group is threads of a warp that stand at one boundary: all 32, or one alone.
struct Group {
  uint32_t warp, first, size;
  const hw_boundary *at;
};

class BlockWaits {
 public:
  BlockWaits(const TurnFrame &frame, Block &block) : frame_(frame), block_(block), warps_((frame.threads() + 31) / 32) {
    for (uint32_t warp = 0; warp < warps_; ++warp) look(warp);
  }

  // open() lets go on who has all it waits for; false: nobody.
  bool open() {
    const bool barriers = openBarriers(), tiles = openTiles();
    return barriers || tiles;
  }
  // areAllAt(): all threads that are left are at this kind of boundary.
  bool areAllAt(uint32_t kind) const {
    uint32_t there = 0;
    forEachGroup(0, warps_, [&](const Group &group) { there += group.at->kind == kind ? group.size : 0; });
    return there == live_;
  }
  void openAll() {
    forEachGroup(0, warps_, [&](const Group &group) { letGo(group); });
  }

 private:
  bool isTogether(uint32_t warp) const { return (frame_.standing(warp) & HW_WAITS) != 0; }
  bool isScattered(uint32_t warp) const { return frame_.standing(warp) == HW_SCATTERED; }
  const hw_boundary &boundaryOf(uint32_t warp) const {
    return frame_.plan().boundaries[frame_.standing(warp) & ~HW_WAITS];
  }

  // forEachGroup() visits the threads that wait in these warps. The visitor may scatter a group's warp.
  template <typename Visit>
  void forEachGroup(uint32_t firstWarp, uint32_t end, Visit visit) const {
    for (uint32_t warp = firstWarp; warp < end; ++warp) {
      const uint32_t first = warp * 32;
      if (isTogether(warp)) {
        visit(Group{warp, first, 32, &boundaryOf(warp)});
      } else if (isScattered(warp)) {
        for (uint32_t thread = first; thread < std::min(first + 32, frame_.threads()); ++thread)
          if (frame_.waits(thread)) visit(Group{warp, thread, 1, &frame_.boundary(thread)});
      }
    }
  }

  void letGo(const Group &group) const {
    if (group.size == 1)
      frame_.state(group.first) &= ~HW_WAITS;
    else
      frame_.standing(group.warp) &= ~HW_WAITS;
  }

  // scatter() has the threads of a warp that stands together go on one by one.
  void scatter(uint32_t warp) const {
    for (uint32_t lane = 0; lane < 32; ++lane) frame_.state(warp * 32 + lane) = frame_.standing(warp);
    frame_.standing(warp) = HW_SCATTERED;
  }

  bool isSame(int64_t array, uint32_t first) const {
    for (uint32_t lane = 1; array >= 0 && lane < 32; ++lane)
      if (frame_.number(array, first + lane) != frame_.number(array, first)) return false;
    return true;
  }

  // barrierOf() is the number of the barrier that the threads wait at.
  uint32_t barrierOf(const Group &group) const {
    return isBarrier(group.at->kind) ? 0 : frame_.number(group.at->mask, group.first);
  }
  static bool isAtBarrier(const Group &group) {
    const uint32_t kind = group.at->kind;
    return isBarrier(kind) || kind == HW_AT_NAMED_BARRIER || kind == HW_AT_NAMED_BARRIER_REDUCE;
  }
  static bool reduces(const Group &group) {
    return group.at->kind == HW_AT_BARRIER_REDUCE || group.at->kind == HW_AT_NAMED_BARRIER_REDUCE;
  }

  // look() counts who is left, and who waits where.
  void look(uint32_t warp) {
    const uint32_t first = warp * 32, end = std::min(first + 32, frame_.threads());
    if (isTogether(warp) && !(isSame(boundaryOf(warp).mask, first) && isSame(boundaryOf(warp).operand, first)))
      scatter(warp);
    if (isTogether(warp)) live_ += 32;
    for (uint32_t thread = first; isScattered(warp) && thread < end; ++thread)
      live_ += frame_.state(thread) != frame_.plan().exit;
    forEachGroup(warp, warp + 1, [this](const Group &group) {
      hasTiles_ |= group.at->kind == HW_AT_TILE;
      if (isAtBarrier(group)) arrive(group);
    });
  }

  void arrive(const Group &group) {
    const uint32_t number = barrierOf(group);
    checkBarrier(number, nullptr);
    NamedBarrier &barrier = barriers_[number];
    barrier.waiting += group.size;
    barrier.count = isBarrier(group.at->kind) ? 0 : frame_.number(group.at->operand, group.first);
    for (uint32_t i = 0; reduces(group) && i < group.size; ++i)
      barrier.holding += frame_.value(*group.at, group.first + i) != 0;
  }

  bool openBarriers() {
    bool any = false;
    for (uint32_t number = 0; number < Block::kBarriers; ++number)
      if (barriers_[number].waiting != 0) any |= complete(barriers_[number], block_.arrivals(number));
    if (!any) return false;
    forEachGroup(0, warps_, [this](const Group &group) {
      if (isAtBarrier(group)) pass(barriers_[barrierOf(group)], group);
    });
    return true;
  }

  // complete() finds out for how many of the waiting threads the barrier opens, and which of the arrivals that uses up.
  // It may have been for few threads, and open several times since somebody last looked.
  bool complete(NamedBarrier &barrier, uint32_t &arrivals) const {
    const uint32_t needed = barrier.count != 0 ? barrier.count : live_;
    barrier.arrived = barrier.waiting + arrivals;
    if (barrier.arrived < needed) return false;
    const uint32_t served = barrier.count != 0 ? barrier.arrived / needed * needed : barrier.arrived;
    barrier.opensFor = std::min(barrier.waiting, served);
    arrivals -= served - barrier.opensFor;
    return true;
  }

  void pass(NamedBarrier &barrier, const Group &group) {
    if (barrier.opensFor < group.size) {
      if (barrier.opensFor == 0) return;
      scatter(group.warp);
      return forEachGroup(group.warp, group.warp + 1, [&](const Group &each) { pass(barrier, each); });
    }
    barrier.opensFor -= group.size;
    for (uint32_t i = 0; reduces(group) && i < group.size; ++i) give(barrier, *group.at, group.first + i);
    letGo(group);
  }

  void give(const NamedBarrier &barrier, const hw_boundary &at, uint32_t thread) const {
    LaneExchange lane;
    lane.result = at.operation == HW_COUNT ? barrier.holding
                  : at.operation == HW_AND ? barrier.holding == barrier.arrived
                                           : barrier.holding != 0;
    frame_.give(at, thread, lane);
  }

  bool openTiles() {
    bool any = false;
    for (uint32_t number = 0; hasTiles_ && number < Tile::kCount; ++number) any |= completeTile(Tile::numbered(number));
    return any;
  }

  // liveIn() is how many threads of a warp are left.
  uint32_t liveIn(uint32_t warp) const {
    if (!isScattered(warp)) return frame_.standing(warp) == frame_.plan().exit ? 0 : 32;
    uint32_t live = 0;
    for (uint32_t thread = warp * 32; thread < std::min(warp * 32 + 32, frame_.threads()); ++thread)
      live += frame_.state(thread) != frame_.plan().exit;
    return live;
  }

  // completeTile() runs the tile's work if all its threads have come.
  bool completeTile(Tile tile) {
    const uint32_t size = tile.warps * 32, end = std::min(tile.firstWarp + tile.warps, warps_);
    uint32_t live = 0, there = 0;
    void (*work)(void *const *) = nullptr;
    for (uint32_t warp = tile.firstWarp; warp < end; ++warp) live += liveIn(warp);
    forEachGroup(tile.firstWarp, end, [&](const Group &group) {
      if (group.at->kind != HW_AT_TILE || frame_.number(group.at->mask, group.first) != size) return;
      there += group.size;
      work = group.at->work;
    });
    if (live == 0 || there != live) return false;
    if (work != nullptr) doTogether(tile, end, work);
    forEachGroup(tile.firstWarp, end, [this](const Group &group) { letGo(group); });
    return true;
  }

  // doTogether() hands each thread's pointer to the work.
  void doTogether(Tile tile, uint32_t end, void (*work)(void *const *)) {
    void **handed = block_.worker().tilePointers();
    std::fill_n(handed, tile.warps * 32, nullptr);
    forEachGroup(tile.firstWarp, end, [&](const Group &group) {
      for (uint32_t thread = group.first; thread < group.first + group.size; ++thread)
        handed[thread - tile.firstWarp * 32] = reinterpret_cast<void *>(frame_.value(*group.at, thread));
    });
    work(handed);
  }

  const TurnFrame &frame_;
  Block &block_;
  const uint32_t warps_;
  uint32_t live_ = 0;
  bool hasTiles_ = false;
  NamedBarrier barriers_[Block::kBarriers];
};

// commonBoundary() is where all of the block stands, as whole warps; null: it does not.
const hw_boundary *commonBoundary(const TurnFrame &frame) {
  const uint32_t standing = frame.standing(0), threads = frame.threads();
  if (threads % 32 != 0 || (standing & HW_WAITS) == 0) return nullptr;
  for (uint32_t warp = 1; warp < threads / 32; ++warp)
    if (frame.standing(warp) != standing) return nullptr;
  return &frame.plan().boundaries[standing & ~HW_WAITS];
}

// opensForAll(): all stand at a numbered barrier that is for the whole block.
bool opensForAll(const TurnFrame &frame, Block &block, const hw_boundary &at) {
  // Both are the same for all threads if they are negative.
  if (at.kind != HW_AT_NAMED_BARRIER || at.mask >= 0 || at.operand >= 0) return false;
  const uint32_t number = frame.number(at.mask, 0), count = frame.number(at.operand, 0);
  checkBarrier(number, nullptr);
  return (count == 0 || count == frame.threads()) && block.arrivals(number) == 0;
}

// runsTilesOfAll(): all stand at tiles of one size, whose work is done then.
bool runsTilesOfAll(const TurnFrame &frame, const hw_boundary &at) {
  if (at.kind != HW_AT_TILE || at.mask >= 0) return false;
  const uint32_t size = frame.number(at.mask, 0), threads = frame.threads();
  if (size == 0 || threads % size != 0 || at.valueBytes != sizeof(void *)) return false;
  // The threads' pointers stand in the frame as the work takes them.
  for (uint32_t first = 0; at.work != nullptr && first < threads; first += size) at.work(frame.pointers(at, first));
  return true;
}

// openForAll() lets all go on where the whole block stands at one place that opens for it; false: it is another case.
bool openForAll(const TurnFrame &frame, Block &block) {
  const hw_boundary *at = commonBoundary(frame);
  if (at == nullptr || !(opensForAll(frame, block, *at) || runsTilesOfAll(frame, *at))) return false;
  for (uint32_t warp = 0; warp < frame.threads() / 32; ++warp) frame.standing(warp) &= ~HW_WAITS;
  return true;
}

}  // namespace
}  // namespace hostwarp::fibers

using namespace hostwarp::fibers;

extern "C" HOSTWARP_ABI uint32_t hw_open_waits(const hw_warp_plan *plan, void *memory, uint32_t spinning) noexcept {
  EngineSection section;
  Fiber *self = section.fiber();
  const void *site = __builtin_return_address(0);
  const TurnFrame frame(*plan, memory);
  if (openForAll(frame, *self->block)) return 1;
  BlockWaits waits(frame, *self->block);
  if (waits.open()) return 1;
  if (spinning != 0) return 0;
  if (waits.areAllAt(HW_AT_GRID)) {
    checkCooperative(*self, site);
    self->block->syncGrid(self, site);
  } else if (waits.areAllAt(HW_AT_CLUSTER)) {
    self->block->syncCluster(self, site);
  } else {
    failGridAt(Fault::Deadlock, "threads of the block wait for others that do not come", nullptr);
  }
  waits.openAll();
  return 1;
}
