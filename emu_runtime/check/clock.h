// What a thread knows of others: the accesses of theirs that have happened before all that it does from now on.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_CLOCK_H
#define HOSTWARP_EMU_RUNTIME_CHECK_CLOCK_H

#include <array>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <cstdint>
#include <vector>

namespace hostwarp::check {

// Time counts, for one thread, how often it has let others know of what it did. It never wraps.
using Time = uint64_t;

// Clock is a vector clock over the threads of a grid, sparse: entries are of a thread, of all of a warp or of all of a
// block. Entries that are side by side lie in runs, which copies share, as far as they have the same: where many
// threads learn of many others, two clocks differ in a few. Not thread-safe.
class Clock {
 public:
  bool empty() const { return runs_ == nullptr; }
  // of(): accesses of the thread (its number in the block) before this time are known.
  Time of(uint64_t block, uint32_t thread) const;
  void raiseThread(uint64_t block, uint32_t thread, Time time) { raise(key(block, thread), time); }
  void raiseWarp(uint64_t block, uint32_t warp, Time time) { raise(key(block, kWarps + warp), time); }
  void raiseBlock(uint64_t block, Time time) { raise(key(block, kBlock), time); }
  // join() adds what the other knows.
  void join(const Clock &other);
  // forget() drops what is known of one block's threads.
  void forget(uint64_t block);
  // shorten() has one entry for all of the block's threads where each has the same.
  void shorten(uint64_t block, uint32_t threads);

 private:
  static constexpr uint32_t kWarps = 1024, kBlock = kWarps + 32, kBits = 11;
  static constexpr uint32_t kRun = 32;  // entries
  template <class Content>
  struct Shared : boost::intrusive_ref_counter<Shared<Content>, boost::thread_unsafe_counter> {
    Content content{};
  };
  using Times = Shared<std::array<Time, kRun>>;
  struct Run {
    uint64_t number = 0;  // of its first key, divided by kRun
    boost::intrusive_ptr<const Times> times;
  };
  using Runs = Shared<std::vector<Run>>;  // sorted

  static uint64_t key(uint64_t block, uint32_t who) { return block << kBits | who; }
  Time at(uint64_t key) const;
  void raise(uint64_t key, Time time);
  // isWithin(): the other knows all that this one does.
  bool isWithin(const Clock &other) const;

  boost::intrusive_ptr<const Runs> runs_;  // null: none
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_CLOCK_H
