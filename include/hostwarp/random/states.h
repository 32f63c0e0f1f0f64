// All generators, and macros over the lists of them.
#ifndef HOSTWARP_RANDOM_STATES_H
#define HOSTWARP_RANDOM_STATES_H

#include "../../curand_mtgp32_kernel.h"
#include "mrg32k3a.h"
#include "philox.h"
#include "sobol.h"
#include "xorwow.h"

// Generators that keep the second normal of a pair, those that draw 32 bits and those that draw 64 bits for one number
// by inversion.
#define HOSTWARP_CURAND_PAIRED(F) \
  F(curandStateXORWOW_t)          \
  F(curandStatePhilox4_32_10_t)   \
  F(curandStateMRG32k3a_t)
#define HOSTWARP_CURAND_SINGLE(F)  \
  F(curandStateMtgp32_t)           \
  F(curandStateSobol32_t)          \
  F(curandStateScrambledSobol32_t) \
  F(curandStateSobol64_t)          \
  F(curandStateScrambledSobol64_t)
#define HOSTWARP_CURAND_ALL(F) \
  HOSTWARP_CURAND_PAIRED(F)    \
  HOSTWARP_CURAND_SINGLE(F)

#endif  // HOSTWARP_RANDOM_STATES_H
