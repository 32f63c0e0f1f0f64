// The words for what went wrong. Everything here runs on a worker's own stack, never on a fiber.
#ifndef HOSTWARP_FIBERS_DIAGNOSIS_H
#define HOSTWARP_FIBERS_DIAGNOSIS_H

#include <string>

#include "fibers/engine.h"

namespace hostwarp::fibers {

class Block;
class Grid;
struct PendingFault;

// describeThread() gives "block (1,0,0), thread (3,0,0)".
std::string describeThread(const hw_thread &thread);

GridOutcome describeFault(const Block &block, const PendingFault &pending);
// describeDeadlock() names each waiting thread of the block, what it waits at, and where.
GridOutcome describeDeadlock(const Block &block);
// describeProgress() says where the threads of a block stood when its grid ran out of time.
std::string describeProgress(const Block &block, const PendingFault &pending);
GridOutcome outOfMemory(const Grid &grid, const std::string &what);
GridOutcome timedOut(const Grid &grid, double seconds);
GridOutcome cancelled(const Grid &grid);

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_DIAGNOSIS_H
