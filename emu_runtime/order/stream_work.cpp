#include "emu_runtime/order/stream_work.h"

#include <string>

#include "emu_runtime/device/device.h"
#include "emu_runtime/stream/stream.h"

namespace hostwarp::order {

namespace {

Queue::Kind kindOf(const stream::Stream &stream) {
  switch (stream.kind()) {
    case stream::StreamKind::Legacy:
      return Queue::Kind::Legacy;
    case stream::StreamKind::Blocking:
      return Queue::Kind::Blocking;
    case stream::StreamKind::NonBlocking:
      return Queue::Kind::NonBlocking;
  }
  return Queue::Kind::Blocking;
}

// queueOf() counts the streams that a program makes from 1.
Queue queueOf(const device::StreamRef &target) {
  const stream::Stream &stream = *target.stream;
  Queue queue{kindOf(stream), target.context->device().ordinal(), "the default stream"};
  if (queue.kind != Queue::Kind::Legacy) queue.name = "stream " + std::to_string(stream.id() - 1);
  if (device::devices().size() > 1) queue.name += " of device " + std::to_string(queue.device);
  return queue;
}

}  // namespace

WorkRef workIn(const device::StreamRef &target) {
  return isFollowed() ? std::make_shared<Work>(queueOf(target)) : nullptr;
}

WorkRef workOn(const device::StreamRef &target, const void *start, size_t bytes, How how) {
  WorkRef work = workIn(target);
  if (work) work->add()->touch(reinterpret_cast<uintptr_t>(start), bytes, how);
  return work;
}

void followEverything(const device::StreamRef &target) {
  if (!isFollowed()) return;
  const auto all = std::make_shared<stream::Marker>(target.context->state());
  all->setClock(WorkLog::process().everything());
  target.context->streams().follow(*target.stream, all);
}

void hostFrees(const memory::Allocation &allocation) {
  if (!isFollowed()) return;
  const auto work = std::make_shared<Work>(Queue{});
  work->add()->touch(allocation.start, allocation.bytes, How::Frees);
  WorkLog::process().hostActs(work);
}

}  // namespace hostwarp::order
