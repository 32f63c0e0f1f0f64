// Which memory a CUDA thread may touch.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_KNOWN_MEMORY_H
#define HOSTWARP_EMU_RUNTIME_CHECK_KNOWN_MEMORY_H

#include <cstdint>
#include <optional>

#include "emu_runtime/check/access_history.h"
#include "emu_runtime/check/findings.h"
#include "emu_runtime/memory/allocation_table.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::check {

// Access is one that the running CUDA thread is about to make, or has an asynchronous operation make.
struct Access {
  uintptr_t start;
  uint64_t bytes;
  uint32_t traits;  // hw_access_traits
  const hw_access_site *site;
  uint64_t value = 0;
  std::optional<uint64_t> found{};  // what the memory will hold by then, as `value`, as far as that is known to differ
  Flight flight{};                  // of the operation that makes it

  bool isInFlight() const { return flight.pipe != 0; }
  bool reads() const { return (traits & HW_ACCESS_READS) != 0; }
  bool writes() const { return (traits & HW_ACCESS_WRITES) != 0; }
  bool isAtomic() const { return (traits & HW_ACCESS_ATOMIC) != 0; }

  const void *address() const { return reinterpret_cast<const void *>(start); }  // NOLINT(performance-no-int-to-ptr)
};

// Range is memory that is known, and stays so until the table of allocations changes.
struct Range {
  uintptr_t start = 0, end = 0;
  bool isConstant = false;  // a __constant__ variable: kernels only read it
  bool holds(uintptr_t address, uint64_t bytes) const {
    return address >= start && address < end && bytes <= end - address;
  }
};

// Judgement is what is wrong, if something is, or else the range that holds the access, if that may be remembered.
struct Judgement {
  std::optional<Problem> problem;
  Range range;
  bool isOfNobody = false;  // the range lies between allocations: other threads touch what is shared by a block there
};

// judge() looks the address up. pre: inside of a RuntimeSection.
Judgement judge(const Access &access);

// placeInMemory() gives "at 0x200000010004, 4 bytes into the 400 bytes of cudaMalloc at 0x200000010000".
std::string placeInMemory(const Access &access);
// isThere(): the address lies in memory of the program that has not been given back.
bool isThere(const Access &access);
// originOf() is who has allocated the memory there.
Origin originOf(const Access &access);
// describe() gives "the 400 bytes of cudaMalloc at 0x200000010000".
std::string describe(const memory::Allocation &allocation);
// bytesText() gives "1 byte", describeAccess() "writes 4 bytes".
std::string bytesText(uint64_t bytes);
std::string describeAccess(const Access &access);

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_KNOWN_MEMORY_H
