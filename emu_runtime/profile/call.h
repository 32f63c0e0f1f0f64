// Call: one call of the API in the timeline.
#ifndef HOSTWARP_EMU_RUNTIME_PROFILE_CALL_H
#define HOSTWARP_EMU_RUNTIME_PROFILE_CALL_H

#include <cstdint>
#include <string_view>

#include "emu_runtime/profile/timeline.h"

namespace hostwarp::profile {

// Call brackets a call on the calling thread. Costs one relaxed load when nothing is collected.
class Call {
 public:
  Call() {
    if (collecting()) begin();
  }
  ~Call() {
    if (number_) leave();
  }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  // active() tells that end() wants to know how it went.
  bool active() const { return number_ != 0; }
  // end() writes the call. `line` describes it as HOSTWARP_TRACE does.
  void end(const char *category, const char *function, std::string_view line) const;

  // current() is the number of the calling thread's innermost call, 0 outside.
  static uint64_t current();

 private:
  void begin();
  void leave() const;

  uint64_t number_ = 0;
  uint64_t outer_ = 0;
  int64_t begin_ = 0;
};

}  // namespace hostwarp::profile

#endif  // HOSTWARP_EMU_RUNTIME_PROFILE_CALL_H
