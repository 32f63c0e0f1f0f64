#include "emu_runtime/check/variables.h"

#include <algorithm>
#include <optional>
#include <span>

#include "emu_runtime/memory/allocation_table.h"

namespace hostwarp::check {

namespace {

std::span<const hw_check_variable> listOf(const hw_check_variables *variables) {
  if (variables == nullptr) return {};
  return {variables->list, variables->count};
}

// elementAt() names the part of the variable at the offset, which may lie outside.
std::string elementAt(const hw_check_variable &variable, int64_t offset) {
  std::string text = variable.name;
  uint64_t inner = variable.elementBytes;
  for (uint32_t i = 1; i < variable.rank; ++i) inner *= variable.extents[i];
  for (uint32_t i = 0; i < variable.rank && inner != 0; ++i) {
    const auto size = static_cast<int64_t>(inner);
    const int64_t index = offset >= 0 ? offset / size : -((size - 1 - offset) / size);
    text += "[" + std::to_string(index) + "]";
    offset -= index * size;
    if (i + 1 < variable.rank) inner /= std::max<uint64_t>(variable.extents[i + 1], 1);
  }
  if (offset != 0) text += (offset > 0 ? " + " : " - ") + bytesText(static_cast<uint64_t>(std::abs(offset)));
  return text == variable.name ? variable.declaration : text + " of " + variable.declaration;
}

uintptr_t addressOf(const hw_check_variable &variable, int64_t delta) {
  if (variable.place == HW_IN_MANAGED) return *static_cast<const uintptr_t *>(variable.address);
  return reinterpret_cast<uintptr_t>(variable.address) + static_cast<uint64_t>(delta);
}

// bytesOf() asks the table of allocations where the compiler could not know.
uint64_t bytesOf(const hw_check_variable &variable, uintptr_t address) {
  if (variable.place != HW_IN_MANAGED || address == 0) return variable.bytes;
  const void *const start = reinterpret_cast<const void *>(address);  // NOLINT(performance-no-int-to-ptr)
  const auto allocation = memory::AllocationTable::process().find(start);
  return allocation ? allocation->bytes : 0;
}

uint64_t dynamicOffset(const hw_thread &thread) {
  return reinterpret_cast<uintptr_t>(thread.dynamicShared) - reinterpret_cast<uintptr_t>(thread.sharedBase);
}

// offsetIn() is how far into the variable a place in shared memory is.
std::optional<uint64_t> offsetIn(const hw_check_variable &variable, uint64_t offset, const hw_thread &thread) {
  const bool isDynamic = variable.place == HW_IN_DYNAMIC;
  const uint64_t inside = offset - variable.offset - (isDynamic ? dynamicOffset(thread) : 0);
  return inside < (isDynamic ? ~uint64_t{0} / 2 : variable.bytes) ? std::optional(inside) : std::nullopt;
}

}  // namespace

// Arrays whose size the launch decides about all begin at one place: the one that has elements of that size is meant.
std::string sharedVariable(const hw_access_site &site, uint64_t offset, uint64_t bytes, const hw_thread &thread) {
  const hw_check_variable *best = nullptr;
  for (const hw_check_variable &each : listOf(site.shared)) {
    if (!offsetIn(each, offset, thread)) continue;
    if (best == nullptr || (best->elementBytes != bytes && each.elementBytes == bytes)) best = &each;
  }
  return best != nullptr ? elementAt(*best, static_cast<int64_t>(*offsetIn(*best, offset, thread))) : "";
}

std::string globalVariable(const hw_access_site &site, uintptr_t address, int64_t delta) {
  for (const hw_check_variable &each : listOf(site.global)) {
    const uintptr_t start = addressOf(each, delta);
    if (address - start < bytesOf(each, start)) return elementAt(each, static_cast<int64_t>(address - start));
  }
  return "";
}

std::string objectElement(const hw_access_site &site, uintptr_t object, uintptr_t address, uint64_t bytes) {
  const auto distance = static_cast<int64_t>(address - object);
  const hw_thread &self = *hw_self();
  const uint64_t inShared = object - reinterpret_cast<uintptr_t>(self.sharedBase);
  const hw_check_variable *best = nullptr;
  for (const hw_check_variable &each : listOf(site.shared)) {
    if (offsetIn(each, inShared, self) != std::optional<uint64_t>(0)) continue;
    if (best == nullptr || (best->elementBytes != bytes && each.elementBytes == bytes)) best = &each;
  }
  for (const hw_check_variable &each : listOf(site.global))
    if (addressOf(each, self.deviceDelta) == object) best = &each;
  return best != nullptr ? elementAt(*best, distance) : "";
}

}  // namespace hostwarp::check
