#include "emu_runtime/check/allocation_places.h"

#include <thread>
#include <vector>

#include "emu_runtime/check/source_text.h"
#include "emu_runtime/check/written_memory.h"
#include "fibers/engine.h"

namespace hostwarp::check {

namespace {

using memory::Kind;

// isFollowed(): the rest is no memory that somebody has asked for.
bool isFollowed(Kind kind) { return kind != Kind::Variable && kind != Kind::ManagedVariable; }

DoerRef current() {
  auto doer = std::make_shared<Doer>();
  if (hw_self() == nullptr) {
    doer->call = order::Call::current();
    return doer;
  }
  doer->thread = fibers::describeCurrentThread();
  if (const hw_access_site *const site = DeviceCall::site(); site != nullptr && site->frameCount != 0) {
    doer->places = framesOf(*site);
    if (site->frames[0].folder != nullptr) doer->folder = site->frames[0].folder;
  }
  return doer;
}

}  // namespace

AllocationPlaces &AllocationPlaces::process() {
  static auto *places = new AllocationPlaces;
  return *places;
}

Origin AllocationPlaces::originOf(uintptr_t start, bool isFreed) const {
  MutexLock lock(mutex_);
  if (isFreed) {
    for (const Freed &each : freed_)
      if (each.start == start) return each.origin;
    return {};
  }
  const auto found = made_.find(start);
  return found != made_.end() ? Origin{.made = found->second, .freed = nullptr} : Origin{};
}

void AllocationPlaces::allocated(const memory::Allocation &allocation) {
  if (WrittenMemory *const written = WrittenMemory::process()) written->allocated(allocation);
  if (!isFollowed(allocation.kind)) return;
  DoerRef doer = current();
  MutexLock lock(mutex_);
  made_[allocation.start] = std::move(doer);
}

void AllocationPlaces::released(const memory::Allocation &allocation) {
  constexpr size_t most = 4096;
  if (WrittenMemory *const written = WrittenMemory::process()) written->released(allocation);
  if (!isFollowed(allocation.kind)) return;
  DoerRef doer = current();
  MutexLock lock(mutex_);
  const auto made = made_.find(allocation.start);
  freed_.push_front({allocation.start, {made != made_.end() ? made->second : nullptr, std::move(doer)}});
  if (made != made_.end()) made_.erase(made);
  if (freed_.size() > most) freed_.pop_back();
}

void AllocationPlaces::copied(const memory::Pitched &to, const memory::Pitched &from, const memory::Box &box) {
  if (WrittenMemory *const written = WrittenMemory::process()) written->copied(to, from, box);
}

void AllocationPlaces::filled(const memory::Pitched &to, const memory::Box &box) {
  if (WrittenMemory *const written = WrittenMemory::process()) written->filled(to, box);
}

DoerRef currentDoer() { return current(); }

std::vector<SourcePlace> placesOf(const order::Call &call) {
  // Reading debug information takes more stack than a CUDA thread may have.
  const hw_access_site *site = nullptr;
  std::thread([&] { site = order::siteOf(call); }).join();
  return placesOf(*site);
}

std::vector<SourcePlace> placesOf(const DoerRef &doer) {
  if (doer == nullptr) return {};
  if (doer->thread.empty()) return placesOf(doer->call);
  std::vector<SourcePlace> places = doer->places;
  if (!places.empty()) places[0].text = sourceLine(doer->folder, places[0].file, places[0].line);
  places.push_back({.function = doer->thread});
  return places;
}

}  // namespace hostwarp::check
