#include "emu_runtime/order/host_watch.h"

#include <algorithm>

#include "emu_runtime/check/known_memory.h"
#include "emu_runtime/memory/allocation_table.h"
#include "fibers/fault_guard.h"

namespace hostwarp::order {

namespace {

using memory::Allocation;
using memory::AllocationTable;

// So much of the host's memory is remembered for a kernel, which might read any of it.
constexpr size_t mostForKernel = size_t{16} << 20;

const char *bytesAt(uintptr_t address) { return reinterpret_cast<const char *>(address); }  // NOLINT

bool isHosts(const Allocation &allocation) { return allocation.pinnedHost() || allocation.managed(); }

bool isHosts(uintptr_t address) {
  const auto allocation = AllocationTable::process().find(bytesAt(address));
  return allocation && isHosts(*allocation);
}

// allOfHosts() is all of the host's memory that kernels reach; none if that is too much.
std::vector<Allocation> allOfHosts() {
  std::vector<Allocation> all;
  size_t bytes = 0;
  AllocationTable::process().takeAll([&](const Allocation &each) {
    if (isHosts(each)) all.push_back(each), bytes += each.bytes;
    return false;
  });
  return bytes <= mostForKernel ? all : std::vector<Allocation>();
}

// contentsOf() is empty where the memory is not there any more.
std::string contentsOf(uintptr_t start, size_t bytes) {
  std::string contents(bytes, '\0');
  const bool isThere = fibers::withinReach([&] { std::copy_n(bytesAt(start), bytes, contents.data()); });
  return isThere ? contents : std::string();
}

// mayWriteAnything(): it is no copy or fill.
bool mayWriteAnything(Work &work) {
  if (work.parts().empty() || work.isGraph()) return true;
  return std::ranges::any_of(work.parts(), [](const Part &part) { return part.what().starts_with("kernel "); });
}

}  // namespace

HostWatch &HostWatch::process() {
  static auto *watch = new HostWatch;
  return *watch;
}

HostWatch::Bytes HostWatch::remember(uintptr_t start, size_t bytes) {
  std::weak_ptr<const std::string> &last = last_[start];
  if (Bytes known = last.lock(); known && known->size() == bytes && contentsOf(start, bytes) == *known) return known;
  auto made = std::make_shared<const std::string>(contentsOf(start, bytes));
  last = made;
  return made;
}

void HostWatch::reads(const PartRef &part, uintptr_t start, size_t bytes) {
  if (!isHosts(start)) return;
  MutexLock lock(mutex_);
  const Range range{start, start + bytes};
  buffers_.push_back({part, start, remember(start, bytes), {range}, {}});
  for (const Write &write : writes_) buffers_.back().changed.push_back(write.range);
}

void HostWatch::writes(const PartRef &part, uintptr_t start, size_t bytes) {
  if (!isHosts(start)) return;
  MutexLock lock(mutex_);
  const Range range{start, start + bytes};
  writes_.push_back({part, range});
  change(range);
}

void HostWatch::launches(const PartRef &part) {
  const std::vector<Allocation> all = allOfHosts();
  MutexLock lock(mutex_);
  for (const Allocation &each : all) {
    buffers_.push_back({part, each.start, remember(each.start, each.bytes), {}, {}});
    for (const Write &write : writes_) buffers_.back().changed.push_back(write.range);
  }
}

void HostWatch::enqueued(const WorkRef &work) {
  if (!mayWriteAnything(*work)) return;
  MutexLock lock(mutex_);
  unsure_.push_back(work);
}

void HostWatch::touched(const PartRef &part, const Touch &touch) {
  MutexLock lock(mutex_);
  if (buffers_.empty()) return;
  const Range range{touch.start, touch.end};
  const auto isIn = [&](const Buffer &each) {
    return each.start < range.end && range.start < each.start + each.bytes->size();
  };
  if (std::ranges::none_of(buffers_, isIn)) return;
  // A kernel and the host that talk by atomic or volatile accesses may wait for each other.
  if (touch.how == How::Updates || touch.how == How::Sees) return buffers_.clear();
  if (touch.how != How::Reads) return change(range);
  for (Buffer &each : buffers_)
    if (each.part == part && touch.site != nullptr && isIn(each)) each.read.push_back(range);
}

void HostWatch::change(const Range &range) {
  for (Buffer &each : buffers_)
    if (each.start < range.end && range.start < each.start + each.bytes->size()) each.changed.push_back(range);
}

// changeOf() is the first bytes in a row that have been read and are not what they were; none: an empty range.
HostWatch::Range HostWatch::changeOf(const Buffer &buffer) {
  const std::string now = contentsOf(buffer.start, buffer.bytes->size());
  if (now.empty() || now == *buffer.bytes) return {};
  const auto isChanged = [&](uintptr_t address) {
    if (now[address - buffer.start] == (*buffer.bytes)[address - buffer.start]) return false;
    const auto isIn = [&](const Range &range) { return range.start <= address && address < range.end; };
    return std::ranges::none_of(buffer.changed, isIn);
  };
  for (const Range &range : buffer.read) {
    const uintptr_t end = std::min(range.end, buffer.start + now.size());
    for (uintptr_t first = std::max(range.start, buffer.start); first < end; ++first) {
      if (!isChanged(first)) continue;
      uintptr_t last = first;
      while (last < end && isChanged(last)) ++last;
      return {first, last};
    }
  }
  return {};
}

Finding HostWatch::findingOf(const Part &part, const Range &change) {
  const check::Access bytes{.start = change.start, .bytes = change.end - change.start, .traits = 0, .site = nullptr};
  const Call now = Call::current();
  return {{.kind = "race with the host",
           .what = "has written " + check::bytesText(bytes.bytes) + " " + check::placeInMemory(bytes) + " that " +
                   part.what() + " in " + part.work().queue().name + " reads",
           .by = "the host, before " + now.name + "()",
           .other = siteOf(part.work().call()),
           .why = "memory that an operation reads may be written again when the host has waited for the operation: "
                  "cudaStreamSynchronize() or cudaEventSynchronize() before the host writes would order the two"},
          siteOf(now)};
}

std::vector<Finding> HostWatch::settle(const IsOver &isOver, bool isSure) {
  MutexLock lock(mutex_);
  std::erase_if(unsure_, [&](const WorkRef &work) { return isOver(*work); });
  std::erase_if(writes_, [&](const Write &write) { return isOver(write.part->work()); });
  std::vector<Finding> findings;
  std::erase_if(buffers_, [&](const Buffer &buffer) {
    if (!isOver(buffer.part->work())) return false;
    if (!isSure || !unsure_.empty() || buffer.read.empty()) return true;
    if (const Range change = changeOf(buffer); change.end != 0) findings.push_back(findingOf(*buffer.part, change));
    return true;
  });
  return findings;
}

}  // namespace hostwarp::order
