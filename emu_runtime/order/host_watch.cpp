#include "emu_runtime/order/host_watch.h"

#include <algorithm>
#include <optional>

#include "emu_runtime/check/known_memory.h"
#include "emu_runtime/memory/allocation_table.h"
#include "fibers/fault_guard.h"

namespace hostwarp::order {

namespace {

// Change is the first bytes in a row that are not what they were.
struct Change {
  uintptr_t start, end;
};

const char *bytesAt(uintptr_t address) { return reinterpret_cast<const char *>(address); }  // NOLINT

std::optional<Change> changeOf(uintptr_t start, const std::string &before) {
  std::string now(before.size(), '\0');
  if (!fibers::withinReach([&] { std::copy_n(bytesAt(start), now.size(), now.data()); })) return std::nullopt;
  const size_t first = static_cast<size_t>(std::ranges::mismatch(before, now).in1 - before.begin());
  if (first == before.size()) return std::nullopt;
  size_t last = first;
  while (last < now.size() && now[last] != before[last]) ++last;
  return Change{start + first, start + last};
}

bool isPageLocked(uintptr_t address) {
  const auto allocation = memory::AllocationTable::process().find(bytesAt(address));
  return allocation && allocation->pinnedHost();
}

// mayWriteAnything(): it is no copy or fill.
bool mayWriteAnything(Work &work) {
  if (work.parts().empty() || work.isGraph()) return true;
  return std::ranges::any_of(work.parts(), [](const Part &part) { return part.what().starts_with("kernel "); });
}

Finding findingOf(const Part &part, const Change &change) {
  const check::Access bytes{.start = change.start, .bytes = change.end - change.start, .traits = 0, .site = nullptr};
  return {{.kind = "race with the host",
           .what = "has written " + check::bytesText(bytes.bytes) + " " + check::placeInMemory(bytes) + " that " +
                   part.what() + " in " + part.work().queue().name + " reads",
           .by = "the host, before " + Call::current().name + "()",
           .other = siteOf(part.work().call()),
           .why = "a buffer that a copy reads may be used again when the host has waited for the copy: "
                  "cudaStreamSynchronize() or cudaEventSynchronize() before the host writes would order the two"},
          siteOf(Call::current())};
}

}  // namespace

HostWatch &HostWatch::process() {
  static auto *watch = new HostWatch;
  return *watch;
}

void HostWatch::reads(const PartRef &part, uintptr_t start, size_t bytes) {
  if (!isPageLocked(start)) return;
  MutexLock lock(mutex_);
  const auto isIn = [&](const Write &write) { return write.start < start + bytes && start < write.end; };
  if (std::ranges::any_of(writes_, isIn)) return;
  buffers_.push_back({part, start, std::string(bytesAt(start), bytes)});
}

void HostWatch::writes(const PartRef &part, uintptr_t start, size_t bytes) {
  if (!isPageLocked(start)) return;
  MutexLock lock(mutex_);
  writes_.push_back({part, start, start + bytes});
  change(start, start + bytes);
}

void HostWatch::enqueued(const WorkRef &work) {
  if (!mayWriteAnything(*work)) return;
  MutexLock lock(mutex_);
  unsure_.push_back(work);
}

void HostWatch::written(uintptr_t start, uintptr_t end) {
  MutexLock lock(mutex_);
  change(start, end);
}

void HostWatch::change(uintptr_t start, uintptr_t end) {
  for (Buffer &buffer : buffers_)
    if (buffer.start < end && start < buffer.start + buffer.bytes.size()) buffer.isChanged = true;
}

std::vector<Finding> HostWatch::settle(const IsOver &isOver, bool isSure) {
  MutexLock lock(mutex_);
  std::erase_if(unsure_, [&](const WorkRef &work) { return isOver(*work); });
  std::erase_if(writes_, [&](const Write &write) { return isOver(write.part->work()); });
  std::vector<Finding> findings;
  std::erase_if(buffers_, [&](const Buffer &buffer) {
    if (!isOver(buffer.part->work())) return false;
    if (buffer.isChanged || !isSure || !unsure_.empty()) return true;
    if (const auto change = changeOf(buffer.start, buffer.bytes)) findings.push_back(findingOf(*buffer.part, *change));
    return true;
  });
  return findings;
}

}  // namespace hostwarp::order
