#include "emu_runtime/check/sync_locations.h"

#include <algorithm>

namespace hostwarp::check {

namespace {

constexpr auto everybody = static_cast<size_t>(Reach::Everybody), inBlock = static_cast<size_t>(Reach::Block);

bool reachesEverybody(uint32_t traits) { return (traits & HW_ACCESS_IN_BLOCK) == 0; }

}  // namespace

// noteLock(): compare-and-swap takes it, writing to it otherwise gives it back.
void SyncLocations::noteLock(AtomicState &self, uintptr_t address, uint32_t traits, uint64_t expected) {
  if ((traits & HW_ACCESS_COMPARES) == 0 || self.lock.address != 0) {
    if (self.lock.address == address) self.lock = {};
    return;
  }
  if (swapped_.size() >= kMostLocations) return;
  Swapped &place = swapped_.try_emplace(address, Swapped{expected}).first->second;
  place.isLock = place.isLock && place.expected == expected;
  const bool isOrdered = (traits & HW_ACCESS_ACQUIRES) != 0;
  if (place.isLock) self.lock = {address, isOrdered, isOrdered && reachesEverybody(traits)};
}

void SyncLocations::readFenced(const Location &location, BlockState &block, uint32_t thread, uint32_t traits) {
  const auto own = location.fencedByBlocks.find(block.linear());
  const bool isForAll = reachesEverybody(traits) && !location.fenced.empty();
  if (own == location.fencedByBlocks.end() && !isForAll) return;
  std::array<Clock, kReaches> &fenced = block.thread(thread).atomicState().fenced;
  if (own != location.fencedByBlocks.end()) fenced[inBlock].join(own->second);
  if (isForAll) fenced[everybody].join(location.fenced);
}

void SyncLocations::writeFenced(const BlockState &block, const AtomicState &self, uintptr_t address, uint32_t traits) {
  const std::array<Clock, kReaches> &fenced = self.fenced;
  if (fenced[inBlock].empty() && fenced[everybody].empty()) return;
  Location &location = locations_[address];
  location.fencedByBlocks[block.linear()].join(fenced[inBlock]);
  if (reachesEverybody(traits)) location.fenced.join(fenced[everybody]);
}

void SyncLocations::read(const Location &location, BlockState &block, uint32_t thread, uint32_t traits) {
  ThreadState &self = block.thread(thread);
  const auto bring = [&](size_t reach, const Clock &clock) {
    if ((traits & HW_ACCESS_ACQUIRES) != 0) return self.known.join(clock);
    self.atomicState().pending[reach].join(clock);
    if ((traits & HW_ACCESS_COMPARES) == 0) self.atomicState().looked[reach].join(clock);
  };
  // What came only within the block needs no fence that reaches further.
  if (const auto own = location.byBlocks.find(block.linear()); own != location.byBlocks.end())
    bring(inBlock, own->second);
  if (reachesEverybody(traits)) bring(everybody, location.everybody);
}

void SyncLocations::write(BlockState &block, uint32_t thread, uintptr_t address, uint32_t traits) {
  const AtomicState &self = block.thread(thread).atomicState();
  Clock released[kReaches] = {self.released[everybody], self.released[inBlock]};
  if ((traits & HW_ACCESS_RELEASES) != 0) {
    released[inBlock] = block.release(thread);
    if (reachesEverybody(traits)) released[everybody] = released[inBlock];
  }
  // A store, unlike an update, begins anew.
  if ((traits & HW_ACCESS_READS) == 0)
    if (const auto place = locations_.find(address); place != locations_.end()) place->second.beginAnew();
  writeFenced(block, self, address, traits);
  if (released[inBlock].empty() && released[everybody].empty()) return;
  Location &location = locations_[address];
  location.byBlocks[block.linear()].join(released[inBlock]);
  if (reachesEverybody(traits)) location.everybody.join(released[everybody]);
}

void SyncLocations::tell(const BlockState &block, uint32_t thread, uintptr_t address, Time time) {
  if (locations_.size() >= kMostLocations) return;
  std::vector<Telling> &told = locations_[address].told;
  const Telling telling{block.linear(), thread, time};
  if (!told.empty() && told.back().block == telling.block && told.back().thread == thread)
    told.back() = telling;
  else if (told.size() < kMostTold)
    told.push_back(telling);
}

bool SyncLocations::wasTold(const ThreadState &thread, const AccessRecord &record, uint32_t lanes) const {
  const auto tells = [&](const Telling &telling) {
    return telling.block == record.block && telling.thread / 32 == record.warp &&
           (lanes >> telling.thread % 32 & 1) != 0 && telling.time >= record.time;
  };
  return thread.atomics && std::ranges::any_of(thread.atomics->places, [&](uintptr_t address) {
           const auto place = locations_.find(address);
           return place != locations_.end() && std::ranges::any_of(place->second.told, tells);
         });
}

void SyncLocations::access(BlockState &block, uint32_t thread, uintptr_t address, uint32_t traits, bool writes,
                           uint64_t expected) {
  AtomicState &self = block.thread(thread).atomicState();
  const bool isOfProgram = (traits & HW_ACCESS_OF_LIBRARY) == 0;
  if (isOfProgram && (traits & HW_ACCESS_READS) != 0 && self.places[self.looks % self.places.size()] != address)
    self.places[++self.looks % self.places.size()] = address;
  if (writes) noteLock(self, address, traits, expected);
  if ((traits & HW_ACCESS_READS) != 0 && !locations_.empty())
    if (const auto place = locations_.find(address); place != locations_.end()) {
      read(place->second, block, thread, traits);
      readFenced(place->second, block, thread, traits);
    }
  if (!writes) return;
  const Time time = block.thread(thread).now;
  write(block, thread, address, traits);
  if (isOfProgram) tell(block, thread, address, time);
}

void SyncLocations::acquire(ThreadState &self, size_t reach) {
  AtomicState &atomics = self.atomicState();
  self.known.join(atomics.pending[reach]);
  atomics.pending[reach] = atomics.looked[reach] = {};
}

void SyncLocations::fence(BlockState &block, uint32_t thread, uint32_t traits) {
  ThreadState &self = block.thread(thread);
  const bool isSequential = (traits & HW_ACCESS_SEQUENTIAL) != 0;
  if (isSequential) {
    self.known.join(self.atomicState().fenced[inBlock]);
    if (reachesEverybody(traits)) self.known.join(self.atomicState().fenced[everybody]);
  }
  if ((traits & HW_ACCESS_ACQUIRES) != 0) {
    acquire(self, inBlock);
    if (reachesEverybody(traits)) acquire(self, everybody);
    Lock &lock = self.atomicState().lock;
    lock.fenced = lock.address != 0;
    lock.fencedForAll |= lock.address != 0 && reachesEverybody(traits);
  }
  if ((traits & HW_ACCESS_RELEASES) == 0) return;
  AtomicState &atomics = self.atomicState();
  atomics.released[inBlock] = block.release(thread);
  if (reachesEverybody(traits)) atomics.released[everybody] = atomics.released[inBlock];
  if (!isSequential) return;
  // What the fence has made known is part of it.
  atomics.fenced[inBlock] = atomics.released[inBlock];
  if (reachesEverybody(traits)) atomics.fenced[everybody] = atomics.released[inBlock];
}

}  // namespace hostwarp::check
