// A warp: which lanes live, and the rendezvous its lanes wait at.
#ifndef HOSTWARP_FIBERS_WARP_H
#define HOSTWARP_FIBERS_WARP_H

#include <cstdint>

#include "fibers/fiber.h"

namespace hostwarp::fibers {

// Rendezvous is a collective that some lanes have reached and others have not.
struct Rendezvous {
  uint32_t mask;  // the lanes named; 0: all live lanes that come here together ("soft")
  uint32_t arrived;
  const void *site;  // of the first lane; soft rendezvous meet at one site only
  Collective collective;

  bool soft() const { return mask == 0; }
};

// Warp is plain data: Block drives it.
struct Warp {
  uint32_t live = 0;     // lanes that have not exited, started or not
  uint32_t started = 0;  // lanes that have a fiber, or had one
  uint32_t openCount = 0;
  Fiber *lanes[32] = {};  // valid for started live lanes
  Rendezvous open[32];    // a lane waits at one rendezvous at most, so 32 suffice

  void reset(uint32_t laneMask) {
    live = laneMask;
    started = 0;
    openCount = 0;
  }

  // wanted() is the set of lanes that `meeting` needs: lanes that exited are no longer expected.
  uint32_t wanted(const Rendezvous &meeting) const { return meeting.soft() ? live : meeting.mask & live; }
  // find() gives the open rendezvous that a lane with these properties joins, opening one if needed.
  Rendezvous &find(uint32_t mask, Collective collective, const void *site);
  void close(Rendezvous &meeting) { meeting = open[--openCount]; }
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_WARP_H
