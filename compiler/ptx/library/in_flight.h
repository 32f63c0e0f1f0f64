// Operations that are in flight until somebody has waited for them. Here they are done at once, so that committing and
// waiting have nothing left to do; the checked build is told of what they touch, and may have them done late. In other
// builds none of this leaves a trace (async_markers.cpp).
#ifndef HOSTWARP_COMPILER_PTX_LIBRARY_IN_FLIGHT_H
#define HOSTWARP_COMPILER_PTX_LIBRARY_IN_FLIGHT_H

#include "compiler/ptx/library/interface.h"
#include "include/hostwarp/check_abi.h"

#define HWPTX_WITHIN static inline __attribute__((always_inline))

// tell() says that an operation begins, what it touches, or that somebody waits.
HWPTX_WITHIN void tell(hw_async_event event, const void *address = nullptr, u64 value = 0) {
  hw_check_async(address, value, event, nullptr);
}
HWPTX_WITHIN bool isTold() { return hw_check_async_mode() & HW_ASYNC_TOLD; }
HWPTX_WITHIN bool isLate() { return hw_check_async_mode() & HW_ASYNC_LATE; }

// later() has work() called when the operation that has begun last is waited for. Its captures are copied.
template <class Work>
HWPTX_WITHIN void later(const Work &work) {
  hw_check_later([](const void *kept) { (*static_cast<const Work *>(kept))(); }, &work, sizeof work);
}

// perform() is what the operation that has begun last does.
template <class Work>
HWPTX_WITHIN void perform(const Work &work) {
  if (isLate())
    later(work);
  else
    work();
}

#endif  // HOSTWARP_COMPILER_PTX_LIBRARY_IN_FLIGHT_H
