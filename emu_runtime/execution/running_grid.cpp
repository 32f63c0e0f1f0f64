#include "emu_runtime/execution/running_grid.h"

#include <cuda_device_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "emu_runtime/execution/engine.h"
#include "emu_runtime/execution/hot_kernels.h"
#include "emu_runtime/execution/launch.h"
#include "emu_runtime/profile/forms.h"
#include "emu_runtime/profile/progress.h"
#include "emu_runtime/stream/turns.h"
#include "emu_runtime/support/options.h"
#include "fibers/mutex.h"

namespace hostwarp::execution {

namespace {

// Handles of device code lie far from those of the host.
constexpr uint64_t handleBase = uint64_t{1} << 62;

uint64_t currentBlock() {
  const hw_thread &self = *hw_self();
  return self.blockIdx.x + self.gridDim.x * (self.blockIdx.y + uint64_t{self.gridDim.y} * self.blockIdx.z);
}

uint64_t numberOf(const void *handle) { return reinterpret_cast<uintptr_t>(handle); }

}  // namespace

RunningGrid::RunningGrid(device::ContextRef context, std::shared_ptr<modules::Kernel> kernel,
                         const fibers::GridRequest &request, std::shared_ptr<const Arguments> arguments)
    : context_(std::move(context)), kernel_(std::move(kernel)), arguments_(std::move(arguments)), request_(request) {
  request_.kernelName = kernel_->name().c_str();
  request_.args = arguments_->pointers();
  request_.mayBlock = kernel_->code()->flags & HW_KERNEL_MAY_BLOCK;
  request_.gridId = nextGridId();
  request_.countsTime = timeIsCounted();
  request_.owner = this;
  request_.waiting = [](void *grid) { static_cast<RunningGrid *>(grid)->startHeld(); };
}

RunningGrid *RunningGrid::current() { return static_cast<RunningGrid *>(fibers::currentOwner()); }

// Threads that wait need stacks of their own.
void RunningGrid::overlap(std::function<bool()> done) {
  prerequisitesDone_ = std::move(done);
  request_.blockEntry = nullptr;
}

void RunningGrid::start(std::shared_ptr<RunningGrid> self, Ended ended, std::function<void()> triggered) {
  ended_ = std::move(ended);
  triggered_ = std::move(triggered);
  if (triggered_ && (kernel_->code()->flags & HW_KERNEL_MAY_TRIGGER))
    request_.triggered = [](void *grid) { static_cast<RunningGrid *>(grid)->triggered_(); };
  if (!prerequisitesDone_) use_ = useSpecialised(request_, *kernel_);
  profile::watchProgress(engine());
  if (ofDevice_) show(profile::deviceLaunchSpan(*context_, kernel_->name(), request_));
  self_ = std::move(self);
  stream::Turns::gridBegins(request_.mayBlock);
  try {
    engine().submit(request_, [this, mayBlock = request_.mayBlock](const fibers::GridOutcome &outcome) {
      executed(std::move(self_), outcome);
      stream::Turns::gridEnds(mayBlock);
    });
  } catch (...) {
    stream::Turns::gridEnds(request_.mayBlock);
    self_ = nullptr;
    throw;
  }
}

RunningGrid::Family &RunningGrid::family() {
  if (!family_) family_ = std::make_unique<Family>();
  return *family_;
}

cudaError_t RunningGrid::keyOf(cudaStream_t stream, StreamKey &key) {
  if (stream == nullptr || stream == cudaStreamLegacy) {
    key = {StreamKind::Block, currentBlock()};
  } else if (stream == cudaStreamPerThread) {
    key = {StreamKind::Thread, currentBlock() << 10 | hw_self()->linearThread};
  } else if (stream == cudaStreamTailLaunch) {
    key = {StreamKind::Tail, 0};
  } else if (stream == cudaStreamFireAndForget) {
    key = {StreamKind::FireAndForget, family().nextHandle++};
  } else if (family().streams.contains(numberOf(stream))) {
    key = {StreamKind::Handle, numberOf(stream)};
  } else {
    return cudaErrorInvalidResourceHandle;
  }
  return cudaSuccess;
}

cudaError_t RunningGrid::add(cudaStream_t stream, Step step) {
  Starts starts;
  {
    MutexLock lock(mutex_);
    StreamKey key;
    if (const cudaError_t error = keyOf(stream, key)) return error;
    step.block = currentBlock();
    Family &family = this->family();
    if (step.grid)
      step.grid->comeFrom(fibers::derivedOrigin(fibers::derivedOrigin(request_.origin, step.block),
                                                family.launchesOfBlock[step.block]++));
    if (key.first != StreamKind::Tail) {
      ++family.stepsLeft;
      ++family.stepsOfBlock[step.block];
    }
    family.queues[key].steps.push_back(std::move(step));
    advanceAll(starts);
    family.held.insert(family.held.end(), starts.begin(), starts.end());
    holds_ = !family.held.empty();
  }
  return cudaSuccess;
}

cudaError_t RunningGrid::launch(cudaStream_t stream, std::shared_ptr<RunningGrid> child, const hw_access_site *site) {
  const size_t most = context_->limits().get(cudaLimitDevRuntimePendingLaunchCount);
  // What a grid launches follows it in the tail and runs beside it in any other stream.
  child->depth_ = stream == cudaStreamTailLaunch ? depth_ : depth_ + 1;
  if (child->depth_ > most) return cudaErrorLaunchPendingCountExceeded;
  {
    MutexLock lock(mutex_);
    if (!pending_) pending_ = std::make_shared<std::atomic<unsigned>>(0);
  }
  if (pending_->fetch_add(1) >= most) {
    pending_->fetch_sub(1);
    return cudaErrorLaunchPendingCountExceeded;
  }
  child->ofDevice_ = true;
  child->pending_ = pending_;
  child->request_.priority = request_.priority;
  child->request_.followed = request_.followed;
  if (site != nullptr) {
    child->launchedBy_ = {.site = site, .thread = fibers::describeCurrentThread(), .outer = request_.launchedBy};
    child->request_.launchedBy = &child->launchedBy_;
  }
  child->request_.place = request_.place;  // who waits for this grid waits for the child
  const cudaError_t error = add(stream, {Step::Kind::Grid, 0, std::move(child)});
  if (error) pending_->fetch_sub(1);
  return error;
}

void RunningGrid::keep(ParameterBuffer buffer) {
  MutexLock lock(mutex_);
  const void *memory = buffer.memory.get();
  family().buffers.emplace(memory, std::move(buffer));
}

std::optional<ParameterBuffer> RunningGrid::take(const void *memory) {
  MutexLock lock(mutex_);
  auto node = family().buffers.extract(memory);
  return node ? std::optional(std::move(node.mapped())) : std::nullopt;
}

cudaError_t RunningGrid::task(cudaStream_t stream, std::function<void()> work) {
  return add(stream, {Step::Kind::Task, 0, nullptr, std::move(work)});
}

cudaStream_t RunningGrid::createStream() {
  MutexLock lock(mutex_);
  const uint64_t handle = handleBase + family().nextHandle++;
  family().streams.insert(handle);
  return reinterpret_cast<cudaStream_t>(handle);  // NOLINT: a handle, never followed
}

cudaError_t RunningGrid::destroyStream(cudaStream_t stream) {
  MutexLock lock(mutex_);
  return family().streams.erase(numberOf(stream)) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaEvent_t RunningGrid::createEvent() {
  MutexLock lock(mutex_);
  const uint64_t handle = handleBase + family().nextHandle++;
  family().events[handle] = std::make_shared<Event>();
  return reinterpret_cast<cudaEvent_t>(handle);  // NOLINT: a handle, never followed
}

cudaError_t RunningGrid::destroyEvent(cudaEvent_t event) {
  MutexLock lock(mutex_);
  return family().events.erase(numberOf(event)) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t RunningGrid::record(cudaEvent_t event, cudaStream_t stream) {
  if (stream == cudaStreamTailLaunch || stream == cudaStreamFireAndForget) return cudaErrorInvalidValue;
  Step step{Step::Kind::Record};
  {
    MutexLock lock(mutex_);
    auto found = family().events.find(numberOf(event));
    if (found == family().events.end()) return cudaErrorInvalidValue;
    step.event = found->second;
    step.count = ++step.event->recorded;
  }
  return add(stream, std::move(step));
}

cudaError_t RunningGrid::waitFor(cudaStream_t stream, cudaEvent_t event) {
  Step step{Step::Kind::Wait};
  {
    MutexLock lock(mutex_);
    auto found = family().events.find(numberOf(event));
    if (found == family().events.end()) return cudaErrorInvalidValue;
    step.event = found->second;
    step.count = step.event->recorded;
  }
  return add(stream, std::move(step));
}

unsigned RunningGrid::pending() {
  MutexLock lock(mutex_);
  return pending_ ? pending_->load() : 0;
}

bool RunningGrid::hasRoom() { return pending() < context_->limits().get(cudaLimitDevRuntimePendingLaunchCount); }

unsigned RunningGrid::unfinished() {
  MutexLock lock(mutex_);
  if (!family_) return 0;
  auto found = family_->stepsOfBlock.find(currentBlock());
  return found == family_->stepsOfBlock.end() ? 0 : found->second;
}

cudaError_t RunningGrid::lastError() {
  MutexLock lock(mutex_);
  if (!family_) return cudaSuccess;
  auto found = family_->errors.find({currentBlock(), hw_self()->linearThread});
  return found == family_->errors.end() ? cudaSuccess : found->second;
}

void RunningGrid::setLastError(cudaError_t error) {
  MutexLock lock(mutex_);
  if (error == cudaSuccess && !family_) return;
  const std::pair<uint64_t, uint32_t> thread{currentBlock(), hw_self()->linearThread};
  if (error == cudaSuccess) {
    family().errors.erase(thread);
  } else {
    family().errors[thread] = error;
  }
}

// advanceAll() takes every stream as far as it can go; an event reached in one may let another go on.
void RunningGrid::advanceAll(Starts &starts) {
  const bool tailsTurn = !executing_ && family_->stepsLeft == 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (auto &[key, queue] : family_->queues)
      if (key.first != StreamKind::Tail || tailsTurn) moved |= advance(key, queue, starts);
  }
  std::erase_if(family_->queues, [](const auto &entry) { return entry.second.steps.empty(); });
}

bool RunningGrid::advance(const StreamKey &key, Queue &queue, Starts &starts) {
  bool moved = false;
  while (!queue.steps.empty() && !queue.running) {
    Step &step = queue.steps.front();
    switch (step.kind) {
      case Step::Kind::Grid:
        queue.running = true;
        starts.push_back({key, step.grid});
        return true;
      case Step::Kind::Wait:
        if (step.event->reached < step.count) return moved;
        break;
      case Step::Kind::Record:
        step.event->reached = step.count;
        break;
      case Step::Kind::Task:
        step.work();
        break;
    }
    pop(key, queue);
    moved = true;
  }
  return moved;
}

void RunningGrid::pop(const StreamKey &key, Queue &queue) {
  if (key.first != StreamKind::Tail) {
    --family_->stepsLeft;
    const auto block = family_->stepsOfBlock.find(queue.steps.front().block);
    if (--block->second == 0) family_->stepsOfBlock.erase(block);
  }
  queue.steps.pop_front();
  queue.running = false;
}

// dropRest() forgets what has not begun, after a fault.
void RunningGrid::dropRest() {
  for (auto &[key, queue] : family_->queues) {
    const size_t kept = queue.running ? 1 : 0;
    while (queue.steps.size() > kept) {
      Step last = std::move(queue.steps.back());
      queue.steps.pop_back();
      if (last.kind == Step::Kind::Grid) pending_->fetch_sub(1);
      if (key.first == StreamKind::Tail) continue;
      --family_->stepsLeft;
      if (--family_->stepsOfBlock[last.block] == 0) family_->stepsOfBlock.erase(last.block);
    }
  }
}

void RunningGrid::startAll(const Starts &starts) {
  for (const Start &start : starts)
    start.grid->start(start.grid, [parent = shared_from_this(), key = start.key](const fibers::GridOutcome &outcome) {
      parent->childEnded(key, outcome);
    });
}

void RunningGrid::startHeld() {
  if (!holds_.load(std::memory_order_relaxed)) return;
  Starts starts;
  {
    MutexLock lock(mutex_);
    starts.swap(family_->held);
    holds_ = false;
  }
  startAll(starts);
}

void RunningGrid::showEnd(const fibers::GridOutcome &outcome) {
  span_->beginAt(profile::timeOf(outcome.started));
  if (outcome.fault != fibers::Fault::None) span_->add("fault", outcome.diagnosis);
  span_->end();
  span_ = nullptr;
}

void RunningGrid::countForm(const fibers::GridOutcome &outcome) const {
  using profile::Form;
  const auto ran = [&](Form form, uint32_t level) { profile::countForm(*kernel_, form, level); };
  if (outcome.wholeBlocks && !outcome.singleThreads) {
    const auto isRun = [&](const hw_entry &entry) { return entry.run.block == request_.blockEntry; };
    const auto whole = std::ranges::find_if(kernel_->entries(), isRun);
    if (whole == kernel_->entries().end()) return ran(Form::Specialised, hw_isa_level);
    ran(whole->blockDim[0] == 0 ? Form::Block : Form::Shaped, whole->level);
  } else if (outcome.singleThreads) {
    const Form form = outcome.wholeBlocks ? Form::Refused : prerequisitesDone_ ? Form::Overlap : Form::Fibers;
    ran(form, kernel_->threadEntry().level);
  }
}

void RunningGrid::executed(std::shared_ptr<RunningGrid> self, const fibers::GridOutcome &outcome) {
  countForm(outcome);
  if (use_ && outcome.fault == fibers::Fault::None)
    noteRun(*use_, kernel_, request_, std::chrono::steady_clock::now().time_since_epoch().count() - outcome.started);
  if (span_) showEnd(outcome);
  if (ofDevice_) pending_->fetch_sub(1);
  Starts starts;
  bool left = false;
  {
    MutexLock lock(mutex_);
    executing_ = false;
    if (outcome_.fault == fibers::Fault::None) outcome_ = outcome;
    if (family_) starts.swap(family_->held);
    left = goOn(starts);
  }
  startAll(starts);
  if (!left) end(std::move(self));
}

void RunningGrid::childEnded(const StreamKey &key, const fibers::GridOutcome &outcome) {
  Starts starts;
  bool left = false;
  {
    MutexLock lock(mutex_);
    if (outcome_.fault == fibers::Fault::None) outcome_ = outcome;
    pop(key, family_->queues.at(key));
    left = goOn(starts);
  }
  startAll(starts);
  if (!left) end(shared_from_this());
}

// goOn() adds what can start now; false when everything has ended.
bool RunningGrid::goOn(Starts &starts) {
  if (!family_) return executing_;
  if (outcome_.fault != fibers::Fault::None) dropRest();
  advanceAll(starts);
  return executing_ || !family_->queues.empty();
}

// end() tells that everything has ended. What that ends in turn comes after it and not within: launches nest deeply.
void RunningGrid::end(std::shared_ptr<RunningGrid> grid) {
  thread_local std::deque<std::shared_ptr<RunningGrid>> ending;
  ending.push_back(std::move(grid));  // the grid that launched this one may be the last to hold a reference
  if (ending.size() > 1) return;
  for (; !ending.empty(); ending.pop_front()) {
    RunningGrid &each = *ending.front();
    std::exchange(each.ended_, nullptr)(each.finalOutcome());
  }
}

}  // namespace hostwarp::execution
