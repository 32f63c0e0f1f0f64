// What kernels do with graphs: launch them, ask for their own, change nodes [CUDA 4.2.4, 4.2.6].
#include <cuda_runtime_api.h>

#include <cstring>

#include "emu_runtime/abi/exports.h"
#include "emu_runtime/graph/device_node.h"
#include "emu_runtime/graph/environment.h"
#include "emu_runtime/support/log.h"
#include "fibers/engine.h"

namespace {

using hostwarp::fibers::RuntimeSection;
using hostwarp::graph::Environment;

// environment() is that of the graph which the calling kernel is a node of; null for other kernels.
Environment *environment() {
  const auto *scope = static_cast<hostwarp::graph::RunScope *>(hostwarp::fibers::currentScope());
  return scope ? scope->environment : nullptr;
}

cudaError_t launch(cudaGraphExec_t handle, cudaStream_t stream) {
  Environment *own = environment();
  if (!own) {
    hostwarp::logOnce("cudaGraphLaunch in a kernel",
                      "cudaGraphLaunch() in a kernel that is no node of a graph returns cudaErrorInvalidValue");
    return cudaErrorInvalidValue;
  }
  const auto executable = hostwarp::graph::executableTable().find(handle);
  if (!executable || !((*executable)->flags() & cudaGraphInstantiateFlagDeviceLaunch)) return cudaErrorInvalidValue;
  return own->launch(*executable, stream);
}

template <typename Change>
cudaError_t change(cudaGraphDeviceNode_t handle, Change change) {
  RuntimeSection section;
  const auto node = hostwarp::graph::deviceNodeTable().find(handle);
  return node ? change(**node) : cudaErrorInvalidValue;
}

}  // namespace

HOSTWARP_ABI cudaError_t hw_cuda_graph_launch(cudaGraphExec_t handle, cudaStream_t stream) noexcept {
  RuntimeSection section;
  return launch(handle, stream);  // does not become the thread's last error
}

HOSTWARP_ABI cudaGraphExec_t hw_graph_current() {
  RuntimeSection section;
  const Environment *own = environment();
  if (!own || !own->executable()) return nullptr;
  return hostwarp::graph::executableTable().handleOf(own->executable()).value_or(nullptr);
}

HOSTWARP_ABI cudaError_t hw_graph_node_set_param(cudaGraphDeviceNode_t node, size_t offset, const void *value,
                                                 size_t size) {
  char bytes[4096];  // all parameters of most kernels
  if (size > sizeof bytes) return cudaErrorInvalidValue;
  std::memcpy(bytes, value, size);  // the program's memory is not touched inside of the section
  return change(node, [&](hostwarp::graph::DeviceNode &each) { return each.setParameter(offset, bytes, size); });
}

HOSTWARP_ABI cudaError_t hw_graph_node_set_enabled(cudaGraphDeviceNode_t node, bool enabled) {
  return change(node, [&](hostwarp::graph::DeviceNode &each) { return each.setEnabled(enabled); });
}

HOSTWARP_ABI cudaError_t hw_graph_node_set_grid(cudaGraphDeviceNode_t node, unsigned x, unsigned y, unsigned z) {
  return change(node, [&](hostwarp::graph::DeviceNode &each) { return each.setGrid({x, y, z}); });
}
