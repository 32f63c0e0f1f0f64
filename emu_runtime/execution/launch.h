// Launching kernels: from what the program asks for to an operation in a stream.
#ifndef HOSTWARP_EMU_RUNTIME_EXECUTION_LAUNCH_H
#define HOSTWARP_EMU_RUNTIME_EXECUTION_LAUNCH_H

#include <driver_types.h>

#include <memory>
#include <optional>
#include <vector>

#include "device_model/launch_check.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/module/kernel.h"
#include "emu_runtime/support/status.h"
#include "fibers/engine.h"

namespace hostwarp::execution {

// LaunchConfiguration is everything but the kernel and its arguments.
struct LaunchConfiguration {
  dim3 grid;
  dim3 block;
  size_t dynamicShared = 0;
  cudaStream_t stream = nullptr;
  bool cooperative = false;
  bool overlaps = false;        // may start when the stream's last kernel has released it
  std::optional<dim3> cluster;  // absent: what the kernel was compiled for
  std::optional<dim3> preferredCluster;
  std::optional<int> priority;             // absent: the stream's
  std::vector<cudaLaunchAttribute> hints;  // for the node that a capture makes of the launch
};

// isNoCluster() and isImpossibleCluster(): three zeros leave the cluster to the kernel, a zero among others is an
// error.
bool isNoCluster(const dim3 &cluster);
bool isImpossibleCluster(const dim3 &cluster);

// isMultiple(): `whole` can be filled with `part`s in each direction.
bool isMultiple(const dim3 &whole, const dim3 &part);

// kernelOf() returns the kernel that the host function stands for; fails with cudaErrorInvalidDeviceFunction, or
// cudaErrorNoKernelImageForDevice when the program has no code for hostwarp.
Expected<std::shared_ptr<modules::Kernel>> kernelOf(const void *hostFunction);

// clusterOf() is the cluster that a launch of the kernel has when it asks for one, or for none: that of the kernel's
// __cluster_dims__ or attributes, from which a launch may not differ. Absent: neither has one.
Expected<std::optional<dim3>> clusterOf(const modules::Kernel &kernel, const std::optional<dim3> &asked);

// resourcesOf() says what the kernel needs of an SM.
device_model::KernelResources resourcesOf(const modules::Kernel &kernel);

// prepare() checks the launch against the context's device and makes the engine's request for it. The caller adds the
// priority, RunningGrid the rest.
Expected<fibers::GridRequest> prepare(const modules::Kernel &kernel, const LaunchConfiguration &configuration,
                                      device::Context &context);
// nextGridId() numbers the grids of the process, for %gridid.
uint64_t nextGridId();

// launch() checks the launch against the stream's device and enqueues it. The arguments are copied. Does not wait for
// the kernel, unless CUDA_LAUNCH_BLOCKING=1.
Status launch(const void *hostFunction, const LaunchConfiguration &configuration, void *const *arguments);

}  // namespace hostwarp::execution

#endif  // HOSTWARP_EMU_RUNTIME_EXECUTION_LAUNCH_H
