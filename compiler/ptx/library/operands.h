// Operands that the hardware does not take.
#ifndef HOSTWARP_COMPILER_PTX_LIBRARY_OPERANDS_H
#define HOSTWARP_COMPILER_PTX_LIBRARY_OPERANDS_H

#include "compiler/ptx/library/interface.h"

extern "C" __attribute__((noreturn)) void hw_misaligned(u64 address, u32 alignment) noexcept;
extern "C" __attribute__((noreturn)) void hw_illegal_instruction(const char *what) noexcept;

static inline void checkAligned(const void *place, u32 alignment) {
  const u64 address = reinterpret_cast<u64>(place);
  if (address & (alignment - 1)) hw_misaligned(address, alignment);
}

#endif  // HOSTWARP_COMPILER_PTX_LIBRARY_OPERANDS_H
