// What translated PTX calls when an operation takes more than a few LLVM instructions. This folder is compiled to
// bitcode by clang and linked into the modules that use it; it includes nothing of the host's library.
//
// The emitter passes modifiers as constants, so that inlining leaves only what is needed.
#ifndef HOSTWARP_COMPILER_PTX_LIBRARY_INTERFACE_H
#define HOSTWARP_COMPILER_PTX_LIBRARY_INTERFACE_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
typedef int s32;
typedef long s64;
typedef unsigned __int128 u128;

#define HWPTX extern "C" __attribute__((always_inline, nothrow))
// For what changes the rounding mode: it must not be inlined among ordinary arithmetic.
#define HWPTX_APART extern "C" __attribute__((noinline, nothrow))

template <class To, class From>
static inline To bitsAs(From from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

#endif  // HOSTWARP_COMPILER_PTX_LIBRARY_INTERFACE_H
