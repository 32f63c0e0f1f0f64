#include "emu_runtime/device/context.h"

#include <cstdio>
#include <utility>
#include <vector>

#include "device_model/properties.h"
#include "emu_runtime/check/findings.h"
#include "emu_runtime/device/device.h"
#include "emu_runtime/support/error_text.h"
#include "emu_runtime/support/log.h"
#include "emu_runtime/support/options.h"

namespace hostwarp::device {

namespace {

// ThreadStreams is the calling thread's default streams, one per context. When the thread ends, its streams go as if
// destroyed: work in them still runs.
class ThreadStreams {
 public:
  ~ThreadStreams() {
    for (const Entry &entry : entries_) {
      if (ContextRef context = entry.context.lock()) context->streams().release(entry.stream);
    }
  }

  std::shared_ptr<stream::Stream> of(Context &context) {
    for (const Entry &entry : entries_) {
      if (entry.context.lock().get() == &context) return entry.stream;
    }
    entries_.push_back({context.weak_from_this(), context.streams().create(stream::StreamKind::Blocking, 0)});
    return entries_.back().stream;
  }

 private:
  struct Entry {
    std::weak_ptr<Context> context;
    std::shared_ptr<stream::Stream> stream;
  };
  std::vector<Entry> entries_;
};

}  // namespace

namespace {

device_model::Gpu withSms(device_model::Gpu gpu, int sms) {
  gpu.sms = sms;
  return gpu;
}

}  // namespace

Limits::Limits(const device_model::Gpu &gpu) {
  for (size_t i = 0; i < count; ++i) {
    const auto limit = static_cast<cudaLimit>(i);
    values_[i] = device_model::defaultLimit(gpu, limit).value_or(0);
  }
}

Context::Context(Device &device, uint64_t id)
    : device_(device),
      id_(id),
      number_(id),
      model_(device.model()),
      state_(std::make_shared<stream::ContextState>()),
      streams_(state_),
      heap_(device.allocator().arena()),
      limits_(device.model()) {}

Context::Context(std::shared_ptr<Context> primary, uint64_t number, int firstSm, int sms)
    : device_(primary->device()),
      id_(primary->id()),
      number_(number),
      primary_(std::move(primary)),
      firstSm_(firstSm),
      model_(withSms(device_.model(), sms)),
      state_(primary_->state()),
      streams_(state_),
      heap_(device_.allocator().arena()),
      limits_(device_.model()) {}

void Context::addGreen(const std::shared_ptr<Context> &green) {
  MutexLock lock(mutex_);
  std::erase_if(greens_, [](const auto &each) { return each.expired(); });
  greens_.push_back(green);
}

std::vector<ContextRef> Context::greens() {
  MutexLock lock(mutex_);
  std::vector<ContextRef> living;
  for (const auto &each : greens_)
    if (ContextRef green = each.lock(); green && !green->destroyed_) living.push_back(std::move(green));
  return living;
}

void Context::fail(cudaError_t error, const std::string &diagnosis) {
  // The line of an assertion is CUDA's own: programs compare it.
  const bool isAssertion = error == cudaErrorAssert;
  // Who sees the error may end the process: the words come first.
  MutexLock lock(reporting_);
  if (state_->error() != cudaSuccess) return;
  if (optionText(Option::BUILD) == "checked")
    check::reportFault(errorText(error), diagnosis.substr(0, diagnosis.find('\n')));
  size_t begin = !isAssertion && optionSwitch(Option::QUIET) ? diagnosis.size() : 0;
  while (begin < diagnosis.size()) {
    const size_t end = std::min(diagnosis.find('\n', begin), diagnosis.size());
    const std::string_view line = std::string_view(diagnosis).substr(begin, end - begin);
    isAssertion ? writeLine(line) : logLine(line);
    begin = end + 1;
  }
  state_->fail(error);
}

std::shared_ptr<stream::Stream> Context::perThreadStream() {
  thread_local ThreadStreams streams;
  return streams.of(*this);
}

void Context::settle(const memory::FreeOrder::Ref &frees) {
  std::fflush(stdout);
  memory::Pool::settleAll(frees);
}

Status Context::synchronize() {
  streams_.waitAll();
  for (const ContextRef &green : greens()) green->streams().waitAll();
  std::fflush(stdout);
  memory::Pool::settleAll();
  streams_.forgetFrees();
  return status();
}

Status Context::enablePeer(int device) {
  MutexLock lock(mutex_);
  if (peers_.test(static_cast<size_t>(device))) return cudaErrorPeerAccessAlreadyEnabled;
  peers_.set(static_cast<size_t>(device));
  return {};
}

Status Context::disablePeer(int device) {
  MutexLock lock(mutex_);
  if (!peers_.test(static_cast<size_t>(device))) return cudaErrorPeerAccessNotEnabled;
  peers_.reset(static_cast<size_t>(device));
  return {};
}

}  // namespace hostwarp::device
