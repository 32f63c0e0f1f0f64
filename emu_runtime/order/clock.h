// What comes before what among the operations of streams, graphs and the host, by vector clocks.
#ifndef HOSTWARP_EMU_RUNTIME_ORDER_CLOCK_H
#define HOSTWARP_EMU_RUNTIME_ORDER_CLOCK_H

#include <cstdint>
#include <memory>

#include "emu_runtime/memory/free_order.h"

namespace hostwarp::order {

// Mark is the number-th operation of a stream, or of the host, whose number is hostTimeline. Clock is the operations
// that come before a point; null stands for none. They are made as the order of frees is, which is a part of this one.
using Mark = memory::FreeMark;
using Clock = memory::FreeOrder;
inline constexpr uint64_t hostTimeline = 0;

class Work;
using WorkRef = std::shared_ptr<Work>;

}  // namespace hostwarp::order

#endif  // HOSTWARP_EMU_RUNTIME_ORDER_CLOCK_H
