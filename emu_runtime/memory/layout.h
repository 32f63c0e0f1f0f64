// Where in the address space lies what the runtime gives out. Fixed addresses make runs repeatable.
#ifndef HOSTWARP_EMU_RUNTIME_MEMORY_LAYOUT_H
#define HOSTWARP_EMU_RUNTIME_MEMORY_LAYOUT_H

#include <cstdint>

#include "include/hostwarp/device_addresses.h"

namespace hostwarp::memory::layout {

// unit is the distance between two devices' memory, and between two devices' copies of a module variable. Whole
// tebibytes lie between where programs and shared objects are loaded, and outside of what AddressSanitizer keeps for
// itself. ThreadSanitizer leaves programs the first 512 GiB.
#if defined(HOSTWARP_TSAN)
constexpr uintptr_t unit = uintptr_t{8} << 30;
#else
constexpr uintptr_t unit = uintptr_t{1} << 40;
#endif

constexpr uintptr_t devices = 32 * unit;
constexpr uintptr_t reserved = 48 * unit;  // by programs, cuMemAddressReserve()
constexpr uintptr_t managed = 56 * unit;
constexpr uintptr_t host = 60 * unit;
constexpr uintptr_t end = 64 * unit;

#if !defined(HOSTWARP_TSAN)
static_assert(devices == uintptr_t{HW_DEVICE_ADDRESS_PREFIX} << HW_DEVICE_ADDRESS_SHIFT);
static_assert(reserved >= uintptr_t{HW_DEVICE_ADDRESS_PREFIX + 1} << HW_DEVICE_ADDRESS_SHIFT);
#endif

}  // namespace hostwarp::memory::layout

#endif  // HOSTWARP_EMU_RUNTIME_MEMORY_LAYOUT_H
