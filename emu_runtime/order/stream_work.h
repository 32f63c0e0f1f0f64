// Work of streams, for those who enqueue it.
#ifndef HOSTWARP_EMU_RUNTIME_ORDER_STREAM_WORK_H
#define HOSTWARP_EMU_RUNTIME_ORDER_STREAM_WORK_H

#include "emu_runtime/device/current.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/order/work_log.h"

namespace hostwarp::order {

// workIn() is work that the running call is about to enqueue in the stream; null unless this is a checked run.
WorkRef workIn(const device::StreamRef &target);

// workOn() is the same, for a call that touches memory in one way only.
WorkRef workOn(const device::StreamRef &target, const void *start, size_t bytes, How how);

// followEverything() is for a stream that waits for what cannot be followed: whoever it waits for is among all that was
// enqueued before.
void followEverything(const device::StreamRef &target);

// hostFrees(): the host gives memory back, and does not wait for those that may use it.
void hostFrees(const memory::Allocation &allocation);

}  // namespace hostwarp::order

#endif  // HOSTWARP_EMU_RUNTIME_ORDER_STREAM_WORK_H
