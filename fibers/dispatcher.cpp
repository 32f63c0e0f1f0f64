#include "fibers/dispatcher.h"

#include <algorithm>
#include <cfenv>
#include <stdexcept>
#include <thread>
#include <utility>

#include "fibers/cpu_pause.h"
#include "fibers/debugger.h"
#include "fibers/diagnosis.h"
#include "fibers/fault_handler.h"
#include "fibers/recycled.h"
#include "fibers/worker.h"

namespace hostwarp::fibers {
namespace {

// makeRoom() sees that one more element needs no memory, so that a grid is in both lists or in none.
void makeRoom(std::vector<std::shared_ptr<Grid>> &grids) {
  if (grids.size() == grids.capacity()) grids.reserve(2 * grids.size() + 8);
}

// A worker without work looks for some this long before it sleeps: launches in a row then meet a worker that is awake.
constexpr std::chrono::microseconds kIdleSearch{20};

using Clock = std::chrono::steady_clock;

// processors() are those that this process may use.
unsigned processors() {
  static const unsigned count = std::max(std::thread::hardware_concurrency(), 1u);
  return count;
}

unsigned workersFor(const EngineOptions &options) { return options.workers != 0 ? options.workers : processors(); }

// resolved(): with several workers the order among blocks would be the machine's.
EngineOptions resolved(EngineOptions options) {
  options.workers = options.schedule.empty() && options.seed == 0 ? workersFor(options) : 1;
  return options;
}

std::unique_ptr<Director> makeDirector(const EngineOptions &options) {
  if (options.schedule.empty()) return nullptr;
  std::string complaint;
  std::unique_ptr<Strategy> strategy = makeStrategy(options.schedule, complaint);
  if (strategy == nullptr) throw std::invalid_argument(complaint);
  return std::make_unique<Director>(std::move(strategy), options.scheduleTrace, options.schedule.starts_with("picks:"));
}

}  // namespace

Dispatcher::Dispatcher(const EngineOptions &options)
    : options_(resolved(options)),
      policy_(makeSchedulePolicy(options_)),
      director_(makeDirector(options_)),
      watchdog_(*this, options_.timeoutSeconds) {
  installFaultHandlers();
  showToDebuggers(*this);
  for (unsigned i = 0; i < options_.workers; ++i) workers_.push_back(std::make_unique<Worker>(*this));
  for (auto worker = workers_.rbegin(); worker != workers_.rend(); ++worker) freeWorkers_.push_back(worker->get());
}

Dispatcher::~Dispatcher() {
  hideFromDebuggers(*this);
  MutexLock lock(mutex_);
  ends_ = true;
  rest_.notifyAll();
  while (!inFlight_.empty() || launched_ != 0) quiet_.wait(lock);
}

// wantedFor() is how many workers the grid could keep busy.
unsigned Dispatcher::wantedFor(const Grid &grid) const {
  if (grid.request().serialBlocks || grid.blockCount() == 0) return 1;
  return static_cast<unsigned>(std::min<uint64_t>(grid.blockCount(), options_.workers));
}

void Dispatcher::submit(const GridRequest &request, Grid::Done done) {
  auto grid = makeRecycled<Grid>(request, launches_.fetch_add(1), std::move(done));
  bool isCalled = false;
  {
    MutexLock lock(mutex_);
    // What may fail comes first. The workers do not look before the lock is free.
    makeRoom(open_);
    makeRoom(inFlight_);
    Worker *const self = boundWorker();
    const unsigned own = self != nullptr && self->takesNext(*grid) ? 1 : 0;
    const unsigned others = wantedFor(*grid) - own;
    // Blocks of one that has several may wait for those that others find in open_ only.
    if (own != 0 && grid->clusterCount() == 1 && open_.empty()) {
      inFlight_.push_back(grid);
      return self->giveNext(std::move(grid));
    }
    isCalled = callWorkersLocked(others);
    const auto after = std::upper_bound(open_.begin(), open_.end(), grid, [](const auto &a, const auto &b) {
      return a->request().priority < b->request().priority;
    });
    open_.insert(after, grid);
    inFlight_.push_back(grid);
    submissions_.fetch_add(1);
    workEpoch_.fetch_add(1);
    if (sleeping_ != 0) changed_.notifyAll();
  }
  if (isCalled) rest_.notifyOne();
  if (options_.timeoutSeconds > 0) watchdog_.alert();
}

// launchWorkersLocked() sees that `wanted` workers beside the busy ones exist or are on their way. With at least one it
// does not fail.
void Dispatcher::launchWorkersLocked(unsigned wanted) {
  if (callWorkersLocked(wanted)) rest_.notifyOne();
}

// callWorkersLocked() does the same, but for waking one that rests, of which it tells. He calls the next when he has
// found work and there is more: the thread that launches goes on meanwhile, and may do it all.
bool Dispatcher::callWorkersLocked(unsigned wanted) {
  unsigned have = searching_.load() - (resting_ - calls_);
  if (have < wanted && calls_ < resting_) {
    ++calls_;
    return true;
  }
  for (; have < wanted && launched_ < options_.workers; ++have) {
    try {
      std::thread([this] { serve(); }).detach();
    } catch (...) {
      if (launched_ == 0) throw;
      break;
    }
    ++launched_;
  }
  return false;
}

// Binding makes the calling thread a worker while it exists, if one is free. What came meanwhile may have found no
// other: a guest, who does not look himself, sees in the end that somebody does.
class Dispatcher::Binding {
 public:
  Binding(Dispatcher &dispatcher, bool guest) : dispatcher_(dispatcher), guest_(guest) {
    MutexLock lock(dispatcher_.mutex_);
    if (dispatcher_.freeWorkers_.empty()) return;
    worker_ = dispatcher_.freeWorkers_.back();
    dispatcher_.freeWorkers_.pop_back();
    worker_->setThread(true);
    dispatcher_.active_.fetch_add(1);
  }
  ~Binding() {
    if (worker_ == nullptr) return;
    MutexLock lock(dispatcher_.mutex_);
    worker_->setThread(false);
    dispatcher_.freeWorkers_.push_back(worker_);
    dispatcher_.active_.fetch_sub(1);
    if (!guest_ || dispatcher_.open_.empty()) return;
    dispatcher_.announceWork();  // to threads that have found no worker free
    dispatcher_.launchWorkersLocked(1);
  }
  Binding(const Binding &) = delete;
  Binding &operator=(const Binding &) = delete;

  Worker *worker() const { return worker_; }

 private:
  Dispatcher &dispatcher_;
  const bool guest_;
  Worker *worker_ = nullptr;
};

// serve() is what the threads that the dispatcher makes do.
void Dispatcher::serve() {
  std::fesetenv(FE_DFL_ENV);  // a thread begins with the rounding of the one that made it
  uint64_t epoch = 0;
  do {
    epoch = workEpoch();
    const Binding binding(*this, /*guest=*/false);
    if (binding.worker() == nullptr) continue;  // threads that help have them all
    binding.worker()->run();
    epoch = binding.worker()->leftAtEpoch();
  } while (search(epoch));
  MutexLock lock(mutex_);
  --launched_;
  // A grid that came between the last look and this line found all workers launched.
  if (workEpoch() != epoch && !open_.empty() && !freeWorkers_.empty()) launchWorkersLocked(1);
  quiet_.notifyAll();
}

// search() waits for work, first awake, unless that would keep the last processor from the threads that launch, then
// asleep; false: none will come any more.
bool Dispatcher::search(uint64_t epoch) {
  if (searching_.fetch_add(1) + 1 - resting_ < processors()) {
    const auto deadline = Clock::now() + kIdleSearch;
    while (workEpoch() == epoch && Clock::now() < deadline) cpuPause();
  }
  MutexLock lock(mutex_);
  ++resting_;
  while (calls_ == 0 && workEpoch() == epoch && !ends_) rest_.wait(lock);
  --resting_;
  const bool isCalled = calls_ != 0;
  if (isCalled) --calls_;
  searching_.fetch_sub(1);
  return isCalled || workEpoch() != epoch;
}

void Dispatcher::help(const Place &last, const std::function<bool()> &over) {
  if (director_ != nullptr || !policy_->inOrder()) return;  // who chooses what runs needs no help
  const Binding binding(*this, /*guest=*/true);
  if (binding.worker() == nullptr) return;
  std::shared_ptr<Grid> grid;
  uint64_t position = 0;
  if (over() || !claimFor(last, grid, position)) return;
  Worker::Guest guest(*binding.worker(), last);
  do guest.run(std::move(grid), position);
  while (!over() && claimFor(last, grid, position));
}

bool Dispatcher::claimFor(const Place &last, std::shared_ptr<Grid> &grid, uint64_t &position) {
  MutexLock lock(mutex_);
  const auto isInFront = [&](const Grid &each) { return each.standsBefore(last) && !each.stopped(); };
  auto found = open_.begin();
  while (found != open_.end() && !(isInFront(**found) && tryClaimLocked(**found, position))) ++found;
  if (found == open_.end()) return false;
  grid = *found;
  if (grid->exhausted()) open_.erase(found);
  if (!open_.empty()) launchWorkersLocked(1);
  return true;
}

bool Dispatcher::claim(std::shared_ptr<Grid> &grid, uint64_t &position) {
  if (options_.pacer != nullptr) options_.pacer->begins();
  std::vector<std::shared_ptr<Grid>> ended;
  bool found = false;
  {
    MutexLock lock(mutex_);
    for (size_t i = 0; i < open_.size() && !found;) {
      const std::shared_ptr<Grid> candidate = open_[i];
      found = tryClaimLocked(*candidate, position);
      if (found) grid = candidate;
      if (!candidate->exhausted()) {
        ++i;
        continue;
      }
      open_.erase(open_.begin() + static_cast<ptrdiff_t>(i));
      // A grid that ends without anyone holding a token of it is completed by whoever notices.
      if (!found && candidate->takeToken() && candidate->releaseToken()) ended.push_back(candidate);
    }
    if (found && !open_.empty()) launchWorkersLocked(1);
  }
  for (const auto &each : ended) complete(each);
  return found;
}

bool Dispatcher::claimOf(Grid &grid, uint64_t &position) {
  MutexLock lock(mutex_);
  return tryClaimLocked(grid, position);
}

bool Dispatcher::tryClaimLocked(Grid &grid, uint64_t &position) {
  const bool serial = grid.request().serialBlocks;
  if (grid.exhausted() || (serial && serialHeld_.load()) || !grid.takeToken()) return false;
  if (!grid.nextPosition(position)) {
    grid.dropToken();
    return false;
  }
  if (serial) serialHeld_.store(true);
  return true;
}

void Dispatcher::release(const std::shared_ptr<Grid> &grid) {
  if (grid->request().serialBlocks) {
    serialHeld_.store(false);
    announceWork();
  }
  if (grid->releaseToken()) return complete(grid);
  if (!grid->exhausted()) announceWork();
}

void Dispatcher::complete(const std::shared_ptr<Grid> &grid) {
  grid->complete();
  MutexLock lock(mutex_);
  std::erase(inFlight_, grid);
  std::erase(open_, grid);
  quiet_.notifyAll();
}

void Dispatcher::announceWork() { workEpoch_.fetch_add(1); }

void Dispatcher::announceRelease() {
  releases_.fetch_add(1);
  if (sleeping_.load() == 0) return;
  MutexLock lock(mutex_);
  changed_.notifyAll();
}

bool Dispatcher::stop(const std::shared_ptr<Grid> &grid, GridOutcome outcome) {
  if (!grid->fail(std::move(outcome))) return false;
  announceWork();
  announceRelease();
  {
    MutexLock lock(mutex_);
    launchWorkersLocked(1);  // somebody must complete a grid that has not begun
  }
  watchdog_.alert();
  return true;
}

void Dispatcher::cancelAll() {
  for (const auto &grid : gridsInFlight()) stop(grid, cancelled(*grid));
}

void Dispatcher::waitForEvent(std::chrono::microseconds limit) {
  MutexLock lock(mutex_);
  sleeping_.fetch_add(1);
  changed_.waitFor(lock, limit);
  sleeping_.fetch_sub(1);
}

std::vector<std::shared_ptr<Grid>> Dispatcher::gridsInFlight() const {
  MutexLock lock(mutex_);
  return inFlight_;
}

void Dispatcher::prod(Grid &grid) {
  grid.findCode();
  MutexLock lock(mutex_);
  for (const auto &worker : workers_)
    if (worker->onThread() && worker->runningGrid() == &grid) interrupt(worker->thread());
}

size_t Dispatcher::fibersOut() const {
  MutexLock lock(mutex_);
  size_t out = 0;
  for (const auto &worker : workers_) out += worker->fibersOut();
  return out;
}

}  // namespace hostwarp::fibers
