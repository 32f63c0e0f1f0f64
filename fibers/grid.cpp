#include "fibers/grid.h"

#include <link.h>

#include <algorithm>
#include <utility>

#include "fibers/debugger.h"
#include "fibers/sync_observer.h"

namespace hostwarp::fibers {
namespace {

constexpr int kMostDetails = 4;
// Interrupts before a thread is abandoned even inside of a library (the watchdog sends one every 10 ms).
constexpr unsigned kPatientInterrupts = 200;

struct CodeQuery {
  uintptr_t entry;
  uintptr_t low = 0;
  uintptr_t high = 0;
};

int findSegment(dl_phdr_info *object, size_t, void *data) {
  CodeQuery &query = *static_cast<CodeQuery *>(data);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto &segment = object->dlpi_phdr[i];
    const uintptr_t low = object->dlpi_addr + segment.p_vaddr;
    if (segment.p_type != PT_LOAD || query.entry < low || query.entry >= low + segment.p_memsz) continue;
    query.low = low;
    query.high = low + segment.p_memsz;
    return 1;
  }
  return 0;
}

uint32_t residentLimitOf(const GridRequest &request) {
  if (request.serialBlocks) return 1;
  if (request.cooperative) return std::numeric_limits<uint32_t>::max();
  return std::max(request.residentBlocks / (request.cluster.x * request.cluster.y * request.cluster.z), 1u);
}

}  // namespace

Grid::Grid(const GridRequest &request, uint64_t launch, Done done)
    : request_(request),
      launch_(launch),
      blockCount_(uint64_t{request.grid.x} * request.grid.y * request.grid.z),
      clusterCount_(blockCount_ / blocksPerCluster()),
      residentLimit_(residentLimitOf(request)),
      done_(std::move(done)) {
  if (request.cooperative) ended_.resize(blockCount_);
}

hw_dim3 Grid::blockIndex(uint64_t linear) const {
  const hw_dim3 &dim = request_.grid;
  // 32-bit divisions are several times faster, and nearly every grid is that small.
  if (blockCount_ <= std::numeric_limits<uint32_t>::max()) {
    const uint32_t small = static_cast<uint32_t>(linear);
    if (small < dim.x) return {small, 0, 0};
    const uint32_t row = small / dim.x;
    return {small % dim.x, row % dim.y, row / dim.y};
  }
  const uint64_t row = linear / dim.x;
  return {static_cast<uint32_t>(linear % dim.x), static_cast<uint32_t>(row % dim.y),
          static_cast<uint32_t>(row / dim.y)};
}

uint64_t Grid::blockOfCluster(uint64_t cluster, uint32_t rank) const {
  const hw_dim3 &size = request_.cluster, &grid = request_.grid;
  const uint64_t across = grid.x / size.x, down = grid.y / size.y;
  const uint64_t x = cluster % across * size.x + rank % size.x;
  const uint64_t y = cluster / across % down * size.y + rank / size.x % size.y;
  const uint64_t z = cluster / across / down * size.z + rank / size.x / size.y;
  return x + grid.x * (y + grid.y * z);
}

bool Grid::takeToken() {
  uint32_t held = residents_.load();
  do {
    if (held >= residentLimit_) return false;
  } while (!residents_.compare_exchange_weak(held, held + 1));
  return true;
}

bool Grid::releaseToken() {
  const auto hasBlocksLeft = [this] { return !stopped_.load() && nextCluster_.load() < clusterCount_; };
  do {
    // The look comes before the token is given back: from then on another worker may draw the last block, which would
    // still be running.
    const bool ended = !hasBlocksLeft();
    if (residents_.fetch_sub(1) != 1) return false;
    if (ended) return !completed_.exchange(true);
    // Where the last block has been drawn in between, whoever did that may have left the end to this caller.
  } while (!hasBlocksLeft() && takeToken());
  return false;
}

uint32_t Grid::nextPositions(uint64_t &first, uint32_t wanted) {
  if (stopped_.load()) return 0;
  first = nextCluster_.fetch_add(wanted);
  if (first == 0) {
    startTick_.store(Clock::now().time_since_epoch().count());
    hw_debugger_launch(this);
  }
  return first < clusterCount_ ? static_cast<uint32_t>(std::min<uint64_t>(wanted, clusterCount_ - first)) : 0;
}

void Grid::blocksTriggered(uint32_t count) {
  if (triggeredBlocks_.fetch_add(count) + count == blockCount_) request_.triggered(request_.owner);
}

bool Grid::fail(GridOutcome outcome) {
  MutexLock lock(mutex_);
  if (completed_.load() || outcome_.fault != Fault::None) return false;
  outcome_ = std::move(outcome);
  stopped_.store(true);
  return true;
}

void Grid::addDetail(Fault onlyFor, const std::string &lines) {
  MutexLock lock(mutex_);
  if (outcome_.fault != onlyFor || details_ == kMostDetails) return;
  ++details_;
  if (!outcome_.diagnosis.empty() && outcome_.diagnosis.back() != '\n') outcome_.diagnosis += '\n';
  outcome_.diagnosis += lines;
}

Fault Grid::fault() const {
  MutexLock lock(mutex_);
  return outcome_.fault;
}

void Grid::complete() {
  GridOutcome outcome;
  {
    MutexLock lock(mutex_);
    outcome = std::move(outcome_);
    reported_ = true;
  }
  outcome.started = startTick_.load(std::memory_order_relaxed);
  outcome.wholeBlocks = wholeBlocks_.load(std::memory_order_relaxed);
  outcome.singleThreads = singleThreads_.load(std::memory_order_relaxed);
  if (syncObserver != nullptr) syncObserver->gridEnds(launch_, outcome.fault == Fault::None);
  if (done_) std::exchange(done_, nullptr)(outcome);
}

std::optional<GridProgress> Grid::progress() const {
  MutexLock lock(mutex_);
  if (reported_ || !hasStarted()) return std::nullopt;
  const uint64_t begun = std::min(nextCluster_.load(std::memory_order_relaxed), clusterCount_);
  const uint64_t running = std::min<uint64_t>(residents(), begun);
  const std::chrono::duration<double> elapsed = Clock::now() - started();
  return GridProgress{.kernelName = request_.kernelName,
                      .gridId = request_.gridId,
                      .blocks = blockCount_,
                      .blocksDone = (begun - running) * blocksPerCluster(),
                      .blocksRunning = running * blocksPerCluster(),
                      .seconds = elapsed.count()};
}

void Grid::findCode() {
  interrupts_.fetch_add(1);
  if (codeHigh_.load() != 0) return;
  CodeQuery query{reinterpret_cast<uintptr_t>(request_.entry)};
  dl_iterate_phdr(findSegment, &query);
  codeLow_.store(query.low);
  codeHigh_.store(query.high);
}

bool Grid::mayInterruptAt(uintptr_t address) const {
  return (address >= codeLow_.load() && address < codeHigh_.load()) || interrupts_.load() > kPatientInterrupts;
}

bool Grid::arriveBlock() {
  MutexLock lock(mutex_);
  if (++arrivedBlocks_ < blockCount_) {
    checkBarrierLocked();
    return false;
  }
  arrivedBlocks_ = 0;
  phase_.fetch_add(1, std::memory_order_release);
  return true;
}

void Grid::blockEnded(uint64_t linear) {
  if (!request_.cooperative) return;
  MutexLock lock(mutex_);
  ended_[linear] = true;
  ++endedBlocks_;
  checkBarrierLocked();
}

void Grid::checkBarrierLocked() {
  if (arrivedBlocks_ != 0 && endedBlocks_ != 0 && arrivedBlocks_ + endedBlocks_ == blockCount_)
    barrierBroken_.store(true, std::memory_order_release);
}

std::string Grid::describeMissingBlocks() const {
  MutexLock lock(mutex_);
  return std::to_string(endedBlocks_) + " of " + std::to_string(blockCount_) + " blocks have exited and never arrive";
}

}  // namespace hostwarp::fibers
