// What device code asks about addresses [CUDA 5.6 address space predicates].
#include "emu_runtime/abi/exports.h"
#include "emu_runtime/execution/running_grid.h"
#include "emu_runtime/module/device_variables.h"
#include "fibers/engine.h"
#include "include/hostwarp/device_abi.h"

using hostwarp::execution::RunningGrid;

HOSTWARP_ABI uint32_t hw_is_constant(const void *address) noexcept {
  const hw_thread *self = hw_self();
  if (!self || !hostwarp::modules::mayBeConstant(address, self->deviceDelta)) return false;
  hostwarp::fibers::RuntimeSection section;
  return hostwarp::modules::isConstant(address, self->deviceDelta);
}

HOSTWARP_ABI uint32_t hw_is_grid_constant(const void *address) noexcept {
  const RunningGrid *grid = RunningGrid::current();
  return grid && grid->arguments().contains(address);
}
