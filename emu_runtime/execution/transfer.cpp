#include "emu_runtime/execution/transfer.h"

#include <cstring>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "emu_runtime/graph/capture.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/memory/allocator.h"
#include "emu_runtime/memory/memory_observer.h"
#include "emu_runtime/order/behalf.h"
#include "emu_runtime/order/host_watch.h"
#include "emu_runtime/order/stream_work.h"
#include "emu_runtime/profile/spans.h"
#include "emu_runtime/stream/operation.h"
#include "fibers/fault_guard.h"

namespace hostwarp::execution {

namespace {

using memory::Allocation;

// Up to this size a copy from pageable memory is taken out of the program's buffer at once, as CUDA does it.
constexpr size_t stagedBytes = size_t{64} << 10;

// Side is one end of a copy. Memory the runtime does not know is pageable host memory.
struct Side {
  std::optional<Allocation> allocation;

  bool pageable() const { return !allocation; }
  bool onlyDevice() const { return allocation && allocation->onDevice(); }
};

// roomFrom() is how many bytes from `start` on belong to the allocation. A program's own mappings that follow each
// other are one piece of memory.
size_t roomFrom(const void *start, const Allocation &allocation, size_t wanted) {
  const auto address = reinterpret_cast<uintptr_t>(start);
  size_t room = allocation.bytes - (address - allocation.start);
  while (room < wanted && allocation.kind == memory::Kind::Mapped) {
    auto next = memory::AllocationTable::process().find(reinterpret_cast<void *>(address + room));  // NOLINT
    if (!next || next->kind != memory::Kind::Mapped) break;
    room += next->bytes;
  }
  return room;
}

// sideOf() looks up one end and checks that it holds `extent` bytes. `role` is "source" or "destination".
Expected<Side> sideOf(const void *start, size_t extent, const char *role) {
  if (!start) return Status(cudaErrorInvalidValue, std::string("the ") + role + " is a null pointer");
  Side side{memory::AllocationTable::process().find(start)};
  if (side.pageable()) {
    if (!memory::inDeviceAddresses(start)) return side;
    return Status(cudaErrorInvalidValue,
                  std::string("the ") + role + " is device memory that is not allocated (any more)");
  }
  const size_t left = roomFrom(start, *side.allocation, extent);
  if (extent <= left) return side;
  return Status(cudaErrorInvalidValue, std::string("the ") + role + " has room for " + std::to_string(left) +
                                           " bytes, the operation covers " + std::to_string(extent));
}

Status wrongSide(const char *role) {
  return {cudaErrorInvalidValue, std::string("the ") + role + " is not device memory as the operation wants it"};
}

Status checkKind(cudaMemcpyKind kind, const Side &to, const Side &from) {
  // With unified addressing every address that CUDA knows tells what it is; of others the kind must say that they are
  // the host's.
  if (kind == cudaMemcpyDefault || kind == cudaMemcpyHostToHost) return {};
  if (from.pageable() && kind != cudaMemcpyHostToDevice) return wrongSide("source");
  return to.pageable() && kind != cudaMemcpyDeviceToHost ? wrongSide("destination") : Status();
}

struct Sides {
  Side to;
  Side from;
};

// Rows and slices that lie on each other are no image: so many of them could be asked for that it took for ever.
Status checkShape(const memory::Pitched &memory, const memory::Box &box) {
  if (box.height > 1 && memory.pitch < box.width) return cudaErrorInvalidPitchValue;
  if (box.depth > 1 && memory.slice < memory.extent({box.width, box.height, 1})) {
    return {cudaErrorInvalidValue, "the slices of the memory are lower than what is to be moved"};
  }
  return {};
}

Expected<Sides> checkCopy(const Copy &copy) {
  if (!isKind(copy.kind)) return cudaErrorInvalidMemcpyDirection;
  HOSTWARP_TRY(checkShape(copy.to, copy.box));
  HOSTWARP_TRY(checkShape(copy.from, copy.box));
  auto to = sideOf(copy.to.start, copy.to.extent(copy.box), "destination");
  if (!to.ok()) return to.status();
  auto from = sideOf(copy.from.start, copy.from.extent(copy.box), "source");
  if (!from.ok()) return from.status();
  HOSTWARP_TRY(checkKind(copy.kind, *to, *from));
  return Sides{*to, *from};
}

void touchRows(order::Part &part, const memory::Pitched &memory, const memory::Box &box, order::How how) {
  if (!memory::AllocationTable::process().find(memory.start)) return;
  const auto start = reinterpret_cast<uintptr_t>(memory.start);
  for (size_t z = 0; z < box.depth; ++z)
    for (size_t y = 0; y < box.height; ++y) part.touch(start + z * memory.slice + y * memory.pitch, box.width, how);
}

// watch() has the buffers of the host be looked after; of those with several rows, only what is written.
void watch(const order::PartRef &part, const Copy &copy) {
  order::HostWatch &hostWatch = order::HostWatch::process();
  hostWatch.writes(part, reinterpret_cast<uintptr_t>(copy.to.start), copy.to.extent(copy.box));
  if (copy.box.height == 1 && copy.box.depth == 1)
    hostWatch.reads(part, reinterpret_cast<uintptr_t>(copy.from.start), copy.box.width);
}

void watch(const order::PartRef &part, const Fill &fill) {
  order::HostWatch::process().writes(part, reinterpret_cast<uintptr_t>(fill.to.start), fill.to.extent(fill.box));
}

template <typename Transfer>
order::WorkRef workOf(const device::StreamRef &target, const Transfer &transfer) {
  order::WorkRef work = order::workIn(target);
  if (!work) return nullptr;
  const order::PartRef part = work->add();
  touch(part.get(), transfer);
  watch(part, transfer);
  return work;
}

// callToName() is the call that asks for a transfer, where findings may name it.
order::CallRef callToName() {
  return order::isFollowed() ? std::make_shared<const order::Call>(order::Call::current()) : nullptr;
}

// enqueue() makes the transfer an operation; large ones get a thread.
template <typename Transfer>
void enqueue(const device::StreamRef &target, const Transfer &transfer) {
  auto task = [context = target.context, transfer, span = profile::spanOf(target, transfer), call = callToName()] {
    const order::OnBehalf behalf(call);
    const profile::Running running(span);
    run(*context, transfer);
  };
  const auto &state = target.context->state();
  stream::OperationRef operation;
  if (transfer.box.bytes() <= memory::smallTransfer)
    operation = std::make_shared<stream::InlineTask>(state, task);
  else
    operation = std::make_shared<stream::ThreadTask>(state, task);
  operation->setWork(workOf(target, transfer));
  target.enqueue(operation);
}

// runOnCaller() waits for its turn in the stream and moves the bytes on the calling thread.
Status runOnCaller(const device::StreamRef &target, const Copy &copy) {
  const profile::SpanRef span = profile::copySpan(target, copy);
  if (!order::isFollowed() && target.context->streams().idle(*target.stream)) {
    const profile::Running running(span);
    run(*target.context, copy);
    return target.context->status();
  }
  auto task = std::make_shared<stream::CallerTask>(target.context->state());
  task->setWork(workOf(target, copy));
  target.enqueue(task);
  if (!task->begin()) return target.context->status();
  {
    const profile::Running running(span);
    run(*target.context, copy);
  }
  task->end();
  order::hostLearns(task->clock());
  return target.context->status();
}

// otherDevices() is the contexts whose work a copy in the stream has to be ordered with: those of the two devices, when
// it is one between devices in the default stream [CUDA 3.2.9 peer-to-peer memory copy].
std::vector<device::ContextRef> otherDevices(const device::StreamRef &target, const Sides &sides) {
  std::vector<device::ContextRef> others;
  if (!sides.to.onlyDevice() || !sides.from.onlyDevice()) return others;
  if (sides.to.allocation->device == sides.from.allocation->device) return others;
  if (target.stream != target.context->streams().legacy()) return others;
  for (const int number : {sides.to.allocation->device, sides.from.allocation->device}) {
    const auto &device = device::devices()[static_cast<size_t>(number)];
    if (device->active() && device->context() != target.context) others.push_back(device->context());
  }
  return others;
}

// follow() has what the context gets to do from now on wait for the operation of another.
void follow(device::Context &context, const stream::OperationRef &other) {
  auto marker = std::make_shared<stream::Marker>(context.state());
  context.streams().enqueue(*context.streams().legacy(), marker, {&other, 1});
}

// enqueueBetween() makes the copy an operation that comes behind all that the devices have to do, and before what they
// get to do later.
void enqueueBetween(const device::StreamRef &target, const Sides &sides, const Copy &copy) {
  const std::vector<device::ContextRef> others = otherDevices(target, sides);
  for (const device::ContextRef &other : others) {
    const stream::OperationRef before = std::make_shared<stream::Marker>(other->state());
    other->streams().enqueue(*other->streams().legacy(), before);
    follow(*target.context, before);
  }
  enqueue(target, copy);
  if (others.empty()) return;
  const stream::OperationRef after = std::make_shared<stream::Marker>(target.context->state());
  target.enqueue(after);
  for (const device::ContextRef &other : others) follow(*other, after);
}

// enqueueStaged() takes the bytes out of the source now and puts them in their place in the stream's order.
Status enqueueStaged(const device::StreamRef &target, const Copy &copy) {
  auto bytes = std::make_shared<std::vector<char>>(copy.box.bytes());
  Copy staged = copy;
  staged.from.start = bytes->data();
  if (!fibers::withinReach([&] { std::memcpy(bytes->data(), copy.from.start, bytes->size()); })) {
    return {cudaErrorInvalidValue, "the source is no memory of the program"};
  }
  auto move = [context = target.context, staged, bytes, span = profile::copySpan(target, copy)] {
    const profile::Running running(span);
    run(*context, staged);
  };
  auto operation = std::make_shared<stream::InlineTask>(target.context->state(), std::move(move));
  operation->setWork(workOf(target, copy));
  target.enqueue(operation);
  return {};
}

void failOutOfReach(device::Context &context, const char *what, const memory::Pitched &to) {
  std::ostringstream text;
  text << what << " to " << static_cast<const void *>(to.start) << " touches memory that is not there (any more)";
  context.fail(cudaErrorIllegalAddress, text.str());
}

}  // namespace

Copy linear(void *to, const void *from, size_t count, cudaMemcpyKind kind) {
  auto *source = static_cast<char *>(const_cast<void *>(from));  // only read from
  return {{static_cast<char *>(to), count, count}, {source, count, count}, {count, 1, 1}, kind};
}

bool isKind(cudaMemcpyKind kind) { return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault; }

bool fromDevice(cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}

bool toDevice(cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}

Status checkRows(std::initializer_list<size_t> pitches, const memory::Box &box, bool kindFits) {
  if (box.bytes() == 0) return {};
  auto narrow = [&](size_t pitch) { return pitch < box.width && (pitch != 0 || box.height > 1); };
  const bool fits = std::none_of(pitches.begin(), pitches.end(), narrow);
  if (!fits && box.height > 1) return cudaErrorInvalidPitchValue;
  if (!kindFits) return cudaErrorInvalidMemcpyDirection;
  return fits ? Status() : Status(cudaErrorInvalidValue, "the row is wider than the distance of rows");
}

Status check(const Copy &copy) {
  if (copy.box.bytes() == 0) return {};
  return checkCopy(copy).status();
}

Status check(const Fill &fill) {
  if (fill.box.bytes() == 0) return {};
  if (!checkShape(fill.to, fill.box).ok()) return {cudaErrorInvalidValue, "the rows or slices to be filled overlap"};
  auto side = sideOf(fill.to.start, fill.to.extent(fill.box), "destination");
  if (!side.ok()) return side.status();
  return side->pageable() ? wrongSide("destination") : Status();
}

void touch(order::Part *part, const Copy &copy) {
  if (part == nullptr) return;
  touchRows(*part, copy.from, copy.box, order::How::Reads);
  touchRows(*part, copy.to, copy.box, order::How::Writes);
}

void touch(order::Part *part, const Fill &fill) {
  if (part != nullptr) touchRows(*part, fill.to, fill.box, order::How::Writes);
}

void run(device::Context &context, const Copy &copy) {
  if (!memory::copyBox(copy.to, copy.from, copy.box)) return failOutOfReach(context, "a copy", copy.to);
  if (memory::memoryObserver != nullptr) memory::memoryObserver->copied(copy.to, copy.from, copy.box);
}

void run(device::Context &context, const Fill &fill) {
  if (!memory::fillBox(fill.to, fill.value, fill.elementBytes, fill.box))
    return failOutOfReach(context, "a fill", fill.to);
  if (memory::memoryObserver != nullptr) memory::memoryObserver->filled(fill.to, fill.box);
}

Status copyNow(const Copy &copy) {
  auto target = device::streamOf(nullptr);
  if (!target.ok()) return target.status();
  if (copy.box.bytes() == 0) return {};
  auto sides = checkCopy(copy);
  if (!sides.ok()) return sides.status();
  if (!sides->to.onlyDevice() || !sides->from.onlyDevice()) return runOnCaller(*target, copy);
  enqueueBetween(*target, *sides, copy);
  return {};
}

Status copyInStream(const Copy &copy, cudaStream_t stream) {
  auto target = device::streamOf(stream, device::InCapture::Record);
  if (!target.ok()) return target.status();
  if (copy.box.bytes() == 0) return {};
  auto sides = checkCopy(copy);
  if (!sides.ok()) return sides.status();
  if (graph::capturing(*target)) return graph::capture(*target, graph::CopyParams::of(copy));
  if (!sides->to.pageable() && !sides->from.pageable()) {
    enqueueBetween(*target, *sides, copy);
    return {};
  }
  const bool flat = copy.box.height == 1 && copy.box.depth == 1;
  if (sides->from.pageable() && !sides->to.pageable() && flat && copy.box.bytes() <= stagedBytes) {
    return enqueueStaged(*target, copy);
  }
  return runOnCaller(*target, copy);
}

Status fillInStream(const Fill &fill, cudaStream_t stream) {
  auto target = device::streamOf(stream, device::InCapture::Record);
  if (!target.ok()) return target.status();
  if (fill.box.bytes() == 0) return {};
  HOSTWARP_TRY(check(fill));
  if (graph::capturing(*target)) return graph::capture(*target, graph::FillParams::of(fill));
  enqueue(*target, fill);
  return {};
}

}  // namespace hostwarp::execution
