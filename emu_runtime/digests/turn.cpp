#include "emu_runtime/digests/turn.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "emu_runtime/digests/call.h"
#include "emu_runtime/digests/digest.h"
#include "emu_runtime/digests/machine.h"
#include "emu_runtime/digests/session.h"
#include "emu_runtime/digests/signature.h"
#include "emu_runtime/module/kernel.h"
#include "emu_runtime/support/error_text.h"

namespace hostwarp::digests {

using compare_wire::Work;

namespace {

// What is larger is not filled: memory that a program allocates and does not use should cost nothing.
constexpr size_t mostFilled = size_t{256} << 20;

// isInside: the thread has the turn, or is about to.
thread_local bool isInside = false;

// withoutVariant() is the name that a program writes.
std::string withoutVariant(std::string_view name) {
  for (const std::string_view variant : {"_ptsz", "_ptds", "_v2"})
    if (name.ends_with(variant)) name.remove_suffix(variant.size());
  return std::string(name);
}

const void *addressOf(const Object &object) { return reinterpret_cast<const void *>(object.start); }

std::array<uint64_t, 3> extentOf(const dim3 &shape) { return {shape.x, shape.y, shape.z}; }

// isAmong() tells whether the kernel's name has one of the parts, which semicolons separate; none: any.
bool isAmong(std::string_view parts, std::string_view kernel) {
  if (parts.empty()) return true;
  while (!parts.empty()) {
    const std::string_view part = parts.substr(0, parts.find(';'));
    if (!part.empty() && kernel.find(part) != std::string_view::npos) return true;
    parts.remove_prefix(std::min(parts.size(), part.size() + 1));
  }
  return false;
}

// addArguments() notes where the kernel's arguments point to. `arguments` may be null.
void addArguments(Objects &objects, const std::string &kernel, void *const *arguments, Work &work) {
  if (!arguments || !work.error.empty()) return;
  size_t i = 0;
  for (const std::string &type : parametersOf(kernel)) {
    const void *const argument = arguments[i++];
    const std::string pointee = pointeeOf(type);
    if (pointee.empty() || !argument) continue;
    if (const Object *object = objects.at(*static_cast<void *const *>(argument)))
      work.arguments.push_back({object->id, pointee});
  }
}

}  // namespace

std::unique_ptr<Turn> Turn::begin(const char *call, bool isPerThread) {
  if (isInside) return nullptr;
  isInside = true;
  std::unique_ptr<Turn> turn(new Turn(Session::ofProcess(), call, isPerThread));
  return turn->session_.open() ? std::move(turn) : nullptr;
}

Turn::Turn(Session &session, const char *call, bool isPerThread) HOSTWARP_NO_THREAD_SAFETY_ANALYSIS
    : session_(session),
      lock_(session.turn),
      call_(call),
      isPerThread_(isPerThread) {}

Turn::~Turn() { isInside = false; }

cudaStream_t Turn::own(cudaStream_t stream) const { return !stream && isPerThread_ ? cudaStreamPerThread : stream; }

void Turn::made(const void *start, size_t bytes, Side side) {
  if (!start || bytes == 0) return;
  const Object &object = session_.objects.add(call_, withoutVariant(call_), start, bytes, side);
  session_.made.push_back({object.id, object.name, bytes});
  if (side == Side::Device && bytes <= mostFilled)
    machine::fill(const_cast<void *>(start), bytes, static_cast<int>(session_.settings.fill));
}

void Turn::madeReachable(const void *start, size_t bytes) {
  if (session_.objects.at(start)) return;
  const Object &object = session_.objects.add(call_, withoutVariant(call_), start, bytes, Side::Device);
  session_.made.push_back({object.id, object.name, bytes});
}

void Turn::madeInStream(const void *start, size_t bytes, cudaStream_t stream) {
  if (machine::isCapturing(own(stream))) return;
  static_cast<void>(machine::wait(own(stream)));
  made(start, bytes, Side::Device);
}

void Turn::releasing(const void *start) {
  if (const Object *object = session_.objects.release(start)) session_.released.push_back(object->id);
}

void Turn::releasingAll() {
  machine::forget();
  const auto released = session_.objects.releaseAll();
  session_.released.insert(session_.released.end(), released.begin(), released.end());
  const MutexLock lock(session_.registering);
  for (Variable &variable : session_.variables) variable.isKnown = false;
}

void Turn::look(Object &object, Work &work) {
  std::string buffer;
  const auto bytes = machine::view(addressOf(object), object.bytes, buffer);
  if (!bytes) return;
  const auto digest = digestOf(*bytes);
  if (!object.isNew && digest == object.digest) return;
  object.isNew = false;
  object.digest = digest;
  const auto addresses = session_.objects.addressesIn(*bytes);
  work.changed.push_back({object.id, addresses.empty() ? digest : digestOf(withoutAddresses(*bytes, addresses))});
}

// addVariables() looks where those lie that the program has registered by now.
void Turn::addVariables() {
  const MutexLock lock(session_.registering);
  for (Variable &variable : session_.variables) {
    if (std::exchange(variable.isKnown, true)) continue;
    const void *const address = machine::addressOf(variable.host);
    if (!address) continue;
    const Object &object = session_.objects.addVariable(variable.name, address, variable.bytes);
    session_.made.push_back({object.id, object.name, variable.bytes});
  }
}

void Turn::lookAtAll(Work &work) {
  addVariables();
  for (Object *object : session_.objects.live()) look(*object, work);
}

void Turn::lookAtHost(const Region &region, Work &work) {
  std::string &bytes = session_.hostBytes;
  bytes.clear();
  bytes.reserve(region.width * region.rows * region.slices);
  for (size_t slice = 0; slice < region.slices; ++slice)
    for (size_t row = 0; row < region.rows; ++row)
      bytes.append(static_cast<const char *>(region.start) + slice * region.slicePitch + row * region.pitch,
                   region.width);
  const auto id = compare_wire::hostBit | ++session_.hostCopies;
  session_.made.push_back({id, withoutVariant(call_), bytes.size()});
  work.changed.push_back({id, digestOf(withoutAddresses(bytes, session_.objects.addressesIn(bytes)))});
}

bool Turn::done(Work &work, cudaStream_t stream) {
  stream = own(stream);
  if (error_.empty()) {
    if (machine::isCapturing(stream)) return false;
    const cudaError_t error = machine::wait(stream);
    if (error != cudaSuccess) error_ = errorName(error);
  }
  work.error = error_;
  if (stream && stream != cudaStreamLegacy)
    work.stream = session_.streams.try_emplace(stream, session_.streams.size() + 1).first->second;
  return true;
}

void Turn::tell(Work &work) {
  work.made = std::exchange(session_.made, {});
  work.released = std::exchange(session_.released, {});
  session_.exchange(work);
}

void Turn::willLaunch() {
  if (!session_.objects.haveShared() || !session_.settings.kernels.empty()) return;
  Work work{.kind = "host", .name = "the host"};
  for (Object *object : session_.objects.live())
    if (object->side == Side::Shared) look(*object, work);
  tell(work);
}

void Turn::launchedKernel(const std::string &name, const Shape &shape, void *const *arguments, cudaStream_t stream) {
  if (!isAmong(session_.settings.kernels, name)) return;
  Work work{.kind = "kernel",
            .name = name,
            .grid = extentOf(shape.grid),
            .block = extentOf(shape.block),
            .sharedBytes = shape.sharedBytes};
  if (!done(work, stream)) return;
  addArguments(session_.objects, name, arguments, work);
  lookAtAll(work);
  tell(work);
}

void Turn::launchedGraph(cudaStream_t stream) {
  Work work{.kind = "graph", .name = withoutVariant(call_)};
  if (!session_.settings.kernels.empty() || !done(work, stream)) return;
  lookAtAll(work);
  tell(work);
}

void Turn::moved(const char *kind, const Region &to, cudaStream_t stream) {
  Work work{.kind = kind, .name = withoutVariant(call_)};
  if (!session_.settings.kernels.empty() || !done(work, stream)) return;
  addVariables();
  Object *const object = session_.objects.at(to.start);
  if (work.error.empty() && to.start && to.width * to.rows * to.slices > 0) {
    // Page-locked memory is the host's, too: only what has been copied is looked at.
    if (machine::isHost(to.start))
      lookAtHost(to, work);
    else if (object)
      look(*object, work);
  }
  tell(work);
}

void Turn::waitFor(cudaStream_t stream) {
  if (!machine::isCapturing(own(stream))) static_cast<void>(machine::wait(own(stream)));
}

void noteVariable(const void *hostVariable, const char *deviceName, size_t bytes) {
  if (!wanted() || bytes == 0) return;
  Session &session = Session::ofProcess();
  const MutexLock lock(session.registering);
  session.variables.push_back({hostVariable, modules::demangle(deviceName), bytes});
}

}  // namespace hostwarp::digests
