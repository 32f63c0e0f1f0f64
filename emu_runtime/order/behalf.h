// On whose behalf a thread of the runtime works.
#ifndef HOSTWARP_EMU_RUNTIME_ORDER_BEHALF_H
#define HOSTWARP_EMU_RUNTIME_ORDER_BEHALF_H

#include <memory>
#include <utility>

#include "emu_runtime/order/call.h"

namespace hostwarp::order {

using CallRef = std::shared_ptr<const Call>;

// OnBehalf has Call::current() be the call that has asked for what the thread does, for as long as it lasts. Null: no
// call is known, and nothing changes.
class OnBehalf {
 public:
  explicit OnBehalf(CallRef call) : call_(std::move(call)), outer_(current_) {
    if (call_ != nullptr) current_ = call_.get();
  }
  ~OnBehalf() { current_ = outer_; }
  OnBehalf(const OnBehalf &) = delete;
  OnBehalf &operator=(const OnBehalf &) = delete;

  // call() is null where the thread works for itself.
  static const Call *call() { return current_; }

 private:
  const CallRef call_;
  const Call *const outer_;
  static inline thread_local const Call *current_ = nullptr;
};

}  // namespace hostwarp::order

#endif  // HOSTWARP_EMU_RUNTIME_ORDER_BEHALF_H
