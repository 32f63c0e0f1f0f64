// What a curandDiscreteDistribution_t is made of. Programs get one from curandCreatePoissonDistribution() and pass it
// on.
#ifndef HOSTWARP_CURAND_DISCRETE_H
#define HOSTWARP_CURAND_DISCRETE_H
#define CURANDDISCRETE_H_

#include "curand.h"

// Pointers without `host` in their name are for kernels. host_gen: made for a generator of the host.
struct curandDistributionShift_st {
  curandDistribution_t probability;
  curandDistribution_t host_probability;
  unsigned int shift;
  unsigned int length;
  unsigned int host_gen;
};

// A square histogram: column j holds the value j below V[j], and the value K[j] above.
struct curandHistogramM2_st {
  curandHistogramM2V_t V;
  curandHistogramM2V_t host_V;
  curandHistogramM2K_t K;
  curandHistogramM2K_t host_K;
  unsigned int host_gen;
};

struct curandDistributionM2Shift_st {
  curandHistogramM2_t histogram;
  curandHistogramM2_t host_histogram;
  unsigned int shift;
  unsigned int length;
  unsigned int host_gen;
};

struct curandDiscreteDistribution_st {
  curandDiscreteDistribution_t self_host_ptr;
  curandDistributionM2Shift_t M2;
  curandDistributionM2Shift_t host_M2;
  double stddev;
  double mean;
  curandMethod_t method;
  unsigned int host_gen;
};

#endif  // HOSTWARP_CURAND_DISCRETE_H
