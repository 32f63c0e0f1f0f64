// What all headers of cuRAND's device functions begin with.
#ifndef HOSTWARP_RANDOM_PRELUDE_H
#define HOSTWARP_RANDOM_PRELUDE_H

#include "../../cuda_runtime.h"
#include "../../curand.h"

// QUALIFIERS begins every function of these headers. A program that defines it first (`static inline __host__
// __device__`) can call them on the host as well.
#if !defined(QUALIFIERS)
#define QUALIFIERS static __inline__ __device__
#endif

// HOSTWARP_RANDOM_CONSTEXPR begins a function that tables are computed with while compiling.
#define HOSTWARP_RANDOM_CONSTEXPR constexpr __host__ __device__

#endif  // HOSTWARP_RANDOM_PRELUDE_H
