// cudaGraphSetConditional() of device code.
#include "emu_runtime/abi/exports.h"
#include "emu_runtime/graph/run.h"
#include "fibers/engine.h"
#include "include/hostwarp/device_abi.h"

HOSTWARP_ABI void hw_graph_set_conditional(uint64_t handle, uint32_t value) noexcept {
  namespace fibers = hostwarp::fibers;
  auto *scope = static_cast<hostwarp::graph::RunScope *>(fibers::currentScope());
  if (scope && scope->setCondition(handle, value)) return;
  fibers::failCurrentGrid(fibers::Fault::Trap,
                          "cudaGraphSetConditional() with a handle that is none of the graph that the kernel runs in");
}
