// The 200 parameter sets of MTGP32.
#ifndef HOSTWARP_CURAND_MTGP32DC_P_11213_H
#define HOSTWARP_CURAND_MTGP32DC_P_11213_H
#define CURAND_MTGP32DC_P_11213_H

#include "curand_mtgp32.h"

#if __cplusplus >= 201703L
#define HOSTWARP_MTGP32_VARIABLE inline
#else
#define HOSTWARP_MTGP32_VARIABLE static __attribute__((unused))
#endif
// HOSTWARP_MTGP32_ROWS() sums rows a to d for every combination of bits; HOSTWARP_MTGP32_FLOAT() makes a sum the
// fraction of a float between 1 and 2.
#define HOSTWARP_MTGP32_ROWS(f, a, b, c, d) \
  {f(0u),                                   \
   f(a),                                    \
   f(b),                                    \
   f((a) ^ (b)),                            \
   f(c),                                    \
   f((a) ^ (c)),                            \
   f((b) ^ (c)),                            \
   f((a) ^ (b) ^ (c)),                      \
   f(d),                                    \
   f((a) ^ (d)),                            \
   f((b) ^ (d)),                            \
   f((a) ^ (b) ^ (d)),                      \
   f((c) ^ (d)),                            \
   f((a) ^ (c) ^ (d)),                      \
   f((b) ^ (c) ^ (d)),                      \
   f((a) ^ (b) ^ (c) ^ (d))}
#define HOSTWARP_MTGP32_WORD(sum) (sum)
#define HOSTWARP_MTGP32_FLOAT(sum) (((sum) >> 9) | 0x3f800000u)
#define HOSTWARP_MTGP32(pos, sh1, sh2, r0, r1, r2, r3, t0, t1, t2, t3, digest) \
  {MTGPDC_MEXP,                                                                \
   pos,                                                                        \
   sh1,                                                                        \
   sh2,                                                                        \
   HOSTWARP_MTGP32_ROWS(HOSTWARP_MTGP32_WORD, r0, r1, r2, r3),                 \
   HOSTWARP_MTGP32_ROWS(HOSTWARP_MTGP32_WORD, t0, t1, t2, t3),                 \
   HOSTWARP_MTGP32_ROWS(HOSTWARP_MTGP32_FLOAT, t0, t1, t2, t3),                \
   0xfff80000,                                                                 \
   digest},

HOSTWARP_MTGP32_VARIABLE const int mtgpdc_params_11213_num = CURAND_NUM_MTGP32_PARAMS;
HOSTWARP_MTGP32_VARIABLE mtgp32_params_fast_t mtgp32dc_params_fast_11213[] = {
#include "hostwarp/random/mtgp32_11213.inc"
};

#undef HOSTWARP_MTGP32
#undef HOSTWARP_MTGP32_FLOAT
#undef HOSTWARP_MTGP32_WORD
#undef HOSTWARP_MTGP32_ROWS
#undef HOSTWARP_MTGP32_VARIABLE

#endif  // HOSTWARP_CURAND_MTGP32DC_P_11213_H
