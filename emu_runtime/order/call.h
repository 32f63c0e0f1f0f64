// Which API call of the program the thread is in, and from where it was made.
#ifndef HOSTWARP_EMU_RUNTIME_ORDER_CALL_H
#define HOSTWARP_EMU_RUNTIME_ORDER_CALL_H

#include <string>
#include <utility>
#include <vector>

#include "include/hostwarp/check_abi.h"

namespace hostwarp::order {

// CallScope names the call for as long as it lasts; of calls within calls the outermost counts.
class CallScope {
 public:
  explicit CallScope(const char *name) : outer_(name_) {
    if (outer_ == nullptr) name_ = name;
  }
  ~CallScope() { name_ = outer_; }
  CallScope(const CallScope &) = delete;
  CallScope &operator=(const CallScope &) = delete;

  // name() is null outside of calls.
  static const char *name() { return name_; }

 private:
  const char *const outer_;
  static inline thread_local const char *name_ = nullptr;
};

// Call is an API call: its name, as the program writes it, and the addresses that it returns to, from the inside.
struct Call {
  std::string name;
  const char *symbol = "";
  std::vector<const void *> stack;

  // current() is the one that the thread is in.
  static Call current();
};

// siteOf() is where a call stands in the program: its functions from the inside to main(). The same for calls from the
// same place. With `inner`, the access that a kernel makes which the call has launched.
const hw_access_site *siteOf(const Call &call, const hw_access_site *inner = nullptr);

}  // namespace hostwarp::order

#endif  // HOSTWARP_EMU_RUNTIME_ORDER_CALL_H
