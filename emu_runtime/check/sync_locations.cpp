#include "emu_runtime/check/sync_locations.h"

#include <algorithm>

namespace hostwarp::check {

namespace {

constexpr auto everybody = static_cast<size_t>(Reach::Everybody), inBlock = static_cast<size_t>(Reach::Block);

bool reachesEverybody(uint32_t traits) { return (traits & HW_ACCESS_IN_BLOCK) == 0; }

}  // namespace

void SyncLocations::read(const Location &location, BlockState &block, uint32_t thread, uint32_t traits) {
  ThreadState &self = block.thread(thread);
  const bool acquires = (traits & HW_ACCESS_ACQUIRES) != 0;
  // What came only within the block needs no fence that reaches further.
  if (const auto own = location.byBlocks.find(block.linear()); own != location.byBlocks.end())
    (acquires ? self.known : self.pending[inBlock]).join(own->second);
  if (reachesEverybody(traits)) (acquires ? self.known : self.pending[everybody]).join(location.everybody);
}

void SyncLocations::write(BlockState &block, uint32_t thread, uintptr_t address, uint32_t traits) {
  ThreadState &self = block.thread(thread);
  Clock released[kReaches] = {self.released[everybody], self.released[inBlock]};
  if ((traits & HW_ACCESS_RELEASES) != 0) {
    released[inBlock] = block.release(thread);
    if (reachesEverybody(traits)) released[everybody] = released[inBlock];
  }
  // A store, unlike an update, begins anew.
  if ((traits & HW_ACCESS_READS) == 0) locations_.erase(address);
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
  return std::ranges::any_of(thread.looked, [&](uintptr_t address) {
    const auto place = locations_.find(address);
    return place != locations_.end() && std::ranges::any_of(place->second.told, tells);
  });
}

void SyncLocations::access(BlockState &block, uint32_t thread, uintptr_t address, uint32_t traits, bool writes) {
  ThreadState &self = block.thread(thread);
  const bool isOfProgram = (traits & HW_ACCESS_OF_LIBRARY) == 0;
  if (isOfProgram && (traits & HW_ACCESS_READS) != 0 && self.looked[self.looks % self.looked.size()] != address)
    self.looked[++self.looks % self.looked.size()] = address;
  if ((traits & HW_ACCESS_READS) != 0 && !locations_.empty())
    if (const auto place = locations_.find(address); place != locations_.end())
      read(place->second, block, thread, traits);
  if (!writes) return;
  const Time time = self.now;
  write(block, thread, address, traits);
  if (isOfProgram) tell(block, thread, address, time);
}

void SyncLocations::fence(BlockState &block, uint32_t thread, uint32_t traits) {
  ThreadState &self = block.thread(thread);
  if ((traits & HW_ACCESS_ACQUIRES) != 0) {
    self.known.join(self.pending[inBlock]);
    self.pending[inBlock] = {};
    if (reachesEverybody(traits)) {
      self.known.join(self.pending[everybody]);
      self.pending[everybody] = {};
    }
  }
  if ((traits & HW_ACCESS_RELEASES) == 0) return;
  self.released[inBlock] = block.release(thread);
  if (reachesEverybody(traits)) self.released[everybody] = self.released[inBlock];
}

}  // namespace hostwarp::check
