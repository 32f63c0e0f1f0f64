// What the CUDA API reports of a model: cudaDeviceProp, attributes, default limits.
#ifndef HOSTWARP_DEVICE_MODEL_PROPERTIES_H
#define HOSTWARP_DEVICE_MODEL_PROPERTIES_H

#include <driver_types.h>

#include <cstddef>
#include <optional>

#include "device_model/gpu.h"

namespace hostwarp::device_model {

// properties() fills every member for the device number `ordinal` of this model (PCI bus id and uuid differ between
// ordinals). It describes the hardware; features that only exist between processes or devices that a CPU does not
// have (IPC, RDMA, sparse arrays, interop) are reported as absent.
[[nodiscard]] cudaDeviceProp properties(const Gpu &gpu, int ordinal = 0);

// attribute() returns the attribute's value, or nothing when `attribute` is no enumerator of cudaDeviceAttr.
[[nodiscard]] std::optional<int> attribute(const Gpu &gpu, cudaDeviceAttr attribute, int ordinal = 0);

// defaultLimit() returns what cudaDeviceGetLimit gives before any cudaDeviceSetLimit, or nothing for a limit that this
// model does not have.
[[nodiscard]] std::optional<size_t> defaultLimit(const Gpu &gpu, cudaLimit limit);
// largestLimit() returns the most that cudaDeviceSetLimit accepts for it.
[[nodiscard]] std::optional<size_t> largestLimit(const Gpu &gpu, cudaLimit limit);
// settledLimit() returns what a limit is once `value` was set: small ones become the least that there is, others are
// rounded up; persisting L2 comes in sixteenths.
[[nodiscard]] size_t settledLimit(const Gpu &gpu, cudaLimit limit, size_t value);

}  // namespace hostwarp::device_model

#endif  // HOSTWARP_DEVICE_MODEL_PROPERTIES_H
