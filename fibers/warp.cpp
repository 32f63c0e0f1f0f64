#include "fibers/warp.h"

namespace hostwarp::fibers {

Rendezvous &Warp::find(uint32_t mask, Collective collective, const void *site) {
  for (uint32_t i = 0; i < openCount; ++i) {
    Rendezvous &meeting = open[i];
    if (meeting.mask == mask && meeting.collective == collective && (mask != 0 || meeting.site == site)) return meeting;
  }
  open[openCount] = {mask, 0, site, collective};
  return open[openCount++];
}

}  // namespace hostwarp::fibers
