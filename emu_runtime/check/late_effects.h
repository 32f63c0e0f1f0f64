// What asynchronous operations do, put off until they are waited for (HOSTWARP_CHECK_ASYNC=late).
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_LATE_EFFECTS_H
#define HOSTWARP_EMU_RUNTIME_CHECK_LATE_EFFECTS_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "emu_runtime/check/clock.h"

namespace hostwarp::check {

// LateEffects is effects by the pipe of Flights that they are in. Not thread-safe.
class LateEffects {
 public:
  using Pipe = uint32_t;
  struct Effect {
    void (*work)(const void *arguments);
    std::vector<std::byte> arguments{};
    // Whose it is, and when.
    const void *block = nullptr;
    uint32_t thread = 0;
    Time time = 0;
    // Effects of another pipe before a time come first.
    Pipe after = 0;
    Time afterTime = 0;
  };

  static bool areWanted();
  void add(Pipe pipe, Effect effect) { pipes_[pipe].push_back(std::move(effect)); }
  // perform() has those happen that come before `upTo`, in their order.
  void perform(Pipe pipe, Time upTo);
  // forget() drops those of a block: it is over, and its threads have not ended if there are some.
  void forget(const void *block);
  // performOf() has a thread's happen: it ends.
  void performOf(const void *block, uint32_t thread);
  void clear() { pipes_.clear(); }

 private:
  void take(Pipe pipe, size_t index);

  std::map<Pipe, std::deque<Effect>> pipes_;
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_LATE_EFFECTS_H
