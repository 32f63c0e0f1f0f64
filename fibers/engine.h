// The thread engine's interface: run a grid of CUDA threads on this machine's cores.
//
// The engine knows kernels as entry functions and nothing of streams, devices or the CUDA API.
#ifndef HOSTWARP_FIBERS_ENGINE_H
#define HOSTWARP_FIBERS_ENGINE_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "include/hostwarp/device_abi.h"

namespace hostwarp::fibers {

struct DeviceLaunch;  // sync_observer.h

// Fault says how a grid ended.
enum class Fault : uint8_t {
  None,
  IllegalAddress,     // a load or store hit unmapped or protected memory
  MisalignedAddress,  // hw_misaligned()
  StackOverflow,      // a thread ran into its stack's guard page
  DivideByZero,
  IllegalInstruction,
  Assert,         // hw_assert_fail()
  Trap,           // hw_trap()
  Deadlock,       // no thread of the grid can ever run again
  Timeout,        // HOSTWARP_TIMEOUT passed
  BadCollective,  // misuse of a barrier or warp collective: lanes that never arrive, wrong mask
  OutOfMemory,    // no memory for stacks or shared memory
};

// GridOutcome is the result of one grid. `diagnosis` is empty on success; otherwise one or more complete lines for a
// person: what happened, kernel, block, thread, file:line where known, what to do.
struct GridOutcome {
  Fault fault = Fault::None;
  std::string diagnosis;
  uint64_t address = 0;  // the faulting address for IllegalAddress
  int64_t started = 0;   // tick of std::chrono::steady_clock at which the first block began
  // How blocks ran: as a whole, or thread by thread. Both where some, or all, began as a whole and could not go on so.
  bool wholeBlocks = false, singleThreads = false;
};

// Place is where a grid stands in a queue of the runtime's: a grid of a smaller number has ended before one of a larger
// begins. Queue 0: in none.
struct Place {
  uint64_t queue = 0;
  uint64_t number = 0;
};

// derivedOrigin() is the GridRequest::origin of part `number` of what has the origin `whole`, never 0.
uint64_t derivedOrigin(uint64_t whole, uint64_t number);

// GridRequest describes one launch. Pointers stay valid until the completion callback has been called.
struct GridRequest {
  hw_kernel_entry entry = nullptr;
  hw_block_entry blockEntry = nullptr;  // runs all threads of a block; null: they must run one by one
  uint64_t frameBytes = 0;              // per thread, for blockEntry
  void *const *args = nullptr;
  const char *kernelName = "";  // demangled, for diagnostics
  hw_dim3 grid{1, 1, 1};
  hw_dim3 block{1, 1, 1};
  hw_dim3 cluster{1, 1, 1};
  size_t staticSharedBytes = 0;  // the dynamic part starts behind it, rounded up to sharedAlignment
  size_t dynamicSharedBytes = 0;
  size_t sharedAlignment = 16;
  size_t sharedGranularity = 1;  // %total_smem_size is a multiple of it
  int64_t deviceDelta = 0;       // hw_thread::deviceDelta
  size_t stackBytes = 0;         // usable stack per CUDA thread; 0: the engine's default
  // For %smid and %nsmid: the SMs that the grid runs on, and all of the device.
  uint32_t firstSm = 0, smCount = 1, deviceSms = 1;
  uint32_t residentBlocks = 1;  // how many blocks of this grid the device holds at a time (>= 1)
  bool cooperative = false;     // all blocks must be resident; hw_grid_sync() is allowed
  bool serialBlocks = false;    // one block at a time on one worker (plain C++ kernels with __shared__ statics)
  int priority = 0;             // lower runs first
  uint64_t gridId = 0;          // %gridid
  bool countsTime = false;      // its clocks tell how often they were looked at, the same in each run
  bool mayBlock = true;         // its blocks may wait for other blocks, other grids or the host
  Place place;
  // What random schedules draw from beside the seed: the same grid has the same number in each run of a program,
  // whatever ends first. 0: the engine takes the ordinal of the submission.
  uint64_t origin = 0;
  void *owner = nullptr;                     // the runtime's own context, see currentOwner()
  void *scope = nullptr;                     // what the grid is a part of, see currentScope()
  void *followed = nullptr;                  // what the observer of its blocks is to note for it, see ObservedBlock
  const DeviceLaunch *launchedBy = nullptr;  // lives until the grid has ended; null: the host has launched it
  // Called with `owner` when a thread of the grid waits for memory that others write: what could write it should start.
  void (*waiting)(void *owner) = nullptr;
  // Called once with `owner`, when every block has called hw_trigger_dependents() or ended; null where nobody asks.
  void (*triggered)(void *owner) = nullptr;
};

// Pacer has the worker of an engine take turns with others. It is called on it, outside of any fiber.
class Pacer {
 public:
  virtual ~Pacer() = default;
  // begins() comes before the worker takes up a block that is not begun; it may block.
  virtual void begins() = 0;
  // looksInVain(): everything that has begun has looked once whether it may go on, and may not, and there is nothing to
  // begin. It blocks until another look may find more; false: nothing is known to have changed, but time has passed.
  virtual bool looksInVain() = 0;
  // goesOnForLong(): what has begun gets on, but has neither ended nor let others begin: it may wait for them in a way
  // that does not show.
  virtual void goesOnForLong() = 0;
};

// EngineOptions are what whoever makes an engine decides.
struct EngineOptions {
  unsigned workers = 0;         // 0: one per hardware thread
  uint64_t seed = 0;            // 0: in order; others: a random schedule drawn from it, thread by thread, on one worker
  bool wholeBlocks = true;      // run GridRequest::blockEntry where there is one
  double timeoutSeconds = 0;    // 0: none
  std::string schedule;         // who goes on wherever threads synchronise (strategy.h); empty: left to `seed`
  std::string scheduleTrace;    // file that the choices are written to; empty: none
  bool divisionsFault = false;  // integer division by zero is a fault; otherwise it gives what GPUs give
  // What lies at an address, in words, if its number would tell nobody: "2 bytes into 'table'"; else an empty text.
  // `deviceDelta` is GridRequest's. Null: numbers have to do.
  std::string (*nameOfAddress)(uint64_t address, int64_t deviceDelta) = nullptr;
  Pacer *pacer = nullptr;  // lives as long as the engine; null: there is nobody to take turns with
};

// isSchedule() tells whether an engine takes the text for EngineOptions::schedule; it throws at any other.
bool isSchedule(const std::string &text);

// GridProgress is how far a grid in flight has come.
struct GridProgress {
  std::string kernelName;
  uint64_t gridId = 0;
  uint64_t blocks = 0;
  uint64_t blocksDone = 0;
  uint64_t blocksRunning = 0;  // begun, waiting ones included
  double seconds = 0;          // since the first block began
};

// EngineUsage is what an engine holds at the moment; all zero, but for the stacks that workers keep for reuse, when it
// rests.
struct EngineUsage {
  size_t fibersOut = 0;   // fibers inside a CUDA thread
  size_t stacksKept = 0;  // stacks held by workers, in use or idle
  unsigned activeWorkers = 0;
};

// Engine runs grids. Thread-safe.
class Engine {
 public:
  explicit Engine(const EngineOptions &options);
  ~Engine();  // waits for all submitted grids

  // submit() queues the grid and returns at once; `done` is called exactly once, on a worker thread outside of any
  // fiber, when its last block has finished or the grid was abandoned after a fault. Grids submitted together run
  // together: a grid that waits for another one's progress never starves it.
  void submit(const GridRequest &request, std::function<void(const GridOutcome &)> done);

  // run() submits the grid and blocks the calling OS thread until it is done. pre: not called from a worker.
  GridOutcome run(const GridRequest &request);

  // help() has the calling OS thread, which would wait otherwise, run blocks of grids that stand at `last` or before it
  // in its queue, until over() or there are none to begin; never more threads at once than there are workers. Grids
  // whose blocks may wait for others are left to the workers. It does nothing on a worker.
  void help(const Place &last, const std::function<bool()> &over);

  unsigned workers() const;
  const EngineOptions &options() const;
  EngineUsage usage() const;

  // progress() lists the grids in flight that have begun, in the order of their submission.
  std::vector<GridProgress> progress() const;

  // cancelAll() ends every grid in flight with Fault::Timeout as soon as possible and returns at once; for process
  // exit.
  void cancelAll();

  // process() is the engine of this process, made from `options` at first use.
  static Engine &process(const EngineOptions &options);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// currentOwner() returns GridRequest::owner of the grid that the calling CUDA thread belongs to; null outside kernels.
void *currentOwner();
// currentScope() returns GridRequest::scope likewise.
void *currentScope();
// failCurrentGrid() ends the calling CUDA thread's grid with this outcome; used by the device ABI's own functions. The
// thread is abandoned without unwinding: hold no lock and own no memory. `what` is a sentence, to which kernel, block,
// thread and the caller's line are added; or complete lines, the last one ended by '\n', which stay as they are.
// failGridAt() names another place (a return address).
[[noreturn]] void failCurrentGrid(Fault fault, const std::string &what);
[[noreturn]] void failGridAt(Fault fault, std::string what, const void *site);
// describeCurrentThread() gives "kernel foo, block (1,0,0), thread (3,0,0)".
std::string describeCurrentThread();

// RuntimeSection protects a stretch of runtime code that a CUDA thread runs (hw_malloc(), hw_vprintf()) and that must
// not be abandoned half-way, because it holds a lock or changes shared data. While one exists on the calling CUDA
// thread no timeout ends the thread. pre: a section touches no memory by the user's pointers (a fault inside ends the
// process) and does not call failCurrentGrid() or any hw_ function that waits. Outside of kernels it does nothing.
class RuntimeSection {
 public:
  RuntimeSection();
  ~RuntimeSection();
  RuntimeSection(const RuntimeSection &) = delete;
  RuntimeSection &operator=(const RuntimeSection &) = delete;

 private:
  hw_thread *thread_;
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_ENGINE_H
