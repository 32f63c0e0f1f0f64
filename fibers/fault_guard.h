// withinReach(): moving bytes that may not be there.
#ifndef HOSTWARP_FIBERS_FAULT_GUARD_H
#define HOSTWARP_FIBERS_FAULT_GUARD_H

#include <setjmp.h>

namespace hostwarp::fibers {

// FaultGuard makes memory faults of the calling thread come back to place(), as long as it exists.
class FaultGuard {
 public:
  FaultGuard();
  ~FaultGuard();
  FaultGuard(const FaultGuard &) = delete;
  FaultGuard &operator=(const FaultGuard &) = delete;

  sigjmp_buf &place() { return place_; }
  // landed() makes the thread ready for further faults. pre: a fault came back to place().
  static void landed();

 private:
  FaultGuard *const outer_;
  sigjmp_buf place_;
};

// withinReach() runs `touch` on the calling thread and returns whether all memory that it touched was there; at the
// first fault it stops. pre: nothing inside `touch` has a destructor, takes a lock or calls device code.
template <typename Touch>
[[nodiscard]] bool withinReach(const Touch &touch) {
  FaultGuard guard;
  if (sigsetjmp(guard.place(), 0) != 0) {
    FaultGuard::landed();
    return false;
  }
  touch();
  return true;
}

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_FAULT_GUARD_H
