#include "emu_runtime/memory/pool.h"

#include <algorithm>
#include <new>
#include <set>
#include <utility>

#include "emu_runtime/memory/advice.h"
#include "emu_runtime/memory/pages.h"
#include "fibers/mutex.h"

namespace hostwarp::memory {

namespace {

// Blocks of few sizes fit more later requests.
constexpr size_t granularity = 4096;

// A much larger block is better kept for a larger request.
bool fits(size_t block, size_t bytes) { return bytes <= block && block <= 2 * bytes; }

// Pools is all there are. Never destroyed.
struct Pools {
  Mutex mutex;
  std::set<Pool *> all HOSTWARP_GUARDED_BY(mutex);

  static Pools &process() {
    static auto *pools = new Pools;
    return *pools;
  }
};

}  // namespace

Pool::Pool(Allocator &allocator, Kind kind, const cudaMemLocation &location, size_t most)
    : allocator_(allocator),
      kind_(kind),
      location_(location),
      device_(location.type == cudaMemLocationTypeDevice ? location.id : 0),
      most_(most) {
  MutexLock lock(Pools::process().mutex);
  Pools::process().all.insert(this);
}

Pool::~Pool() {
  {
    MutexLock lock(Pools::process().mutex);
    Pools::process().all.erase(this);
  }
  release(0, 0, [](const FreeMark &) { return true; });  // a free that is to be executed keeps its pool
}

Pool::Taken Pool::allocate(size_t bytes, const Requester &requester) {
  if (bytes > allocator_.budget().limit()) return {};
  const size_t rounded = pages::roundUp(bytes, granularity);
  if (rounded < bytes) return {};  // beyond all numbers
  Found found = takePiece(rounded, requester);
  if (!found.block) found = takeNew(rounded);
  if (!found.block) found = takePending(rounded);
  if (!found.block) return {};
  const unsigned flags = kind_ == Kind::Managed ? cudaMemAttachGlobal : 0;
  const Allocation allocation{found.block.start, bytes, kind_, device_, flags, found.block, shared_from_this()};
  countUsed(bytes);
  try {
    AllocationTable::process().add(allocation);
  } catch (const std::bad_alloc &) {
    recycle(allocation);
    return {};
  }
  return {reinterpret_cast<void *>(found.block.start), std::move(found.behind)};  // NOLINT(performance-no-int-to-ptr)
}

bool Pool::isExecuted(const FreeMark &mark) const {
  auto found = executed_.find(mark.stream);
  return mark.stream == 0 || (found != executed_.end() && mark.number <= found->second);
}

bool Pool::mayHave(const Piece &piece, const Requester &requester) const {
  const FreeMark &mark = piece.mark;
  if (mark.stream == 0 || mark.stream == requester.stream) return true;
  if (reusePolicies_[FollowEventDependencies] && requester.follows && requester.follows->has(mark)) return true;
  return reusePolicies_[AllowOpportunistic] && isExecuted(mark);
}

Pool::Found Pool::takePiece(size_t bytes, const Requester &requester) {
  MutexLock lock(mutex_);
  for (auto at = pieces_.lower_bound(bytes); at != pieces_.end() && fits(at->first, bytes); ++at) {
    if (!mayHave(at->second, requester)) continue;
    const Block block = at->second.block;
    pieces_.erase(at);
    return {block, nullptr};
  }
  return {};
}

// takePending() takes memory whose free has not been executed yet, where there is no other, with the free to wait for.
Pool::Found Pool::takePending(size_t bytes) {
  MutexLock lock(mutex_);
  if (!reusePolicies_[AllowInternalDependencies]) return {};
  auto at = pieces_.lower_bound(bytes);
  if (at == pieces_.end()) return {};
  Found found{at->second.block, at->second.task.lock()};
  pieces_.erase(at);
  return found;
}

Pool::Found Pool::takeNew(size_t bytes) {
  {
    MutexLock lock(mutex_);
    if (most_ && statistics_.reserved + bytes > most_) return {};
  }
  Block block = allocator_.take(bytes);
  if (!block) {
    trimTo(0);  // what is kept in other sizes may be what is missing
    block = allocator_.take(bytes);
  }
  if (block) countReserved(block);
  return {block, nullptr};
}

void Pool::countReserved(const Block &block) {
  MutexLock lock(mutex_);
  statistics_.reserved += block.bytes;
  statistics_.reservedHigh = std::max(statistics_.reservedHigh, statistics_.reserved);
}

void Pool::countUsed(size_t bytes) {
  MutexLock lock(mutex_);
  statistics_.used += bytes;
  statistics_.usedHigh = std::max(statistics_.usedHigh, statistics_.used);
}

bool Pool::offer(const Allocation &allocation, const FreeMark &mark, const std::shared_ptr<void> &task) {
  if (kind_ == Kind::Managed)
    AdviceMap::process().forget(reinterpret_cast<void *>(allocation.start), allocation.bytes);  // NOLINT
  MutexLock lock(mutex_);
  try {
    pieces_.emplace(allocation.block.bytes, Piece{allocation.block, mark, task});
  } catch (const std::bad_alloc &) {
    return false;
  }
  statistics_.used -= allocation.bytes;
  return true;
}

void Pool::executed(const FreeMark &mark) {
  MutexLock lock(mutex_);
  uint64_t &last = executed_[mark.stream];
  last = std::max(last, mark.number);
}

void Pool::recycle(const Allocation &allocation) {
  const Block &block = allocation.block;
  MutexLock lock(mutex_);
  statistics_.used -= allocation.bytes;
  try {
    pieces_.emplace(block.bytes, Piece{block, {}, {}});
  } catch (const std::bad_alloc &) {
    // What cannot be kept goes back to the device.
    statistics_.reserved -= block.bytes;
    allocator_.give(block);
  }
}

// release() gives the largest pieces back first, as long as more than `keep` is reserved and at least `least` stays.
template <class Test>
void Pool::release(size_t keep, size_t least, Test mayGo) {
  for (auto at = pieces_.end(); statistics_.reserved > keep && at != pieces_.begin();) {
    --at;
    if (!mayGo(at->second.mark) || statistics_.reserved - at->second.block.bytes < least) continue;
    statistics_.reserved -= at->second.block.bytes;
    allocator_.give(at->second.block);
    at = pieces_.erase(at);
  }
}

void Pool::trimTo(size_t keep) {
  MutexLock lock(mutex_);
  release(keep, keep, [this](const FreeMark &mark) {
    mutex_.assertHeld();
    return isExecuted(mark);
  });
}

template <class Test>
void Pool::settle(Test waitedFor) {
  MutexLock lock(mutex_);
  bool pending = false;
  for (auto &[size, piece] : pieces_) {
    if (piece.mark.stream != 0 && waitedFor(piece.mark)) piece.mark = {};
    pending |= piece.mark.stream != 0;
  }
  if (!pending) executed_.clear();
  release(releaseThreshold_ / chunk * chunk, 0, [](const FreeMark &mark) { return mark.stream == 0; });
}

void Pool::settleAll(const FreeOrder::Ref &order) {
  MutexLock lock(Pools::process().mutex);
  for (Pool *pool : Pools::process().all) pool->settle([&](const FreeMark &mark) { return order && order->has(mark); });
}

void Pool::settleAll() {
  MutexLock lock(Pools::process().mutex);
  for (Pool *pool : Pools::process().all)
    pool->settle([&](const FreeMark &mark) {
      pool->mutex_.assertHeld();
      return pool->isExecuted(mark);
    });
}

Pool::Statistics Pool::statistics() const {
  MutexLock lock(mutex_);
  return statistics_;
}

void Pool::resetReservedHigh() {
  MutexLock lock(mutex_);
  statistics_.reservedHigh = statistics_.reserved;
}

void Pool::resetUsedHigh() {
  MutexLock lock(mutex_);
  statistics_.usedHigh = statistics_.used;
}

uint64_t Pool::releaseThreshold() const {
  MutexLock lock(mutex_);
  return releaseThreshold_;
}

void Pool::setReleaseThreshold(uint64_t bytes) {
  MutexLock lock(mutex_);
  releaseThreshold_ = bytes;
}

int Pool::reusePolicy(int index) const {
  MutexLock lock(mutex_);
  return reusePolicies_[index];
}

void Pool::setReusePolicy(int index, int value) {
  MutexLock lock(mutex_);
  reusePolicies_[index] = value;
}

int Pool::access(int device) const {
  constexpr int everything = 3;  // cudaMemAccessFlagsProtReadWrite
  if (kind_ == Kind::Managed || (kind_ == Kind::Pool && device == device_)) return everything;
  MutexLock lock(mutex_);
  auto found = access_.find(device);
  return found == access_.end() ? 0 : found->second;
}

void Pool::setAccess(int device, int flags) {
  MutexLock lock(mutex_);
  access_[device] = flags;
}

std::vector<int> Pool::sharers() const {
  MutexLock lock(mutex_);
  std::vector<int> devices;
  for (const auto &[device, flags] : access_)
    if (flags && (device != device_ || kind_ != Kind::Pool)) devices.push_back(device);
  return devices;
}

}  // namespace hostwarp::memory
