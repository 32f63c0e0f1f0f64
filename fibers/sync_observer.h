// Who is told which threads have waited for each other, so that their accesses of memory are ordered: the checks do.
#ifndef HOSTWARP_FIBERS_SYNC_OBSERVER_H
#define HOSTWARP_FIBERS_SYNC_OBSERVER_H

#include <cstddef>
#include <cstdint>
#include <string>

#include "include/hostwarp/device_abi.h"

struct hw_access_site;

namespace hostwarp::fibers {

// ThreadSet is some threads of a block: the lanes of each warp.
struct ThreadSet {
  static constexpr uint32_t kWarps = 32;
  uint32_t lanes[kWarps] = {};

  void add(const hw_thread &thread) { lanes[thread.warpId] |= 1u << thread.laneId; }
};

// ObservedThread is what hw_self() points at in a block that is observed; blockState is what blockBegins() has given.
struct ObservedThread {
  hw_thread thread;
  void *blockState;
};

// DeviceLaunch is who has launched a grid in device code, for the observer of its blocks.
struct DeviceLaunch {
  const hw_access_site *site = nullptr;  // where; null: not known
  std::string thread{};                  // in words
  const DeviceLaunch *outer = nullptr;   // of the grid that the thread belongs to; null: the host's
};

// ObservedBlock is a block that begins.
struct ObservedBlock {
  uint64_t launch;         // ordinal of its grid
  const char *kernelName;  // lives until the grid ends
  uint64_t linear;         // index in the grid
  uint64_t cluster;        // the same for all blocks of a cluster that is resident
  uint32_t threads;
  const hw_thread *prototype;                // what all of its threads have in common
  void *followed;                            // GridRequest::followed
  const DeviceLaunch *launchedBy = nullptr;  // GridRequest::launchedBy
};

// SyncObserver is told of meetings as they happen, by the OS thread that the block is on, often on a fiber inside of
// the engine: implementations never wait for a thread of a kernel. Of blocks that run whole it is told when they begin
// and end, the rest is their code's business.
class SyncObserver {
 public:
  virtual ~SyncObserver() = default;

  virtual void *blockBegins(const ObservedBlock &block) = 0;
  virtual void blockEnds(void *block) = 0;
  virtual void threadEnds(void *block, const hw_thread &thread) = 0;
  // lanesEnd() is the same for lanes of a block that runs whole; they may have been told of before.
  virtual void lanesEnd(void *block, uint32_t warp, uint32_t lanes) = 0;
  // gridEnds(): `whole` when all of its threads have come to their end.
  virtual void gridEnds(uint64_t launch, bool whole) = 0;

  // arrivesAtBarrier(): the thread goes on without waiting. barrierOpens(): these have waited at it, `all` when none of
  // the block's live threads is missing.
  virtual void arrivesAtBarrier(void *block, const hw_thread &thread, uint32_t barrier) = 0;
  virtual void barrierOpens(void *block, uint32_t barrier, const ThreadSet &waited, bool all) = 0;
  // lanesMeet(): at a __syncwarp(). lanesExchange(): at a shuffle, vote or the like, which hands over values and orders
  // no memory. threadsMeet(): a tile of several warps.
  virtual void lanesMeet(void *block, uint32_t warp, uint32_t lanes, bool all) = 0;
  virtual void lanesExchange(void *block, uint32_t warp, uint32_t lanes) = 0;
  virtual void threadsMeet(void *block, const ThreadSet &threads) = 0;
  virtual void arrivesAtGrid(void *block, const hw_thread &thread) = 0;
  virtual void passesGrid(void *block, const hw_thread &thread) = 0;
  virtual void arrivesAtCluster(void *block, const hw_thread &thread) = 0;
  virtual void passesCluster(void *block, const hw_thread &thread) = 0;
  // looksAtOrder(): a thread asks for what depends on the schedule.
  virtual void looksAtOrder(void *block) = 0;
  // getsMemory(): what has touched it before counts no more.
  virtual void getsMemory(const void *address, size_t bytes) = 0;
};

// syncObserver is the process's; null: none. It is set before the first grid and stays.
inline constinit SyncObserver *syncObserver = nullptr;

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_SYNC_OBSERVER_H
