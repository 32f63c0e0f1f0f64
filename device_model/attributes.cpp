#include "device_model/properties.h"

namespace hostwarp::device_model {

// NOLINTNEXTLINE(readability-function-size): one row per attribute
std::optional<int> attribute(const Gpu &gpu, cudaDeviceAttr attribute, int ordinal) {
  const cudaDeviceProp p = properties(gpu, ordinal);
  const ComputeCapability &cc = *gpu.capability;
  switch (static_cast<int>(attribute)) {
#define HW_ATTRIBUTE(name, value) \
  case cudaDevAttr##name:         \
    return static_cast<int>(value);
#include "device_model/attributes.def"
    default:
      return std::nullopt;
  }
}

}  // namespace hostwarp::device_model
