// DeviceNode: a kernel node that kernels change [CUDA 4.2.4 device-updatable nodes].
#ifndef HOSTWARP_EMU_RUNTIME_GRAPH_DEVICE_NODE_H
#define HOSTWARP_EMU_RUNTIME_GRAPH_DEVICE_NODE_H

#include <driver_types.h>

#include <memory>

#include "emu_runtime/device/handle_table.h"
#include "emu_runtime/execution/grid_launch.h"
#include "fibers/mutex.h"

namespace hostwarp::graph {

// DeviceNode is what counts when the node begins the next time. Thread-safe.
class DeviceNode {
 public:
  using ArgumentsRef = std::shared_ptr<const execution::Arguments>;
  struct State {
    dim3 grid;
    ArgumentsRef arguments;
    bool enabled = true;
  };

  // reset() is for the host, which gives the node all its parameters.
  void reset(const hw_kernel *code, const dim3 &grid, ArgumentsRef arguments);
  State state() const;

  // What kernels change. The parameters are bytes of the kernel's parameter list.
  cudaError_t setParameter(size_t offset, const void *value, size_t bytes);
  cudaError_t setEnabled(bool enabled);
  cudaError_t setGrid(const dim3 &grid);

 private:
  mutable Mutex mutex_;
  const hw_kernel *code_ HOSTWARP_GUARDED_BY(mutex_) = nullptr;
  State state_ HOSTWARP_GUARDED_BY(mutex_);
};

using DeviceNodeRef = std::shared_ptr<DeviceNode>;
using DeviceNodeTable = device::HandleTable<cudaGraphDeviceNode_t, DeviceNodeRef>;
DeviceNodeTable &deviceNodeTable();

}  // namespace hostwarp::graph

#endif  // HOSTWARP_EMU_RUNTIME_GRAPH_DEVICE_NODE_H
