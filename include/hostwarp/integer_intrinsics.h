// Integer intrinsics: bits, high halves of products, averages, funnel shifts, dot products [CUDA math API, integer
// intrinsics].
#ifndef HOSTWARP_INTEGER_INTRINSICS_H
#define HOSTWARP_INTEGER_INTRINSICS_H

#include "../vector_types.h"
#include "device_abi.h"
#include "device_qualifiers.h"

// --- Bits ---

HOSTWARP_DEVICE int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
HOSTWARP_DEVICE int __clzll(long long x) { return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64; }
HOSTWARP_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
HOSTWARP_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
HOSTWARP_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
HOSTWARP_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }

#if defined(__clang__)
HOSTWARP_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
HOSTWARP_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
#else
HOSTWARP_DEVICE unsigned __brev(unsigned x) {
  x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
  x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
  x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
  return __builtin_bswap32(x);
}
HOSTWARP_DEVICE unsigned long long __brevll(unsigned long long x) {
  return (static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32) |
         __brev(static_cast<unsigned>(x >> 32));
}
#endif

HOSTWARP_DEVICE unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
HOSTWARP_DEVICE unsigned __nv_bswap32(unsigned x) { return __builtin_bswap32(x); }
HOSTWARP_DEVICE unsigned long long __nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }

// __fns() finds the position of the |offset|-th set bit of `mask`, counted from `base` upwards (offset > 0) or
// downwards (offset < 0) and with `base` itself included; offset 0 asks for bit `base`. None: 0xffffffff [PTX fns].
HOSTWARP_DEVICE_FUNCTION unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0) return base < 32 && ((mask >> base) & 1) ? base : 0xffffffffu;
  const int step = offset > 0 ? 1 : -1;
  int left = offset > 0 ? offset : -offset;
  for (int position = static_cast<int>(base); position >= 0 && position < 32; position += step)
    if (((mask >> position) & 1) && --left == 0) return static_cast<unsigned>(position);
  return 0xffffffffu;
}

// __byte_perm() builds each result byte from one of the eight bytes of y:x, named by the nibbles of `selector`; a
// selector's top bit is not part of the CUDA function [PTX prmt: it replicates the sign].
HOSTWARP_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const unsigned long long bytes = (static_cast<unsigned long long>(y) << 32) | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i)
    result |= static_cast<unsigned>((bytes >> (((selector >> (4 * i)) & 7) * 8)) & 0xff) << (8 * i);
  return result;
}

HOSTWARP_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((((static_cast<unsigned long long>(high) << 32) | low) << (shift & 31)) >> 32);
}
HOSTWARP_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(((static_cast<unsigned long long>(high) << 32) | low) >> (shift & 31));
}
HOSTWARP_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
HOSTWARP_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// --- Products and averages ---

HOSTWARP_DEVICE int __mul24(int x, int y) {
  return static_cast<int>((x & 0x800000 ? x | ~0xffffff : x & 0xffffff) *
                          static_cast<unsigned>(y & 0x800000 ? y | ~0xffffff : y & 0xffffff));
}
HOSTWARP_DEVICE unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffffu) * (y & 0xffffffu); }
HOSTWARP_DEVICE int __mulhi(int x, int y) { return static_cast<int>((static_cast<long long>(x) * y) >> 32); }
HOSTWARP_DEVICE unsigned __umulhi(unsigned x, unsigned y) {
  return static_cast<unsigned>((static_cast<unsigned long long>(x) * y) >> 32);
}
HOSTWARP_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(x) * y) >> 64);
}
HOSTWARP_DEVICE long long __mul64hi(long long x, long long y) {
  return static_cast<long long>((static_cast<__int128>(x) * y) >> 64);
}

HOSTWARP_DEVICE unsigned __sad(int x, int y, unsigned z) {
  return z + (x < y ? static_cast<unsigned>(y) - static_cast<unsigned>(x)
                    : static_cast<unsigned>(x) - static_cast<unsigned>(y));
}
HOSTWARP_DEVICE unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x < y ? y - x : x - y); }
HOSTWARP_DEVICE int __hadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y) >> 1); }
HOSTWARP_DEVICE int __rhadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1); }
HOSTWARP_DEVICE unsigned __uhadd(unsigned x, unsigned y) {
  return static_cast<unsigned>((static_cast<unsigned long long>(x) + y) >> 1);
}
HOSTWARP_DEVICE unsigned __urhadd(unsigned x, unsigned y) {
  return static_cast<unsigned>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}

// --- Dot products ---

// hw_lane() is the i-th lane of `word` read as the narrow type T.
template <class T>
HOSTWARP_DEVICE T hw_lane(unsigned word, unsigned i) {
  return static_cast<T>(word >> (i * 8 * sizeof(T)));
}

template <class Byte, class Word>
HOSTWARP_DEVICE Word hw_dp4a(unsigned a, unsigned b, Word c) {
  unsigned sum = static_cast<unsigned>(c);
  for (unsigned i = 0; i < 4; ++i) sum += static_cast<unsigned>(hw_lane<Byte>(a, i) * hw_lane<Byte>(b, i));
  return static_cast<Word>(sum);
}

// hw_dp2a() multiplies the two halves of `a` with the bytes `first` and `first` + 1 of `b`.
template <class Half, class Byte, class Word>
HOSTWARP_DEVICE Word hw_dp2a(unsigned a, unsigned b, Word c, unsigned first) {
  unsigned sum = static_cast<unsigned>(c);
  for (unsigned i = 0; i < 2; ++i) sum += static_cast<unsigned>(hw_lane<Half>(a, i) * hw_lane<Byte>(b, first + i));
  return static_cast<Word>(sum);
}

template <class Value>
HOSTWARP_DEVICE unsigned hw_word(Value value) {
  unsigned word;
  __builtin_memcpy(&word, &value, sizeof word);
  return word;
}

HOSTWARP_DEVICE int __dp4a(int a, int b, int c) {
  return hw_dp4a<signed char>(static_cast<unsigned>(a), static_cast<unsigned>(b), c);
}
HOSTWARP_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c) { return hw_dp4a<unsigned char>(a, b, c); }
HOSTWARP_DEVICE int __dp4a(char4 a, char4 b, int c) { return hw_dp4a<signed char>(hw_word(a), hw_word(b), c); }
HOSTWARP_DEVICE unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return hw_dp4a<unsigned char>(hw_word(a), hw_word(b), c);
}
#define HOSTWARP_DP2A(name, first)                                                                    \
  HOSTWARP_DEVICE int name(int a, int b, int c) {                                                     \
    return hw_dp2a<short, signed char>(static_cast<unsigned>(a), static_cast<unsigned>(b), c, first); \
  }                                                                                                   \
  HOSTWARP_DEVICE unsigned name(unsigned a, unsigned b, unsigned c) {                                 \
    return hw_dp2a<unsigned short, unsigned char>(a, b, c, first);                                    \
  }                                                                                                   \
  HOSTWARP_DEVICE int name(short2 a, char4 b, int c) {                                                \
    return hw_dp2a<short, signed char>(hw_word(a), hw_word(b), c, first);                             \
  }                                                                                                   \
  HOSTWARP_DEVICE unsigned name(ushort2 a, uchar4 b, unsigned c) {                                    \
    return hw_dp2a<unsigned short, unsigned char>(hw_word(a), hw_word(b), c, first);                  \
  }
HOSTWARP_DP2A(__dp2a_lo, 0)
HOSTWARP_DP2A(__dp2a_hi, 2)
#undef HOSTWARP_DP2A

#endif  // HOSTWARP_INTEGER_INTRINSICS_H
