// What the build that follows values calls (compiler/device/follow_values.cpp).
#include <cstring>
#include <string>

#include "emu_runtime/abi/exports.h"
#include "emu_runtime/check/findings.h"
#include "emu_runtime/check/known_memory.h"
#include "emu_runtime/check/value_origins.h"
#include "emu_runtime/check/value_shadow.h"
#include "fibers/engine.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::check {

namespace {

constexpr const char *uses[] = {"decides a branch", "is part of an address", "is used"};

uintptr_t at(const void *address) { return reinterpret_cast<uintptr_t>(address); }

Access accessAt(uintptr_t address) {
  return {.start = address, .bytes = 1, .traits = HW_ACCESS_READS, .site = nullptr};
}

std::string whereFrom(uint32_t origin) {
  if (origin == ValueOrigins::unknown) return "";
  const ValueOrigins::Place place = ValueOrigins::process().find(origin);
  if (place.variable != nullptr) return std::string(": ") + place.variable;
  if (origin == ValueOrigins::sharedMemory) return ": of shared memory";
  // The allocation is meant, not its first byte.
  std::string text = placeInMemory(accessAt(place.memory));
  const size_t into = text.find(" into ");
  if (into != std::string::npos) text = text.substr(into + sizeof " into " - 1);
  return ": of " + text.substr(0, text.find_last_not_of(',') + 1);
}

void reportUse(uint32_t origin, uint32_t use, const hw_access_site &site) {
  const fibers::RuntimeSection section;
  const uintptr_t memory = ValueOrigins::process().find(origin).memory;
  report({.kind = "uninitialised value",
          .what = "a value that was never written, or comes of one, " + std::string(uses[use]) + whereFrom(origin),
          .origin = memory != 0 ? originOf(accessAt(memory)) : Origin()},
         site);
}

ValueShadow &shadow() { return ValueShadow::ofThread(); }

}  // namespace

}  // namespace hostwarp::check

using hostwarp::check::ValueContext;
using hostwarp::check::ValueOrigins;

HOSTWARP_ABI void hw_check_value(uint32_t origin, uint32_t use, const hw_access_site *site) noexcept {
  hostwarp::check::reportUse(origin, use, *site);
}

HOSTWARP_ABI void *hw_value_begin() noexcept {
  ValueContext &context = hostwarp::check::shadow().context();
  std::memset(context.parameters, 0, sizeof context.parameters);
  return &context;
}

HOSTWARP_ABI void *hw_value_context() noexcept { return &hostwarp::check::shadow().context(); }

HOSTWARP_ABI void hw_value_unwritten(const char *name, uint64_t bytes) noexcept {
  ValueContext &context = hostwarp::check::shadow().context();
  std::memset(context.result, hostwarp::check::neverWritten, std::min(bytes, sizeof context.result));
  context.resultOrigin = ValueOrigins::process().ofVariable(name);
}

HOSTWARP_ABI void hw_value_begin_variable(const void *address, uint64_t bytes, const char *name) noexcept {
  hostwarp::check::shadow().declare(hostwarp::check::at(address), bytes, hostwarp::check::neverWritten,
                                    ValueOrigins::process().ofVariable(name));
}

HOSTWARP_ABI void hw_value_variable_written(const void *address, uint64_t bytes) noexcept {
  hostwarp::check::shadow().declare(hostwarp::check::at(address), bytes, 0, ValueOrigins::unknown);
}

HOSTWARP_ABI void hw_value_written(const void *address, uint64_t bytes) noexcept {
  hostwarp::check::shadow().write(hostwarp::check::at(address), bytes);
}

// The first origin is the one that is told of, not the way from there.
HOSTWARP_ABI uint32_t hw_value_stored_origin(uint32_t origin) noexcept { return origin; }

HOSTWARP_ABI hw_value_metadata hw_value_load_metadata(const void *address, uint64_t bytes) noexcept {
  return hostwarp::check::shadow().find(hostwarp::check::at(address), bytes, false);
}

HOSTWARP_ABI hw_value_metadata hw_value_store_metadata(const void *address, uint64_t bytes) noexcept {
  return hostwarp::check::shadow().find(hostwarp::check::at(address), bytes, true);
}

HOSTWARP_ABI void *hw_value_memmove(void *to, const void *from, uint64_t bytes) noexcept {
  hostwarp::check::shadow().copy(hostwarp::check::at(to), hostwarp::check::at(from), bytes);
  return std::memmove(to, from, bytes);
}

HOSTWARP_ABI void *hw_value_memcpy(void *to, const void *from, uint64_t bytes) noexcept {
  return hw_value_memmove(to, from, bytes);
}

HOSTWARP_ABI void *hw_value_memset(void *to, int value, uint64_t bytes) noexcept {
  hostwarp::check::shadow().write(hostwarp::check::at(to), bytes);
  return std::memset(to, value, bytes);
}
