// Reads of memory that was never written.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_INIT_CHECKS_H
#define HOSTWARP_EMU_RUNTIME_CHECK_INIT_CHECKS_H

#include "emu_runtime/check/block_state.h"
#include "emu_runtime/check/lane_accesses.h"
#include "emu_runtime/check/written_memory.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::check {

// runAs() has the state of a block that runs whole name the thread. Its code does the same before calls.
void runAs(hw_thread &self, uint32_t thread);

// InitChecks looks at what has been written, for the lanes of one warp.
class InitChecks {
 public:
  InitChecks(WrittenMemory &memory, BlockState &block, const LaneAccesses &all)
      : memory_(memory), block_(block), all_(all) {}

  // reads() tells of what has not, writes() notes what is now.
  void reads();
  void writes();

 private:
  WrittenBlock *sharedAt(uintptr_t address);
  void read(const Access &access, uint32_t thread);
  void write(const Access &access);

  WrittenMemory &memory_;
  BlockState &block_;
  const LaneAccesses &all_;
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_INIT_CHECKS_H
