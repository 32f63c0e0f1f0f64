// Random numbers in kernels: cuRAND's device API.
#ifndef HOSTWARP_CURAND_KERNEL_H
#define HOSTWARP_CURAND_KERNEL_H
#define CURAND_KERNEL_H_

#include "curand_discrete2.h"
#include "curand_globals.h"
#include "curand_lognormal.h"
#include "curand_normal.h"
#include "curand_poisson.h"
#include "curand_uniform.h"

#endif  // HOSTWARP_CURAND_KERNEL_H
