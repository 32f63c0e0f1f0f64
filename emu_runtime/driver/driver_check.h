// How NVIDIA's runtime finds out that both sides of cuGetExportTable() mean the same driver and devices.
#ifndef HOSTWARP_EMU_RUNTIME_DRIVER_DRIVER_CHECK_H
#define HOSTWARP_EMU_RUNTIME_DRIVER_DRIVER_CHECK_H

#include <array>
#include <cstdint>
#include <string_view>

#include "emu_runtime/driver/declarations.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::driver_api {

using Digest = std::array<unsigned char, 16>;

// md2() is the message digest of RFC 1319, keyedDigest() the HMAC of RFC 2104 with it.
Digest md2(std::string_view message);
Digest keyedDigest(std::string_view key, std::string_view message);

// DriverTables are the addresses by which the caller knows the driver.
struct DriverTables {
  const void *runtimeInterface, *check, *checkFunction;
};

// describeDriver() is the digest over this process, thread and driver and all devices that a runtime of this version
// expects at this time.
Expected<Digest> describeDriver(uint32_t version, uint64_t seconds, const DriverTables &tables);

}  // namespace hostwarp::driver_api

#endif  // HOSTWARP_EMU_RUNTIME_DRIVER_DRIVER_CHECK_H
