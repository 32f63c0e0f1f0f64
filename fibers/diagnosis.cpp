#include "fibers/diagnosis.h"

#include <algorithm>
#include <cstdio>
#include <tuple>
#include <vector>

#include "fibers/block.h"
#include "fibers/source_location.h"
#include "fibers/thread_ranges.h"
#include "fibers/worker.h"

namespace hostwarp::fibers {
namespace {

constexpr size_t kMostGroups = 24;

std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string triple(const hw_dim3 &v) {
  return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

std::string kernelText(const Grid &grid) { return std::string("kernel ") + grid.request().kernelName; }

// addressText() names an address by what lies there where the number would be another one in each run of the program.
std::string addressText(const Block &block, uint64_t address) {
  const uint64_t offset = address - reinterpret_cast<uintptr_t>(block.sharedMemory());
  if (offset < block.prototype().sharedBytes) return ", at offset " + std::to_string(offset) + " of shared memory";
  const std::string name = block.worker().nameOfAddress(address, block.prototype().deviceDelta);
  return name.empty() ? " " + hex(address) : ", " + name;
}

std::string faultSentence(const Block &block, const PendingFault &pending) {
  switch (pending.fault) {
    case Fault::IllegalAddress:
      return pending.addressKnown ? "illegal address" + addressText(block, pending.address)
                                  : "illegal address (not one a pointer can hold)";
    case Fault::MisalignedAddress:
      return "misaligned address" + addressText(block, pending.address) + ": the access needs a multiple of " +
             std::to_string(pending.alignment) + " bytes";
    case Fault::StackOverflow:
      return "stack overflow: the thread used more than its " +
             std::to_string(StackPool::usableBytes(block.grid().request().stackBytes) / 1024) + " KiB of stack";
    case Fault::DivideByZero:
      return "integer division by zero (or a quotient that does not fit)";
    case Fault::IllegalInstruction:
      return "illegal instruction (__builtin_trap, or code that must not be reached)";
    default:
      return "fault";
  }
}

const char *hintFor(Fault fault) {
  switch (fault) {
    case Fault::StackOverflow:
      return "hint: raise the limit with cudaDeviceSetLimit(cudaLimitStackSize, bytes), or look for endless recursion "
             "and large local arrays\n";
    case Fault::MisalignedAddress:
      return "hint: a pointer was cast to one of a type with a larger alignment, or moved by a number of bytes that is "
             "no multiple of the type's size\n";
    case Fault::IllegalAddress:
      return "hint: an address near 0 is a null pointer; others come from an index out of range, freed memory or a "
             "host pointer of another process\n";
    default:
      return "";
  }
}

const char *barrierName(const Wait &wait) {
  switch (wait.operation) {
    case HW_COUNT + 1:
      return "__syncthreads_count()";
    case HW_AND + 1:
      return "__syncthreads_and()";
    case HW_OR + 1:
      return "__syncthreads_or()";
    default:
      return "__syncthreads()";
  }
}

std::string barrierText(const Wait &wait) {
  if (wait.detail == 0 && wait.count == 0) return barrierName(wait);
  std::string text = "barrier " + std::to_string(wait.detail);
  if (wait.count != 0) text += " (for " + std::to_string(wait.count) + " threads)";
  return text;
}

std::string collectiveName(const Wait &wait) {
  static constexpr const char *kShuffles[] = {"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor"};
  static constexpr const char *kVotes[] = {"__all", "__any", "__uni", "__ballot"};
  static constexpr const char *kReductions[] = {"__reduce_add", "__reduce_min", "__reduce_max", "__reduce_min",
                                                "__reduce_max", "__reduce_and", "__reduce_or",  "__reduce_xor"};
  switch (wait.collective) {
    case Collective::SyncWarp:
      return "__syncwarp";
    case Collective::Shuffle:
      return std::string(kShuffles[wait.operation & 3]) + (wait.detail != 0 ? "_sync" : "");
    case Collective::Vote:
      return std::string(kVotes[wait.operation & 3]) + (wait.detail != 0 ? "_sync" : "");
    case Collective::MatchAny:
      return "__match_any_sync";
    case Collective::MatchAll:
      return "__match_all_sync";
    case Collective::Reduce:
      return std::string(kReductions[wait.operation & 7]) + "_sync";
    case Collective::Together:
      return "mma_sync";
    case Collective::ActiveMask:
      return "__activemask";
  }
  return "a warp collective";
}

std::string waitText(const Wait &wait) {
  switch (wait.kind) {
    case WaitKind::Barrier:
      return "wait at " + barrierText(wait);
    case WaitKind::Warp:
      return "wait at " + collectiveName(wait) + "(" + (wait.detail != 0 ? hex(wait.detail) : "") + ")";
    case WaitKind::Tile:
      return "wait at a tile of " + std::to_string(wait.detail) + " threads";
    case WaitKind::Cluster:
      return "wait at the cluster barrier";
    case WaitKind::Grid:
      return "wait at the grid barrier";
    case WaitKind::Spin:
      return "spin";
    case WaitKind::None:
      break;
  }
  return "run";
}

// Standing is the threads of a block that stand at the same place.
struct Standing {
  Wait wait;
  std::vector<uint32_t> threads;
};

std::vector<Standing> groupThreads(const Block &block) {
  const auto key = [](const Wait &w) {
    return std::tuple(w.site, w.kind, w.collective, w.operation, w.detail, w.count);
  };
  std::vector<Standing> groups;
  block.forEachWaiting([&](const Fiber &fiber) {
    const auto same = [&](const Standing &group) { return key(group.wait) == key(fiber.wait); };
    auto group = std::find_if(groups.begin(), groups.end(), same);
    if (group == groups.end()) group = groups.insert(groups.end(), Standing{fiber.wait, {}});
    // Who waits in the name of all has not kept which threads have ended.
    const uint32_t end = block.ranWhole() ? block.grid().threadsPerBlock() : fiber.thread.linearThread + 1;
    for (uint32_t thread = fiber.thread.linearThread; thread < end; ++thread) group->threads.push_back(thread);
  });
  return groups;
}

std::string describeGroups(const Block &block) {
  std::string text;
  const std::vector<Standing> groups = groupThreads(block);
  const hw_thread &common = block.prototype();
  for (size_t i = 0; i < groups.size() && i < kMostGroups; ++i) {
    const Standing &group = groups[i];
    text += "  " + threadRanges(group.threads, common.blockDim) + " of block " + triple(common.blockIdx) + " " +
            waitText(group.wait) + ", " + locate(group.wait.site, true) + "\n";
  }
  if (groups.size() > kMostGroups) text += "  and " + std::to_string(groups.size() - kMostGroups) + " more places\n";
  return text;
}

}  // namespace

std::string describeThread(const hw_thread &thread) {
  return "block " + triple(thread.blockIdx) + ", thread " + triple(thread.threadIdx);
}

GridOutcome describeFault(const Block &block, const PendingFault &pending) {
  GridOutcome outcome;
  outcome.fault = pending.fault;
  outcome.address = pending.fault == Fault::IllegalAddress ? pending.address : 0;
  const std::string place = pending.fiber != nullptr  ? describeThread(pending.fiber->thread)
                            : !pending.thread.empty() ? pending.thread
                                                      : "a thread of block " + triple(block.prototype().blockIdx);
  const bool isWords = !pending.what.empty() && pending.alignment == 0;
  if (!isWords || pending.what.back() != '\n') {
    outcome.diagnosis = (!isWords ? faultSentence(block, pending) : pending.what) + ": " + kernelText(block.grid()) +
                        ", " + place + ", at " + locate(pending.site, pending.siteIsReturn) + "\n";
  } else {
    outcome.diagnosis = pending.what;  // complete lines already
  }
  outcome.diagnosis += hintFor(pending.fault);
  return outcome;
}

GridOutcome describeDeadlock(const Block &block) {
  GridOutcome outcome;
  outcome.fault = Fault::Deadlock;
  outcome.diagnosis =
      "deadlock: " + kernelText(block.grid()) + ": no thread can ever run again\n" + describeGroups(block);
  if (block.grid().barrierBroken()) outcome.diagnosis += "  " + block.grid().describeMissingBlocks() + "\n";
  return outcome;
}

std::string describeProgress(const Block &block, const PendingFault &pending) {
  if (pending.fiber == nullptr) return describeGroups(block);
  const std::string place = block.ranWhole() ? "a thread of block " + triple(block.prototype().blockIdx)
                                             : describeThread(pending.fiber->thread);
  return "  " + place + " was at " + locate(pending.site, false) + "\n";
}

GridOutcome outOfMemory(const Grid &grid, const std::string &what) {
  GridOutcome outcome;
  outcome.fault = Fault::OutOfMemory;
  outcome.diagnosis = what + ": " + kernelText(grid) +
                      "\nhint: launch smaller blocks or fewer cooperating ones, lower cudaLimitStackSize, or raise "
                      "vm.max_map_count and the process's memory limits\n";
  return outcome;
}

GridOutcome timedOut(const Grid &grid, double seconds) {
  char limit[32];
  std::snprintf(limit, sizeof limit, "%g", seconds);
  GridOutcome outcome;
  outcome.fault = Fault::Timeout;
  outcome.diagnosis = kernelText(grid) + " did not end within " + limit + " s (HOSTWARP_TIMEOUT)\n";
  return outcome;
}

GridOutcome cancelled(const Grid &grid) {
  GridOutcome outcome;
  outcome.fault = Fault::Timeout;
  outcome.diagnosis = kernelText(grid) + " was cancelled\n";
  return outcome;
}

}  // namespace hostwarp::fibers
