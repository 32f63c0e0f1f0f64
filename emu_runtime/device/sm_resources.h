// What green contexts are made of [CUDA 4.6.3]: parts of a device's SMs, and how many queues a program expects to need.
// Programs carry them in structures whose bytes the APIs fill; CUdevResource is cudaDevResource by another name.
#ifndef HOSTWARP_EMU_RUNTIME_DEVICE_SM_RESOURCES_H
#define HOSTWARP_EMU_RUNTIME_DEVICE_SM_RESOURCES_H

#include <driver_types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "emu_runtime/device/device.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::device {

// SmPart is consecutive SMs of a device.
struct SmPart {
  int device = -1;
  int first = 0;
  int count = 0;
  int coscheduled = 0;  // so many lie together; 0: a remainder, of which nothing is known
  uint64_t split = 0;   // which call made it; 0: it is all that a device or context has, and may be split

  int end() const { return first + count; }
};

// QueueConfig is what a program says of its queues; a hint.
using QueueConfig = cudaDevWorkqueueConfigResource;

// Resources are those of a context.
struct Resources {
  std::vector<SmPart> parts;
  std::optional<QueueConfig> queues;

  // whole() is all SMs: parts that a program puts together lie together.
  SmPart whole() const;
};

// resourcesOf() are all that a device has.
Resources resourcesOf(const Device &device);

// giveResource() hands out the resource of this type, of which the first may be split.
Status giveResource(cudaDevResource *resource, cudaDevResourceType type, const Resources &resources);

// splitByCount() makes groups of one size [CUDA 4.6.4.2], split() groups as each of `params` wants one.
Status splitByCount(cudaDevResource *result, unsigned *groups, const cudaDevResource *input, cudaDevResource *remaining,
                    unsigned flags, unsigned minCount);
Status split(cudaDevResource *result, const cudaDevResource *input, cudaDevResource *remainder,
             std::span<cudaDevSmResourceGroupParams> params);

// describe() is the resources that a context is to have. With oneSplit they have to come from the same call.
Expected<Resources> describe(std::span<const cudaDevResource> resources, bool oneSplit);

}  // namespace hostwarp::device

#endif  // HOSTWARP_EMU_RUNTIME_DEVICE_SM_RESOURCES_H
