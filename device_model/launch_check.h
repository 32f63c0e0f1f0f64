// Whether a launch keeps the device's rules, and if not, which rule it breaks.
#ifndef HOSTWARP_DEVICE_MODEL_LAUNCH_CHECK_H
#define HOSTWARP_DEVICE_MODEL_LAUNCH_CHECK_H

#include <driver_types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "device_model/occupancy.h"

namespace hostwarp::device_model {

using Extent = std::array<uint32_t, 3>;  // x, y, z

// LaunchShape is what the program asks for. A cluster of {1,1,1} means none.
struct LaunchShape {
  Extent grid{1, 1, 1};
  Extent block{1, 1, 1};
  Extent cluster{1, 1, 1};
  size_t dynamicShared = 0;
  bool cooperative = false;

  bool operator==(const LaunchShape &) const = default;
};

enum class LaunchRule {
#define HW_LAUNCH_RULE(name, error) name,
#include "device_model/launch_rules.def"
};

// LaunchViolation names the first rule broken; `text` is for a person: "block has 2048 threads; the limit is 1024".
struct LaunchViolation {
  LaunchRule rule;
  cudaError_t error;
  std::string text;
};

// checkLaunch() returns nothing when the launch is valid.
[[nodiscard]] std::optional<LaunchViolation> checkLaunch(const Gpu &gpu, const KernelResources &kernel,
                                                         const LaunchShape &shape);

}  // namespace hostwarp::device_model

#endif  // HOSTWARP_DEVICE_MODEL_LAUNCH_CHECK_H
