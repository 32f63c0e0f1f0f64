// What `hostwarp smi` can be asked for: the fields of --query-gpu and --query-compute-apps.
#ifndef HOSTWARP_TOOLS_HOSTWARP_SMI_FIELDS_H
#define HOSTWARP_TOOLS_HOSTWARP_SMI_FIELDS_H

#include <cuda_runtime_api.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/hostwarp/device_usage.h"

namespace hostwarp::tool {

// SmiDevice is one device as smi shows it.
struct SmiDevice {
  int index = 0;
  int count = 0;
  cudaDeviceProp properties{};
  std::vector<Usage> processes;

  [[nodiscard]] uint64_t totalMiB() const;
  [[nodiscard]] uint64_t usedMiB() const;
  [[nodiscard]] std::string uuid() const;
  [[nodiscard]] std::string busId() const;
};

// A field has a value for a device and, of --query-compute-apps, a process (null otherwise).
struct SmiField {
  std::string_view name;
  std::string_view alias;
  std::string_view unit;  // "" if the value has none
  std::string (*value)(const SmiDevice &, const Usage *);
};
std::span<const SmiField> deviceFields();
std::span<const SmiField> processFields();

// findField() is null for a name that is not there.
const SmiField *findField(std::span<const SmiField> fields, std::string_view name);

inline constexpr const char *notApplicable = "[N/A]";
// The driver's version that goes with the CUDA version which hostwarp has.
inline constexpr const char *driverVersion = "580.00";

}  // namespace hostwarp::tool

#endif  // HOSTWARP_TOOLS_HOSTWARP_SMI_FIELDS_H
