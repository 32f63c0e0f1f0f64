#include "emu_runtime/execution/grid_launch.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "emu_runtime/execution/running_grid.h"
#include "fibers/recycled.h"

namespace hostwarp::execution {

namespace {

// No CUDA type needs more than 128 bytes of alignment (a CUtensorMap has 64).
static_assert(fibers::RecycledBytes::alignment >= 128);

constexpr size_t alignUp(size_t offset, size_t alignment) { return (offset + alignment - 1) / alignment * alignment; }

size_t storageBytes(const hw_kernel &kernel) {
  size_t bytes = kernel.parameterCount * sizeof(void *);
  for (uint32_t i = 0; i < kernel.parameterCount; ++i) {
    bytes = alignUp(bytes, std::max(1U, kernel.parameters[i].alignment)) + kernel.parameters[i].bytes;
  }
  return std::max<size_t>(bytes, 1);
}

}  // namespace

Arguments::Arguments(const hw_kernel &kernel, void *const *values)
    : bytes_(storageBytes(kernel)),
      storage_(static_cast<char *>(fibers::RecycledBytes::allocate(bytes_)), Release{bytes_}) {
  auto *pointers = reinterpret_cast<void **>(storage_.get());
  size_t offset = kernel.parameterCount * sizeof(void *);
  for (uint32_t i = 0; i < kernel.parameterCount; ++i) {
    const hw_parameter &parameter = kernel.parameters[i];
    offset = alignUp(offset, std::max(1U, parameter.alignment));
    pointers[i] = storage_.get() + offset;
    std::memcpy(pointers[i], values[i], parameter.bytes);
    offset += parameter.bytes;
  }
}

bool Arguments::contains(const void *address) const {
  return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(storage_.get()) < bytes_;
}

PackedParameters::PackedParameters(const hw_kernel &kernel, char *buffer) {
  for (uint32_t i = 0; i < kernel.parameterCount; ++i) {
    bytes = alignUp(bytes, std::max(1U, kernel.parameters[i].alignment));
    addresses.push_back(buffer + bytes);
    bytes += kernel.parameters[i].bytes;
  }
}

void Arguments::Release::operator()(char *storage) const { fibers::RecycledBytes::release(storage, bytes); }

GridLaunch::GridLaunch(device::ContextRef context, std::shared_ptr<modules::Kernel> kernel,
                       const fibers::GridRequest &request, void *const *arguments)
    : Operation(context->state()), owner_(std::move(context)) {
  auto copies = fibers::makeRecycled<const Arguments>(*kernel->code(), arguments);
  grid_ = fibers::makeRecycled<RunningGrid>(owner_, std::move(kernel), request, std::move(copies));
}

void GridLaunch::show(profile::SpanRef span) { grid_->show(std::move(span)); }

stream::Operation::Progress GridLaunch::start() {
  grid_->comeFrom(fibers::derivedOrigin(place().queue, place().number));
  if (prerequisites_ && !prerequisites_->done())
    grid_->overlap([this] { return prerequisites_->done(); });
  else
    grid_->stand(place());
  RunningGrid &grid = *grid_;
  grid.start(std::move(grid_), [this](const fibers::GridOutcome &outcome) { ended(outcome); }, [this] { release(); });
  return Progress::Running;
}

stream::OperationRef GridLaunch::released() {
  MutexLock lock(mutex_);
  if (released_) return nullptr;
  if (!signal_) {
    signal_ = std::make_shared<stream::Signal>(context());
    signal_->schedule({});
  }
  return signal_;
}

void GridLaunch::release() {
  std::shared_ptr<stream::Signal> signal;
  {
    MutexLock lock(mutex_);
    released_ = true;
    signal = std::move(signal_);
  }
  if (signal) signal->raise();
}

void GridLaunch::ended(const fibers::GridOutcome &outcome) {
  reportOutcome(*owner_, outcome);
  release();
  if (!prerequisites_ || prerequisites_->done()) return finish();
  std::make_shared<stream::Continuation>(context(), [this] { finish(); })->schedule({&prerequisites_, 1});
}

void reportOutcome(device::Context &context, const fibers::GridOutcome &outcome) {
  if (outcome.fault != fibers::Fault::None) context.fail(errorOf(outcome.fault), outcome.diagnosis);
}

cudaError_t errorOf(fibers::Fault fault) {
  using fibers::Fault;
  switch (fault) {
    case Fault::None:
      return cudaSuccess;
    case Fault::IllegalAddress:
      return cudaErrorIllegalAddress;
    case Fault::MisalignedAddress:
      return cudaErrorMisalignedAddress;
    case Fault::StackOverflow:
      return cudaErrorHardwareStackError;
    case Fault::IllegalInstruction:
      return cudaErrorIllegalInstruction;
    case Fault::Assert:
      return cudaErrorAssert;
    case Fault::Timeout:
      return cudaErrorLaunchTimeout;
    case Fault::OutOfMemory:
      return cudaErrorLaunchOutOfResources;
    case Fault::DivideByZero:
    case Fault::Trap:
    case Fault::Deadlock:
    case Fault::BadCollective:
      return cudaErrorLaunchFailure;
  }
  return cudaErrorUnknown;
}

}  // namespace hostwarp::execution
