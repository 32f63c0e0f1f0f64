#include "emu_runtime/stream/turns.h"

#include <pthread.h>

#include <atomic>
#include <utility>

#include "emu_runtime/support/options.h"
#include "fibers/engine.h"

namespace hostwarp::stream {

namespace {

// How long others wait for somebody who may wait for them without saying so: a host function for the thread that
// submits work, a kernel that our compiler has not made.
constexpr std::chrono::seconds taskPatience{1};
constexpr std::chrono::seconds gridPatience{60};
constexpr std::chrono::milliseconds tick{100};

// How long kernels that wait do not look again though nothing is known to have changed. The first time it is long
// enough for the host to come to its next call, so that how often they look does not depend on how fast it is.
constexpr std::chrono::milliseconds longPause{100};
constexpr std::chrono::microseconds shortPause{100};

std::atomic<Turns *> ofProcess{nullptr};
Turns *ofParent = nullptr;  // keeps it reachable for leak checkers

// The task whose thread this is; 0: none.
thread_local uint64_t ownTask = 0;
thread_local bool isInCall = false;

void beginAnew() { ofParent = ofProcess.exchange(new Turns); }

}  // namespace

bool Turns::areAsked() {
  return optionInteger(Option::SEED) != 0 || !optionText(Option::SCHEDULE).empty() ||
         optionText(Option::BUILD) == "checked";
}

Turns &Turns::process() {
  static const bool isMade = [] {
    beginAnew();
    return pthread_atfork(nullptr, nullptr, beginAnew) == 0;
  }();
  static_cast<void>(isMade);
  return *ofProcess.load(std::memory_order_acquire);
}

// waitForChange() returns after a while in any case, because patience ends without a change.
void Turns::waitForChange(MutexLock &lock) {
  changed_.waitUntil(lock, std::chrono::steady_clock::now() + tick);
  losePatience();
}

void Turns::change() {
  ++changes_;
  changed_.notifyAll();
}

// lookInVain(): a look has ended that began where the last one did, and the next one begins.
void Turns::lookInVain(Look &look) {
  const bool wasVain = isVain(look);
  look.vain = std::exchange(look.next, changes_);
  if (!wasVain && isVain(look)) changed_.notifyAll();
}

void Turns::losePatience() {
  const Time now = std::chrono::steady_clock::now();
  if (waitingGrids_ != 0 && now - engineSince_ > gridPatience) engineRests_ = true;
  for (auto &[number, task] : tasks_)
    if (task.hasBegun && now - task.since > taskPatience) task.rests = true;
}

bool Turns::tasksAreCalm() const {
  for (const auto &[number, task] : tasks_)
    if (task.hasBegun && !task.rests && !isVain(task.look)) return false;
  return true;
}

// nextTask() is the first that has not begun; 0: there is none.
uint64_t Turns::nextTask() const {
  for (const auto &[number, task] : tasks_)
    if (!task.hasBegun) return number;
  return 0;
}

bool Turns::Call::enter() {
  if (isInCall || ownTask != 0 || fibers::currentOwner() != nullptr) return false;
  isInCall = true;
  process().hostWaits(/*hasWritten=*/true);
  return true;
}

void Turns::Call::leave() {
  process().hostWaits(/*hasWritten=*/false);
  isInCall = false;
}

// hostWaits(): what it may have written, others have to look at.
void Turns::hostWaits(bool hasWritten) {
  MutexLock lock(mutex_);
  if (hasWritten) change();
  while (nextTask() != 0 || !workIsCalm()) waitForChange(lock);
}

void Turns::countBatches(int more) {
  MutexLock lock(mutex_);
  batches_ += more;
  if (more < 0) change();
}

void Turns::countGrids(int more, bool mayWait) {
  MutexLock lock(mutex_);
  grids_ += more;
  if (mayWait) waitingGrids_ += more;
  engineRests_ = false;
  engineSince_ = std::chrono::steady_clock::now();
  change();
}

uint64_t Turns::announceTask() {
  MutexLock lock(mutex_);
  tasks_[++lastTask_];
  return lastTask_;
}

void Turns::beginTask(uint64_t task) {
  ownTask = task;
  MutexLock lock(mutex_);
  while (nextTask() != task || !workIsCalm()) waitForChange(lock);
  tasks_[task] = {.hasBegun = true, .since = std::chrono::steady_clock::now()};
}

void Turns::endTask(uint64_t task) {
  if (ownTask == task) ownTask = 0;
  MutexLock lock(mutex_);
  tasks_.erase(task);
  change();
}

void Turns::taskLooksInVain() {
  if (ownTask == 0) return;
  Turns &turns = process();
  MutexLock lock(turns.mutex_);
  if (const auto task = turns.tasks_.find(ownTask); task != turns.tasks_.end()) turns.lookInVain(task->second.look);
}

void Turns::taskRests() {
  if (ownTask == 0) return;
  Turns &turns = process();
  MutexLock lock(turns.mutex_);
  if (const auto task = turns.tasks_.find(ownTask); task != turns.tasks_.end()) task->second.rests = true;
  turns.change();
}

void Turns::engineBegins() {
  MutexLock lock(mutex_);
  while (batches_ != 0 || !tasksAreCalm()) waitForChange(lock);
}

bool Turns::engineLooksInVain() {
  MutexLock lock(mutex_);
  lookInVain(engineLook_);
  if (!isVain(engineLook_)) return true;
  const uint64_t seen = changes_;
  const bool hasPaused = std::exchange(enginePaused_, seen) == seen;
  const Time now = std::chrono::steady_clock::now();
  const Time deadline = hasPaused ? now + shortPause : now + longPause;
  while (changes_ == seen || batches_ != 0 || !tasksAreCalm())
    if (!changed_.waitUntil(lock, deadline)) break;
  return changes_ != seen;
}

void Turns::engineRests() {
  MutexLock lock(mutex_);
  engineRests_ = true;
  changed_.notifyAll();
}

}  // namespace hostwarp::stream
