// From where memory was allocated and freed.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_ALLOCATION_PLACES_H
#define HOSTWARP_EMU_RUNTIME_CHECK_ALLOCATION_PLACES_H

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "emu_runtime/memory/memory_observer.h"
#include "emu_runtime/order/call.h"
#include "emu_runtime/support/findings_file.h"
#include "fibers/mutex.h"

namespace hostwarp::check {

// Doer is who has allocated, or freed: a call of the host, or else a thread of a kernel, in words, and where its call
// stands, without texts: the kernel's code may be gone by the time that somebody asks.
struct Doer {
  order::Call call;
  std::string thread{};
  std::vector<SourcePlace> places{};
  std::string folder{};  // that the first place's file is relative to
};
using DoerRef = std::shared_ptr<const Doer>;

// Origin is what is known of the past of some memory; null: nothing.
struct Origin {
  DoerRef made, freed;
};

// AllocationPlaces keeps the doers of all memory that is there, and of the last that was freed. Thread-safe.
class AllocationPlaces final : public memory::MemoryObserver {
 public:
  static AllocationPlaces &process();

  // originOf() is of memory that begins there; of the last one that was freed there with `isFreed`.
  Origin originOf(uintptr_t start, bool isFreed = false) const;

  void allocated(const memory::Allocation &allocation) override;
  void released(const memory::Allocation &allocation) override;
  void copied(const memory::Pitched &to, const memory::Pitched &from, const memory::Box &box) override;
  void filled(const memory::Pitched &to, const memory::Box &box) override;

 private:
  struct Freed {
    uintptr_t start;
    Origin origin;
  };

  mutable Mutex mutex_;
  std::map<uintptr_t, DoerRef> made_ HOSTWARP_GUARDED_BY(mutex_);  // by where the memory begins
  std::deque<Freed> freed_ HOSTWARP_GUARDED_BY(mutex_);            // the last one first
};

// DeviceCall says where the running thread of a kernel calls what allocates or frees, for as long as it lasts. pre: the
// call comes back.
class DeviceCall {
 public:
  explicit DeviceCall(const hw_access_site &site) { site_ = &site; }
  ~DeviceCall() { site_ = nullptr; }
  DeviceCall(const DeviceCall &) = delete;
  DeviceCall &operator=(const DeviceCall &) = delete;

  // site() is null where no such call is told of.
  static const hw_access_site *site() { return site_; }

 private:
  static inline thread_local const hw_access_site *site_ = nullptr;
};

// currentDoer() is the call that the thread is in.
DoerRef currentDoer();

// placesOf() are the functions that the call was made in, from the call outwards. Blocks for long. pre: inside of a
// RuntimeSection.
std::vector<SourcePlace> placesOf(const order::Call &call);

// placesOf() are the functions that the doer was in, from the call outwards, the last one of a kernel's thread is the
// thread, without a line. Blocks for long. pre: inside of a RuntimeSection.
std::vector<SourcePlace> placesOf(const DoerRef &doer);

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_ALLOCATION_PLACES_H
