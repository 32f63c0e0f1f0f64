#include "fibers/engine.h"

#include <pthread.h>

#include <atomic>
#include <utility>

#include "fibers/block.h"
#include "fibers/debugger.h"
#include "fibers/diagnosis.h"
#include "fibers/dispatcher.h"
#include "fibers/fault_handler.h"
#include "fibers/mutex.h"
#include "fibers/worker.h"

namespace hostwarp::fibers {
namespace {

std::atomic<Engine *> processEngine{nullptr};
Engine *parentsEngine = nullptr;  // keeps it reachable for leak checkers
constinit Mutex processMutex;

// A forked child has none of the engine's threads: it leaves the parent's engine alone and makes one of its own when it
// needs one. Grids that ran at the fork exist in the parent only.
void forgetAfterFork() {
  parentsEngine = processEngine.exchange(nullptr);
  processMutex.renewAfterFork();
  hw_current = nullptr;
}

}  // namespace

class Engine::Impl {
 public:
  explicit Impl(const EngineOptions &options) : dispatcher(options) {}
  Dispatcher dispatcher;
};

Engine::Engine(const EngineOptions &options) : impl_(std::make_unique<Impl>(options)) {}

Engine::~Engine() = default;

void Engine::submit(const GridRequest &request, std::function<void(const GridOutcome &)> done) {
  impl_->dispatcher.submit(request, std::move(done));
}

GridOutcome Engine::run(const GridRequest &request) {
  Mutex mutex;
  Condition ended;
  bool over = false;
  GridOutcome result;
  submit(request, [&](const GridOutcome &outcome) {
    const MutexLock lock(mutex);
    result = outcome;
    over = true;
    ended.notifyOne();
  });
  MutexLock lock(mutex);
  while (!over) ended.wait(lock);
  return result;
}

void Engine::help(const Place &last, const std::function<bool()> &over) {
  if (boundWorker() == nullptr) impl_->dispatcher.help(last, over);
}

unsigned Engine::workers() const { return impl_->dispatcher.options().workers; }

const EngineOptions &Engine::options() const { return impl_->dispatcher.options(); }

EngineUsage Engine::usage() const {
  return {impl_->dispatcher.fibersOut(), impl_->dispatcher.stacks().stacksInUse(), impl_->dispatcher.activeWorkers()};
}

std::vector<GridProgress> Engine::progress() const {
  std::vector<GridProgress> all;
  for (const auto &grid : impl_->dispatcher.gridsInFlight())
    if (auto progress = grid->progress()) all.push_back(*std::move(progress));
  return all;
}

void Engine::cancelAll() { impl_->dispatcher.cancelAll(); }

Engine &Engine::process(const EngineOptions &options) {
  if (Engine *engine = processEngine.load(std::memory_order_acquire)) return *engine;
  const MutexLock lock(processMutex);
  static bool watching HOSTWARP_GUARDED_BY(processMutex) = false;
  if (!std::exchange(watching, true)) pthread_atfork(nullptr, nullptr, forgetAfterFork);
  Engine *engine = processEngine.load();
  if (engine == nullptr) {
    // Never destroyed: its workers may still run while the process ends.
    engine = new Engine(options);
    processEngine.store(engine, std::memory_order_release);
  }
  return *engine;
}

bool isSchedule(const std::string &text) {
  std::string complaint;
  return text.empty() || makeStrategy(text, complaint) != nullptr;
}

void *currentOwner() {
  const Fiber *fiber = currentFiber();
  return fiber != nullptr ? fiber->block->grid().request().owner : nullptr;
}

void *currentScope() {
  const Fiber *fiber = currentFiber();
  return fiber != nullptr ? fiber->block->grid().request().scope : nullptr;
}

void failCurrentGrid(Fault fault, const std::string &what) { failGridAt(fault, what, __builtin_return_address(0)); }

void failGridAt(Fault fault, std::string what, const void *site) {
  Fiber *fiber = currentFiber();
  fiber->inEngine = 1;
  hw_debugger_fault(static_cast<uint32_t>(fault), what.c_str());
  PendingFault &pending = fiber->block->worker().pending();
  pending.fault = fault;
  pending.what = std::move(what);
  pending.site = site;
  pending.siteIsReturn = true;
  pending.fiber = fiber;
  fiber->block->leave(BlockStop::Faulted);
}

std::string describeCurrentThread() {
  const Fiber *fiber = currentFiber();
  if (fiber == nullptr) return "host code";
  return std::string("kernel ") + fiber->block->grid().request().kernelName + ", " + describeThread(fiber->thread);
}

RuntimeSection::RuntimeSection() : thread_(hw_current) {
  if (thread_ != nullptr) ++reinterpret_cast<Fiber *>(thread_)->guarded;
}

RuntimeSection::~RuntimeSection() {
  if (thread_ != nullptr) --reinterpret_cast<Fiber *>(thread_)->guarded;
}

}  // namespace hostwarp::fibers
